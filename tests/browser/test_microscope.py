"""The arithmetic under the microscope: it comes out, and it is the network's."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page

STRONG = 22 * 36 + 2 * 6 + 3  # a capsule that routing moves far
LINK = f"view=routing&sample=four-open&capsule={STRONG}"


def open_microscope(page: Page, link: str) -> Locator:
    """Open the routing view and scroll to the panel, which is drawn when it is seen."""
    open_page(page, link)
    panel = page.locator("[data-microscope]")
    panel.scroll_into_view_if_needed()
    expect(panel.locator("[data-capsule-rows] tr")).to_have_count(10)
    expect(panel.locator("[data-distance]")).to_contain_text(
        "The network’s trace says the same, as closely as can be told"
    )
    return panel


def test_escape_folds_up_before_it_goes_anywhere_else(page: Page):
    panel = open_microscope(page, f"{LINK}&digit=9")
    fold = panel.locator("[data-vote]")
    fold.locator("summary").click()
    expect(fold).to_have_attribute("open", "")
    panel.locator("[data-capsule-rows] tr").nth(7).click()
    fold.locator(".scroll").first.focus()
    expect(panel.locator("[data-course-caption]")).to_contain_text("class 7")
    page.keyboard.press("Escape")
    expect(fold).not_to_have_attribute("open", "")
    expect(fold.locator("summary")).to_be_focused()
    expect(panel.locator("[data-course-caption]")).to_contain_text("class 7")
    page.keyboard.press("Escape")
    expect(panel.locator("[data-course-caption]")).to_contain_text("class 4")
