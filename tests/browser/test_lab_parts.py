"""Jumbled parts in the Lab, by mouse, keyboard and finger."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import open_page, rest, touch

NETWORKS = ("capsnet-mnist", "cnn-mnist", "efficient-mnist", "matrix-mnist")
SIDE = 28
LAB = "mode=lab&experiment="


def open_experiment(page: Page, name: str, more: str = "") -> Locator:
    """Open an experiment with the 4 that the page starts with."""
    open_page(page, f"{LAB}{name}{more}")
    panel = page.locator(f"#lab-{name}")
    expect(panel.locator(".lab-reads-digit")).to_have_count(len(NETWORKS))
    settle(page)
    return panel


def settle(page: Page) -> None:
    """Wait until every network has answered, and nothing moves any more."""
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    rest(page)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def pieces(panel: Locator) -> Locator:
    return panel.locator(".parts-piece")


def drag(page: Page, panel: Locator, piece: int, right: int, down: int) -> None:
    """Drag a piece by whole pixels of the image, with the mouse."""
    box = pieces(panel).nth(piece).bounding_box()
    stage = panel.locator("[data-changed]").bounding_box()
    pixel = stage["width"] / SIDE
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * pixel, y + down * pixel, steps=4)
    page.mouse.up()


def test_swapped_halves_are_read_and_come_back_by_their_link(page: Page):
    panel = open_experiment(page, "parts", "&rest=1")
    expect(panel.locator("[data-words]")).to_contain_text("is as it was")
    panel.get_by_role("button", name="Swap top/bottom").click()
    settle(page)
    expect(page).to_have_url(re.compile(r"parts=[\w-]{12}"))
    verdict = re.compile(r"whole: [01]\.\d+; 95.% of test images reach 0\.\d+")
    expect(panel.locator(".lab-verdict")).to_contain_text(len(NETWORKS) * [verdict])
    for number in (0, 1):
        label = pieces(panel).nth(number)
        expect(label).to_have_attribute("aria-label", re.compile("14 px down"))
    # The link brings it back, in another page as well.
    words = panel.locator("[data-words]").inner_text()
    page.reload()
    settle(page)
    expect(panel.locator("[data-words]")).to_have_text(words, use_inner_text=True)
    panel.get_by_role("button", name="Put all back").click()
    expect(page).not_to_have_url(re.compile("parts=[^&]"))
    expect(panel.locator("[data-ink]")).to_contain_text("all where they were")


def test_a_piece_is_dragged_and_turned(page: Page):
    panel = open_experiment(page, "parts", "&cut=strokes")
    piece = pieces(panel).nth(1)
    count = pieces(panel).count()
    assert count > 1
    drag(page, panel, 1, right=3, down=-2)
    start = f"Piece 2 of {count}: "
    expect(piece).to_have_attribute("aria-label", f"{start}3 px right, 2 px up")
    panel.get_by_role("button", name="counter-clockwise").click()
    moved = f"{start}3 px right, 2 px up, turned 15°"
    expect(piece).to_have_attribute("aria-label", moved)
    expect(panel.locator("[data-piece]")).to_have_text(moved)
    page.reload()
    expect(piece).to_have_attribute("aria-label", moved)
    panel.get_by_role("button", name="Put back", exact=True).click()
    expect(piece).to_have_attribute("aria-label", f"{start}where it was")
    panel.get_by_role("button", name="Misplace its strokes").click()
    for number in range(count):
        label = pieces(panel).nth(number)
        expect(label).to_have_attribute("aria-label", re.compile("px"))


def test_pieces_are_moved_by_keys(page: Page):
    panel = open_experiment(page, "parts", "&cut=3")
    expect(pieces(panel)).to_have_count(9)
    piece = pieces(panel).nth(4)
    pieces(panel).nth(3).focus()
    page.keyboard.press("Tab")
    expect(piece).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "PageDown"):
        page.keyboard.press(key)
    words = "Piece 5 of 9: 2 px right, 4 px down, turned 15° clockwise"
    expect(piece).to_have_attribute("aria-label", words)
    expect(piece).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Home")
    expect(piece).to_have_attribute("aria-label", "Piece 5 of 9: where it was")
    # From the curve, too: a key goes to four tiles in a row, shuffled.
    panel.get_by_role("slider").first.focus()
    page.keyboard.press("End")
    expect(pieces(panel)).to_have_count(16)
    expect(panel.locator("[data-ink]")).to_contain_text("16 of 16 pieces moved")


@pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)
def test_a_finger_drags_a_piece_and_nothing_sticks_out(page: Page):
    panel = open_experiment(page, "parts", "&cut=2")
    piece = pieces(panel).first
    piece.scroll_into_view_if_needed()
    box = piece.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate("scrollY")
    touch(page, [(x, y + moved) for moved in range(0, 60, 10)])
    expect(piece).to_have_attribute("aria-label", re.compile(r"\d px down$"))
    assert page.evaluate("scrollY") == before
    settle(page)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
