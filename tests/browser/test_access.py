"""Everybody gets in: keyboard alone, small screens, and what axe-core can find."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import (
    VIEWS,
    end_transitions,
    open_page,
    pass_frames,
    prediction,
)
from tests.browser.places import ROOMS, places_of, unfold

LOOKS = ((WIDE, "light"), (PHONE, "dark"))
# Rows of a long table look alike, and so do the numbers in a grid of them.
SHORTEN = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
        tr:nth-child(n + 4), td:nth-child(n + 8), th:nth-child(n + 8),
        .kinds > :nth-child(n + 12), .written > :nth-child(n + 12) { display: none; }
    `);
    document.adoptedStyleSheets = [sheet];
}"""


def faults(page: Page, room: str, looks_at_each: int) -> list[str]:
    """Ask axe about each place of a room, as it looks in turn."""
    page.goto("/")
    page.evaluate(SHORTEN)
    found = []
    looks = LOOKS
    for place, (name, panel) in enumerate(places_of(page, room)):
        unfold(panel)
        # What is still computed is dimmed until then.
        expect(panel.locator(".is-awaited")).to_have_count(0)
        # What stands around the panels is the same in all of a room.
        within = ":root" if place == 0 else f"#{panel.get_attribute('id')}"
        for size, scheme in looks[:looks_at_each]:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            pass_frames(page, 5)  # tables in folders come with the next
            end_transitions(page)
            found += [
                f"{name}, {scheme}, {size['width']} pixels wide: {each}"
                for each in violations(page, within)
            ]
        looks = looks[::-1]
    return found


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_axe_finds_nothing_in_any_view_or_experiment(page: Page, room: str):
    """Wide and light, and dark on a phone, by turns; a walk has both of each."""
    assert faults(page, room, 1) == []


@pytest.mark.walk
@pytest.mark.parametrize("room", ROOMS)
def test_axe_finds_nothing_in_either_look(page: Page, room: str):
    assert faults(page, room, len(LOOKS)) == []


@pytest.mark.parametrize("dialog", ["help", "about"])
def test_axe_finds_nothing_in_the_dialogs(page: Page, dialog: str):
    open_page(page)
    page.locator(f"[data-open={dialog}]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page, "dialog[open]") == []


def test_the_strip_is_walked_with_arrow_keys(page: Page):
    open_page(page)
    page.locator("[data-tab=overview]").focus()
    for view in VIEWS[1:]:
        page.keyboard.press("ArrowRight")
        expect(page.locator(f"[data-tab={view}]")).to_be_focused()
        expect(page.locator(f"#view-{view}")).to_be_visible()


def test_number_keys_open_the_layers(page: Page):
    open_page(page)
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
