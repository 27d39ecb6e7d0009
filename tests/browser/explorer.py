"""What a person does on the page, and what they see there."""

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

VIEWS = ("overview", "input", "conv1", "primary", "routing", "digits", "reconstruction")
# The module behind each.
SCRIPTS = {
    "input": "input/index.js",
    "conv1": "kinds/convolution/view.js",
    "primary": "kinds/capsules/panels.js",
    "routing": "kinds/routing/dynamic/panels.js",
    "digits": "kinds/classes/panels.js",
    "reconstruction": "kinds/decoder/view.js",
}

# In a link to the CapsNet's routing: every panel that is folded at first.
UNFOLDED = "&open=capsule.surgery"

# A 4 as people draw it: down, across, and down again; in shares of the drawing area.
FOUR = (
    ((0.34, 0.22), (0.30, 0.36), (0.26, 0.52), (0.44, 0.53), (0.72, 0.51)),
    ((0.60, 0.20), (0.58, 0.45), (0.55, 0.66), (0.53, 0.82)),
)
# A 1: one stroke.
ONE = (((0.52, 0.18), (0.51, 0.5), (0.49, 0.82)),)

FRAMES = 30  # half a second on a machine that has nothing else to do

_ANY_DIGIT = re.compile(r"^(\d|none|\d or \d\?)$")

Stroke = Sequence[tuple[float, float]]


def open_page(page: Page, link: str = "") -> None:
    """Open the explorer and wait until the first digit has been read."""
    page.goto(f"/#{link}")
    expect(prediction(page)).to_have_text("4" if not link else _ANY_DIGIT)


def prediction(page: Page) -> Locator:
    """The digit that the network says."""
    return page.locator("[data-prediction]")


def draw(page: Page, strokes: Sequence[Stroke], *, on_image: bool = False) -> None:
    """Draw with the mouse, in few moves: the network reads after each.

    Args:
        page: the explorer.
        strokes: each a list of points, in shares of the drawing area.
        on_image: draw on what is there; otherwise the drawing area is cleared first.
    """
    if not on_image:
        page.locator("[data-clear]").click()
    box = page.locator("[data-pad]").bounding_box()
    for first, *rest in strokes:
        page.mouse.move(*_at(box, first))
        page.mouse.down()
        for point in rest:
            page.mouse.move(*_at(box, point), steps=2)
        page.mouse.up()


def touch(page: Page, places: Sequence[tuple[float, float]]) -> None:
    """Put a finger down at the first place, move it over the others, and lift it."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    send("touchStart", places[0])
    for point in places[1:]:
        send("touchMove", point)
    send("touchEnd")


def open_view(page: Page, view: str) -> Locator:
    """Choose a layer on the strip and return its panel, once all of it is there."""
    page.locator(f"[data-tab={view}]").click()
    panel = page.locator(f"#view-{view}")
    expect(panel).to_be_visible()
    expect(panel).to_have_attribute("aria-busy", "false")
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    return panel


def pixels_of(canvas: Locator) -> str:
    """What a canvas shows, to be compared."""
    return canvas.evaluate("canvas => canvas.toDataURL()")


def pixels_at_rest(canvas: Locator) -> str:
    """What a canvas shows, once it has shown the same for some frames."""
    return canvas.evaluate(
        """(canvas, frames) => new Promise((done) => {
            let before = "";
            let left = frames;
            const look = () => {
                if (left % 6 === 0) {  // to look costs more than a frame
                    const now = canvas.toDataURL();
                    if (now !== before) left = frames;
                    before = now;
                }
                left-- > 0 ? requestAnimationFrame(look) : done(before);
            };
            look();
        })""",
        FRAMES,
    )


# Whether a panel shows a picture: no icon, and not an empty one.
PAINTED = """(panel) => {
    const isDrawn = (picture) => {
        if (picture.localName === "svg")
            return picture.querySelectorAll("path, rect, circle, text").length > 3;
        const empty = document.createElement("canvas");
        [empty.width, empty.height] = [picture.width, picture.height];
        return picture.toDataURL() !== empty.toDataURL();
    };
    return [...panel.querySelectorAll("canvas, svg")].some((picture) => {
        const { width, height } = picture.getBoundingClientRect();
        return picture.checkVisibility() && Math.max(width, height) >= 60
            && isDrawn(picture);
    });
}"""


def expect_picture(panel: Locator) -> None:
    """Wait until a picture is painted in a panel."""
    panel.page.wait_for_function(PAINTED, arg=panel.element_handle())


def pass_frames(page: Page, frames: int = FRAMES) -> None:
    """Give the page time to do what it must not do: on a busy machine, more of it."""
    page.evaluate(
        """(frames) => new Promise((done) => {
            const next = () => (frames-- > 0 ? requestAnimationFrame(next) : done());
            next();
        })""",
        frames,
    )


def rest(page: Page) -> None:
    """Wait until what is out of sight has been filled, and nothing moves any more."""
    page.evaluate(
        """(frames) => new Promise((done) => {
            let [height, left] = [0, frames];
            const look = () => {
                const now = document.documentElement.scrollHeight;
                left = now === height ? left - 1 : frames;
                height = now;
                left > 0 ? requestAnimationFrame(look) : done();
            };
            look();
        })""",
        2 * FRAMES,
    )


def end_transitions(page: Page) -> None:
    """Wait until colours and places are those that they are to become."""
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    page.evaluate(
        """() => Promise.allSettled(
            document.getAnimations()
                .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
                .map(({ finished }) => finished),
        ).then(() => {})"""
    )


def expect_every_script(page: Page) -> None:
    """Wait until the scripts of all views are there, which come with a pointer."""
    page.locator("[data-part=strip]").dispatch_event("pointerenter")
    page.wait_for_function(
        """(modules) => {
            const start = document.querySelector("script[data-start]").src;
            const come = performance.getEntriesByType("resource");
            const here = come.map(({ name }) => name);
            const wanted = modules.map((module) => new URL(module, start).href);
            return wanted.every((address) => here.includes(address));
        }""",
        arg=[*SCRIPTS.values()],
    )
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")


def _at(box, point: tuple[float, float]) -> tuple[float, float]:
    x, y = point
    return box["x"] + x * box["width"], box["y"] + y * box["height"]
