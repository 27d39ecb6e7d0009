"""Surgery on routing: the page shows what the API answers, and says what it changed."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import Tensors, image_of, trace
from tests.browser.explorer import FOUR, draw, open_page, open_view, prediction

START = "view=routing&sample=four-open&open=capsule.surgery"
CELLS = 36
TYPES = 32
RESULT = ("digits.lengths", "reconstruction")


@pytest.fixture
def four(base_url: str) -> list[list[float]]:
    return image_of(base_url, 4)


def open_surgery(page: Page, link: str = START) -> Locator:
    """Open the routing view and scroll to the panel, which is drawn when it is seen."""
    open_page(page, link)
    panel = page.locator("[data-surgery]")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("[data-type-toggles] button")).to_have_count(TYPES)
    return panel


def expect_lengths(panel: Locator, expected: Tensors, column: int = 4) -> None:
    """Expect the ten lengths of the changed run, or at place 3 those of the intact."""
    cells = panel.locator(f"[data-surgery-lengths] tr > :nth-child({column})")
    lengths = [f"{length:.3f}" for length in expected["digits.lengths"]]
    expect(cells).to_have_text(lengths)


def toggle(panel: Locator, capsule_type: int) -> Locator:
    return panel.locator(f"[data-type-toggles] button[data-type='{capsule_type}']")


def test_the_badge_tells_everywhere_and_undoes(page: Page):
    panel = open_surgery(page)
    toggle(panel, 5).click()
    badge = page.locator(".surgery-badge")
    expect(badge).to_contain_text("Type 5 is silent. Every view shows this run")
    for view in ("digits", "input"):
        open_view(page, view)
        expect(badge).to_be_visible()
    badge.get_by_role("button", name="Look at it").click()
    expect(panel).to_be_focused()
    badge.get_by_role("button", name="Undo all").click()
    expect(badge).to_be_hidden()
    expect(page).not_to_have_url(re.compile("silence"))


def test_surgery_stays_while_another_digit_is_drawn(page: Page):
    panel = open_surgery(page, "view=routing&sample=one-plain&open=surgery")
    toggle(panel, 22).click()
    lengths = panel.locator("[data-surgery-lengths]")
    before = lengths.inner_text()
    page.evaluate("scrollTo(0, 0)")
    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("[data-surgery-words]")).to_have_text("Type 22 is silent.")
    expect(panel.locator("[data-result]")).not_to_have_class(re.compile("is-old"))
    # It is painted in the frame after it has come into sight.
    expect(lengths).not_to_have_text(before, use_inner_text=True)


def test_a_capsule_and_its_type_are_silenced_with_keys(page: Page, four, base_url: str):
    open_page(page, f"{START}&capsule={22 * CELLS + 15}")
    microscope = page.locator("[data-microscope]")
    microscope.scroll_into_view_if_needed()
    crosses = microscope.locator("[data-silent]")
    expect(crosses).to_have_attribute("d", "")  # drawn, and nobody silent
    microscope.locator("[data-type-grid] canvas").focus()
    page.keyboard.press("x")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    expect(crosses).to_have_attribute("d", re.compile("^(M[^M]+){4}$"))
    silence = [22 * CELLS + 15, 22 * CELLS + 16]
    panel = page.locator("[data-surgery]")
    panel.scroll_into_view_if_needed()
    expect(toggle(panel, 22)).to_have_attribute("aria-pressed", "mixed")
    expect_lengths(panel, trace(base_url, four, RESULT, silence=silence))
    microscope.locator("[data-type-grid] canvas").focus()
    page.keyboard.press("Shift+X")
    expect(crosses).to_have_attribute("d", re.compile("^(M[^M]+){72}$"))
    expect(microscope.get_by_role("button", name="Silence type 22")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("Shift+X")
    expect(crosses).to_have_attribute("d", "")
