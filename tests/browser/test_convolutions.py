"""Conv1, a kernel of one's own and PrimaryCaps: what is shown must add up."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page, pixels_of
from tests.browser.written import numbers, sum_before_relu


def open_conv1(page: Page, more: str = "") -> Locator:
    """Open Conv1 on a 2 and return the view."""
    open_page(page, f"view=conv1&sample=two-plain{more}")
    panel = page.locator("#view-conv1")
    expect(panel.locator(".worked-sum b").first).to_have_text(re.compile(r"\d"))
    return panel


def test_a_product_comes_out_and_is_pointed_at_in_three_places(page: Page):
    panel = open_conv1(page, "&map=7&pixel=150")
    frames = [
        panel.locator(f"[data-arithmetic] [data-{part}] .chosen")
        for part in ("patch", "weights", "products")
    ]
    kernel = panel.locator("[data-kernel] .pointed")
    field = page.locator("[data-field]")
    readout = panel.locator("[data-product-readout]")
    for part in ("patch", "weights", "products"):
        panel.locator(f"[data-arithmetic] [data-{part}] canvas").hover(
            position={"x": 100, "y": 60}
        )
        for frame in (kernel, field):
            expect(frame).to_have_css("visibility", "visible")
        x, y = (kernel.get_attribute(name) or "" for name in "xy")
        for frame in frames:
            expect(frame).to_have_attribute("x", x)
            expect(frame).to_have_attribute("y", y)
        expect(readout).to_contain_text(f"row {y}, column {x}:")
        _, _, ink, weight, product = numbers(readout.inner_text())
        assert abs(ink * weight - product) <= 0.0005 + 1e-9
    page.mouse.move(0, 0)
    for frame in (kernel, field):
        expect(frame).to_have_css("visibility", "hidden")


def test_pointing_at_a_unit_shows_what_it_saw(page: Page):
    open_conv1(page, "&order=energy")
    frame = page.locator("[data-field]")
    for picture, size in (
        ("[data-tab=conv1] canvas", "9"),
        ("[data-tab=primary] canvas", "17"),
        ("[data-maps] [data-sheet] canvas", "9"),
        ("[data-before] canvas", "9"),
    ):
        page.mouse.move(0, 0)
        expect(frame).to_have_css("visibility", "hidden")
        page.locator(picture).hover(position={"x": 20, "y": 14})
        expect(frame).to_have_css("visibility", "visible")
        expect(frame).to_have_attribute("width", size)


def test_the_kernel_slides_and_writes_its_map(page: Page):
    panel = open_conv1(page)
    cover = panel.locator("[data-after] .unwritten")
    panel.get_by_role("button", name="Slide the kernel").click()
    expect(cover).to_have_attribute("d", re.compile("^M"))
    expect(panel.locator("[data-position-value]")).to_contain_text(
        re.compile("[1-9] of")
    )
    panel.get_by_role("button", name="Pause").click()
    scrubber = panel.locator("[data-position]")
    scrubber.fill("45")
    expect(cover).to_have_attribute("d", "M6 2H20V20H0V3H6z")
    scrubber.press("ArrowRight")
    expect(cover).to_have_attribute("d", "M7 2H20V20H0V3H7z")
    scrubber.fill("399")
    expect(cover).to_have_attribute("d", "")


def test_a_kernel_is_typed_in_with_keys_alone(page: Page):
    panel = open_conv1(page, "&maps=own")
    panel.get_by_role("button", name="Clear").click()
    before = pixels_of(panel.locator("[data-before] canvas"))
    cells = panel.locator("[data-cells] input")
    expect(cells).to_have_count(9)
    cells.nth(4).focus()
    page.keyboard.type("-1")
    assert pixels_of(panel.locator("[data-before] canvas")) != before
    page.keyboard.press("ArrowRight")
    page.keyboard.type("0,5")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    page.keyboard.press("Tab")
    expect(cells.nth(4)).to_have_value("\u22121")
    expect(cells.nth(5)).to_have_value(".5")
    expect(cells.nth(2)).to_have_value(".2")
    sum_before_relu(panel)
    panel.get_by_role("button", name="Undo").click()
    expect(cells.nth(2)).to_have_value("0")
    cells.first.fill("two")  # is no number, and changes nothing
    expect(cells.first).to_have_attribute("aria-invalid", "true")
    cells.first.blur()
    expect(cells.first).to_have_value("0")


def test_weights_are_painted(page: Page):
    panel = open_conv1(page, "&maps=own")
    panel.get_by_role("button", name="paints \u2212\u00bd").click()
    grid = panel.locator("[data-cells]")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 6, box["y"] + box["height"] / 6)
    page.mouse.down()
    page.mouse.move(
        box["x"] + box["width"] * 5 / 6, box["y"] + box["height"] / 6, steps=8
    )
    page.mouse.up()
    for i, value in enumerate(["\u2212.5", "\u2212.5", "\u2212.5", "\u22121"]):
        expect(panel.locator("[data-cells] input").nth(i)).to_have_value(value)
    panel.get_by_role("button", name="Undo").click()
    expect(panel.locator("[data-cells] input").first).to_have_value("\u22121")
