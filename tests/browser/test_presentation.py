"""A lecturer at a projector: what is open, as large as the screen allows."""

import re

from playwright.sync_api import Page, expect

from tests.browser.access import FULL_HD, LAPTOP, violations
from tests.browser.explorer import open_page, prediction

LAYERS = ("conv1", "primarycaps", "routing", "digitcaps", "reconstruction")
FIGURE = "#view-overview [data-figure]"

# The share of the window that the picture of the whole network fills, and how large its
# letters are on the screen.
FILLED = """(figure) => {
    const { left, right, top, bottom } = figure.getBoundingClientRect();
    const bar = document.querySelector('[data-part="presentation"]');
    const end = Math.min(bottom, bar.getBoundingClientRect().top);
    const area = (right - left) * (end - top);
    const svg = figure.querySelector("[data-over]");
    const name = svg.querySelector(".overview-name");
    const scale = svg.getScreenCTM().a;
    return {
        share: area / (innerWidth * innerHeight),
        isWhole: bottom <= end && top >= 0,
        letters: parseFloat(getComputedStyle(name).fontSize) * scale,
    };
}"""


def _bar(page: Page):
    return page.get_by_role("navigation", name="Presentation")


def test_the_whole_network_fills_the_screen_and_is_left_again(page: Page):
    page.set_viewport_size(LAPTOP)
    open_page(page, "view=overview&sample=four-nine")
    figure = page.locator(FIGURE)
    expect(figure.locator(".overview-name").first).to_be_visible()
    page.get_by_role("button", name="Present").click()
    expect(_bar(page)).to_contain_text("Overview: 1 of 7")
    for hidden in (".top-tools", ".top-modes", ".bench", ".strip"):
        expect(page.locator(hidden)).to_be_hidden()
    page.wait_for_function(
        f"() => ({FILLED})(document.querySelector('{FIGURE}')).share > 0.6"
    )
    filled = figure.evaluate(FILLED)
    assert filled["isWhole"]
    assert filled["letters"] >= 14.5  # px of 1366: legible at the wall
    assert violations(page, "[data-part=presentation]") == []
    page.keyboard.press("Escape")
    expect(_bar(page)).to_be_hidden()
    expect(page.locator(".top-tools")).to_be_visible()
    expect(page.get_by_role("button", name="Present")).to_be_focused()
    assert "present" not in page.url


def test_keys_lead_to_the_next_view_iteration_and_image(page: Page):
    page.set_viewport_size(FULL_HD)
    page.goto("/?present#sample=four-nine")
    expect(prediction(page)).to_have_text("4")
    bar = _bar(page)
    expect(bar).to_contain_text("Overview: 1 of 7")
    expect(bar.get_by_role("button", name="Back")).to_be_disabled()
    step = bar.locator("[data-iterate]")
    expect(step).to_contain_text("Iteration 3 of 3")
    for at in (1, 2, 3):
        page.keyboard.press(" ")
        expect(step).to_contain_text(f"Iteration {at} of 3")
    page.keyboard.press(",")
    expect(step).to_contain_text("Iteration 2 of 3")
    expect(page.locator("#view-overview [data-iteration='2']")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press(".")
    expect(step).to_contain_text("Iteration 3 of 3")
    step.click()
    expect(step).to_contain_text("Iteration 1 of 3")
    before = page.url
    page.keyboard.press("e")
    expect(page).not_to_have_url(before)
    page.keyboard.press("Shift+E")
    expect(page).to_have_url(re.compile("sample=four-nine"))

    titles = ["Overview"]
    next_one = bar.get_by_role("button", name="Next", exact=False).last
    while next_one.is_enabled():
        page.keyboard.press("PageDown")
        expect(bar).not_to_contain_text(f"{titles[-1]}:")
        titles.append(bar.inner_text().partition(":")[0].strip())
    assert [view.lower() for view in titles] == ["overview", "input", *LAYERS]
    page.keyboard.press("PageUp")
    expect(bar).to_contain_text("DigitCaps")
    bar.get_by_role("button", name="Leave").click()
    expect(bar).to_be_hidden()


def test_a_lecture_goes_from_question_to_question(page: Page):
    page.set_viewport_size(LAPTOP)
    held = []
    page.route("**/api/samples", lambda route: held.append(route))
    page.goto("/?present#view=overview&sample=four-open")
    with page.expect_response("**/api/guide*"):
        _bar(page).get_by_role("button", name="Ten minutes").click()
    guide = page.get_by_role("complementary", name="Guide")
    expect(guide).to_be_hidden()  # its state waits for the samples
    for route in held:
        route.continue_()
    expect(guide).to_contain_text("How many types of capsules must fall silent")
    expect(_bar(page)).to_be_hidden()  # the guide has one of its own
    expect(page).to_have_url(re.compile("present.*guide=00-matter/capsule"))
    for key in ("PageDown", "PageDown", "PageUp"):  # faster than the page follows
        page.keyboard.press(key)
    expect(guide).to_contain_text("How long is it after 3 iterations?")
    expect(page).to_have_url(re.compile("present.*guide=00-matter/vote"))
    expect(page.get_by_role("heading", name="Routing by agreement")).to_be_visible()
    assert violations(page, "[data-part=guide]") == []


def test_an_experiment_keeps_its_own_keys(page: Page):
    page.set_viewport_size(FULL_HD)
    page.goto("/?present=2#mode=lab&experiment=parts&rest=1")
    pieces = page.locator("#lab-parts .parts-piece")
    expect(pieces).to_have_count(4)
    position = _bar(page).locator("[data-place-words]")
    expect(position).to_have_text(re.compile(r"^Jumbled parts: \d of \d$"))
    words = position.inner_text()
    for hidden in (".bench", ".lab-tabs", ".bench-door"):
        expect(page.locator(hidden)).not_to_be_in_viewport()
    pieces.first.press("ArrowRight")  # moves the piece, and turns no view
    expect(pieces.first).to_have_attribute("aria-label", re.compile("1 px right"))
    page.keyboard.press("PageUp")  # turns the piece
    expect(position).to_have_text(words)
    _bar(page).get_by_role("button", name="Back").click()
    expect(position).not_to_have_text(words)
    assert violations(page, "[data-view=lab]") == []
