"""Pictures of one's own: from a zip file of 200 to a network that reads one."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.archives import drawings, photograph, photographs, zipped
from tests.browser.access import PHONE, WIDE, violations

pytestmark = pytest.mark.long  # one worker takes all, and starts one explorer

RUN_MS = 240_000  # a run gives way to all else on the machine
READ_MS = 60_000
# In place of the page's own sizes: a run takes seconds, most of them to start.
TINY = {
    **{"threads": 1, "epochs": 1, "batch_size": 16, "learning_rate": 0.005},
    **{"conv1_kernels": 8, "primary_types": 2, "decoder_hidden": [8, 16]},
}


@pytest.fixture(scope="session")
def base_url(learner: str) -> str:
    return learner


def small(route: Route) -> None:
    """Ask for a tiny network in place of the page's."""
    settings: Any = route.request.post_data_json
    if route.request.method != "POST":
        return route.continue_()
    return route.continue_(post_data=json.dumps({**settings, **TINY}))


def leaving_out(names: list[str]) -> Callable[[Route], None]:
    """Change a set in another way than the page asks for."""

    def changed(route: Route) -> None:
        if route.request.method != "PATCH":
            return route.continue_()
        return route.continue_(post_data=json.dumps({"left_out": names}))

    return changed


def test_a_zip_file_becomes_a_network_that_reads_a_picture(page: Page, tmp_path: Path):
    page.set_viewport_size(WIDE)
    page.route("**/api/runs", small)
    (tmp_path / "toys.zip").write_bytes(zipped(photographs(within="toys/")))
    (tmp_path / "new.jpg").write_bytes(photograph("ball", 200))
    page.goto("/#mode=train")
    part = page.locator(".train-sets")
    part.get_by_text("Train on pictures of your own").click()  # click 1
    part.locator("[data-set-file]").set_input_files(tmp_path / "toys.zip")  # 2 and 3
    train = part.get_by_role("button", name="Train on these pictures")
    expect(train).to_be_visible(timeout=READ_MS)
    expect(part).to_contain_text("160 images to train on and 40 for the test")
    expect(part).to_contain_text("32×32 pixels, in colour")
    expect(part.get_by_role("row").nth(1)).to_contain_text("ball8020")
    expect(part.get_by_role("row").nth(2).locator("canvas")).to_have_count(10)
    assert violations(page, ".train-sets") == []
    page.set_viewport_size(PHONE)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    summary = part.locator("[data-set-shown]")
    for child in summary.locator(":scope > *").all():  # nothing is cut off
        box, around = child.bounding_box(), summary.bounding_box()
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 1
    page.set_viewport_size(WIDE)
    train.click()  # 4
    state = page.locator("[data-state]")
    expect(state).to_contain_text(re.compile("Done: 10 steps"), timeout=RUN_MS)
    page.reload()
    # Nothing can be opened before the last moment has come.
    expect(page.locator(".train-moment").first).to_contain_text("after 160 images")
    tabs = page.locator("[data-tabs]")
    tabs.get_by_role("button", name="Look inside").click()
    page.get_by_role("button", name="in the Atlas").click()
    atlas = page.locator("#view-atlas")
    expect(atlas).to_contain_text(re.compile(r"misreads \d+ of the 40 test images"))
    page.get_by_role("button", name="Back to the run").click()
    tabs.get_by_role("button", name="Look inside").click()
    page.get_by_role("button", name="Open in Explore").click()  # 5
    page.locator("[data-upload]").set_input_files(tmp_path / "new.jpg")  # 6 and 7
    expect(page.locator("[data-prediction]")).to_have_text(re.compile("ball|box"))


def test_an_upload_can_be_cancelled(page: Page, tmp_path: Path):
    (tmp_path / "shapes.zip").write_bytes(zipped(drawings()))
    page.route("**/api/sets/*/file*", lambda _: None)  # it never arrives
    page.goto("/#mode=train")
    part = page.locator(".train-sets")
    part.get_by_text("Train on pictures of your own").click()
    before = page.request.get("/api/sets").json()["sets"]
    with page.expect_request("**/api/sets/*/file*"):
        part.locator("[data-set-file]").set_input_files(tmp_path / "shapes.zip")
    part.get_by_role("button", name="Cancel").click()
    expect(part.get_by_role("progressbar")).to_be_hidden()
    assert page.request.get("/api/sets").json()["sets"] == before
    expect(part.locator("[data-set-problem]")).to_have_text("")


def test_a_set_is_mended_and_deleted_by_keyboard(page: Page, tmp_path: Path):
    """The button that was pressed goes; its focus goes where the set is chosen."""
    rare = {
        name.replace("dot", "rare"): content
        for name, content in drawings(4, kinds=("dot",)).items()
    }
    (tmp_path / "shapes.zip").write_bytes(zipped(drawings(20) | rare))
    page.goto("/#mode=train")
    part = page.locator(".train-sets")
    summary = part.get_by_text("Train on pictures of your own")
    expect(summary).to_be_visible()
    summary.press("Enter")
    part.locator("[data-set-file]").set_input_files(tmp_path / "shapes.zip")
    mend = part.get_by_role("button", name="Leave out rare")
    expect(mend).to_be_visible(timeout=READ_MS)
    page.route("**/api/sets/*", leaving_out(["rare", "ring"]))
    mend.press("Enter")  # a change that cannot be: the set stays, and says why
    problem = part.locator("[data-set-problem]")
    expect(problem).to_contain_text("of two classes or more", timeout=READ_MS)
    expect(part).to_contain_text("of 3 classes")
    page.unroute("**/api/sets/*")
    mend.press("Enter")
    expect(mend).to_be_hidden()
    expect(problem).to_have_text("")
    expect(part.locator("[data-set-menu]")).to_be_focused()
    delete = part.get_by_role("button", name="Delete shapes")
    expect(part).to_contain_text("of 2 classes", timeout=READ_MS)
    expect(part.get_by_role("row", name="rare")).to_have_count(0)
    delete.press("Enter")
    expect(delete).to_be_hidden()
    assert page.evaluate("document.activeElement !== document.body")
