"""The explorer as a folder of files, served by any host, below a path."""

import base64
import io
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, Route, expect
from safetensors.numpy import load, save

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.app.site.command import engines_of
from capsnet_explorer.app.site.folder import replace_site
from capsnet_explorer.datasets.digits.writing import labels_of, written
from tests.browser.explorer import ONE, draw, prediction
from tests.browser.server import ROOT
from tests.conftest import LEARNT, NETWORKS, TITLE
from tests.patience import START_S

pytestmark = pytest.mark.long  # one worker takes all, and writes one site

CLOSE = 1e-4
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")

# Asks the site's worker as its page does, from a document without a policy.
ASK = """async ([place, site, question]) => {
    if (globalThis.asked === undefined) {
        globalThis.asked = { worker: new Worker(place, { type: "module" }), number: 0 };
        globalThis.asked.worker.postMessage({ site, model: "" });
    }
    const { worker } = globalThis.asked;
    const number = ++globalThis.asked.number;
    const answer = await new Promise((done) => {
        const listen = ({ data }) => {
            if (data.number !== number) return;
            worker.removeEventListener("message", listen);
            done(data);
        };
        worker.addEventListener("message", listen);
        worker.postMessage({ number, question });
    });
    if (answer.refused) return answer.refused;
    if (answer.json) return { json: answer.json };
    let text = "";
    for (const byte of new Uint8Array(answer.file)) text += String.fromCharCode(byte);
    return { file: btoa(text) };
}"""


@pytest.fixture(scope="session")
def base_url(site_address: str) -> str:
    """The address of the folder on a plain host of files, below a path."""
    return site_address


@pytest.fixture(scope="session")
def server(own_network: Path) -> FlaskClient:
    """The same networks behind the server's routes."""
    named = engines_of([*NETWORKS, str(own_network)], ROOT / "weights")
    return create_app(named, data_folder=own_network.parent).test_client()


@pytest.fixture(autouse=True)
def nothing_is_missing(page: Page) -> Iterator[None]:
    """Fail where the host has not what the page asks for."""
    missing: list[str] = []

    def on_response(response: Any) -> None:
        if response.status >= 400:
            missing.append(f"{response.status} {response.url}")

    page.on("response", on_response)
    yield
    assert not missing


@pytest.fixture
def newcomer(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has kept nothing of the site."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def open_site(page: Page, base_url: str, link: str = "") -> None:
    """Open the page, and wait for its first reading."""
    page.goto("about:blank")  # or a link alone would not load it again
    page.goto(f"{base_url}/#{link}")
    expect(prediction(page)).to_have_text(re.compile(r"^\w+$"))


def layers_of(server: FlaskClient, id: str) -> list[str]:
    """The views of a network, by their ids."""
    layers = server.get(f"/api/models/{id}").get_json()["layers"]
    return [layer["id"] for layer in layers]


def test_every_view_of_every_network_is_drawn(
    page: Page, base_url: str, server: FlaskClient
):
    for id in (*NETWORKS, "mine"):
        open_site(page, base_url, f"model={id}")
        for tab in page.locator("[data-tab]").all():
            if not tab.is_visible():
                continue
            tab.click()
            expect(page.locator("body")).to_have_attribute("aria-busy", "false")
            view = tab.get_attribute("data-tab")
            panel = page.locator(f"#view-{view}, [data-view='{view}']").first
            expect(panel).to_be_visible()
            expect(panel).to_have_attribute("aria-busy", "false")
    expect(page.locator("[data-part=problem]")).to_be_hidden()


def test_the_first_picture_waits_for_no_network(newcomer: Page, base_url: str):
    network = re.compile(r"\.wasm|\.onnx|/networks/.*safetensors")
    newcomer.route(network, lambda _: None)
    for id in (*NETWORKS, "mine"):
        open_site(newcomer, base_url, f"model={id}")
        # What the Overview has drawn for it besides comes with the network.
        overview = newcomer.locator("#view-overview")
        expect(overview).to_have_attribute("aria-busy", "false")


def test_nothing_is_offered_that_needs_a_server(page: Page, base_url: str):
    open_site(page, base_url)
    expect(page.locator("h1")).to_have_text(TITLE)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("[data-own]")).to_be_visible()
    for part in ("starting", "missing", "sets"):
        expect(page.locator(f"[data-{part}]")).to_be_hidden()
    expect(page.get_by_role("button", name="Atlas", exact=True)).to_be_visible()
    expect(page.get_by_text("Test images", exact=True)).to_be_hidden()
    assert page.locator("[data-models] option", has_text="own network").count() == 0
    note = page.locator("[data-part=unread]")
    open_site(page, base_url, "mode=lab&experiment=sides")
    expect(note).to_contain_text("your own machine")
    # The same, typed into the address of a page that is open.
    page.evaluate("location.hash = 'view=overview'")
    expect(note).to_be_hidden()
    page.evaluate("location.hash = 'mode=lab&experiment=sides'")
    expect(note).to_be_visible()
    expect(page.get_by_role("tab", name="All sides")).to_have_count(0)


