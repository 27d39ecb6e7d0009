"""Attention routing: every coupling, and one vote step by step."""

import re

from playwright.sync_api import Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.explorer import open_page

VIEW = "model=efficient-mnist&view=routing&sample=four-open&digit=4&capsule=3"


def test_a_vote_is_chosen_with_mouse_and_keys_and_worked_out(page: Page):
    page.set_viewport_size(WIDE)
    open_page(page, VIEW)
    couplings = page.locator("[data-couplings] canvas")
    title = page.locator("[data-steps] h3")
    readout = page.locator("[data-couplings] .readout")
    expect(title).to_have_text("Step by step: capsule 3 votes for 4")
    box = couplings.bounding_box()
    cell = {"x": 7.5 * box["width"] / 10, "y": 12.5 * box["height"] / 16}
    couplings.hover(position=cell)
    expect(readout).to_contain_text("capsule 12 → 7")
    couplings.click(position=cell)
    expect(title).to_contain_text("capsule 12 votes for 7")
    couplings.press("ArrowUp")
    couplings.press("ArrowLeft")
    expect(title).to_contain_text("capsule 11 votes for 6")
    expect(page.locator("[data-classes] [aria-pressed=true]")).to_have_text("6")
    last = page.locator("[data-steps] li").last
    expect(last).to_contain_text("says the same")
    fold = page.locator("[data-steps] details", has_text="All capsules")
    fold.locator("summary").press("Enter")
    expect(fold.locator("tbody tr")).to_have_count(17)
    expect(fold.locator("tr.is-focused th")).to_have_text("11")
    assert violations(page, ".attention-layout") == []


def test_attention_can_be_ignored_on_a_phone(page: Page):
    page.set_viewport_size(PHONE)
    open_page(page, f"{VIEW}&open=surgery")
    page.get_by_role("button", name=re.compile("Ignore attention")).click()
    expect(page.locator("[data-surgery-verdict]")).to_contain_text("The network")
    expect(page.locator("[data-story]")).to_contain_text("attention is ignored")
    shared = page.locator("[data-steps] li", has_text="softmax")
    expect(shared).to_contain_text("ignores attention")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert violations(page, "#view-routing") == []
