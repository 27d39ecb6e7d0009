"""Conv1, a kernel of one's own and PrimaryCaps: what is shown must add up."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explorer import open_page, pixels_of
from tests.browser.written import number, numbers, sum_before_relu


def open_conv1(page: Page, more: str = "") -> Locator:
    """Open Conv1 on a 2 and return the view."""
    open_page(page, f"view=conv1&sample=two-plain{more}")
    panel = page.locator("#view-conv1")
    expect(panel.locator(".worked-sum b").first).to_have_text(re.compile(r"\d"))
    return panel


def test_the_arithmetic_of_many_pixels_adds_up_as_it_is_written(page: Page):
    panel = open_conv1(page, "&map=7")
    scrubber = panel.locator("[data-position]")
    for position in (0, 210, 399):
        scrubber.fill(str(position))
        expect(panel.locator("[data-position-value]")).to_have_text(
            f"position {position + 1} of 400"
        )
        row, column = divmod(position, 20)
        where = f"rows {row}\u2013{row + 8}, columns {column}\u2013{column + 8}"
        expect(panel.locator("[data-where]")).to_have_text(f"input {where}")
        sum_before_relu(panel)
        worked, traced, difference = numbers(panel.locator("[data-check]").inner_text())
        assert round(traced - worked, 5) == difference
        assert abs(difference) < 2e-3


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


def test_a_link_brings_ones_own_kernel_and_all_switches_back(page: Page):
    panel = open_conv1(page)
    panel.get_by_role("button", name="energy", exact=True).click()
    panel.get_by_role("button", name="each its own").click()
    panel.get_by_role("button", name="Your own kernel").click()
    panel.get_by_role("button", name="A trained kernel, turned").click()
    expect(page).to_have_url(re.compile("kernel="))
    expect(page).to_have_url(re.compile("maps=own.*order=energy.*scale=tile"))
    cells = panel.locator("[data-cells] input")
    weights = [cell.input_value() for cell in cells.all()]
    picture = pixels_of(panel.locator("[data-after] canvas"))
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    expect(cells).to_have_count(81)
    assert [cell.input_value() for cell in cells.all()] == weights
    assert pixels_of(panel.locator("[data-after] canvas")) == picture
    panel.get_by_role("button", name="After ReLU", exact=True).click()
    expect(panel.get_by_role("button", name="energy", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_what_the_maps_add_comes_to_each_number_of_the_capsule(page: Page):
    open_page(page, "view=primary&sample=two-plain&capsule=777")
    panel = page.locator("#view-primary")
    rows = panel.locator("[data-shares] tbody tr")
    buttons = panel.locator("[data-dimensions] button")
    expect(buttons).to_have_count(8)
    for place in (0, 7):
        buttons.nth(place).click()
        expect(rows.last).to_contain_text(f"number {place + 1}")
        expect(rows).to_have_count(11)
        values = [number(row.locator("td").last) for row in rows.all()]
        assert round(sum(values[:-1]), 3) == values[-1]
        check = panel.locator("[data-share-check]").inner_text()
        worked, traced = numbers(check.replace("Conv1", ""))
        assert abs(worked - values[-1]) < 0.0006  # written to four places and to three
        assert abs(worked - traced) < 5e-3
        before = panel.locator("[data-values] tbody tr").nth(place).locator("td").nth(1)
        assert abs(number(before) - values[-1]) < 5e-3
