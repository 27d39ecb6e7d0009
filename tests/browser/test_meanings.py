"""A network that was measured tells what its numbers mean."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explorer import open_page, open_view

MEANING = re.compile(r"^(mostly .+, r = .?0\.\d\d|no single meaning|.*none.*)$")


def test_sliders_are_named_and_slant_itself_can_be_moved(page: Page):
    open_page(page, "view=reconstruction&sample=four-open")
    panel = open_view(page, "reconstruction")
    expect(panel.locator("[data-sliders] .pose-note")).to_have_text([MEANING] * 16)
    sets = panel.locator("[data-slider-sets]")
    sets.locator("[data-value=properties]").click()
    slant = panel.get_by_role("slider", name="Property slant")
    for _ in range(10):
        slant.press("ArrowRight")
    expect(slant).to_have_attribute("aria-valuetext", re.compile(r"^\+\d+° in all$"))
    expect(panel.locator("[data-paths] .pose-note").first).to_contain_text("; next, ")

    sets.get_by_role("button", name="Each number").click()
    moved = panel.locator("[data-sliders] .pose-moved")
    expect(moved.filter(has_text=re.compile(r"\d"))).not_to_have_count(0)

    sets.locator("[data-value=properties]").click()
    slant.press("Delete")
    expect(slant).to_have_attribute("aria-valuetext", "0°, the network’s own")

    sets.get_by_role("button", name="Principal directions").click()
    paths = panel.locator("[data-paths] input")
    expect(paths).to_have_count(16)
    page.reload()  # the choice stands in the link
    expect(paths).to_have_count(16)


def test_the_chosen_type_is_portrayed_with_what_it_speaks_for(page: Page):
    open_page(page, f"sample=four-open&capsule={22 * 36 + 7}")
    for view in ("primary", "routing"):
        portrait = open_view(page, view).locator("[data-portrait]")
        for folded in portrait.locator("summary").all():
            folded.click()
        portrait.scroll_into_view_if_needed()
        title = portrait.locator("[data-portrait-title]")
        expect(title).to_have_text("What type 22 looks for")
        words = portrait.locator("[data-portrait-words]")
        expect(words).to_contain_text(re.compile(r"It speaks most for \d \(\+\d"))
        expect(portrait.locator("[data-portrait-rows] tr")).to_have_count(10)
