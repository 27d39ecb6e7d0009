"""Where things stand: nothing that one needs is covered, cut off or out of sight."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE, WIDE
from tests.browser.explorer import open_page, open_view

LOW = {"width": 1366, "height": 650}

# What is focused, and what covers its middle or the edge that it was come to from below.
COVERED = """() => {
    const focused = document.activeElement;
    if (!focused || !focused.closest(".stage")) return null;
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    const name = focused.outerHTML.slice(0, 90);
    const middle = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const isLarge = bottom - top > innerHeight / 2;
    const heights = isLarge ? [(top + bottom) / 2] : [top + 3, (top + bottom) / 2];
    const covers = heights.map((height) => document.elementFromPoint(middle, height));
    const isFree = (over) => over && (focused.contains(over) || over.contains(focused)
        || over.closest("label")?.control === focused || over.closest(".overlaid, .pose-track")?.contains(focused));
    return { name, isCovered: !covers.every(isFree) };
}"""


@pytest.mark.parametrize("size", [LOW, PHONE], ids=["low", "phone"])
def test_no_bar_hides_the_focus_of_who_walks_backwards_through_routing(
    page: Page, size
):
    page.set_viewport_size(size)
    open_page(page, "view=routing&sample=four-nine")
    panel = open_view(page, "routing")
    expect(panel.locator("[data-votes-text]")).to_contain_text("variance")
    panel.locator("[data-numbers=couplings] summary").focus()
    walked: list[str] = []
    covered = []
    while (found := page.evaluate(COVERED)) is not None:
        walked.append(found["name"])
        if found["isCovered"]:
            covered.append(found["name"])
        page.keyboard.press("Shift+Tab")
    assert len(walked) > 60, walked
    assert covered == []