def test_every_link_of_its_pages_leads_to_a_file(page: Page, base_url: str, site: Path):
    for file in sorted(site.rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        assert text.index("Content-Security-Policy") < text.index("<link")
        for target in re.findall(r'\s(?:href|src)="([^"#?:]+)["#?]', text):
            assert (file.parent / target).is_file(), f"{file.name} leads to {target}"


def answer_of(
    page: Page,
    base_url: str,
    site: Path,
    question: dict[str, Any],
    *,
    is_read: bool = True,
) -> Any:
    """Ask the site's worker."""
    (worker,) = site.glob("static/*/js/site/worker/main.js")
    address = f"{base_url}/{worker.relative_to(site).as_posix()}"
    (index,) = site.glob("files.*.json")
    here = {"top": f"{base_url}/", "index": index.name, "version": ""}
    answer = page.evaluate(ASK, [address, here, question])
    assert isinstance(answer, dict), answer
    if "json" in answer:
        return answer["json"]
    body = base64.b64decode(answer["file"])
    return load(body) if is_read else body


def requests_of(model: dict[str, Any]) -> list[dict[str, Any]]:
    """What to ask of routing."""
    if not model["can"]["route"]:
        return [{}, {"silence": [0, 3]}] if model.get("silenceable_maps") else [{}]
    surgery = {
        "silence": [0, 3],
        "pin": [{"capsule": 1, "digit": 2, "coupling": 0.8}],
    }
    most = model["max_routing_iterations"]
    counts = [{"iterations": count} for count in range(1, most + 1) if most > 1]
    return [{}, surgery, {"routing": "uniform"}, *counts]


def test_every_tensor_is_the_servers(
    page: Page, base_url: str, site: Path, server: FlaskClient
):
    page.goto(f"{base_url}/site.json")
    models = {
        each["id"]: each for each in server.get("/api/models").get_json()["models"]
    }
    samples = server.get("/api/samples").get_json()["samples"]
    for id, model in models.items():
        names = [each["name"] for each in model["tensors"]]
        requests = requests_of(model)
        # Some images as usual, and each request of one more image.
        cases = [(sample, {}) for sample in samples[:3]]
        cases += zip(samples[3:], requests, strict=False)
        for sample, more in cases:
            body = {"image": sample["image"], "tensors": names, **more}
            question = {"what": "trace", "id": id, "body": body}
            got = answer_of(page, base_url, site, question)
            wanted = server.post(f"/api/models/{id}/trace", json=body).get_json()
            for name in names:
                expected = np.array(wanted["tensors"][name], np.float32)
                assert got[name].shape == expected.shape, f"{id}: {name} with {more}"
                scale = max(1.0, float(np.abs(expected).max()))
                apart = np.abs(got[name] - expected).max() / scale
                assert apart < CLOSE, f"{id}: {name} with {more}"
        if model["can"]["reconstruct"]:
            poses = np.linspace(-1, 1, 3 * model["pose_dim"]).reshape(3, -1).tolist()
            body = {"digit": 3, "poses": poses}
            question = {"what": "reconstruct", "id": id, "body": body}
            got = answer_of(page, base_url, site, question)["images"]
            answer = server.post(f"/api/models/{id}/reconstruct", json=body).get_json()
            np.testing.assert_allclose(got, answer["images"], atol=CLOSE)


def test_every_attack_is_the_servers(
    page: Page, base_url: str, site: Path, server: FlaskClient
):
    page.goto(f"{base_url}/site.json")
    sample = server.get("/api/samples").get_json()["samples"][1]
    models = server.get("/api/models").get_json()["models"]
    assert all(model["can"]["gradient"] for model in models)
    ways = [
        {"method": "noise", "epsilons": [0, 0.1, 0.3]},
        {"method": "fgsm", "epsilons": [0, 0.1, 0.3], "loss": "trained"},
        {"method": "bim", "epsilons": [0.2], "steps": 4, "path": True, "target": 2},
        {"method": "pgd", "epsilons": [0.05], "steps": 3, "path": True},
    ]
    for id in (model["id"] for model in models):
        for way in ways:
            body = {"image": sample["image"], "label": 1, **way}
            question = {"what": "attack", "id": id, "body": body}
            got = answer_of(page, base_url, site, question)
            headers = {"Accept": "application/x-safetensors"}
            path = f"/api/models/{id}/attack"
            wanted = load(server.post(path, json=body, headers=headers).data)
            assert got.keys() == wanted.keys()
            for name, expected in wanted.items():
                where = f"{id}: {name} of {way}"
                np.testing.assert_allclose(
                    got[name], expected, atol=CLOSE, err_msg=where
                )


def test_symbols_are_learnt_and_the_network_is_the_servers(
    page: Page, base_url: str, site: Path, tmp_path: Path
):
    """Every tensor of what was trained here is that of its file on the server."""
    page.goto(f"{base_url}/site.json")
    images, labels = written("training"), labels_of("training")
    symbols = [
        {
            "name": name,
            "examples": [
                base64.urlsafe_b64encode(image.tobytes()).decode()
                for image in images[labels == digit][:4]
            ],
        }
        for name, digit in (("nought", 0), ("three", 3), ("four", 4))
    ]

    def run_of(method: str, id: str = "", **body: Any) -> Any:
        request = {"method": method, "id": id, "part": "", "body": body}
        return answer_of(page, base_url, site, {"what": "runs", "body": request})

    recipe = {"dataset": "symbols", "symbols": {"symbols": symbols}}
    id = run_of("POST", **recipe)["id"]
    end = time.monotonic() + START_S
    while (run := run_of("GET", id))["state"] == "running":
        assert time.monotonic() < end
        page.wait_for_timeout(100)
    assert (run["state"], run["step"], run["tested"]) == ("done", LEARNT, 3)
    assert run["snapshots"][0] == 0
    assert run["snapshots"][-1] == LEARNT
    moment = f"{id}@{LEARNT}"
    file = tmp_path / "mine.safetensors"
    question = {"what": "file", "id": moment}
    file.write_bytes(answer_of(page, base_url, site, question, is_read=False))
    server = create_app(load_engines(file), data_folder=tmp_path).test_client()
    model = server.get("/api/models/mine").get_json()
    assert model["class_names"] == ["nought", "three", "four"]
    names = [tensor["name"] for tensor in model["tensors"]]
    image = (images[labels == 3][9] / 255).tolist()
    for more in requests_of(model):
        body = {"image": image, "tensors": names, **more}
        question = {"what": "trace", "id": moment, "body": body}
        got = answer_of(page, base_url, site, question)
        wanted = server.post("/api/models/mine/trace", json=body).get_json()
        for name in names:
            expected = np.array(wanted["tensors"][name], np.float32)
            assert got[name].shape == expected.shape, name
            scale = max(1.0, float(np.abs(expected).max()))
            assert np.abs(got[name] - expected).max() / scale < CLOSE, name


def test_weights_of_ones_own_are_a_network_or_are_refused(page: Page, base_url: str):
    open_site(page, base_url, "model=cnn-mnist")
    problem = page.locator("[data-part=problem]")
    whole = (ROOT / "weights" / "cnn-mnist.safetensors").read_bytes()
    tensors = load(whole)
    another = save({"conv1.weight": tensors["conv1.weight"]})
    for name in ("logits.weight", "logits.bias"):
        tensors[name] = np.roll(tensors[name], 1, axis=0)  # what was a 4 is a 5
    for name, body, words in (
        ("torn", whole[:-1], f"cannot be opened: it needs {len(whole)} bytes"),
        ("other", another, r"For CNN on MNIST, it lacks conv1\.bias of 32"),
        ("mine", save(tensors), None),
    ):
        file = f"{name}.safetensors"
        upload: Any = {"name": file, "mimeType": "", "buffer": body}
        page.locator("[data-upload]").set_input_files(upload)
        if words is not None:
            expect(problem).to_contain_text(re.compile(f"“{file}” .*{words}"))
    expect(page.locator("[data-models] option:checked")).to_have_text("mine")
    expect(prediction(page)).to_have_text("5")
    expect(problem).to_be_hidden()


def image_in(page: Page) -> str:
    """The image on show, as its link has it."""
    parameter = re.search(r"(?:^|[#&])image=([^&]+)", page.url)
    return parameter[1] if parameter else ""


def wait_for_same_image(page: Page, other: Page) -> None:
    """Wait until both show the same image, and some."""
    end = time.monotonic() + START_S
    while not image_in(page) == image_in(other) not in ("", "none"):
        assert time.monotonic() < end, f"{page.url} is not {other.url}"
        page.wait_for_timeout(50)


def picture() -> Any:
    """A file with a dark 7 on light paper."""
    image = Image.new("RGB", (340, 300), (236, 233, 224))
    places = [(90, 60), (230, 66), (140, 250)]
    ImageDraw.Draw(image).line(places, fill=(30, 30, 90), width=22, joint="curve")
    file = io.BytesIO()
    image.save(file, "PNG")
    return {"name": "7.png", "mimeType": "image/png", "buffer": file.getvalue()}


def test_a_picture_is_the_servers_and_its_texts_are(
    page: Page, base_url: str, explorer: str, context: Any
):
    """A browser decodes it; tests/pictures/reading/test_page.py holds all else."""
    link = "model=efficient-mnist"
    open_site(page, base_url, link)
    theirs = context.browser.new_context().new_page()
    theirs.goto(f"{explorer}/#{link}")
    expect(prediction(theirs)).to_have_text("4")
    for shown in (page, theirs):
        before = shown.url
        shown.locator("[data-upload]").set_input_files(picture())
        expect(shown).not_to_have_url(before)
    wait_for_same_image(page, theirs)
    texts = [text_of(shown) for shown in (page, theirs)]
    # What a server's link says opens here, and shows the same.
    link_there = theirs.url.partition("#")[2]
    address = re.sub(r"view=\w+", "view=routing", link_there)
    for shown, home in ((page, base_url), (theirs, explorer)):
        shown.goto("about:blank")
        shown.goto(f"{home}/#{address}")
        expect(shown.locator("#view-routing")).to_be_visible()
        texts.append(text_of(shown))
    theirs.context.close()
    for here, there in zip(texts[::2], texts[1::2], strict=True):
        assert_same_words(here, there)


def text_of(page: Page) -> str:
    """What the open view says at rest, but for what to try, which readers have done."""
    stage = page.locator("#stage")
    expect(stage).not_to_be_empty()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#stage > :visible").first).to_have_attribute(
        "aria-busy", "false"
    )
    return page.evaluate(
        """() => new Promise((done) => {
            let before = "";
            let frame = 0;
            let still = 0;
            const look = () => {
                if (frame++ % 6 === 0) {  // to read costs more than a frame
                    for (const line of document.querySelectorAll(".try-first"))
                        line.hidden = true;
                    const now = document.querySelector("#stage").innerText;
                    still = now === before ? still + 1 : 0;
                    before = now;
                }
                still > 6 ? done(before) : requestAnimationFrame(look);
            };
            look();
        })"""
    )


