"""Tasks of the guide, one of each kind: a wrong try, and what its hint says."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page

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


def _choose_a_capsule(page: Page, *, row: int, column: int) -> None:
    """Press the type with the longest arrow, then one of its places."""
    page.locator("#view-routing .chain-name").first.click()
    grid = page.locator("#view-routing [data-type-grid] canvas")
    box = grid.bounding_box()
    assert box is not None
    cell = box["width"] / 6
    grid.click(position={"x": (column + 0.5) * cell, "y": (row + 0.5) * cell})


def _step(page: Page, to: str) -> None:
    page.locator(STEP).fill(to)


def _step_to_the_end(page: Page) -> None:
    _step(page, page.locator(STEP).get_attribute("max") or "")


_decode_another = _pressing("#view-reconstruction [data-classes] button")
TASKS: dict[str, tuple[Try, Try]] = {
    "04-votes/most": (
        partial(_choose_a_capsule, row=3, column=4),  # the reddest
        partial(_choose_a_capsule, row=4, column=5),
    ),
    "05-agreeing/step": (partial(_step, to="2"), _step_to_the_end),
    "11-three-ways/ignore": (
        _pressing("#view-routing [data-presets] li:nth-child(2) button"),
        _pressing("#view-routing [data-presets] li:nth-child(1) button"),
    ),
    "01-capsule/direction": (_decode_another, _move_a_slider),
}
