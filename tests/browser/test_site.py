"""The explorer as a folder of files, served by any host, below a path."""

import base64
import io
import json
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.site.command import engines_of
from capsnet_explorer.cli import main
from tests.browser.explorer import FOUR, ONE, Stroke, draw, prediction
from tests.browser.server import ROOT, hosted
from tests.patience import START_S

pytestmark = pytest.mark.long  # one worker takes all, and writes one site

OWN = re.compile(r"```python\n(.*?)```", re.DOTALL)
NETWORKS = ("efficient-mnist", "cnn-mnist")
CLOSE = 1e-4
TITLE = "Mine & yours"
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
    let text = "";
    for (const byte of new Uint8Array(answer.file)) text += String.fromCharCode(byte);
    return { file: btoa(text) };
}"""

# A digit, and one beside ink from the edge: many more are held against Python without a
# browser, in tests/pictures/reading/test_page.py.
DRAWINGS: Sequence[Sequence[Stroke]] = (
    FOUR,
    (((0.01, 0.2), (0.06, 0.6)), ((0.5, 0.2), (0.4, 0.5), (0.6, 0.7), (0.45, 0.85))),
)


@pytest.fixture(scope="session")
def own_network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that the documents show, with nothing to see."""
    found = OWN.search((ROOT / "docs" / "own-networks.md").read_text(encoding="utf-8"))
    assert found is not None
    file = tmp_path_factory.mktemp("own") / "mine.py"
    file.write_text(found[1], encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, own_network: Path) -> Path:
    """The folder, as the command writes it."""
    folder = tmp_path_factory.mktemp("host") / "pages" / "site"
    networks = ["--network", *NETWORKS, str(own_network)]
    assert main(["site", str(folder), "--title", TITLE, *networks]) == 0
    return folder


@pytest.fixture(scope="session")
def base_url(site: Path) -> Iterator[str]:
    """The address of the folder on a plain host of files, below a path."""
    with hosted(site.parents[1]) as address:
        yield f"{address}/pages/site"


@pytest.fixture(scope="session")
def server(own_network: Path) -> FlaskClient:
    """The same networks behind the server's routes."""
    named = engines_of([*NETWORKS, str(own_network)], ROOT / "weights")
    return create_app(named, data_folder=own_network.parent).test_client()


@pytest.fixture(autouse=True)
def nothing_is_missing(page: Page) -> Iterator[None]:
    """Fail where the host has not what the page asks for."""
    found: list[str] = []

    def on_response(response: Any) -> None:
        if response.status >= 400:
            found.append(f"{response.status} {response.url}")

    page.on("response", on_response)
    yield
    assert not found


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
    return [each["id"] for each in server.get(f"/api/models/{id}").get_json()["layers"]]


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
    for id in ("efficient-mnist", "mine"):
        open_site(newcomer, base_url, f"model={id}")
        expect(newcomer.locator("body")).to_have_attribute("aria-busy", "false")
        overview = newcomer.locator("#view-overview")
        expect(overview).to_have_attribute("aria-busy", "false")


def test_nothing_is_offered_that_needs_a_server(page: Page, base_url: str):
    open_site(page, base_url)
    expect(page.locator("h1")).to_have_text(TITLE)
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Atlas", exact=True)).to_be_visible()
    expect(page.get_by_text("Test images", exact=True)).to_be_hidden()
    assert page.locator("[data-models] option", has_text="Your own").count() == 0
    for link in ("mode=train", "mode=lab&experiment=attack"):
        open_site(page, base_url, link)
        expect(page.locator("[data-part=unread]")).to_contain_text("your own machine")