def assert_same_words(here: str, there: str) -> None:
    """Compare texts: words are the same, and numbers to the precision on the wire."""
    assert NUMBER.sub("#", here) == NUMBER.sub("#", there)
    for number, other in zip(NUMBER.findall(here), NUMBER.findall(there), strict=True):
        apart = abs(float(number.replace("−", "-")) - float(other.replace("−", "-")))
        assert apart <= max(0.02 * abs(float(other.replace("−", "-"))), 0.01)


def test_a_slider_redraws_the_digit(page: Page, base_url: str):
    open_site(page, base_url, "model=efficient-mnist&view=reconstruction")
    slider = page.locator("#view-reconstruction input[type=range]:visible").first
    slider.focus()
    canvas = page.locator("#view-reconstruction canvas:visible").first
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    for _ in range(5):
        slider.press("ArrowRight")
    page.wait_for_function(
        """before => [...document.querySelectorAll("#view-reconstruction canvas")]
            .some((each) => each.toDataURL() !== before)""",
        arg=before,
    )
    expect(page.locator("[data-part=problem]")).to_be_hidden()


def test_a_damaged_network_is_said_and_what_was_recorded_stays(
    newcomer: Page, base_url: str, site: Path
):
    (file,) = site.glob("networks/efficient-mnist.*.safetensors")
    whole = file.read_bytes()
    newcomer.route(
        re.compile(re.escape(file.name)),
        lambda route: route.fulfill(body=whole[: len(whole) // 2]),
    )
    open_site(newcomer, base_url, "model=efficient-mnist")
    draw(newcomer, ONE)
    problem = newcomer.locator("[data-part=problem]")
    expect(problem).to_contain_text(f"must have {len(whole)} bytes")
    newcomer.locator("[data-samples] button").first.click()
    expect(prediction(newcomer)).to_have_text("0")


def test_no_file_names_the_machine_that_wrote_it(site: Path):
    facts = json.loads((site / "site.json").read_bytes())
    assert facts["networks"] == [*NETWORKS, "mine"]
    for file in site.rglob("*"):
        if file.suffix in {".html", ".json", ".onnx", ".js", ".css"}:
            body = file.read_bytes()
            assert str(ROOT).encode() not in body, f"{file.name} names this machine"
            assert str(Path.home()).encode() not in body


def test_a_second_visit_needs_no_network(page: Page, base_url: str):
    context = page.context
    open_site(page, base_url, "model=cnn-mnist")
    draw(page, ONE)
    expect(prediction(page)).to_have_text("1")
    page.evaluate(
        """async () => {
            const wanted =
                [/\\/$/, /wasm$/, /cnn-mnist.*safetensors$/, /main.js$/, /css$/];
            let kept = [];
            while (!wanted.every((one) => kept.some((url) => one.test(url)))) {
                await new Promise(requestAnimationFrame);
                kept = [];
                for (const name of await caches.keys())
                    for (const { url } of await (await caches.open(name)).keys())
                        kept.push(url);
            }
        }"""
    )
    context.set_offline(True)
    try:
        open_site(page, base_url, "model=cnn-mnist")
        expect(prediction(page)).to_have_text("4")
        draw(page, ONE)
        expect(prediction(page)).to_have_text("1")
    finally:
        context.set_offline(False)


def test_from_the_disk_one_sentence_says_what_to_do(newcomer: Page, site: Path):
    newcomer.goto((site / "index.html").as_uri())
    expect(newcomer.get_by_text("that a web server has to serve")).to_be_visible()


# What is not there, what stands in its place, or what a browser or a host forbids; and
# what the page says. All else of the kind is held in tests/static/site/.


def gone(route: Route) -> None:
    route.fulfill(status=404)


def emptied(route: Route) -> None:
    route.fulfill(body=bytes(len(route.fetch().body())))


def forbidding(route: Route) -> None:
    answer = route.fetch()
    policy = {"content-security-policy": "script-src 'self'"}
    route.fulfill(response=answer, headers={**answer.headers, **policy})


FAILURES: dict[str, tuple[str, Callable[[Route], None], str, str]] = {
    "the scripts": (
        r"packs/main\.js",
        gone,
        "",
        r"packs/main\.js”, of which this page is made, could not be loaded",
    ),
    "the networks": (
        r"api/models\.",
        gone,
        "",
        r"api/models\.json” is missing on this site",
    ),
    "a view": (
        r"packs/lab/index\.js",
        gone,
        "mode=lab",
        r"packs/lab/index\.js” is missing on this site",
    ),
    "a graph": (
        r"cnn-mnist\.reading\.",
        emptied,
        "model=cnn-mnist&image=none",
        r"networks/cnn-mnist\.reading\.onnx” is damaged",
    ),
    "WebAssembly": (
        r"worker/main\.js",
        forbidding,
        "model=cnn-mnist&image=none",
        "WebAssembly, in which networks run, is not allowed here",
    ),
    "a worker's script": (
        r"worker/paper\.js",
        gone,
        "model=cnn-mnist&image=none",
        r"worker/paper\.js” is missing on this site",
    ),
}


@pytest.mark.parametrize("what", FAILURES)
def test_what_fails_is_said_in_a_sentence_that_blames_no_server(
    newcomer: Page, base_url: str, what: str
):
    pattern, fails, link, words = FAILURES[what]
    newcomer.route(re.compile(pattern), fails)
    newcomer.goto(f"{base_url}/#{link}")
    if "image=none" in link:
        expect(newcomer.locator("[data-part=empty]")).to_be_visible()
        draw(newcomer, ONE)
    problem = newcomer.locator(".problem:visible").first
    expect(problem).to_contain_text(re.compile(words))
    assert "server" not in problem.inner_text()
    newcomer.unroute_all(behavior="ignoreErrors")  # a damaged file is asked for again


def test_in_a_frame_that_lets_nothing_in_a_sentence_says_so(
    newcomer: Page, base_url: str
):
    newcomer.set_content(f'<iframe sandbox="allow-scripts" src="{base_url}/"></iframe>')
    problem = newcomer.frame_locator("iframe").get_by_role("alert").first
    expect(problem).to_contain_text("a frame whose sandbox lets none of its scripts in")


def test_below_an_address_without_its_slash_a_sentence_says_so(
    newcomer: Page, base_url: str, site: Path
):
    page = (site / "index.html").read_bytes()
    newcomer.route(base_url, lambda route: route.fulfill(body=page))
    newcomer.goto(base_url)
    expect(newcomer.get_by_text("it has to end with a slash")).to_be_visible()
    newcomer.goto(f"{base_url}/")
    expect(newcomer.get_by_text("it has to end with a slash")).to_be_hidden()


def test_a_drawing_is_acknowledged_before_its_network_is_there(
    newcomer: Page, base_url: str
):
    waiting: list[Route] = []
    newcomer.route(re.compile(r"\.wasm$"), lambda route: waiting.append(route))
    newcomer.goto(f"{base_url}/#model=cnn-mnist&image=none")
    empty = newcomer.locator("[data-part=empty]")
    expect(empty).to_contain_text("Nothing to read yet")
    draw(newcomer, ONE)
    expect(empty.locator("[data-reading]")).to_be_visible()
    expect(empty.locator("[data-nothing]")).to_be_hidden()
    expect(newcomer.locator(".site-loading")).to_contain_text("MB")
    # Once all bytes are here, the bar says what is done still.
    newcomer.evaluate(
        """() => {
            globalThis.words = [];
            const add = () => words.push(
                document.querySelector(".site-loading")?.textContent ?? "");
            new MutationObserver(add).observe(
                document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    waiting[0].continue_()
    expect(prediction(newcomer)).to_have_text("1")
    words = newcomer.evaluate("words")
    assert any("Opening the network" in text for text in words)
    expect(newcomer.locator(".site-loading")).to_have_count(0)
    expect(empty).to_be_hidden()


def test_all_of_a_site_is_kept_once_its_button_says_so(newcomer: Page, base_url: str):
    newcomer.goto(f"{base_url}/")
    button = newcomer.locator("[data-keep-offline]")
    expect(button).to_have_text(re.compile(r"Keep for offline \(\d\d\.\d MB\)"))
    button.dispatch_event("click")
    expect(button).to_have_text("Kept for offline")
    expect(newcomer.locator(".keep-said")).to_be_empty()
    newcomer.context.set_offline(True)
    newcomer.goto("about:blank")
    newcomer.goto(f"{base_url}/#model=mine")
    expect(prediction(newcomer)).to_have_text(re.compile(r"^\w+$"))
    draw(newcomer, ONE)
    expect(newcomer.locator("body")).to_have_attribute("aria-busy", "false")
    expect(newcomer.locator("[data-part=problem]")).to_be_hidden()
    newcomer.goto(f"{base_url}/guide/whole.html")
    expect(newcomer.locator("h1")).to_be_visible()


def second(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Another version of a site: no file but its pages has an address of the first."""

    def other(text: str) -> str:
        return re.sub(r"[0-9a-f]{16}(?=[./\"])", lambda digest: digest[0][::-1], text)

    return {
        other(path): other(body.decode()).replace("yours", "theirs").encode()
        if path.endswith(".html") or ("/" not in path and path.endswith(".json"))
        else body
        for path, body in files.items()
    }


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """Serve a folder with a header that lets files be kept for a day."""

    class Host(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Cache-Control", "max-age=86400")
            super().end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    handler = partial(Host, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("workers", ["allow", "block"])
def test_a_site_that_is_published_again_reaches_everybody(
    browser: Browser, site: Path, tmp_path: Path, workers: Any
):
    """Though its host lets browsers keep what they like for a day."""
    first = {
        path: (site / path).read_bytes()
        for path in json.loads((site / "site.json").read_bytes())["files"]
    }
    replace_site(tmp_path, first, ["cnn-mnist"])
    with hosting(tmp_path) as address:
        context = browser.new_context(service_workers=workers)
        visitor = context.new_page()

        def visit(title: str, link: str) -> None:
            visitor.goto("about:blank")
            visitor.goto(f"{address}/#{link}")
            expect(visitor.locator("h1")).to_have_text(title)
            expect(prediction(visitor)).to_have_text(re.compile(r"^\w+$"))
            expect(visitor.locator("body")).to_have_attribute("aria-busy", "false")
            expect(visitor.locator("[data-part=problem]")).to_be_hidden()

        visit("Mine & yours", "model=cnn-mnist")
        draw(visitor, ONE)
        expect(prediction(visitor)).to_have_text("1")
        if workers == "allow":
            visitor.evaluate("async () => { await navigator.serviceWorker.ready }")
        visit("Mine & yours", "model=cnn-mnist")
        replace_site(tmp_path, second(first), ["cnn-mnist"])
        for link in ("model=cnn-mnist", "mode=lab"):
            visit("Mine & theirs", link)
        draw(visitor, ONE)
        expect(prediction(visitor)).to_have_text("1")
        context.close()
