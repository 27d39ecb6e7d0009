"""The explorer as one HTML file: opened from the disk, and in a notebook's cell."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect
from safetensors.numpy import load

from capsnet_explorer.app import create_app
from capsnet_explorer.app.site.command import engines_of
from capsnet_explorer.cli import main
from capsnet_explorer.exploring import Page as Cell
from tests.browser.explorer import FOUR, draw, open_view, prediction

pytestmark = pytest.mark.long  # one worker takes all, and writes one file

CLOSE = 1e-4
WORD = re.compile(r"\w")
EVIL = '</script><img src="http://host/" onerror="hurt=1">&"<!--'
NETWORK = f"""
import torch
from torch import nn
import capsnet_explorer as ce

def squash(vectors):
    length = vectors.norm(dim=-1, keepdim=True)
    return length**2 / (1 + length**2) * vectors / (length + 1e-8)

class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 9, stride=2)
        self.W = nn.Parameter(0.5 * torch.randn(2 * 25, 3, 6, 4))
        self.primary = nn.Conv2d(8, 8, 2, stride=2)
        self.decoder = nn.Sequential(nn.Linear(18, 784), nn.Sigmoid())

    def forward(self, images):
        maps = self.primary(torch.relu(self.conv(images)))
        capsules = maps.view(len(maps), 2, 4, 5, 5).permute(0, 1, 3, 4, 2)
        votes = torch.einsum("ijdp,bip->bijd", self.W, squash(capsules.flatten(1, 3)))
        logits = torch.zeros(votes.shape[:3])
        for _ in range(3):
            digits = squash((logits.softmax(dim=2)[..., None] * votes).sum(dim=1))
            logits = logits + (votes * digits[:, None]).sum(dim=-1)
        return digits.norm(dim=-1), digits

torch.manual_seed(1)
net = Tiny()
ce.describe(
    net,
    [
        ce.Convolution("conv1", net.conv, title={EVIL!r}),
        ce.Capsules("primary", net.primary, size=4, below="conv1"),
        ce.Routing("routing", lambda: net.W, below="primary"),
        ce.Classes(),
        ce.Decoder(net.decoder),
    ],
    torch.rand(8, 1, 28, 28),
    scores=lambda answer: answer[0],
    class_names=[{EVIL!r}, "b", "c"],
    title={EVIL!r},
)
"""
# Keeps the page's worker where a test can ask it, too.
KEEP_WORKER = """globalThis.Worker = class extends Worker {
    constructor(...given) { super(...given); globalThis.worker = this; }
};"""
ASK = """(question) => new Promise((done) => {
    globalThis.worker.addEventListener("message", ({ data }) => {
        if (data.number !== -1) return;
        let text = "";
        for (const byte of new Uint8Array(data.file)) text += String.fromCharCode(byte);
        done(btoa(text));
    });
    globalThis.worker.postMessage({ number: -1, question });
})"""


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that describes a tiny network, whose names are markup."""
    file = tmp_path_factory.mktemp("own") / "tiny.py"
    file.write_text(NETWORK, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, network: Path) -> Path:
    """The page, as the command writes it."""
    file = tmp_path_factory.mktemp("sent") / "a page.html"
    options = ["--file", str(file), "--title", EVIL, "--network", str(network)]
    assert main(["site", *options]) == 0
    return file


