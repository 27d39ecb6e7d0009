"""A panel that fails says so in one sentence, and takes no other with it."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import UNFOLDED, open_page

FAILS = "fails on these numbers"

# A picture of the routing view cannot be drawn, for as long as the page says so.
NO_PICTURES = """
const own = CanvasRenderingContext2D.prototype;
for (const name of ["setTransform", "clearRect", "beginPath", "putImageData"]) {
    const does = own[name];
    own[name] = function (...asked) {
        const fails = window.draws !== true;
        if (fails && this.canvas.closest?.("[data-microscope]"))
            throw new RangeError("a mistake on purpose");
        return does.apply(this, asked);
    };
}
"""


def failures(view: Locator) -> Locator:
    return view.locator(".failure")


def test_a_panel_that_cannot_be_drawn_says_so_until_it_can(
    page: Page, complaints: list[str]
):
    page.add_init_script(NO_PICTURES)
    open_page(page, f"view=routing&sample=four-nine{UNFOLDED}")
    view = page.locator("#view-routing")
    panel = view.locator("[data-panel=capsule]")
    expect(panel.locator(".failure")).to_contain_text(FAILS)
    expect(failures(view)).to_have_count(1)
    expect(panel.locator("canvas").first).to_be_hidden()
    expect(panel.locator("summary").first).to_be_visible()
    expect(view.locator("[data-course] output").first).to_contain_text(".")
    expect(view).to_have_attribute("aria-busy", "false")

    page.evaluate("window.draws = true")
    view.locator("[data-digits] button").nth(2).click()
    expect(failures(view)).to_have_count(0)
    expect(panel.locator("[data-type-grid] canvas")).to_be_visible()
    assert complaints
    assert all("a mistake on purpose" in complaint for complaint in complaints)
    complaints.clear()
