"""The routing view: its numbers, and its pictures under mouse, keys and time."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import (
    UNFOLDED,
    open_page,
    open_view,
    pass_frames,
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


def open_routing(page: Page, sample: str = AMBIGUOUS) -> Locator:
    """Open the view on a sample, all of it, and wait for its pictures."""
    open_page(page, f"view=routing&sample={sample}{UNFOLDED}")
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
    length = panel.locator(".chain.is-sum output").first
    expect(length).to_have_text(re.compile(r"^7\.\d\d$"))
    expect(panel.locator("figcaption")).to_contain_text("times as long as at first")
    page.locator("#view-routing [data-step]").press("Home")
    expect(length).to_have_text(re.compile(r"^1\.\d\d$"))
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


def test_a_panel_is_folded_behind_its_finding_until_it_is_opened(page: Page):
    open_page(page, f"view=routing&sample={AMBIGUOUS}")
    view = page.locator("#view-routing")
    panel = view.locator("[data-panel=capsule]")
    finding = panel.locator("[data-finding]")
    expect(finding).to_contain_text(
        re.compile(r"^It sends \w+ c = 0\.\d+ of its output")
    )
    rest(page)
    words = panel.locator("[data-capsule-caption]")
    expect(words).to_have_count(0)  # nobody has looked
    panel.locator("summary").first.press("Enter")
    expect(words).to_be_visible()
    expect(finding).to_be_hidden()
    expect(page).to_have_url(re.compile("open=capsule"))
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
