"""A CNN on the page: what is read by keys is the network's, and what it saw framed."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.api import image_of, trace
from tests.browser.explorer import open_page
from tests.browser.written import numbers

MODEL = "cnn-mnist"
HALF = 5e-3  # values below 8 in half precision, and what their sums make of it


def test_values_are_read_with_keys_and_what_each_saw_is_framed(
    page: Page, base_url: str
):
    open_page(page, f"model={MODEL}&view=pool2&sample=two-plain&map2=5&pixel2=18")
    panel = page.locator("#view-pool2")
    values = panel.locator("[data-values]")
    expect(values.locator("h3")).to_contain_text("map 5 of")
    values.get_by_role("application").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    readout = values.locator(".readout")
    # It is chosen by a pixel of Conv2's maps, of which a window holds 2 x 2.
    expect(readout).to_contain_text("row 2, column 2:")
    value = numbers(readout.inner_text())[2]
    two = image_of(base_url, 2)
    pooled = trace(base_url, two, ["pool2"], iterations=None, model=MODEL)["pool2"]
    assert value == pytest.approx(pooled[5, 2, 2], abs=HALF)
    values.get_by_role("application").hover(position={"x": 4, "y": 4})
    expect(page.locator("[data-field]")).to_have_attribute("width", "16")
    panel.get_by_text("The values as a table").click()
    table = panel.locator("[data-numbers=values] table")
    expect(table.locator("thead th")).to_have_count(5)
