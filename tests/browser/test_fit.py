"""Nothing sticks out or is cut off at any width, whatever letters a machine has.

Letters are set a little wider than those of DejaVu Sans, the widest font that Linux has
as a rule: those of Noto Sans and Liberation Sans are narrower by a tenth.
"""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import PHONE
from tests.browser.explorer import pass_frames
from tests.browser.guide import (
    DOCK,
    SIGHT,
    arrive_at_picture,
    open_stop,
    resize,
    steps_of_guide,
)
from tests.browser.places import ROOMS, places_of, unfold

LOW = {"width": 1366, "height": 650}
SIZES = (PHONE, {"width": 768, "height": 1024}, LOW, {"width": 1920, "height": 1080})
TIGHT = (PHONE, LOW)  # where the guide leaves little room for a picture

LOOKS = 20  # at a picture, before it counts as out of sight

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


def beyond(page: Page, name: str) -> list[str]:
    """What does not fit at one of the sizes, beginning with the one on show."""
    found = []
    for size in sorted(SIZES, key=lambda size: size != page.viewport_size):
        page.set_viewport_size(size)
        pass_frames(page, 3)
        for check in (WIDER, CUT_OFF):
            found += [
                f"{name}, {size['width']}: {each}" for each in page.evaluate(check)
            ]
    return found


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_every_view_and_experiment_fits(page: Page, room: str):
    page.goto("/")
    page.evaluate(WIDEN, MEAN)
    found = []
    for name, panel in places_of(page, room):
        unfold(panel)
        found += beyond(page, name)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "link", ["view=overview", "view=routing", "mode=lab&experiment=pose"]
)
def test_what_is_presented_fits(page: Page, link: str):
    page.goto(f"/?present#{link}")
    expect(page.locator("[data-part=presentation]")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    page.evaluate(WIDEN, MEAN)
    found = beyond(page, link)
    assert not found, "\n".join(found)


def out_of_sight(page: Page, name: str) -> list[str]:
    """What does not fit into the window, and what of the picture is not seen.

    A picture above that comes late moves what had come to rest, until the page is led
    back to it.
    """
    assert page.viewport_size is not None
    where = f"{name}, {page.viewport_size['width']}"
    found: list[str] = []
    for _ in range(LOOKS):
        found = [each for check in (WIDER, SIGHT) for each in page.evaluate(check)]
        if not found:
            break
        pass_frames(page)
    return [f"{where}: {each}" for each in found]


def fullest(steps: list[dict]) -> list[dict]:
    """Return the step of a chapter with most to say, and one that tells an answer."""
    full = max(steps, key=lambda step: len(json.dumps(step)))
    telling = [each for each in steps if (each["predict"] or {}).get("reveals")]
    return [full, *(each for each in telling[:1] if each is not full)]


def beyond_steps(page: Page, steps: list[dict]) -> list[str]:
    """Open each step in two tight windows; return what is out of sight there."""
    size, other = TIGHT
    page.set_viewport_size(size)
    page.goto("/guide")
    found = []
    for step in steps:
        stop = step["stop"]
        open_stop(page, step)
        page.evaluate(WIDEN, MEAN)
        arrive_at_picture(page, stop)
        found += out_of_sight(page, stop)
        size, other = other, size  # the next step begins as large as this one ends
        resize(page, size)
        found += out_of_sight(page, stop)
        if step["predict"] and step["predict"]["reveals"]:
            page.locator(f"{DOCK} .guide-predict button").first.click()
            expect(page.locator(f"{DOCK} [data-found]")).to_be_visible()
            arrive_at_picture(page, stop)
            found += out_of_sight(page, f"{stop}, predicted")
            size, other = other, size
            resize(page, size)
            found += out_of_sight(page, f"{stop}, predicted")
    return found


def chapters_of(page: Page) -> list[list[dict]]:
    page.goto("/guide")
    steps = steps_of_guide(page)
    names = dict.fromkeys(step["stop"].partition("/")[0] for step in steps)
    return [[each for each in steps if each["stop"].startswith(x)] for x in names]


@pytest.mark.long
@pytest.mark.parametrize("part", range(3))
def test_the_fullest_steps_fit_and_have_their_pictures_in_sight(page: Page, part: int):
    chapters = chapters_of(page)[part::3]
    found = beyond_steps(page, [step for each in chapters for step in fullest(each)])
    assert not found, "\n".join(found)


@pytest.mark.walk
def test_every_step_fits_and_has_its_picture_in_sight(page: Page):
    found = beyond_steps(page, [step for each in chapters_of(page) for step in each])
    assert not found, "\n".join(found)
