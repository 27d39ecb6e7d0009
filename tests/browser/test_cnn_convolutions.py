"""Conv1 and Conv2 of a CNN: what is shown must add up to what the network computed."""

import re
from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, WIDE, violations
from tests.browser.api import image_of, trace
from tests.browser.cnn import save_untrained_cnn
from tests.browser.explorer import open_page, open_view
from tests.browser.server import running
from tests.browser.written import number, numbers, sum_before_relu, table_values

HALF = 5e-3  # values below 8 in half precision, and what their sums make of it


@pytest.fixture(scope="session")
def base_url(tmp_path_factory) -> Iterator[str]:
    """An explorer of an untrained CNN with the default sizes."""
    weights = save_untrained_cnn(tmp_path_factory.mktemp("cnn"))
    with running("--weights", str(weights)) as address:
        yield address


@pytest.fixture(scope="session")
def traced(base_url: str) -> dict[str, np.ndarray]:
    """What the network makes of the 2 that the tests open, by the API."""
    names = ["conv1.pre", "pool1", "conv2.pre"]
    return trace(base_url, image_of(base_url, 2), names, iterations=None)


def open_layer(page: Page, view: str, more: str = "") -> Locator:
    """Open a convolution on a 2 and return the view, once its sum is written."""
    open_page(page, f"view={view}&sample=two-plain{more}")
    panel = page.locator(f"#view-{view}")
    expect(panel.locator("[data-sum]")).to_have_text(re.compile(r"\d"))
    return panel


def test_every_pixel_of_conv1_is_the_sum_of_its_products(page: Page, traced):
    panel = open_layer(page, "conv1", "&map=7")
    expect(panel.locator("[data-shape]")).to_have_text(
        "32 kernels 5\u00d75 \u2192 32 maps 24\u00d724"
    )
    scrubber = panel.locator("[data-position]")
    for position in (0, 180, 301, 575):
        scrubber.fill(str(position))
        row, column = divmod(position, 24)
        where = f"rows {row}\u2013{row + 4}, columns {column}\u2013{column + 4}"
        expect(panel.locator("[data-where]")).to_have_text(f"input {where}")
        before = sum_before_relu(panel)
        assert abs(before - traced["conv1.pre"][7, row, column]) < HALF


def test_every_pixel_of_conv2_is_the_sum_over_all_maps_below(page: Page, traced):
    panel = open_layer(page, "conv2", "&map2=11&map=4")
    rows = panel.locator("[data-share-rows] tr")
    scrubber = panel.locator("[data-position]")
    for position in (0, 21, 36, 63):
        scrubber.fill(str(position))
        row, column = divmod(position, 8)
        pixel = f"row {row}, column {column} of map 11"
        expect(panel.locator("[data-pixel]")).to_have_text(pixel)
        before = sum_before_relu(panel)
        assert abs(before - traced["conv2.pre"][11, row, column]) < HALF
        assert abs(before - number(rows.last.locator("td").last)) < 1e-9
        # Twelve maps, the other twenty, the bias and what they come to.
        expect(rows).to_have_count(15)
        adds = [number(each.locator("td").last) for each in rows.all()]
        assert round(sum(adds[:-1]), 3) == adds[-1]
        assert sorted(map(abs, adds[:12]), reverse=True) == list(map(abs, adds[:12]))
        window = traced["pool1"][4, row : row + 5, column : column + 5]
        assert window_of(panel) == pytest.approx(window.ravel(), abs=6e-3)


def window_of(panel: Locator) -> list[float]:
    """Return the cells of the chosen map's window as they are written."""
    texts = panel.locator("[data-one-map] [data-patch] text").all_text_contents()
    return [float(text) for text in texts]


def test_the_maps_below_lead_from_the_sum_to_a_product_and_down(page: Page, traced):
    panel = open_layer(page, "conv2", "&map2=5&pixel2=18")
    strongest = panel.locator("[data-share-rows] button").nth(1)
    map_ = int(numbers(strongest.inner_text())[0])
    strongest.focus()
    page.keyboard.press("Enter")
    expect(strongest).to_be_focused()  # and so the next can be reached with Tab
    expect(strongest).to_have_attribute("aria-pressed", "true")
    expect(panel.locator("[data-map-title]").nth(1)).to_have_text(
        f"Map {map_}: window \u00d7 slice"
    )
    adds = number(panel.locator("[data-share-rows] tr").nth(1).locator("td").last)
    assert number(panel.locator("[data-share]")) == adds

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
    expect(panel.locator("[data-readout]").nth(1)).to_contain_text("map 6 adds")


def test_what_is_chosen_outlives_the_image_and_stands_in_the_link(page: Page):
    panel = open_layer(page, "conv1", "&map=9&pixel=50")
    open_view(page, "conv2")
    panel = page.locator("#view-conv2")
    panel.get_by_role("button", name="energy").click()
    panel.get_by_role("button", name="Before ReLU", exact=True).click()
    panel.get_by_role("button", name="Products", exact=True).click()
    panel.locator("[data-maps] canvas").focus()
    page.keyboard.press("ArrowDown")
    title = panel.locator("[data-map-title]").first
    chosen = title.inner_text()
    picture = panel.locator("[data-before] canvas")
    before = picture.evaluate("canvas => canvas.toDataURL()")
    page.locator("[data-source=zero-round]").click()
    page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before",
        arg=[picture.element_handle(), before],
    )
    expect(title).to_have_text(chosen)
    expect(page).to_have_url(re.compile("sample=zero-round"))
    expect(page).to_have_url(re.compile("map=9&pixel=50"))

    link = page.url
    page.goto("about:blank")
    page.goto(link)
    expect(title).to_have_text(chosen)
    for name in ("energy", "Before ReLU", "Products"):
        button = panel.get_by_role("button", name=name, exact=True)
        expect(button).to_have_attribute("aria-pressed", "true")
    open_view(page, "conv1")
    title = page.locator("#view-conv1 [data-map-title]")
    expect(title).to_have_text("Map 9 at row 2, column 2")


def test_the_tables_hold_the_networks_numbers(page: Page, traced):
    panel = open_layer(page, "conv2", "&map2=11&pixel2=21")
    panel.locator("details.numbers").evaluate("folder => { folder.open = true; }")
    tables = panel.locator("[data-tables] table")
    expect(tables).to_have_count(5)
    pre = traced["conv2.pre"][11].ravel()
    assert table_values(tables.nth(0)) == pytest.approx(pre, abs=6e-4)
    assert table_values(tables.nth(1)) == pytest.approx(pre.clip(min=0), abs=6e-4)
    adds = table_values(tables.nth(2))
    assert len(adds) == 32
    assert sum(adds) == pytest.approx(number(panel.locator("[data-sum]")), abs=0.02)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_everybody_gets_in(page: Page, theme: Literal["light", "dark"], size):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size(size)
    found = {}
    open_page(page, "view=conv1&sample=two-plain")
    for view in ("conv1", "conv2"):
        panel = open_view(page, view)
        for folder in panel.locator("details").all():
            folder.evaluate("folder => { folder.open = true; }")
        expect(panel.locator("[data-sum]")).to_have_text(re.compile(r"\d"))
        expect(panel.locator("[data-tables] table").first).to_be_visible()
        found[view] = violations(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"]
    assert not any(found.values()), found
