"""Where things stand: nothing that one needs is covered, cut off or out of sight."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import LOW, PHONE
from tests.browser.explorer import (
    UNFOLDED,
    open_page,
    open_view,
    pass_frames,
    pixels_of,
    rest,
)

# What is focused, and whether its middle or its upper edge stays covered; of words that
# go on in another line, those of the first.
COVERED = """async () => {
    const focused = document.activeElement;
    if (!focused || !focused.closest(".stage")) return null;
    const isCovered = () => {
        const { left, right, top, bottom } = focused.getClientRects()[0];
        const across = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
        const middle = (top + bottom) / 2;
        const isLarge = bottom - top > innerHeight / 2;
        const isFree = (down) => {
            const over = document.elementFromPoint(across, down);
            return over !== null && (focused.contains(over) || over.contains(focused)
                || over.closest(".overlaid")?.contains(focused));
        };
        return !(isFree(middle) && (isLarge || isFree(top + 3)));
    };
    for (let frames = 10; frames > 0 && isCovered(); frames--)
        await new Promise(requestAnimationFrame);
    return { name: focused.outerHTML.slice(0, 90), isCovered: isCovered() };
}"""


def test_no_bar_hides_the_focus_of_who_walks_backwards_through_routing(page: Page):
    page.set_viewport_size(LOW)
    open_page(page, f"view=routing&sample=four-nine{UNFOLDED}")
    panel = open_view(page, "routing")
    expect(panel.locator("[data-capsule-caption]")).to_contain_text("Iteration")
    rest(page)
    panel.locator("[data-numbers=courses] summary").focus()
    walked: list[str] = []
    covered = []
    while (stop := page.evaluate(COVERED)) is not None:
        walked.append(stop["name"])
        if stop["isCovered"]:
            covered.append(stop["name"])
        page.keyboard.press("Shift+Tab")
    assert len(walked) > 60, walked
    assert covered == []


# Input and reconstruction.
PICTURES = "canvas:not([data-difference]):not([data-owners] canvas)"

IN_SIGHT = """(element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isInside = top >= 0 && bottom <= innerHeight;
    const [across, down] = [(left + right) / 2, (top + bottom) / 2];
    const over = document.elementFromPoint(across, down);
    return isInside && element.parentElement.contains(over);
}"""


def in_sight(element: Locator) -> bool:
    """Whether all of it is in the window, and nothing lies on it."""
    return element.evaluate(IN_SIGHT)


@pytest.mark.parametrize("model", ["capsnet-mnist", "matrix-mnist"])
def test_every_slider_is_in_sight_together_with_the_picture_that_it_moves(
    page: Page, model: str
):
    open_page(page, f"view=reconstruction&model={model}&sample=four-open&digit=4")
    panel = open_view(page, "reconstruction")
    picture = panel.locator(PICTURES).nth(1)
    inputs = panel.locator(".pose-slider input")
    expect(inputs).to_have_count(16)
    for size in (LOW, PHONE):
        page.set_viewport_size(size)
        pass_frames(page, 3)
        for slider in inputs.all():
            slider.focus()
            assert in_sight(slider), size
            assert in_sight(picture), size
        columns = panel.locator("[data-sliders]").evaluate_all(
            "lists => lists.map(list => getComputedStyle(list).gridTemplateColumns)"
        )
        assert all(16 % len(widths.split()) == 0 for widths in columns)


def test_the_strip_shows_what_the_sliders_make_of_the_digit(page: Page):
    open_page(page, "view=reconstruction&sample=four-open")
    panel = open_view(page, "reconstruction")
    thumbnail = page.locator("[data-tab=reconstruction] canvas")
    picture = panel.locator(PICTURES).nth(1)
    pixels = pixels_of(thumbnail)
    assert pixels_of(picture) == pixels
    panel.get_by_role("slider").first.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(panel.locator("[data-reset-digit]")).to_be_enabled()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    expect(panel.locator(".is-old")).to_have_count(0)
    assert pixels_of(picture) != pixels
    assert pixels_of(thumbnail) == pixels_of(picture)
    panel.locator("[data-reset-digit]").click()
    assert pixels_of(thumbnail) == pixels
