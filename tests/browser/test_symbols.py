"""Symbols of one's own: drawn, kept, changed, learnt and read, by mouse and keys."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import FOUR, ONE, Stroke, draw, prediction

pytestmark = pytest.mark.long  # one worker takes all, and starts one explorer

# What a network says that reads the image, or is not sure enough.
SAID = re.compile(r"(learns reads|the longest,) (yes|nay)[:,] (length|has)")

RUN_MS = 240_000  # a run gives way to all else on the machine
# In place of the page's own sizes: a run takes seconds, most of them to start.
TINY = {
    **{"threads": 1, "epochs": 1, "batch_size": 60, "learning_rate": 0.01},
    **{"conv1_kernels": 8, "primary_types": 2, "decoder_hidden": [8, 16]},
}


@pytest.fixture(scope="session")
def base_url(learner: str) -> str:
    return learner


def open_own(page: Page) -> Locator:
    """Open Train with the part for symbols of one's own; return that part."""
    page.goto("/#mode=train")
    part = page.locator(".train-own")
    part.get_by_text("Teach a network symbols of your own").click()
    return part


def moved(strokes: tuple[Stroke, ...], by: float) -> list[Stroke]:
    """Lean the strokes a little, so that no two drawings are the same."""
    return [[(x + by * (y - 0.5), y) for x, y in stroke] for stroke in strokes]


def small(route: Route) -> None:
    """Ask for a tiny network in place of the page's."""
    settings: Any = route.request.post_data_json
    if route.request.method != "POST":
        return route.continue_()
    return route.continue_(post_data=json.dumps({**settings, **TINY}))


def add(page: Page, part: Locator, name: str, strokes: list[Stroke]) -> None:
    draw(page, strokes)
    expect(prediction(page)).to_have_text(re.compile(r"^\d$"))
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    part.get_by_role("textbox", name="Symbol", exact=True).fill(name)
    part.get_by_role("button", name="Add the image").click()
    expect(part.get_by_role("status")).to_have_text(f"Added as an example of {name}.")


def test_symbols_are_drawn_kept_changed_and_learnt(page: Page, tmp_path: Path):
    page.set_viewport_size(WIDE)
    page.route("**/api/runs", small)
    part = open_own(page)
    train = part.get_by_role("button", name="Train on these symbols")
    for name, strokes in (("yes", ONE), ("no", FOUR)):
        for by in (0, 0.2):
            expect(train).to_be_disabled()
            add(page, part, name, moved(strokes, by))
    expect(part).to_contain_text("1 260 images of each symbol")
    part.get_by_role("button", name="Remove example 1 of yes").click()
    expect(part).to_contain_text("Training needs one more example of yes.")
    part.get_by_role("button", name="Undo").click()
    part.get_by_role("textbox", name="Name of the symbol no").fill("nay")
    part.get_by_role("textbox", name="Name of the symbol no").press("Enter")
    expect(part.get_by_role("status")).to_have_text("no is now nay.")

    with page.expect_download() as saved:
        part.get_by_role("button", name="Save the set").click()
    file = tmp_path / "symbols.json"
    saved.value.save_as(file)
    page.reload()
    part = open_own(page)
    expect(part.get_by_role("listitem")).to_have_count(2)
    part.get_by_role("button", name="Remove nay", exact=True).click()
    expect(part.get_by_role("listitem")).to_have_count(1)
    part.locator("[data-own-open]").set_input_files(file)
    expect(part.get_by_role("status")).to_have_text("Opened: 2 symbols, 4 examples.")

    assert violations(page, "#view-train") == []
    train.click()
    state = page.locator("#view-train [data-state]")
    expect(state).to_contain_text("Done", timeout=RUN_MS)
    count = page.locator("#view-train p[data-count]")
    expect(count).to_contain_text("of 2 kept examples correctly")
    draw(page, moved(ONE, 0.1))
    moment = page.locator(".train-moment").first
    expect(moment).to_contain_text("after 2 520 images")
    expect(moment).to_contain_text(SAID)


@pytest.mark.browser_context_args(color_scheme="dark", reduced_motion="reduce")
def test_a_set_is_made_by_keys_and_fits_a_dark_phone(page: Page):
    page.set_viewport_size(WIDE)
    part = open_own(page)
    name = part.get_by_role("textbox", name="Symbol", exact=True)
    name.press("Enter")
    expect(part.get_by_role("alert")).to_have_text("Name the symbol that is drawn.")
    pad = page.locator("[data-pad]")
    for count, key in enumerate(("ArrowRight", "ArrowDown"), 1):
        pad.focus()
        page.keyboard.press("Space")
        for _ in range(9):
            page.keyboard.press(key)
        page.keyboard.press("Space")
        expect(prediction(page)).to_have_text(re.compile(r"^\d$"))
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        name.fill("bar")
        name.press("Enter")
        expect(part.get_by_role("button", name="Remove example")).to_have_count(count)
    expect(part).to_contain_text("Training needs one more symbol.")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert violations(page, ".train-own") == []
    part.get_by_role("button", name="Remove example 2 of bar").press("Enter")
    undo = part.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.press("Enter")
    expect(part.get_by_role("button", name="Remove example")).to_have_count(2)


def test_two_tabs_add_to_one_set(page: Page):
    page.set_viewport_size(WIDE)
    part = open_own(page)
    other = page.context.new_page()
    there = open_own(other)
    add(page, part, "yes", [*ONE])
    expect(there.get_by_role("textbox", name="Name of the symbol yes")).to_be_visible()
    add(other, there, "no", [*FOUR])
    names = part.get_by_role("textbox", name="Name of the symbol")
    expect(names).to_have_count(2)
    part.get_by_role("button", name="Undo").click()  # one's own step alone
    expect(names).to_have_count(1)
    expect(names).to_have_value("no")
    other.reload()
    there.get_by_text("Teach a network symbols of your own").click()
    expect(there.get_by_role("textbox", name="Name of the symbol")).to_have_value("no")
    other.close()
