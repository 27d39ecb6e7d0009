"""What to try first: a line in every view and experiment, and on the empty page."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import LOW, PHONE, violations
from tests.browser.explorer import open_page, pass_frames, prediction

LINE = ".try-first"
# A view that leads on, one that compares, one of a network, and an answer that is late:
# the link to each, and what the address says once the button has been pressed.
TRIES = {
    "input": ("view=input", "view=conv1"),
    "compare": ("view=compare", "kept-sample=four-open"),
    "capsnet/reconstruction": ("view=reconstruction", r"edit=\d%3A\d+%3D"),
    "lab/sides": ("mode=lab&experiment=sides&model=matrix-toys", "elevation=90"),
}


@pytest.fixture
def newcomer(page: Page) -> Page:
    """A page in a browser that remembers nothing."""
    page.goto("/guide")
    page.evaluate("sessionStorage.setItem('is-new-here', 'true')")
    page.evaluate("localStorage.removeItem('guide')")
    return page


def test_what_to_try_first_is_said_done_and_remembered(newcomer: Page):
    page = newcomer
    page.set_viewport_size(LOW)
    for name, (link, done) in TRIES.items():
        page.goto(f"/#{link}&sample=four-open")
        line = page.locator(f"{LINE}:visible")
        expect(line, name).to_have_count(1)
        box = line.bounding_box()
        assert box["y"] + box["height"] < LOW["height"] / 2, name
        assert box["height"] < 50, f"{name} is more than a line and a button's height"
        address = re.compile(f"[#&]{done}")
        assert not address.search(page.url), name
        line.get_by_role("button").first.click()
        expect(page, name).to_have_url(address)
        # What is drawn anew gives the focus back; in the end it is somewhere.
        page.wait_for_function("() => document.activeElement !== document.body")
        assert name in _tried(page)


def test_what_is_dismissed_stays_away(newcomer: Page):
    page = newcomer
    page.set_viewport_size(PHONE)
    open_page(page, "view=routing")
    line = page.locator(f"#view-routing {LINE}")
    expect(line).to_be_visible()
    assert violations(page, f"#view-routing {LINE}") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)
    expect(page.locator("#view-routing h2")).to_be_focused()
    page.reload()
    expect(prediction(page)).to_have_text("4")
    expect(page.locator("#view-routing")).to_have_attribute("aria-busy", "false")
    pass_frames(page)
    expect(line).to_have_count(0)

    # What a reader has done without it needs no line next time.
    page.locator("[data-tab=digits]").click()
    expect(page.locator(f"#view-digits {LINE}")).to_be_visible()
    page.locator("#view-digits [data-rows] button").nth(8).click()
    expect(page).to_have_url(re.compile("digit=8"))
    expect(page.locator(f"#view-digits {LINE}")).to_be_visible()
    page.locator("[data-tab=input]").click()
    page.locator("[data-tab=digits]").click()
    expect(page.locator(f"#view-digits {LINE}")).to_be_hidden()

    # Nor does it stand in the guide, while one presents or on paper.
    page.locator("[data-tab=input]").click()
    line = page.locator(f"#view-input {LINE}")
    expect(line).to_be_visible()
    page.emulate_media(media="print")
    expect(line).to_be_hidden()
    page.emulate_media(media="screen")
    page.goto("/guide")
    page.goto("/?present#view=input")
    expect(page.locator("html.is-presenting")).to_be_attached()
    expect(line).to_be_hidden()
    page.goto("/?guide=01-capsule/answer")
    expect(page.locator("html.is-guided")).to_be_attached()
    expect(page.locator(f"{LINE}:visible")).to_have_count(0)


def test_the_empty_page_offers_an_example(page: Page):
    open_page(page)
    page.locator("[data-clear]").click()
    example = page.get_by_role("button", name="Show an example")
    expect(example).to_be_visible()
    example.click()
    expect(prediction(page)).to_have_text("4")
    expect(example).to_be_hidden()
    expect(page.locator("#stage")).to_be_focused()
    expect(page).to_have_url(re.compile("sample=four-open"))


def _tried(page: Page) -> list[str]:
    return json.loads(page.evaluate("localStorage.getItem('guide')"))["tried"]
