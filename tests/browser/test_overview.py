"""The whole network in one picture, for networks of every kind."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from capsnet_explorer.datasets.toys import CATEGORIES
from tests.browser.explorer import draw, open_page, prediction

MOST_WORDS = 60
SIZES = ({"width": 1440, "height": 900}, {"width": 1366, "height": 650})
NETWORKS = ("capsnet-mnist", "cnn-mnist", "matrix-toys")
# No digit: lines that go to and fro.
SCRIBBLE = (tuple((x, y / 10) for y in (2, 4, 6, 8) for x in (0.2, 0.8)),)
# Words that are seen in the view, without names of classes and numbers.
WORDS = """(root, names) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const { parentElement: at, data } = walker.currentNode;
        const isSeen = at.checkVisibility({ visibilityProperty: true })
            && at.closest(".unseen") === null;
        if (isSeen) found.push(...data.split(/\\s+/));
    }
    return found
        .map((word) => word.replace(/[.,:;?]/g, ""))
        .filter((word) => /\\p{L}/u.test(word) && !names.includes(word));
}"""
# What sticks out of the window, or of the view.
BEYOND = """(root) => [...root.querySelectorAll("svg text, canvas, li, p, button")]
    .filter((each) => each.checkVisibility())
    .map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0)
    .filter(({ box }) => box.left < root.getBoundingClientRect().left - 1
        || box.right > root.getBoundingClientRect().right + 1
        || box.bottom > innerHeight + 0.5)
    .map(({ each }) => each.outerHTML.slice(0, 120))"""
# Texts of the picture that lie on each other, and names of layers that run together.
ON_EACH_OTHER = """(root) => {
    const boxes = [...root.querySelectorAll("svg text")]
        .map((each) => ({
            text: each.textContent,
            box: each.getBoundingClientRect(),
            apart: each.matches(".overview-name") ? 11 : -1,
        }))
        .filter(({ text, box }) => text !== "" && box.width > 0);
    return boxes.flatMap((one, at) => boxes.slice(at + 1)
        .filter(({ box, apart }) =>
            one.box.left < box.right + Math.min(apart, one.apart)
            && box.left < one.box.right + Math.min(apart, one.apart)
            && one.box.top < box.bottom - 4
            && box.top < one.box.bottom - 4)
        .map(({ text }) => `${one.text} on ${text}`));
}"""


def overview(page: Page) -> Locator:
    return page.locator('#stage > [data-view="overview"]')


def drawn(page: Page) -> Locator:
    """The view, once all of it is drawn."""
    view = overview(page)
    expect(view.locator("[data-class]").first).to_be_visible()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    return view


@pytest.mark.parametrize("network", NETWORKS)
def test_it_is_read_at_a_glance(page: Page, network: str):
    page.set_viewport_size(SIZES[0])
    page.goto(f"/#model={network}&sample=four-nine")
    expect(prediction(page)).to_have_text(
        re.compile(rf"^(\d( and \d)?|{'|'.join(CATEGORIES)})$")
    )
    view = drawn(page)
    names = [*map(str, range(10)), *CATEGORIES]
    words = view.evaluate(WORDS, names)
    assert len(words) <= MOST_WORDS, (len(words), words)
    for size in SIZES:
        page.set_viewport_size(size)
        page.wait_for_function(
            """([width]) => document.querySelector("#view-overview [data-over]")
                .viewBox.baseVal.width === Math.round(document
                .querySelector("#view-overview [data-figure]").clientWidth)""",
            arg=[size["width"]],
        )
        assert view.evaluate(BEYOND) == [], size
        assert view.evaluate(ON_EACH_OTHER) == [], size


def test_names_of_layers_stand_apart_beside_a_scrollbar_too(page: Page):
    page.set_viewport_size({"width": 1366 - 15, "height": 650})
    page.goto("/#model=cnn-cifar10")
    expect(prediction(page)).to_have_text("airplane")
    assert drawn(page).evaluate(ON_EACH_OTHER) == []


def test_a_class_is_looked_at_kept_and_let_go_of_again(page: Page):
    open_page(page, "view=overview&sample=four-nine")
    view = drawn(page)
    row = view.locator('[data-class="9"]')
    lit = view.locator('[data-river$="/9"][fill-opacity="0.95"]')
    expect(lit).to_have_count(0)
    row.hover()
    expect(view.locator("[data-told]")).to_have_text(re.compile(r"^9\. .*Length"))
    assert lit.count() > 0
    assert view.locator("circle").count() > 0  # the places that spoke for it
    row.click()
    page.mouse.move(0, 0)
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("digit=9"))
    assert lit.count() > 0
    page.keyboard.press("Escape")
    expect(row).to_have_attribute("aria-pressed", "false")
    expect(lit).to_have_count(0)
    # The same by keys.
    view.locator('[data-class="4"]').focus()
    page.keyboard.press("ArrowUp")
    expect(view.locator('[data-class="3"]')).to_be_focused()
    expect(view.locator("[data-told]")).to_have_text(re.compile(r"^3\. .*Length"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("digit=3"))
    page.keyboard.press("Escape")
    # And what a type gives.
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-way]:focus")).to_have_attribute(
        "aria-label", re.compile(r"^type \d+ → \d: \d")
    )
    page.keyboard.press("ArrowLeft")
    tile = page.locator("[data-tile]:focus")
    expect(tile).to_have_attribute("aria-label", re.compile(r"^type \d+ gives \d"))
    expect(page.locator("[data-tip]")).to_have_text(re.compile(r"^type \d+ gives \d"))
    first = tile.get_attribute("data-part") or ""
    page.keyboard.press("ArrowDown")
    expect(tile).not_to_have_attribute("data-part", first)
    page.keyboard.press("Enter")
    expect(page.locator("#view-primary")).to_be_visible()


def test_focus_belongs_to_what_it_is_on(page: Page):
    open_page(page, "view=overview&sample=four-open")
    view = drawn(page)
    # Ribbons come and go with every gesture, and are drawn in another order.
    ribbon = view.locator('[data-way="0/18/4"]')
    for key, pressed in (("h", "pin="), ("e", "pin="), ("e", "iterations=3$")):
        ribbon.focus()
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(pressed))
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        expect(ribbon).to_be_focused()
        expect(ribbon).to_have_attribute("aria-keyshortcuts", "S H E")
    # What opens is read from its heading; the way back leads to what was opened.
    tile = view.locator('[data-tile="0/18"][tabindex]')
    for part in (ribbon, tile, view.get_by_label("Image,")):
        part.focus()
        page.keyboard.press("Enter")
        expect(view).to_be_hidden()
        heading = page.locator("#stage > :not([hidden])").get_by_role(
            "heading", level=2
        )
        expect(heading).to_be_focused()
        page.go_back()
        expect(part).to_be_focused()
    # Buttons that go leave the focus to the heading.
    page.keyboard.press("1")
    tile.focus()
    page.keyboard.press("s")
    view.get_by_role("button", name="All back").press("Enter")
    expect(view.get_by_role("heading", level=2)).to_be_focused()


def test_iterations_are_stepped_and_played(page: Page):
    page.emulate_media(reduced_motion="reduce")
    open_page(page, "view=overview&sample=four-open")
    view = drawn(page)
    words = view.locator("[data-told]")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=2"))
    page.keyboard.press("ArrowLeft")
    expect(words).to_contain_text("Not routed yet")
    page.keyboard.press(" ")  # with less motion, a step
    expect(view.get_by_role("button", name="Iteration 2")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(words).not_to_contain_text("Not routed yet")
    view.get_by_role("button", name="Iteration 3").click()
    expect(words).to_contain_text("routing multiplied the length")


def test_a_phone_has_it_as_a_column(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "view=overview&sample=four-open")
    view = drawn(page)
    assert view.evaluate(ON_EACH_OTHER) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    row = view.locator('[data-class="9"]')
    row.tap() if page.evaluate("'ontouchstart' in window") else row.click()
    expect(row).to_have_attribute("aria-pressed", "true")


def test_two_networks_stand_below_each_other_and_share_what_is_pointed_at(page: Page):
    open_page(page, "view=compare&second=cnn-mnist&sample=four-open")
    pair = page.locator("[data-part=networks]")
    titles = pair.locator("[data-network]")
    expect(titles).to_have_text(["CapsNet on MNIST", "CNN on MNIST"])
    words = pair.locator("[data-told]")
    expect(words.first).to_have_text(re.compile(r"^4\. .*Length"))
    expect(words.last).to_have_text(re.compile(r"^4\. .*Probability"))
    pair.locator('[data-class="9"]').last.hover()
    expect(words.first).to_have_text(re.compile(r"^9\. .*Length"))
    assert pair.locator('[data-river$="/9"][fill-opacity="0.95"]').count() > 0
    pair.locator("[data-second]").select_option("matrix-mnist")
    expect(titles.last).to_have_text("Matrix capsules on MNIST")
    expect(page).to_have_url(re.compile("second=matrix-mnist"))
    pair.locator('.overview-title[data-layer="caps1"]').click()
    expect(page.locator("#view-caps1")).to_be_visible()
    expect(page.locator("[data-models]")).to_have_value("matrix-mnist")


def test_it_speaks_for_the_network_and_only_a_doubt_stands_beside_it(page: Page):
    open_page(page, "view=overview&sample=four-open")
    drawn(page)
    answer = prediction(page)
    expect(answer).to_be_hidden()
    expect(page.locator("[data-part=verdict]")).to_be_hidden()
    draw(page, SCRIBBLE)
    doubt = page.locator("[data-unlike]")
    expect(doubt).to_be_visible()
    expect(answer).to_be_hidden()
    page.locator("[data-tab=input]").click()
    expect(answer).to_be_visible()
    expect(doubt).to_be_visible()


# Shows one sample after the other until readings are in haste; resolves to how much of
# the canvas is covered then and at rest, 0 to 1, and whether elements are to be seen.
HASTEN = """async () => {
    const figure = document.querySelector("#stage [data-figure]");
    const canvas = figure.querySelector("canvas");
    const covered = () => {
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height).getContext("2d");
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, width, height);
        return data.filter((each, at) => at % 4 === 3 && each > 0).length
            / (width * height);
    };
    const state = () => ({
        covered: covered(),
        elements: getComputedStyle(figure.querySelector("[data-river]")).visibility,
    });
    const isPainted = () => figure.matches(".is-painted");
    const frame = () => new Promise(requestAnimationFrame);
    const samples = document.querySelectorAll("[data-samples] button");
    for (let at = 0; !isPainted() && at < 600; at++) {
        samples[at % samples.length].click();
        await frame();
    }
    const hasty = state();
    while (isPainted()) await frame();
    return { hasty, rest: state() };
}"""


def test_in_haste_all_is_painted_and_at_rest_written(page):
    """What is on the canvas in haste stands in elements at rest, told to everybody."""
    open_page(page, "view=overview")
    states = page.evaluate(HASTEN)
    assert states["hasty"]["elements"] == "hidden"
    assert states["rest"]["elements"] == "visible"
    assert states["hasty"]["covered"] > states["rest"]["covered"] + 0.02
    lead = overview(page).locator(".overview-class.is-lead")
    answer = prediction(page).inner_text()
    expect(lead).to_have_attribute("aria-label", re.compile(rf"^{answer},"))
