"""Train where MNIST is missing: download it, or train on digits that are drawn."""

import json
import os
import re
import shutil
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import violations
from tests.browser.server import ROOT, running
from tests.mirror import Mirror, serving
from tests.patience import START_S

FIRST = "train-images-idx3-ubyte.gz"


@pytest.fixture(scope="session")
def mirror() -> Iterator[Mirror]:
    """A server that gives half of the first archive, and waits."""
    with serving(Mirror({FIRST: bytes(1000)})) as mirror:
        mirror.slow = FIRST
        yield mirror


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory, mirror: Mirror) -> Iterator[str]:
    """An explorer without MNIST."""
    folder = tmp_path_factory.mktemp("missing")
    for name in ("weights", "data"):
        (folder / name).mkdir()
    for ending in ("json", "safetensors"):
        shutil.copy(ROOT / "weights" / f"cnn-mnist.{ending}", folder / "weights")
    measured = folder / "weights" / "measured"
    measured.mkdir()
    for file in (ROOT / "weights" / "measured").glob("cnn-mnist.*"):
        shutil.copy(file, measured)
    options = [
        *("--weights", str(folder / "weights"), "--data", str(folder / "data")),
        *("--runs", str(folder / "runs")),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "CAPSNET_MIRROR", mirror.address)
        with running(*options) as address:
            yield address


def open_train(page: Page) -> Locator:
    page.goto("/#mode=train&sample=four-nine")
    panel = page.locator("#view-train")
    expect(panel.locator("[data-missing]")).to_be_visible()
    return panel


def ask(address: str, path: str, method: str = "GET") -> Any:
    request = urllib.request.Request(address.rstrip("/") + path, method=method)
    with urllib.request.urlopen(request, timeout=START_S) as answer:
        return json.loads(answer.read() or b"null")


def test_a_download_begins_on_request_is_cancelled_and_tells_what_fails(
    page: Page, mirror: Mirror
):
    panel = open_train(page)
    offer = panel.locator("[data-offer]")
    expect(offer).to_contain_text("11.6 MB from 127.0.0.1")
    assert mirror.asked == []
    begin = panel.get_by_role("button", name="Download it (11.6 MB)")
    begin.press("Enter")
    assert mirror.half_sent.wait(START_S)
    page.reload()  # whoever comes back finds it
    cancel = panel.get_by_role("button", name="Cancel the download")
    expect(panel.get_by_role("progressbar", name="Download")).to_be_visible()
    expect(panel.locator("[data-download-words]")).to_contain_text("of 11.6 MB")
    assert violations(page, "#view-train") == []
    cancel.press("Enter")
    words = panel.locator("[data-download-words]")
    expect(words).to_contain_text("The download was cancelled")
    mirror.go_on.set()
    begin.click()
    expect(words).to_contain_text("Could not download MNIST")
    expect(words).to_contain_text("the file is damaged")
    expect(begin).to_be_visible()


def test_one_click_trains_on_drawn_digits(page: Page, base_url: str):
    panel = open_train(page)
    expect(panel.locator("[data-real]")).to_contain_text(
        re.compile(r"a small CapsNet reads \d\d\.\d.% .* test digits correctly")
    )
    panel.get_by_role("button", name="Train a small CapsNet on drawn digits").click()
    expect(panel.locator("[data-state]")).not_to_be_empty()
    expect(panel.locator("[data-runs]")).to_contain_text("CapsNet, drawn digits")
    run, *_ = ask(base_url, "/api/runs")["runs"]  # the newest
    # What it reads in the image on show stands beside the curve, and both in sight.
    page.set_viewport_size({"width": 1366, "height": 768})
    yours = panel.locator("[data-yours]")
    expect(yours).to_contain_text(re.compile(r"after [\d\u202f]+ images?"))
    curve = panel.locator("[data-errors] .plot")
    for part in (curve, yours.locator("canvas").first):
        expect(part).to_be_in_viewport(ratio=1)
    # At once: the curve is drawn anew while the network learns.
    beyond = curve.evaluate("""chart => {
        const { left, right } = chart.getBoundingClientRect();
        return [...chart.querySelectorAll(".tick")].filter((tick) => {
            const box = tick.getBoundingClientRect();
            return box.left < left || box.right > right + 1;
        }).map((tick) => tick.textContent);
    }""")
    assert beyond == []
    assert run["recipe"] == {"dataset": "drawn"}
    # The test digits that it is watched on are drawn, too.
    expect(panel.locator("[data-count]")).to_contain_text("2 000 test digits")
    ask(base_url, f"/api/runs/{run['id']}", "DELETE")


def test_the_atlas_leads_with_sample_digits_and_says_once_what_is_missing(page: Page):
    page.goto("/#mode=atlas&sample=four-nine")
    panel = page.locator("#view-atlas")
    samples = panel.locator("[data-sample]")
    expect(samples.nth(9)).to_be_visible()
    expect(samples.locator("canvas").first).to_be_visible()
    expect(panel.locator(".atlas-wall [data-index]")).to_have_count(0)
    samples.nth(0).click()
    expect(page).to_have_url(re.compile("sample=zero-round"))
    expect(panel.locator("[data-point]")).to_contain_text("Test image")
    text = panel.inner_text()
    assert text.count("on this machine") + text.count("missing") == 1
    assert "`" not in text
    panel.get_by_role("button", name="Get MNIST in Train").click()
    train = page.locator("#view-train")
    expect(train.get_by_role("button", name="Download it (11.6 MB)")).to_be_visible()
    drawn = train.locator("[data-drawn-digits] canvas")
    expect(drawn).to_have_count(20)
    text = train.inner_text()
    assert text.count("MNIST can be had") == 1
    assert "missing" not in text
    assert "`" not in text