@pytest.fixture(scope="module")
def base_url(file: Path) -> str:
    """The file's own address: whatever else a page asks for is one request too many."""
    return file.as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that knows of no server."""
    context: BrowserContext = browser.new_context()
    context.add_init_script(KEEP_WORKER)
    yield context.new_page()
    context.close()


def opened(page: Page, file: Path, link: str = "") -> None:
    page.goto(f"{file.as_uri()}#{link}")
    expect(prediction(page)).to_have_text(WORD)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def test_it_is_small(file: Path):
    assert file.stat().st_size < 8e6


def test_its_example_stands_there_and_a_drawing_is_read(page: Page, file: Path):
    opened(page, file)
    before = page.url
    draw(page, FOUR)
    expect(page).to_have_url(re.compile("image=(?!none)"))
    assert page.url != before
    expect(prediction(page)).to_have_text(WORD)
    for view in ("input", "conv1", "primary", "routing", "classes", "reconstruction"):
        open_view(page, view)
    expect(page.locator("[data-part=problem]")).to_be_hidden()


def test_names_are_data_and_never_markup(page: Page, file: Path):
    opened(page, file)
    expect(page.locator("h1")).to_have_text(EVIL)
    expect(page.locator("[data-models] option").first).to_have_text(EVIL)
    expect(page.locator("[data-tab=conv1]")).to_contain_text(EVIL)
    expect(page.locator('[src*="host"]')).to_have_count(0)
    assert page.evaluate("typeof hurt") == "undefined"


def test_every_tensor_is_pytorchs(page: Page, file: Path, network: Path):
    opened(page, file)
    draw(page, FOUR)
    expect(prediction(page)).to_have_text(WORD)  # by the worker
    server = create_app(
        engines_of([str(network)], network.parent), data_folder=network.parent
    ).test_client()
    (model,) = server.get("/api/models").get_json()["models"]
    names = [each["name"] for each in model["tensors"]]
    (sample, *_) = server.get("/api/samples").get_json()["samples"]
    surgery: dict[str, Any] = {"silence": [0, 3], "iterations": 2}
    for more in ({}, surgery):
        body = {"image": sample["image"], "tensors": names, **more}
        question = {"what": "trace", "id": model["id"], "body": body, "query": []}
        got = load(base64.b64decode(page.evaluate(ASK, question)))
        place = f"/api/models/{model['id']}/trace"
        wanted = server.post(place, json=body).get_json()["tensors"]
        for name in names:
            expected = np.array(wanted[name], np.float32)
            scale = max(1.0, float(np.abs(expected).max()))
            np.testing.assert_allclose(
                got[name], expected, rtol=0, atol=CLOSE * scale, err_msg=name
            )


def test_other_pages_are_views_of_it(page: Page, file: Path):
    opened(page, file, "view=routing")
    page.locator("[data-open=about]").dispatch_event("click")
    page.get_by_role("link", name="ONNX Runtime").click()
    dialog = page.locator("dialog[data-page]")
    expect(dialog.locator("pre")).to_contain_text("MIT License")
    expect(page).to_have_url(re.compile(r"#page=licences/onnxruntime\.txt$"))
    dialog.get_by_role("button", name="Back").click()
    expect(page).to_have_url(re.compile("#view=routing"))
    expect(page.locator("#view-routing")).to_be_visible()
    # A link opens one, too, and its own links lead to views.
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#page=claims")
    dialog.get_by_role("link", name="Lab").first.click()
    expect(dialog).to_be_hidden()
    expect(page).to_have_url(re.compile("#mode=lab"))
    expect(page.locator("[data-part=unread]")).to_be_hidden()
    expect(page.locator('[data-view="lab"]')).to_be_visible()
    page.evaluate("location.hash = 'page=guide'")
    expect(dialog).to_contain_text("How a capsule network reads a digit")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_copied_link_is_what_follows_the_address(page: Page, file: Path):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, file, "view=classes")
    page.locator("[data-copy-link]").dispatch_event("click")
    expect(page.locator("[data-copy-link]")).to_have_text("Copied what follows #")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith("#view=classes")


def test_a_file_that_was_cut_short_says_so(
    page: Page, file: Path, tmp_path: Path, complaints: list[str]
):
    body = file.read_bytes()
    cut = tmp_path / "cut.html"
    cut.write_bytes(body[: body.index(b'data-name="runtime/')])
    page.goto(f"{cut.as_uri()}#image=none")
    expect(page.locator("[data-part=empty]")).to_be_visible()
    draw(page, FOUR)
    expect(page.locator("[data-part=problem]")).to_contain_text("was cut short")
    complaints.clear()  # this file is not the other


def test_a_notebook_keeps_it_and_needs_no_kernel(
    page: Page, file: Path, tmp_path: Path, complaints: list[str]
):
    with pytest.warns(UserWarning, match=r"becomes [678] MB larger"):
        cell = Cell(file.read_text(encoding="utf-8"))._repr_html_()
    saved = tmp_path / "notebook.html"
    saved.write_text(f'<!doctype html><meta charset="utf-8">{cell}', encoding="utf-8")
    page.goto(saved.as_uri())
    shown: FrameLocator = page.frame_locator("iframe")
    expect(shown.locator("[data-prediction]")).to_have_text(WORD)
    # Links, the guide's dock and the history work without an address of its own.
    shown.locator("[data-tab=routing]").click()
    expect(shown.locator("#view-routing")).to_be_visible()
    shown.locator("[data-clear]").click()
    expect(shown.locator("[data-part=empty]")).to_be_visible()
    expect(shown.locator("[data-part=problem]")).to_be_hidden()
    expected = ("notebook.html", "Blocked autofocusing")
    assert [e for e in complaints if not any(each in e for each in expected)] == []
    complaints.clear()
