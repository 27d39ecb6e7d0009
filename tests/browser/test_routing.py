"""The routing view: its numbers, and its pictures under mouse, keys and time."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import (
    FRAMES,
    UNFOLDED,
    open_page,
    open_view,
    pass_frames,
    pixels_at_rest,
    pixels_of,
    prediction,
    rest,
)

AMBIGUOUS = "four-nine"
AS_FOUR = "&digit=4"  # a link's choice: networks may read this sample as 9

# Each key in a frame of its own, or all at once.
PRESS = """async (canvas, [keys, hasFrames]) => {
    for (const key of keys) {
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        for (let i = 0; hasFrames && i < 3; i++)
            await new Promise(requestAnimationFrame);
    }
}"""


def open_routing(page: Page, sample: str = AMBIGUOUS, more: str = "") -> Locator:
    """Open the view on a sample, all of it, and wait for its pictures."""
    open_page(page, f"view=routing&sample={sample}{more}{UNFOLDED}")
    panel = page.locator("#view-routing")
    expect(panel.locator("[data-story]")).to_contain_text("Iteration")
    return panel


@pytest.mark.parametrize(("back", "on"), [(",", "."), ("ArrowLeft", "ArrowRight")])
def test_keys_step_through_the_iterations(page: Page, back: str, on: str):
    panel = open_routing(page)
    value = panel.locator("[data-step-value]")
    page.locator("#stage").focus()
    page.keyboard.press(back)
    expect(value).to_have_text("2 of 3")
    page.keyboard.press(back)
    page.keyboard.press(back)
    expect(value).to_have_text("1 of 3")
    page.keyboard.press(on)
    expect(value).to_have_text("2 of 3")
    expect(panel.locator("[data-story]")).to_contain_text("Iteration 2")


# Notes each picture that a canvas shows from now on, the first one included.
NOTE_PICTURES = """(canvas) => {
    window.pictures = [];
    const look = () => {
        const now = canvas.toDataURL();
        if (now !== window.pictures.at(-1)) window.pictures.push(now);
        requestAnimationFrame(look);
    };
    look();
}"""


def test_less_motion_turns_playing_into_steps(page: Page):
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1440, "height": 1800})  # both are seen
    panel = open_routing(page)
    play = panel.locator("[data-play]")
    expect(play).to_contain_text("Step")
    play.click()
    value = panel.locator("[data-step-value]")
    expect(value).to_have_text("1 of 3")
    pass_frames(page, 3 * FRAMES)
    expect(value).to_have_text("1 of 3")
    arrows = panel.locator("[data-fan=own] canvas")
    pixels_at_rest(arrows)
    arrows.evaluate(NOTE_PICTURES)
    play.click()
    expect(value).to_have_text("2 of 3")
    pixels_at_rest(arrows)
    assert page.evaluate("window.pictures.length") == 2


def test_pictures_follow_the_theme(page: Page):
    panel = open_routing(page)
    light = pixels_at_rest(panel.locator("[data-fan=own] canvas"))
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        """before =>
            document.querySelector('[data-fan=own] canvas').toDataURL() !== before""",
        arg=light,
    )


def test_every_picture_follows_another_digit_of_another_image(page: Page):
    panel = open_routing(page, "zero-round")
    pictures = ["[data-fan=own] canvas", "[data-tree-own] canvas"]
    before = {name: pixels_of(panel.locator(name)) for name in pictures}
    page.evaluate(f"location.hash = 'view=routing&sample=seven-bar{UNFOLDED}'")
    expect(prediction(page)).to_have_text("7")
    for name in pictures:
        panel.locator(name).scroll_into_view_if_needed()
        page.wait_for_function(
            "([name, before]) => document.querySelector(name).toDataURL() !== before",
            arg=[name, before[name]],
        )
    expect(panel.locator("[data-fan=own] [data-fan-words]")).to_contain_text("for 7")


def test_stepping_moves_the_arrows_whose_votes_are_read_and_chosen(page: Page):
    panel = open_routing(page, "four-open").locator("[data-agreement]")
    picture = panel.locator("canvas").first
    readout = panel.locator("[data-fan=own] .readout")
    expect(readout).to_contain_text("before")
    at_end = pixels_at_rest(picture)
    page.locator("#view-routing [data-step]").press("Home")
    expect(readout).to_contain_text("c 0.100, ")
    assert pixels_at_rest(picture) != at_end
    picture.focus()
    picture.press("ArrowRight")
    page.wait_for_url(re.compile("capsule="))


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


def test_keys_faster_than_frames_lead_as_far_as_slow_ones(page: Page):
    start = f"view=routing&sample={AMBIGUOUS}{AS_FOUR}&capsule=601{UNFOLDED}"
    panel = open_routing(page, more=f"{AS_FOUR}&capsule=601")
    title = panel.locator("[data-capsule-title]")
    at_start = "One capsule: type 16, row 4, column 1"
    for figure, *keys in (
        ("[data-tree-rival]", "ArrowRight", "ArrowDown"),
        ("[data-fan=own]", "ArrowLeft", "ArrowLeft"),
    ):
        canvas = panel.locator(f"{figure} canvas").first
        readout = panel.locator(f"{figure} .readout").first
        canvas.scroll_into_view_if_needed()
        canvas.hover()  # a pointer that rests there does not keep the readout
        came = []
        for has_frames in (True, False):
            page.evaluate("link => (location.hash = link)", start)
            expect(title).to_have_text(at_start)
            pixels_at_rest(canvas)
            canvas.evaluate(PRESS, [keys, has_frames])
            pixels_at_rest(canvas)
            came.append((title.inner_text(), readout.inner_text()))
        assert came[0] == came[1], figure
        assert came[0][0] != at_start, figure
        # The readout names the type of the chosen capsule.
        named = came[0][0].removeprefix("One capsule: ").split(",")[0]
        assert came[0][1].startswith(named), figure


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
