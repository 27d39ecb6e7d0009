"""The routing view: its numbers, and its pictures under mouse, keys and time."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import (
    UNFOLDED,
    open_page,
    open_view,
    pass_frames,
    pixels_at_rest,
    rest,
)

# Figures that touch an arrow of either class, or leave the panel.
ON_ARROWS = """(panel) => {
    const boxOf = (each) => each.getBoundingClientRect();
    const arrows = [...panel.querySelectorAll(".chain-arrow")].map(boxOf);
    const { right: end } = boxOf(panel);
    return [...panel.querySelectorAll(".chain output")].filter((figure) => {
        const { left, right, top, bottom } = boxOf(figure);
        return right > end || arrows.some((each) => left < each.right &&
            each.left < right && top < each.bottom && each.top < bottom);
    }).map(({ textContent }) => textContent);
}"""
AMBIGUOUS = "four-nine"
AS_FOUR = "&digit=4"  # a link's choice: networks may read this sample as 9


def open_routing(page: Page, sample: str = AMBIGUOUS, more: str = "") -> Locator:
    """Open the view on a sample, all of it, and wait for its pictures."""
    open_page(page, f"view=routing&sample={sample}{more}{UNFOLDED}")
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-story]")).to_contain_text("Iteration")
    return panel


def test_less_motion_turns_playing_into_steps(page: Page):
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1440, "height": 1800})  # both are seen
    panel = open_routing(page)
    play = panel.locator("[data-play]")
    expect(play).to_contain_text("Step")
    play.click()
    value = panel.locator("[data-step-value]")
    expect(value).to_have_text("1 of 3")
    pass_frames(page)
    expect(value).to_have_text("1 of 3")
    play.click()
    expect(value).to_have_text("2 of 3")


def test_stepping_moves_the_arrows_and_a_type_is_chosen(page: Page):
    panel = open_routing(page, "four-open").locator("[data-agreement]")
    own = panel.locator(".chain.is-sum output").first
    expect(own).to_have_text(re.compile(r"^7\.\d\d$"))
    expect(panel.locator("figcaption")).to_contain_text("times as long as at first")
    page.locator("#view-routing [data-step]").press("Home")
    expect(own).to_have_text(re.compile(r"^1\.\d\d$"))
    expect(panel.locator("figcaption")).to_contain_text("backward")
    panel.get_by_role("button", name="type 31").click()
    page.wait_for_url(re.compile("capsule="))
    expect(panel.get_by_role("button", name="type 31")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.set_viewport_size(PHONE)
    figures = panel.locator(".chain output")
    expect(figures).to_have_count(14)  # of five types, the others, and the sum, twice
    assert panel.evaluate(ON_ARROWS) == []


def test_choosing_in_a_tree_chooses_everywhere(page: Page):
    panel = open_routing(page, more=AS_FOUR).locator("[data-tree]")
    panel.scroll_into_view_if_needed()
    rival = panel.locator("[data-tree-rival] canvas")
    before = pixels_at_rest(rival)
    readout = panel.locator("[data-tree-rival] .readout")
    title = page.locator("#view-routing [data-capsule-title]")
    rival.focus()
    for key in ("ArrowRight", "ArrowDown"):
        was = title.inner_text()
        page.keyboard.press(key)
        expect(title).not_to_have_text(was)
    chosen = title.inner_text().removeprefix("One capsule: ")
    expect(readout).to_have_text(re.compile(f"^{chosen} "))
    expect(page).to_have_url(re.compile(r"capsule=\d+"))
    assert pixels_at_rest(rival) != before


def test_a_panel_is_folded_behind_its_finding_until_it_is_opened(page: Page):
    open_page(page, f"view=routing&sample={AMBIGUOUS}")
    view = page.locator("#view-routing")
    tree = view.locator("[data-panel=tree]")
    finding = tree.locator("[data-finding]")
    expect(finding).to_contain_text(re.compile(r"^\d+ capsules at \d+ places give"))
    rest(page)
    words = tree.locator("[data-tree-own] [data-tree-words]")
    expect(words).to_have_count(0)  # nobody has looked
    found = finding.inner_text()
    tree.locator("summary").first.press("Enter")
    expect(words).to_contain_text(found.removesuffix("."))
    expect(finding).to_be_hidden()
    expect(page).to_have_url(re.compile("open=tree"))
    page.reload()
    expect(words).to_be_visible()

    # The browser remembers it where no link says otherwise.
    page.goto("about:blank")
    page.goto("/")
    open_view(page, "routing")
    expect(words).to_be_visible()
    page.evaluate("location.hash = 'view=routing&sample=seven-bar&silence=3'")
    expect(view.locator("[data-surgery-words]")).to_be_visible()  # what the link says
    expect(words).to_be_hidden()
