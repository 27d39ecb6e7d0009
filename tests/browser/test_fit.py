"""Nothing sticks out or is cut off at any width, and axe-core finds nothing.

Letters are set a little wider than those of DejaVu Sans, the widest font that Linux has
as a rule: those of Noto Sans and Liberation Sans are narrower by a tenth.
"""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import FULL_HD, LOW, NARROW, PHONE, UNNAMED, violations
from tests.browser.explorer import end_transitions, pass_frames
from tests.browser.guide import (
    DOCK,
    SIGHT,
    arrive_at_picture,
    open_stop,
    resize,
    steps_of_guide,
)
from tests.browser.places import ROOMS, places_of, unfold

SIZES = (NARROW, PHONE, LOW, FULL_HD)
LOOKS = ((FULL_HD, "light"), (PHONE, "dark"))
TIGHT = (PHONE, LOW)  # where the guide leaves little room for a picture

GLANCES = 20  # at a picture, before it counts as out of sight

# In em, the mean width of a letter of the text below. In DejaVu Sans it is 0.503.
MEAN = 0.52
# Fonts for formulas differ more than those for text.
WIDEN = """(wanted) => {
    const text = "It says how the capsules of one layer choose those of the next: 0.25";
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = `100px ${getComputedStyle(document.body).fontFamily}`;
    const mean = brush.measureText(text).width / text.length / 100;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
        * { letter-spacing: ${wanted - mean}em !important; }
        math { zoom: 1.2; }
    `);
    document.adoptedStyleSheets = [sheet];
}"""

# Rows of a long table look alike, and so do the numbers in a grid of them.
SHORTEN = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
        tr:nth-child(n + 4), td:nth-child(n + 8), th:nth-child(n + 8),
        .kinds > :nth-child(n + 12), .written > :nth-child(n + 12) { display: none; }
    `);
    document.adoptedStyleSheets = [sheet];
}"""

# What makes the page wider than the window.
WIDER = """() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const right = (each) => each.getBoundingClientRect().right;
    const scrolls = (each) => getComputedStyle(each).overflowX !== "visible";
    const isFree = ({ parentElement }) => parentElement === document.body
        || (!scrolls(parentElement) && isFree(parentElement));
    const [farthest] = [...document.querySelectorAll("body *")]
        .filter((each) => each.checkVisibility() && isFree(each))
        .sort((a, b) => right(b) - right(a));
    return [`as far as ${scrollWidth} pixels: ${farthest.outerHTML.slice(0, 120)}`];
}"""

# What ends without a shade that tells of more.
CUT_OFF = """() => [...document.querySelectorAll("main *")]
    .filter((each) => each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1)
    .filter((each) => each.checkVisibility())
    .filter((each) => {
        const { overflowX, backgroundAttachment } = getComputedStyle(each);
        return overflowX !== "visible" && backgroundAttachment === "scroll";
    })
    .map((each) => `cut off: ${each.outerHTML.slice(0, 120)}`)"""


# What would stay in sight of a low window, over most of what is to be read.
STUCK = """() => [...document.querySelectorAll("main *")]
    .filter((each) => getComputedStyle(each).position === "sticky")
    .filter((each) => each.checkVisibility() && each.offsetHeight > innerHeight / 3)
    .map((each) => `stuck: ${each.outerHTML.slice(0, 120)}`)"""


def beyond(page: Page, name: str) -> list[str]:
    """What does not fit at one of the sizes, beginning with the one on show."""
    faults = []
    for size in sorted(SIZES, key=lambda size: size != page.viewport_size):
        page.set_viewport_size(size)
        pass_frames(page, 3)
        for check in (WIDER, CUT_OFF, *((STUCK,) if size is NARROW else ())):
            faults += [
                f"{name}, {size['width']}: {fault}" for fault in page.evaluate(check)
            ]
    return faults


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_every_view_and_experiment_fits_and_axe_finds_nothing(page: Page, room: str):
    """For axe, wide and light and dark on a phone by turns."""
    page.goto("/")
    faults = []
    for number, (name, panel) in enumerate(places_of(page, room)):
        unfold(panel)
        # What is still computed is dimmed until then.
        expect(panel.locator(".is-awaited")).to_have_count(0)
        faults += [f"{name}: {fault}" for fault in page.evaluate(UNNAMED)]
        page.evaluate(WIDEN, MEAN)
        faults += beyond(page, name)
        size, scheme = LOOKS[number % len(LOOKS)]
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SHORTEN)
        pass_frames(page, 5)  # tables in folders come with the next
        end_transitions(page)
        # What stands around the panels is the same in all of a room.
        within = ":root" if number == 0 else f"#{panel.get_attribute('id')}"
        faults += [f"{name}, {scheme}: {fault}" for fault in violations(page, within)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "link", ["view=overview", "view=routing", "mode=lab&experiment=pose"]
)
def test_what_is_presented_fits(page: Page, link: str):
    page.goto(f"/?present#{link}")
    expect(page.locator("[data-part=presentation]")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    page.evaluate(WIDEN, MEAN)
    faults = beyond(page, link)
    assert not faults, "\n".join(faults)


def out_of_sight(page: Page, name: str) -> list[str]:
    """What does not fit into the window, and what of the picture is not seen.

    A picture above that comes late moves what had come to rest, until the page is led
    back to it.
    """
    assert page.viewport_size is not None
    where = f"{name}, {page.viewport_size['width']}"
    faults: list[str] = []
    for _ in range(GLANCES):
        faults = [fault for check in (WIDER, SIGHT) for fault in page.evaluate(check)]
        if not faults:
            break
        pass_frames(page)
    return [f"{where}: {fault}" for fault in faults]


def fullest(steps: list[dict]) -> list[dict]:
    """Return the steps with most to say, of which the last tells an answer."""
    ordered = sorted(steps, key=lambda step: -len(json.dumps(step)))
    telling = [step for step in ordered if (step["predict"] or {}).get("reveals")]
    silent = [step for step in ordered if step not in telling]
    return [*silent[:3], telling[0]]


def beyond_steps(page: Page, steps: list[dict]) -> list[str]:
    """Open each step in two tight windows; return what is out of sight there."""
    size, other = TIGHT
    page.set_viewport_size(size)
    page.goto("/guide")
    faults = []
    for step in steps:
        stop = step["stop"]
        open_stop(page, step)
        page.evaluate(WIDEN, MEAN)
        arrive_at_picture(page, stop)
        faults += out_of_sight(page, stop)
        size, other = other, size  # the next step begins as large as this one ends
        resize(page, size)
        faults += out_of_sight(page, stop)
        if step["predict"] and step["predict"]["reveals"]:
            page.locator(f"{DOCK} .guide-predict button").first.click()
            expect(page.locator(f"{DOCK} [data-found]")).to_be_visible()
            arrive_at_picture(page, stop)
            faults += out_of_sight(page, f"{stop}, predicted")
            size, other = other, size
            resize(page, size)
            faults += out_of_sight(page, f"{stop}, predicted")
    return faults


@pytest.mark.long
def test_the_fullest_steps_fit_and_have_their_pictures_in_sight(page: Page):
    page.goto("/guide")
    faults = beyond_steps(page, fullest(steps_of_guide(page)))
    assert not faults, "\n".join(faults)


@pytest.mark.walk
def test_every_step_fits_and_has_its_picture_in_sight(page: Page):
    page.goto("/guide")
    faults = beyond_steps(page, steps_of_guide(page))
    assert not faults, "\n".join(faults)
