"""Everybody gets in: by keyboard alone, and with what reads the page aloud."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import violations
from tests.browser.explorer import (
    VIEWS,
    open_page,
    prediction,
)


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
