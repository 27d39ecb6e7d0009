"""Words that explain themselves."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, violations
from tests.browser.explorer import end_transitions, open_page, rest

LINK = "view=routing&sample=four-open&open=capsule"


def word(page: Page, term: str) -> Locator:
    return page.locator(f"#view-routing .term[data-glossary={term}]").first


@pytest.fixture
def note(page: Page) -> Locator:
    """The note on words, on a page with Routing open."""
    open_page(page, LINK)
    expect(word(page, "length")).to_be_visible()
    rest(page)  # a word that moves is missed
    return page.locator(".term-note")


def test_a_word_is_explained_at_hover_and_stays_while_one_reads(page: Page, note):
    word(page, "length").scroll_into_view_if_needed()
    before = word(page, "length").bounding_box()
    word(page, "length").hover()
    expect(note).to_be_visible()
    expect(note).to_contain_text("The norm of a capsule’s vector")
    note.hover()
    expect(note).to_be_visible()
    assert word(page, "length").bounding_box() == before
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    expect(page.locator("#view-routing")).to_be_visible()  # Escape did nothing else
    page.mouse.move(5, 5)
    word(page, "coupling").hover()
    expect(note).to_contain_text("0 to 1")
    page.mouse.move(5, 5)
    expect(note).to_be_hidden()


def test_a_word_is_explained_in_focus_and_leads_to_its_view(page: Page, note):
    vote = word(page, "vote")
    word(page, "primary-capsule").focus()
    page.keyboard.press("Tab")
    expect(vote).to_be_focused()
    expect(note).to_contain_text("û = W u")
    expect(vote).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Tab")
    expect(note).not_to_contain_text("û = W u")  # the next word's
    word(page, "length").focus()
    page.keyboard.press("Enter")
    see = note.get_by_role("button", name="See it in DigitCaps")
    expect(see).to_be_focused()
    page.keyboard.press("Escape")
    expect(word(page, "length")).to_be_focused()
    expect(note).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#view-digits")).to_be_visible()
    expect(note).to_be_hidden()


def test_a_tap_explains_a_word_on_a_phone(page: Page):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    open_page(page, LINK)
    rest(page)
    word(page, "coupling").click()
    note = page.locator(".term-note")
    expect(note).to_contain_text("0 to 1")
    box = note.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    end_transitions(page)
    assert violations(page, ".term-note") == []
    page.locator("#view-routing h2").click(position={"x": 2, "y": 2})
    expect(note).to_contain_text("How primary capsules decide")
