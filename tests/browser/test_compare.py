"""Two images side by side, and pictures that are unlike any digit."""

import re

from playwright.sync_api import Page, expect

from tests.browser.access import WIDE
from tests.browser.explorer import (
    open_page,
    prediction,
)

# What a picture shows on the left, and on the right.
HALVES = """(canvas) => {
    const { width, data } = canvas.getContext("2d")
        .getImageData(0, 0, canvas.width, canvas.height);
    const isLeft = (_, at) => (at / 4) % width < 40;
    const isRight = (_, at) => (at / 4) % width >= width - 40;
    return [isLeft, isRight].map((side) => data.filter(side).join());
}"""


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
    halves = tab.locator("canvas").evaluate(HALVES)
    assert halves[0] != halves[1], "the kept image, and the one on show"
    panel = page.locator("#view-compare")
    words = panel.locator("[data-words]")
    expect(words).to_contain_text(
        "In the kept image the network reads 4; in the one shown it reads 9."
    )
    pictures = panel.locator("[data-reconstructions] canvas")
    expect(pictures).to_have_count(3)

    lengths = panel.locator("[data-scores] tbody tr")
    expect(lengths).to_have_count(10)
    sides = panel.locator("[data-side]")
    expect(sides.locator("[data-network]")).to_have_text(
        ["The kept image", "The image on show"]
    )
    expect(sides.locator("[data-told] b")).to_have_text(["4", "4"])  # in focus
    kept_words, other_words = sides.locator("[data-told]").all_inner_texts()
    assert kept_words != other_words

    # The same link brings the same comparison to somebody else.
    link = page.url
    other = page.context.new_page()
    other.goto(link)
    there = other.locator("#view-compare")
    expect(there.locator("[data-words]")).to_have_text(words.inner_text())
    expect(there.locator("[data-scores] tbody tr")).to_have_text(
        lengths.all_inner_texts(), use_inner_text=True
    )
    other.close()

    panel.get_by_role("button", name="Swap").click()
    expect(words).to_contain_text(
        "In the kept image the network reads 9; in the one shown it reads 4."
    )
    page.locator("[data-models]").select_option("cnn-mnist")
    expect(words).to_contain_text("In probability")
    panel.locator("[data-second]").select_option("capsnet-mnist")
    expect(sides.locator("[data-network]").first).to_contain_text("CNN")
    expect(sides.locator("[data-told] b")).to_have_text(["4", "4"])
    page.locator("[data-models]").select_option("matrix-mnist")
    expect(words).to_contain_text("In activation")
    expect(pictures).to_have_count(3)

    panel.get_by_role("button", name="Remove the kept image").click()
    expect(page.locator("#view-overview")).to_be_visible()
    expect(tab).to_have_count(0)
    expect(page).not_to_have_url(re.compile("kept"))
