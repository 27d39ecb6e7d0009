"""What is not on the screen is there all the same: to be read, searched and printed."""

from playwright.sync_api import Page, expect

from tests.browser.explorer import UNFOLDED, open_page, rest

LINK = "view=routing&sample=four-nine"
BLANK = """(canvas) => {
    const empty = document.createElement("canvas");
    [empty.width, empty.height] = [canvas.width, canvas.height];
    return canvas.toDataURL() === empty.toDataURL();
}"""


def test_panels_are_filled_and_painted_before_anybody_scrolls_to_them(page: Page):
    open_page(page, LINK + UNFOLDED)
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-capsule-title]")).to_contain_text("row")
    expect(panel.locator("[data-surgery-words]")).to_have_text("Nothing is changed.")
    canvas = panel.locator("[data-type-grid] canvas").element_handle()
    page.wait_for_function(f"(canvas) => !({BLANK})(canvas)", arg=canvas)
    assert page.evaluate("scrollY") == 0


def test_what_is_out_of_sight_follows_before_it_is_printed_and_paper_is_light(
    page: Page,
):
    page.emulate_media(color_scheme="dark")
    open_page(page, LINK + UNFOLDED)
    panel = page.locator("#view-routing")
    near = panel.locator("[data-type-grid] canvas")
    expect(panel.locator("[data-capsule-caption]")).to_contain_text("Iteration 3")
    # In one go: no frame and no idle moment passes between the step and the printer.
    printed = page.evaluate(
        """() => {
            const find = () => document.querySelector("[data-type-grid] canvas");
            const onScreen = find()?.toDataURL();
            const key = { key: ",", bubbles: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", key));
            dispatchEvent(new Event("beforeprint"));
            const paper = getComputedStyle(document.body).color;
            const words = document.querySelector("[data-capsule-caption]").textContent;
            const near = find();
            const isNew = near.toDataURL() !== onScreen;
            dispatchEvent(new Event("afterprint"));
            const screen = getComputedStyle(document.body).color;
            return { paper, screen, words, isNew };
        }"""
    )
    assert "Iteration 2" in printed["words"]
    assert printed["isNew"]
    assert not near.evaluate(BLANK)
    assert printed["paper"] == "rgb(27, 29, 34)"  # the light theme's ink
    assert printed["screen"] != printed["paper"]


def test_nothing_closed_is_printed(page: Page):
    open_page(page, f"{LINK}&open=capsule")
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-capsule-caption]")).to_contain_text("Iteration 3")
    rest(page)
    closed = panel.locator("details:not([open])")
    count = closed.count()
    assert count > 1
    page.emulate_media(media="print")
    expect(closed).to_have_count(count)
    expect(panel.locator("details:not([open]):visible")).to_have_count(0)
    expect(panel.locator("details[open] [data-capsule-caption]")).to_be_visible()
    page.emulate_media(media="screen")
    expect(closed.first).to_be_visible()
