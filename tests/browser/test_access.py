"""Everybody gets in: by keyboard alone, and with what reads the page aloud."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import ENLARGED, violations
from tests.browser.explorer import (
    VIEWS,
    open_page,
    prediction,
    rest,
)

# What has the focus, by a number that stays its own; null: Tab has left the page.
FOCUSED = """() => {
    const { activeElement: at } = document;
    if (at === null || at === document.body) return null;
    window.stops ??= [];
    if (!stops.includes(at)) stops.push(at);
    const what = at.dataset.source === undefined ? "" : "example ";
    return `${stops.indexOf(at)}: ${what}${at.outerHTML.slice(0, 80)}`;
}"""
MOST_STOPS = 150


def stops(page: Page, key: str) -> list[str]:
    """What the key comes to until it leaves the page; fails if it meets one twice."""
    met = []
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        stop = page.evaluate(FOCUSED)
        if stop is None:
            return met
        assert stop not in met
        met.append(stop)
    raise AssertionError(f"{key} does not leave the page: {met}")


@pytest.mark.parametrize(
    ("address", "late"),
    [
        ("/#view=overview&sample=four-open", ".term"),
        ("/#view=routing&sample=four-nine", ".term"),
        ("/#view=compare&second=cnn-mnist&sample=four-open", "[data-way]"),
        ("/#mode=lab&experiment=pose&sample=four-open", "[data-equivariance] li"),
        ("/#mode=train", "[data-tabs]"),
        ("/#mode=atlas", ".atlas-stage canvas"),
        ("/guide/09-failing", "nav"),
    ],
)
def test_tab_meets_every_stop_once_and_leaves(page: Page, address: str, late: str):
    page.goto(address)
    expect(page.locator("main").locator(late).last).to_be_visible()
    rest(page)
    forth = stops(page, "Tab")
    assert len(forth) > 20
    assert sum(": example" in stop for stop in forth) <= 1  # all examples are one
    assert stops(page, "Shift+Tab") == forth[::-1]


def test_a_dialog_opens_at_its_top_tab_leaves_it_and_axe_finds_nothing(page: Page):
    page.set_viewport_size(ENLARGED)
    open_page(page)
    for dialog in ("help", "about"):
        page.get_by_role("button", name="More").click()
        page.locator(f"[data-open={dialog}]").click()
        heading = page.get_by_role("dialog").get_by_role("heading", level=2)
        expect(heading).to_be_in_viewport(ratio=1)
        expect(heading).to_be_focused()
        assert violations(page, "dialog[open]") == []
        forth = stops(page, "Tab")
        assert forth[-1].endswith("Close</button>")
        page.keyboard.press("Escape")


def test_the_strip_is_walked_with_arrow_keys_and_by_number(page: Page):
    open_page(page)
    page.locator("[data-tab=overview]").focus()
    for view in VIEWS[1:]:
        page.keyboard.press("ArrowRight")
        expect(page.locator(f"[data-tab={view}]")).to_be_focused()
        expect(page.locator(f"#view-{view}")).to_be_visible()
    for number, view in enumerate(VIEWS, start=1):
        page.keyboard.press(str(number))
        expect(page.locator(f"#view-{view}")).to_be_visible()


def test_the_skip_link_leads_to_the_layer_on_show_and_changes_nothing(page: Page):
    open_page(page, "view=routing&sample=seven-bar&digit=3")
    address = page.url
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#stage")).to_be_focused()
    assert page.url == address
    page.keyboard.press(",")
    expect(page.locator("#view-routing [data-step-value]")).to_have_text("2 of 3")


def test_a_one_can_be_drawn_with_the_keyboard_alone(page: Page):
    open_page(page)
    page.keyboard.press("Tab")  # away from the address bar
    page.locator("[data-clear]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-pad]")).to_be_focused()
    for _ in range(10):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    for _ in range(19):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(prediction(page)).to_have_text("1")
