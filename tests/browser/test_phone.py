"""The page under a finger: on a phone, without keys, a mouse or room."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import (
    ONE,
    VIEWS,
    draw,
    end_transitions,
    open_page,
    open_view,
    pass_frames,
    prediction,
    rest,
    touch,
)

pytestmark = pytest.mark.browser_context_args(
    viewport=PHONE, has_touch=True, is_mobile=True
)

OVERLAPPING_TICKS = """() => {
    const found = [];
    for (const axis of document.querySelectorAll(".score-axis, .bars-axis, svg")) {
        const marks = [...axis.querySelectorAll("span, text")]
            .filter((each) => each.textContent && each.getClientRects().length > 0);
        const boxes = marks.map((each) => each.getBoundingClientRect());
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, k) => {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 1 && down > 4)
                found.push(`${marks[i].outerHTML} ${marks[i + 1 + k].outerHTML}`);
        }));
    }
    return found;
}"""


def test_a_swipe_that_begins_on_a_slider_scrolls_and_moves_nothing(page: Page):
    open_page(page, "view=reconstruction&sample=four-nine&digit=4")
    panel = open_view(page, "reconstruction")
    slider = panel.locator(".pose-slider input").nth(4)
    slider.evaluate("slider => slider.scrollIntoView({ block: 'center' })")
    box = slider.bounding_box()
    before = page.evaluate("scrollY")
    x, y = box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2
    touch(page, [(x + moved / 10, y - moved) for moved in range(0, 180, 15)])
    page.wait_for_function("before => scrollY > before + 50", arg=before)
    expect(slider).to_have_js_property("value", "0")
    expect(panel.locator("[data-reset-all]")).to_be_disabled()
    # A finger that is put down and lifted there, once the page rests, means it.
    slider.tap(position={"x": 0.9 * box["width"], "y": box["height"] / 2})
    expect(panel.locator("[data-reset-all]")).to_be_enabled()


def test_layers_are_in_sight_while_one_draws_and_open_under_a_finger(page: Page):
    open_page(page)
    figure = page.locator("#view-overview [data-figure]")
    door = page.locator("[data-part=bench-door]")
    expect(page.locator("[data-pad]")).to_be_hidden()
    # One line for the image, and below it the picture of the whole network.
    assert _bottom(door) < _bottom(figure) < PHONE["height"]
    door.tap()
    pad = page.locator("[data-pad]")
    draw(page, ONE)
    expect(prediction(page)).to_have_text("1")
    assert _bottom(page.locator("[data-part=strip]")) < _bottom(pad)
    # What is drawn, what is said of it and most of the picture share the screen.
    expect(page.locator("#view-overview [data-told]")).to_be_in_viewport(ratio=1)
    expect(figure).to_be_in_viewport(ratio=0.5)
    expect(pad).to_be_in_viewport(ratio=1)
    places = [_bottom(part) for part in (door, pad)]
    page.locator("[data-clear]").tap()
    expect(prediction(page)).not_to_have_text("1")
    assert [_bottom(part) for part in (door, pad)] == places  # nothing jumps
    page.get_by_role("button", name="Undo", exact=True).tap()
    expect(prediction(page)).to_have_text("1")
    door.tap()
    expect(pad).to_be_hidden()
    page.locator("[data-tab=conv1]").tap()
    heading = page.locator("#view-conv1 h2")
    expect(heading).to_be_in_viewport()


def _bottom(part: Locator) -> float:
    box = part.bounding_box()
    return box["y"] + box["height"]


def test_no_ticks_overlap_and_nothing_speaks_of_keys(page: Page):
    open_page(page)
    for view in VIEWS:
        open_view(page, view)
        end_transitions(page)
        pass_frames(page)  # ticks come with the frame after the answer
        assert page.evaluate(OVERLAPPING_TICKS) == [], view
        expect(page.locator("kbd:visible")).to_have_count(0)
        for words in ("drop a picture", "arrow keys", "Double-click", "Point at"):
            expect(page.get_by_text(words).locator("visible=true")).to_have_count(0)


def test_nothing_moves_while_the_page_is_filled(page: Page):
    page.add_init_script(
        """window.moved = [];
        new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries())
                moved.push([value, ...sources.map(({ node }) => node?.className)]);
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    open_page(page)
    rest(page)
    assert page.evaluate("moved") == []


def test_a_tap_on_a_tab_lands_with_the_heading_below_the_strip(page: Page):
    open_page(page)
    for view in [*VIEWS[2:5], VIEWS[2]]:  # the first time, and once more
        page.locator(f"[data-tab={view}]").tap()
        panel = page.locator(f"#view-{view}")
        expect(panel).to_have_attribute("aria-busy", "false")
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        page.wait_for_function(
            """(view) => {
                const strip = document.querySelector("[data-part=strip]");
                const heading = document.querySelector(`#view-${view} h2`);
                const { bottom } = strip.getBoundingClientRect();
                const { top } = heading.getBoundingClientRect();
                return bottom > 0 && top >= bottom - 1 && top < bottom + 40;
            }""",
            arg=view,
        )