def test_every_link_of_its_pages_leads_to_a_file(page: Page, base_url: str, site: Path):
    for file in sorted(site.rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        assert text.index("Content-Security-Policy") < text.index("<link")
        for target in re.findall(r'\s(?:href|src)="([^"#?:]+)["#?]', text):
            assert (file.parent / target).is_file(), f"{file.name} leads to {target}"


def asked(page: Page, base_url: str, site: Path, question: dict[str, Any]):
    """Ask the site's worker."""
    (worker,) = site.glob("static/*/js/site/worker/main.js")
    place = f"{base_url}/{worker.relative_to(site).as_posix()}"
    (index,) = site.glob("files.*.json")
    here = {"top": f"{base_url}/", "index": index.name, "version": ""}
    answer = page.evaluate(ASK, [place, here, question])
    assert isinstance(answer, dict), answer
    return load(base64.b64decode(answer["file"]))


def requests_of(model: dict[str, Any]) -> list[dict[str, Any]]:
    """What to ask of routing."""
    if not model["can"]["route"]:
        return [{}, {"silence": [0, 3]}] if model.get("silenceable_maps") else [{}]
    surgery = {
        "silence": [0, 3],
        "pin": [{"capsule": 1, "digit": 2, "coupling": 0.8}],
    }
    most = model["max_routing_iterations"]
    counts = [{"iterations": each} for each in range(1, most + 1) if most > 1]
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
        # Every image as usual, and each request of one more image.
        cases = [(sample, {}) for sample in samples[:10]]
        cases += zip(samples[10:], requests, strict=False)
        for sample, more in cases:
            body = {"image": sample["image"], "tensors": names, **more}
            got = asked(page, base_url, site, {"what": "trace", "id": id, "body": body})
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
            got = asked(page, base_url, site, question)["images"]
            answer = server.post(f"/api/models/{id}/reconstruct", json=body).get_json()
            np.testing.assert_allclose(got, answer["images"], atol=CLOSE)


def image_in(page: Page) -> str:
    """The image on show, as its link has it."""
    found = re.search(r"(?:^|[#&])image=([^&]+)", page.url)
    return found[1] if found else ""


def wait_for_same_image(page: Page, other: Page) -> None:
    """Wait until both show the same image, and some: each stroke has another."""
    end = time.monotonic() + START_S
    while not image_in(page) == image_in(other) not in ("", "none"):
        assert time.monotonic() < end, f"{page.url} is not {other.url}"
        page.wait_for_timeout(50)


def picture() -> Any:
    """A file with a dark 7 on light paper."""
    made = Image.new("RGB", (340, 300), (236, 233, 224))
    places = [(90, 60), (230, 66), (140, 250)]
    ImageDraw.Draw(made).line(places, fill=(30, 30, 90), width=22, joint="curve")
    file = io.BytesIO()
    made.save(file, "PNG")
    return {"name": "7.png", "mimeType": "image/png", "buffer": file.getvalue()}


def test_a_drawing_is_the_servers_and_its_texts_are(
    page: Page, base_url: str, explorer: str, context: Any
):
    link = "model=efficient-mnist"
    open_site(page, base_url, link)
    theirs = context.browser.new_context().new_page()
    theirs.goto(f"{explorer}/#{link}")
    expect(prediction(theirs)).to_have_text("4")
    for strokes in DRAWINGS:
        for each in (page, theirs):
            each.locator("[data-clear]").click()
            expect(each).to_have_url(re.compile("image=none"))
            draw(each, strokes, on_image=True)
        wait_for_same_image(page, theirs)
    texts = [text_of(each) for each in (page, theirs)]
    # A file is decoded by the browser here.
    for each in (page, theirs):
        before = each.url
        each.locator("[data-upload]").set_input_files(picture())
        expect(each).not_to_have_url(before)
    wait_for_same_image(page, theirs)
    # What a server's link says opens here, and shows the same.
    own = theirs.url.partition("#")[2]
    for view in ("primary", "routing", "classes", "reconstruction"):
        address = re.sub(r"view=\w+", f"view={view}", own)
        for each, home in ((page, base_url), (theirs, explorer)):
            each.goto("about:blank")
            each.goto(f"{home}/#{address}")
            expect(each.locator(f"#view-{view}")).to_be_visible()
            texts.append(text_of(each))
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
            let still = 0;
            const look = () => {
                for (const each of document.querySelectorAll(".try-first"))
                    each.hidden = true;
                const now = document.querySelector("#stage").innerText;
                still = now === before ? still + 1 : 0;
                before = now;
                still > 40 ? done(now) : requestAnimationFrame(look);
            };
            look();
        })"""
    )


def assert_same_words(here: str, there: str) -> None:
    """Compare texts: words are the same, and numbers to the precision on the wire."""
    assert NUMBER.sub("#", here) == NUMBER.sub("#", there)
    for one, other in zip(NUMBER.findall(here), NUMBER.findall(there), strict=True):
        apart = abs(float(one.replace("−", "-")) - float(other.replace("−", "-")))
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
    said = json.loads((site / "site.json").read_bytes())
    assert said["networks"] == [*NETWORKS, "mine"]
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
    page.wait_for_function(
        """async () => {
            const found = [];
            for (const name of await caches.keys())
                for (const { url } of await (await caches.open(name)).keys())
                    found.push(url);
            const wanted = [/\\/$/, /wasm$/, /cnn-mnist.*safetensors$/, /main.js$/, /css$/];
            return wanted.every((name) => found.some((url) => name.test(url)));
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


def test_from_the_disk_one_sentence_says_what_to_do(page: Page, site: Path):
    file = page.context.browser.new_context().new_page()
    file.goto((site / "index.html").as_uri())
    expect(file.get_by_text("that a web server has to serve")).to_be_visible()
    file.context.close()
