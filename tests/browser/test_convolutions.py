"""Conv1 and PrimaryCaps: what is shown must add up, and point together."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page
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
    sum_before_relu(panel)


def test_pointing_at_a_unit_shows_what_it_saw(page: Page):
    open_conv1(page, "&order=energy")
    frame = page.locator("[data-field]")
    for picture, (x, y) in (
        ("[data-maps] [data-sheet] canvas", (8, 8)),  # within the first map
        ("[data-before] canvas", (20, 14)),
    ):
        page.mouse.move(0, 0)
        expect(frame).to_have_css("visibility", "hidden")
        page.locator(picture).hover(position={"x": x, "y": y})
        expect(frame).to_have_css("visibility", "visible")
        expect(frame).to_have_attribute("width", "9")


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
