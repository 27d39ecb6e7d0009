"""A teacher at a projector: one panel at a time, in large type, as wide as the page."""

import re

from playwright.sync_api import Page, expect

from tests.browser.access import violations
from tests.browser.explorer import open_view, prediction

FULL_HD = {"width": 1920, "height": 1080}
LARGER = 1.6
LAYERS = ("conv1", "primarycaps", "routing", "digitcaps", "reconstruction")

FONT_SIZES = """() => Object.fromEntries(
    ["body", "#view-routing h3", "#view-routing button", "#view-routing .readout",
        "#view-routing .fine", "#view-routing output", "#view-routing td"]
        .map((name) => [name, document.querySelector(name)])
        .map(([name, found]) => [name, getComputedStyle(found).fontSize])
        .map(([name, size]) => [name, parseFloat(size)]))"""


def test_one_panel_at_a_time_is_presented_in_large_type_and_left_again(page: Page):
    page.set_viewport_size(FULL_HD)
    page.goto("/#view=routing&sample=four-nine")
    expect(prediction(page)).to_have_text(re.compile(r"\d"))
    expect(open_view(page, "routing").locator("td").first).to_be_attached()
    usual = page.evaluate(FONT_SIZES)
    address = page.url

    page.get_by_role("button", name="Present").click()
    bar = page.get_by_role("navigation", name="Presentation")
    words = bar.locator("[data-place-words]")
    shown = page.locator(".panel:visible:not([data-bar])")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("The longest votes as arrows")
    box = shown.bounding_box()
    assert box is not None
    assert box["width"] >= 0.95 * FULL_HD["width"]
    large = page.evaluate(FONT_SIZES)
    for name, size in usual.items():
        assert abs(large[name] / size - LARGER) < 0.01, name
    first = _place(words.inner_text())
    assert violations(page) == []

    bar.get_by_role("button", name="Next").click()
    expect(shown).to_contain_text("Over the iterations")
    assert _place(words.inner_text()) == (first[0] + 1, first[1])
    page.keyboard.press("PageDown")
    expect(shown).to_contain_text("What flows where")
    expect(shown.locator("canvas")).to_be_visible()  # which is folded otherwise
    page.keyboard.press("PageDown")
    expect(shown).to_contain_text("parse tree")
    page.keyboard.press("PageUp")
    expect(shown).to_contain_text("What flows where")

    page.reload()  # the link keeps it, and the panel
    expect(shown).to_have_count(1)
    expect(shown.locator("canvas")).to_be_visible()
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(page.locator("[data-tab=routing]")).to_have_attribute(
        "aria-selected", "true"
    )
    expect(page.locator("[data-flow] canvas")).to_be_hidden()
    assert page.url.partition("#")[0] == address.partition("#")[0]


def test_a_presentation_leads_from_the_drawing_through_all_layers(page: Page):
    page.set_viewport_size(FULL_HD)
    page.goto("/?present#view=overview&sample=four-nine")
    bar = page.get_by_role("navigation", name="Presentation")
    words = bar.locator("[data-place-words]")
    expect(words).to_contain_text(re.compile(r"^Overview: 1 of \d+$"))
    expect(page.locator("[data-pad]")).to_be_visible()
    expect(prediction(page)).to_have_text(re.compile(r"\d"))
    expect(bar.get_by_role("button", name="Back")).to_be_disabled()
    views = ["Overview"]
    next_one = bar.get_by_role("button", name="Next")
    at, count = _place(words.inner_text())
    while at < count:
        next_one.click()
        expect(words).to_contain_text(f": {at + 1} of ")
        at, count = _place(words.inner_text())  # what has just come counts, too
        shown = page.locator(".is-on-show")
        expect(shown).to_have_count(1)
        expect(shown).to_be_visible()
        view = words.inner_text().partition(":")[0]
        if view != views[-1]:
            views.append(view)
    expect(next_one).to_be_disabled()
    assert [view.lower() for view in views] == ["overview", "input", *LAYERS]
    bar.get_by_role("button", name="Leave").click()
    expect(bar).to_be_hidden()
    assert "present" not in page.url


def test_each_experiment_of_the_lab_is_a_slide_of_its_own(page: Page):
    page.set_viewport_size(FULL_HD)
    page.goto("/#mode=lab&experiment=parts")
    pieces = page.locator("#lab-parts .parts-piece")
    expect(pieces).to_have_count(4)
    usual = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    page.get_by_role("button", name="Present").click()
    bar = page.get_by_role("navigation", name="Presentation")
    words = bar.locator("[data-place-words]")
    expect(words).to_have_text("Jumbled parts: 2 of 7")
    expect(page).to_have_url(re.compile(r"[?]present=1#.*experiment=parts"))
    large = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert abs(large / usual - LARGER) < 0.01
    shown = page.locator("[data-experiment]:visible")
    expect(shown).to_have_count(1)
    for hidden in (".bench", ".lab-tabs", ".bench-door"):
        expect(page.locator(hidden)).not_to_be_in_viewport()
    pieces.first.press("ArrowRight")  # moves the piece, and turns no slide
    expect(pieces.first).to_have_attribute("aria-label", re.compile("1 px right"))
    expect(words).to_have_text("Jumbled parts: 2 of 7")
    page.keyboard.press("PageUp")  # turns the piece
    expect(words).to_have_text("Jumbled parts: 2 of 7")
    bar.get_by_role("button", name="Back").click()
    expect(words).to_have_text("Pose: 1 of 7")
    expect(page.locator("#lab-pose .lab-reads-digit").first).to_have_text("4")
    assert violations(page, "#lab-pose") == []
    page.keyboard.press("PageDown")
    expect(shown).to_have_attribute("data-experiment", "parts")
    page.reload()
    expect(words).to_have_text("Jumbled parts: 2 of 7")
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(page.locator(".lab-tabs")).to_be_in_viewport()


def _place(words: str) -> tuple[int, int]:
    """Which of how many, such as 3 of 12."""
    found = re.search(r"(\d+) of (\d+)$", words)
    assert found, words
    return int(found[1]), int(found[2])
