"""The guide's tasks: for each a wrong try, and what its hint says."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page, expect

Try = Callable[[Page], None]
STEP = "#view-routing .routing-time [data-step]"


def _pressing(selector: str) -> Try:
    return lambda page: page.locator(selector).first.click()


def _move_a_slider(page: Page) -> None:
    slider = page.locator("#view-reconstruction [data-sliders] input").first
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("ArrowLeft")
    if slider.input_value() == before:  # it was at that end
        page.keyboard.press("ArrowRight")


def _choose_a_capsule(page: Page, *, longest: bool) -> None:
    """Press the brightest cell of the sheet of all types, or the darkest."""
    canvas = page.locator("#view-primary [data-types] canvas")
    x, y = canvas.evaluate(
        """(canvas, longest) => {
            const { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height);
            const context = copy.getContext("2d", { willReadFrequently: true });
            context.drawImage(canvas, 0, 0);
            const { data } = context.getImageData(0, 0, width, height);
            const light = (i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2];
            const opaque = Array.from({ length: width * height }, (_, i) => i)
                .filter((i) => data[4 * i + 3] > 0);
            const found = opaque.reduce((best, i) =>
                (longest ? light(i) > light(best) : light(i) < light(best)) ? i : best);
            const box = canvas.getBoundingClientRect();
            return [
                ((found % width) + 0.5) / width * box.width,
                (Math.floor(found / width) + 0.5) / height * box.height,
            ];
        }""",
        longest,
    )
    canvas.click(position={"x": x, "y": y})


def _choose_a_vote(page: Page, *, most: bool) -> None:
    """Press the row of the capsule that gives the digit most, or least, of its tree."""
    rows = page.locator("#view-routing [data-tree-numbers] tbody tr")
    rows.first.wait_for()
    texts = [row.locator("td").nth(1).inner_text() for row in rows.all()]
    given = {at: float(text) for at, text in enumerate(texts) if text != "\u2013"}
    best = (max if most else min)(given, key=given.__getitem__)
    rows.nth(best).locator("td").last.click()  # anywhere in the row


def _step(page: Page, to: str) -> None:
    page.locator(STEP).fill(to)


def _step_to_the_end(page: Page) -> None:
    _step(page, page.locator(STEP).get_attribute("max") or "")


def _silence_more_and_more(page: Page) -> None:
    page.locator("#view-routing .surgery [data-value=agreement]").click()
    slider = page.locator("#view-routing [data-strongest]")
    why = page.locator("[data-part=guide] [data-why]")
    for count in range(1, int(slider.get_attribute("max") or "0") + 1):
        slider.fill(str(count))
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        if why.is_visible():
            return


_decode_another = _pressing("#view-reconstruction [data-classes] button")
TASKS: dict[str, tuple[Try, Try]] = {
    "02-first-layers/types": (
        partial(_choose_a_capsule, longest=False),
        partial(_choose_a_capsule, longest=True),
    ),
    "04-votes/most": (
        partial(_choose_a_vote, most=False),
        partial(_choose_a_vote, most=True),
    ),
    "05-agreeing/step": (partial(_step, to="2"), _step_to_the_end),
    "05-agreeing/silence": (
        _pressing("#view-routing .surgery [data-value=uniform]"),
        _silence_more_and_more,
    ),
    "11-three-ways/ignore": (
        _pressing("#view-routing [data-presets] li:nth-child(2) button"),
        _pressing("#view-routing [data-presets] li:nth-child(1) button"),
    ),
    "11-three-ways/clusters": (partial(_step, to="2"), _step_to_the_end),
    "01-capsule/direction": (_decode_another, _move_a_slider),
    "07-drawing/numbers": (_decode_another, _move_a_slider),
}
