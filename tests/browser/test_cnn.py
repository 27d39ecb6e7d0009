"""A CNN on the page: every number shown adds up, by mouse, keys and link."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import Tensors, image_of, trace
from tests.browser.explorer import open_page
from tests.browser.written import number, numbers

MODEL = "cnn-mnist"
HALF = 5e-3  # values below 8 in half precision, and what their sums make of it
NAMES = ["conv1.relu", "pool1", "pool1.winners", "conv2.pre", "hidden", "logits"]


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


def test_the_maps_below_lead_from_the_sum_to_a_product_and_down(page: Page, traced):
    panel = open_layer(page, "conv2", "&map2=5&pixel2=18")
    strongest = panel.locator("[data-shares] tbody button").nth(1)
    map_ = int(numbers(strongest.inner_text())[0])
    strongest.focus()
    page.keyboard.press("Enter")
    expect(strongest).to_be_focused()  # and so the next can be reached with Tab
    expect(strongest).to_have_attribute("aria-pressed", "true")
    expect(panel.locator("[data-map-title]").nth(1)).to_have_text(
        f"Map {map_}: window \u00d7 slice"
    )
    adds = number(panel.locator("[data-shares] tbody tr").nth(1).locator("td").last)
    assert number(panel.locator("[data-one-map] .worked-sum b")) == adds

    panel.locator("[data-one-map] [data-products] canvas").focus()
    page.keyboard.press("ArrowDown")
    readout = panel.locator("[data-product-readout]")
    expect(readout).to_contain_text("row 1, column 0:")
    _, _, value, weight, product = numbers(readout.inner_text())
    assert value == pytest.approx(traced["pool1"][map_, 2 + 1, 2], abs=HALF)
    assert abs(value * weight - product) <= 0.0005 + 1e-9
    # Row 3, column 2 of Pool1 sees 6 x 6 pixels, two further on for each of its own.
    field = page.locator("[data-field]")
    expect(field).to_have_attribute("width", "6")
    assert (field.get_attribute("x"), field.get_attribute("y")) == ("4", "6")

    page.get_by_role("button", name=f"Open map {map_} in Pool1").click()
    expect(page.locator("#view-pool1")).to_be_visible()
    # In Conv1's map, the window's first pixel.
    expect(page).to_have_url(re.compile(rf"pixel={6 * 24 + 4}\b"))
    page.go_back()
    expect(panel).to_be_visible()
    expect(strongest).to_have_attribute("aria-pressed", "true")


def test_a_pixel_is_chosen_with_keys_and_what_it_sees_is_framed(page: Page):
    panel = open_layer(page, "conv2", "&map2=5")
    panel.locator("[data-maps] canvas").focus()
    page.keyboard.press("ArrowRight")
    title = panel.locator("[data-map-title]").first
    expect(title).to_have_text("Map 6 at row 4, column 4")
    frame = panel.locator("[data-input] .field")
    for picture, key, row, column in [
        ("[data-before]", "ArrowUp", 3, 4),
        ("[data-after]", "ArrowLeft", 3, 3),
        ("[data-input]", "ArrowDown", 4, 3),
        ("[data-input]", "ArrowUp", 3, 3),
        ("[data-input]", "ArrowRight", 3, 4),
    ]:
        panel.locator(f"{picture} canvas").focus()
        page.keyboard.press(key)
        expect(title).to_have_text(f"Map 6 at row {row}, column {column}")
        # 14 x 14 pixels of the input, two further on for each pixel of the map.
        expect(frame).to_have_attribute("width", "14")
        expect(frame).to_have_attribute("x", str(2 * column))
        expect(frame).to_have_attribute("y", str(2 * row))
    kernel = panel.locator("[data-kernel] canvas")
    kernel.focus()
    page.keyboard.press("ArrowDown")
    expect(panel.locator("[data-slice]")).to_have_text("slice for map 6 framed")
    expect(panel.locator("[data-beneath] .readout").first).to_contain_text("map 6 adds")
