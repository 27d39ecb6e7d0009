"""A CNN on the page: every number shown adds up, by mouse, keys and link."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import Tensors, image_of, trace
from tests.browser.explorer import open_page
from tests.browser.written import numbers

MODEL = "cnn-mnist"
HALF = 5e-3  # values below 8 in half precision, and what their sums make of it
NAMES = ["conv2.pre", "pool2", "hidden"]


@pytest.fixture(scope="module")
def traced(base_url: str) -> Tensors:
    """What the network makes of the 2 that the tests open, by the API."""
    image = image_of(base_url, 2)
    return trace(base_url, image, NAMES, iterations=None, model=MODEL)


def open_layer(page: Page, view: str, more: str = "") -> Locator:
    """Open a layer on a 2, and return the view once all of it is there."""
    open_page(page, f"model={MODEL}&view={view}&sample=two-plain{more}")
    panel = page.locator(f"#view-{view}")
    expect(panel).to_be_visible()
    expect(panel).to_have_attribute("aria-busy", "false")
    return panel


@pytest.mark.parametrize(
    ("view", "name", "columns"), [("conv2", "conv2.pre", 8), ("pool2", "pool2", 4)]
)
def test_values_are_read_with_keys_and_what_each_saw_is_framed(
    page: Page, traced, view: str, name: str, columns: int
):
    panel = open_layer(page, view, "&map2=5&pixel2=18")
    values = panel.locator("[data-values]")
    expect(values.locator("h3")).to_contain_text("map 5 of")
    values.get_by_role("application").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    readout = values.locator(".readout")
    # Both are chosen by a pixel of Conv2's maps, of which a window holds 2 x 2.
    row, column = (3, 3) if view == "conv2" else (2, 2)
    expect(readout).to_contain_text(f"row {row}, column {column}:")
    said = numbers(readout.inner_text())[2]
    assert said == pytest.approx(traced[name][5, row, column], abs=HALF)
    values.get_by_role("application").hover(position={"x": 4, "y": 4})
    expect(page.locator("[data-field]")).to_have_attribute(
        "width", "14" if view == "conv2" else "16"
    )
    panel.get_by_text("The values as a table").click()
    table = panel.locator("[data-numbers=values] table")
    expect(table.locator("thead th")).to_have_count(columns + 1)


def test_a_units_values_stand_beside_those_of_its_neighbours(page: Page, traced):
    panel = open_layer(page, "hidden", "&unit=9&open=values")
    values = panel.locator("[data-values]")
    expect(values).to_have_attribute("open", "")
    values.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"unit=10\b"))
    expect(values.locator(".readout")).to_contain_text("unit 10")
    said = numbers(values.locator(".readout").inner_text())[-1]
    assert said == pytest.approx(traced["hidden"][10], abs=HALF)
