"""Two images side by side, and pictures that are unlike any digit."""

import re

from playwright.sync_api import Page, expect

from tests.browser.access import WIDE, violations
from tests.browser.explorer import (
    FOUR,
    draw,
    open_page,
    prediction,
)

LETTER_W = (((0.2, 0.2), (0.35, 0.8), (0.5, 0.35), (0.65, 0.8), (0.8, 0.2)),)


def test_two_digits_are_compared_in_every_network(page: Page):
    page.set_viewport_size(WIDE)
    open_page(page, "view=routing&sample=four-open&digit=4")
    tab = page.locator("[data-tab=compare]")
    expect(tab).to_have_count(0)
    keep = page.get_by_role("button", name="Keep to compare")
    keep.focus()
    page.keyboard.press("Enter")
    expect(keep).to_be_disabled()
    page.locator("[data-samples] button").nth(28).click()  # a curved 9
    expect(prediction(page)).to_have_text("9")
    page.get_by_role("button", name="Compare", exact=True).press("Enter")
    panel = page.locator("#view-compare")
    words = panel.locator("[data-words]")
    expect(words).to_contain_text("reads the kept image as 4 and the shown image as 9.")
    expect(panel.locator("[data-capsule] table")).to_be_visible()

    lengths = panel.locator("[data-scores] tbody tr")
    expect(lengths).to_have_count(10)
    expect(panel.locator("[data-capsule] tbody tr")).to_have_count(16)
    expect(panel.locator("[data-couplings]")).to_contain_text("differs most")
    expect(panel.locator("[data-votes] canvas")).to_have_count(3)
    panel.locator("details summary").click()
    expect(panel.locator("[data-types] tbody tr")).to_have_count(33)

    # The same link brings the same comparison to somebody else.
    link = page.url
    other = page.context.new_page()
    other.goto(link)
    there = other.locator("#view-compare")
    expect(there.locator("[data-words]")).to_have_text(words.inner_text())
    expect(there.locator("[data-capsule] table")).to_be_visible()
    expect(there.locator("[data-scores] tbody tr")).to_have_text(
        lengths.all_inner_texts(), use_inner_text=True
    )
    other.close()

    panel.get_by_role("button", name="Swap").click()
    expect(words).to_contain_text("reads the kept image as 9 and the shown image as 4.")
    page.locator("[data-models]").select_option("cnn-mnist")
    expect(words).to_contain_text("In probability")
    expect(panel.locator("[data-unit-rows] tbody tr")).to_have_count(16)
    expect(panel.locator("[data-logits] tbody tr")).to_have_count(10)
    page.locator("[data-models]").select_option("matrix-mnist")
    expect(words).to_contain_text("In activation")
    expect(panel.locator("[data-pose]")).to_contain_text("poses lie")
    expect(panel.locator("[data-pose] tbody tr")).to_have_count(16)
    expect(panel.locator("[data-assignments]")).to_contain_text("of the votes")
    panel.locator("details summary").click()
    expect(panel.locator("[data-types] tbody tr")).to_have_count(9)

    panel.get_by_role("button", name="Remove the kept image").click()
    expect(page.locator("#view-overview")).to_be_visible()
    expect(tab).to_have_count(0)
    expect(page).not_to_have_url(re.compile("kept"))


def test_a_letter_is_said_to_be_unlike_a_digit(page: Page):
    page.set_viewport_size(WIDE)
    open_page(page)
    unlike = page.locator("[data-unlike]")
    limit = page.locator("[data-limit]")
    expect(unlike).to_be_hidden()
    expect(limit).to_be_hidden()  # the sample is known to be a digit
    page.get_by_role("button", name="Clear").click()
    draw(page, FOUR)
    expect(limit).to_contain_text("shown 300 drawn capital letters")
    page.get_by_role("button", name="Clear").click()
    draw(page, LETTER_W)
    expect(unlike).to_contain_text(
        "Is this a digit at all? The reconstruction looks unlike the drawing:"
    )
    expect(unlike).to_contain_text(
        re.compile(
            r"(1 in [\d\u202f]+|none of the 10\u202f000) test digits is this far"
        )
    )
    expect(limit).to_be_hidden()
    assert violations(page, "[data-part=verdict]") == []
    page.locator("[data-samples] button").nth(12).click()  # a 4
    expect(prediction(page)).to_have_text("4")
    expect(unlike).to_be_hidden()


def test_both_routings_stand_one_above_the_other(page: Page):
    page.set_viewport_size(WIDE)
    open_page(page, "view=routing&model=matrix-mnist&sample=four-open&open=beside")
    panel = page.locator("[data-beside]")
    words = panel.locator("[data-beside-words]")
    expect(words).to_contain_text("as 4 by the CapsNet")
    expect(words).to_contain_text("as 4 by matrix capsules")
    expect(panel.locator(".beside-row svg")).to_have_count(6)
    rows = panel.locator("[data-terms] tbody tr")
    expect(rows).to_have_count(7)
    share = rows.filter(has_text="coupling c").filter(has_text="assignment R")
    expect(share).to_have_count(1)
    told = words.inner_text()
    page.locator("[data-samples] button").nth(28).click()  # a 9
    expect(words).to_contain_text("as 9 by matrix capsules")
    assert words.inner_text() != told
