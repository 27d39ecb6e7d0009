"""The header and the strip: one row each, whatever the window."""

from playwright.sync_api import Page, expect

from tests.browser.access import ENLARGED, LOW, PHONE, violations
from tests.browser.explorer import open_page, prediction
from tests.browser.test_fit import MEAN, WIDEN

# How many rows the seen children of the header's parts stand in.
ROWS = """() => {
    const header = document.querySelector(".top");
    const seen = [...header.querySelectorAll("button, select, a")]
        .filter((each) => each.checkVisibility() && !each.closest("#top-rest"));
    const tops = seen.map((each) => each.getBoundingClientRect());
    const middles = tops.map(({ top, bottom }) => (top + bottom) / 2);
    return new Set(middles.map((each) => Math.round(each / 10))).size;
}"""


def test_an_enlarged_window_has_its_header_in_one_row(page: Page):
    page.set_viewport_size(ENLARGED)
    open_page(page)
    page.evaluate(WIDEN, MEAN)
    assert page.evaluate(ROWS) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 720
    page.get_by_role("button", name="More").click()
    about = page.get_by_role("button", name="About this model")
    expect(about).to_be_in_viewport(ratio=1)
    assert violations(page, ".top") == []
    about.click()
    expect(page.get_by_role("dialog", name="About this model")).to_be_visible()
    page.keyboard.press("Escape")
    present = page.get_by_role("button", name="Present")
    present.click()
    expect(page.get_by_role("navigation", name="Presentation")).to_be_visible()


def test_a_phone_has_two_rows(page: Page):
    page.set_viewport_size(PHONE)
    open_page(page)
    assert page.evaluate(ROWS) == 2


def test_ten_tabs_are_whole_side_by_side(page: Page):
    page.set_viewport_size(LOW)
    page.goto("/#view=conv3&model=efficient-mnist&sample=four-open")
    expect(prediction(page)).to_have_text("4")
    tabs = page.locator("[data-part=strip] [role=tab]")
    expect(tabs).to_have_count(10)
    for tab in tabs.all():
        expect(tab).to_be_in_viewport(ratio=1)
