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
from capsnet_explorer.exploring import Page as Cell
from tests.browser.explorer import FOUR, draw, open_view, prediction
from tests.tiny_page import EVIL

pytestmark = pytest.mark.long  # one worker takes all, and writes one file

CLOSE = 1e-4
WORD = re.compile(r"\w")
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
def base_url(sent: Path) -> str:
    """The file's own address: whatever else a page asks for is one request too many."""
    return sent.as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that knows of no server."""
    context: BrowserContext = browser.new_context()
    context.add_init_script(KEEP_WORKER)
    yield context.new_page()
    context.close()


def opened(page: Page, sent: Path, link: str = "") -> None:
    page.goto(f"{sent.as_uri()}#{link}")
    expect(prediction(page)).to_have_text(WORD)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def test_it_is_small(sent: Path):
    assert sent.stat().st_size < 8e6


def test_its_example_stands_there_and_a_drawing_is_read(page: Page, sent: Path):
    opened(page, sent)
    before = page.url
    draw(page, FOUR)
    expect(page).to_have_url(re.compile("image=(?!none)"))
    assert page.url != before
    expect(prediction(page)).to_have_text(WORD)
    for view in ("input", "conv1", "primary", "routing", "classes", "reconstruction"):
        open_view(page, view)
    expect(page.locator("[data-part=problem]")).to_be_hidden()


def test_names_are_data_and_never_markup(page: Page, sent: Path):
    opened(page, sent)
    expect(page.locator("h1")).to_have_text(EVIL)
    expect(page.locator("[data-models] option").first).to_have_text(EVIL)
    expect(page.locator("[data-tab=conv1]")).to_contain_text(EVIL)
    expect(page.locator('[src*="host"]')).to_have_count(0)
    assert page.evaluate("typeof hurt") == "undefined"


def test_every_tensor_is_pytorchs(page: Page, sent: Path, tiny_network: Path):
    opened(page, sent)
    draw(page, FOUR)
    expect(prediction(page)).to_have_text(WORD)  # by the worker
    server = create_app(
        engines_of([str(tiny_network)], tiny_network.parent),
        data_folder=tiny_network.parent,
    ).test_client()
    (model,) = server.get("/api/models").get_json()["models"]
    names = [tensor["name"] for tensor in model["tensors"]]
    (sample, *_) = server.get("/api/samples").get_json()["samples"]
    surgery: dict[str, Any] = {"silence": [0, 3], "iterations": 2}
    for more in ({}, surgery):
        body = {"image": sample["image"], "tensors": names, **more}
        question = {"what": "trace", "id": model["id"], "body": body, "query": []}
        got = load(base64.b64decode(page.evaluate(ASK, question)))
        path = f"/api/models/{model['id']}/trace"
        wanted = server.post(path, json=body).get_json()["tensors"]
        for name in names:
            expected = np.array(wanted[name], np.float32)
            scale = max(1.0, float(np.abs(expected).max()))
            np.testing.assert_allclose(
                got[name], expected, rtol=0, atol=CLOSE * scale, err_msg=name
            )


def test_other_pages_are_views_of_it(page: Page, sent: Path):
    opened(page, sent, "view=routing")
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
    page.goto(f"{sent.as_uri()}#page=claims")
    dialog.get_by_role("link", name="Lab").first.click()
    expect(dialog).to_be_hidden()
    expect(page).to_have_url(re.compile("#mode=lab"))
    expect(page.locator("[data-part=unread]")).to_be_hidden()
    expect(page.locator('[data-view="lab"]')).to_be_visible()
    page.evaluate("location.hash = 'page=guide'")
    expect(dialog).to_contain_text("How a capsule network reads a digit")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_copied_link_is_what_follows_the_address(page: Page, sent: Path):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, sent, "view=classes")
    page.locator("[data-copy-link]").dispatch_event("click")
    expect(page.locator("[data-copy-link]")).to_have_text("Copied what follows #")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith("#view=classes")


def test_a_file_that_was_cut_short_says_so(
    page: Page, sent: Path, tmp_path: Path, complaints: list[str]
):
    body = sent.read_bytes()
    cut = tmp_path / "cut.html"
    cut.write_bytes(body[: body.index(b'data-name="runtime/')])
    page.goto(f"{cut.as_uri()}#image=none")
    expect(page.locator("[data-part=empty]")).to_be_visible()
    draw(page, FOUR)
    expect(page.locator("[data-part=problem]")).to_contain_text("was cut short")
    complaints.clear()  # this file is not the other


def test_a_notebook_keeps_it_and_needs_no_kernel(
    page: Page, sent: Path, tmp_path: Path, complaints: list[str]
):
    with pytest.warns(UserWarning, match=r"becomes [678] MB larger"):
        cell = Cell(sent.read_text(encoding="utf-8"))._repr_html_()
    saved = tmp_path / "notebook.html"
    saved.write_text(f'<!doctype html><meta charset="utf-8">{cell}', encoding="utf-8")
    page.goto(saved.as_uri())
    frame: FrameLocator = page.frame_locator("iframe")
    expect(frame.locator("[data-prediction]")).to_have_text(WORD)
    # Links, the guide's dock and the history work without an address of its own.
    frame.locator("[data-tab=routing]").click()
    expect(frame.locator("#view-routing")).to_be_visible()
    frame.locator("[data-clear]").click()
    expect(frame.locator("[data-part=empty]")).to_be_visible()
    expect(frame.locator("[data-part=problem]")).to_be_hidden()
    expected = ("notebook.html", "Blocked autofocusing")
    assert [e for e in complaints if not any(each in e for each in expected)] == []
    complaints.clear()
