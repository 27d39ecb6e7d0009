"""A CNN on the page: every number shown adds up, by mouse, keys and link."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import Tensors, image_of, trace
from tests.browser.explorer import open_page, open_view
from tests.browser.written import number, numbers, sum_before_relu

MODEL = "cnn-mnist"
CLOSE = 6e-4  # three decimals
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


def test_what_is_chosen_outlives_the_image_and_stands_in_the_link(page: Page):
    panel = open_layer(page, "conv1", "&map=9&pixel=50")
    open_view(page, "conv2")
    panel = page.locator("#view-conv2")
    panel.get_by_role("button", name="energy", exact=True).click()
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


def test_a_window_shows_its_four_pixels_and_the_winner(page: Page, traced):
    panel = open_layer(page, "pool1", "&map=7")
    picture = panel.locator("[data-map] [data-pooled] canvas")
    picture.focus()
    for key, row, column in (("ArrowUp", 5, 6), ("ArrowUp", 4, 6), ("ArrowLeft", 4, 5)):
        page.keyboard.press(key)
        title = f"The window at row {row}, column {column}"
        expect(panel.locator("[data-window] h3")).to_have_text(title)
        below = traced["conv1.relu"][7, 2 * row : 2 * row + 2, 2 * column :][:, :2]
        *four, largest = [f"{value:.3f}" for value in (*below.ravel(), below.max())]
        expect(panel.locator("[data-window] .readout")).to_have_text(
            f"max({', '.join(four)}) = {largest}"
        )
        winner = int(traced["pool1.winners"][7, row, column])
        frame = panel.locator("[data-window] .overlaid .chosen")
        if below.max() == 0:  # none wins
            expect(frame).not_to_have_attribute("x", re.compile("."))
        else:
            expect(frame).to_have_attribute("x", str(winner % 2))
            expect(frame).to_have_attribute("y", str(winner // 2))
        # 6 x 6 pixels of the input, two further on for each window.
        field = panel.locator("[data-map] [data-input] .field")
        for name, value in (("x", 2 * column), ("y", 2 * row), ("width", 6)):
            expect(field).to_have_attribute(name, str(value))


def test_a_hidden_unit_is_a_sum_over_all_of_pool2(page: Page, traced):
    unit = int(traced["hidden"].argmax())
    panel = open_layer(page, "hidden", f"&unit={unit}")
    expect(panel.locator(".worked-sum b").first).to_have_text(re.compile(r"\d"))
    before = sum_before_relu(panel)
    assert before == pytest.approx(traced["hidden"][unit], abs=5e-3)
    rows = panel.locator("[data-shares] tbody tr")
    expect(rows).to_have_count(15)
    adds = [number(each.locator("td").last) for each in rows.all()]
    assert round(sum(adds[:-1]), 3) == adds[-1] == before
    active = numbers(panel.locator("[data-units] figcaption").inner_text())
    assert active[:2] == [np.count_nonzero(traced["hidden"]), traced["hidden"].size]

    # Without a choice, the unit that adds most to the class stands first and is shown.
    title = open_layer(page, "hidden", "&units=given&units-order=given").locator(
        "[data-unit-title]"
    )
    first = title.inner_text().lower()
    page.locator("#view-hidden [data-units] canvas").hover(position={"x": 2, "y": 2})
    expect(page.locator("[data-tip]")).to_contain_text(f"{first}:")


def test_softmax_comes_out_and_logits_are_sums(page: Page, traced):
    panel = open_layer(page, "probabilities")
    logits = traced["logits"].astype(float)
    powers = np.exp(logits - logits.max())
    rows = panel.locator("[data-softmax] tbody tr")
    expect(rows).to_have_count(11)
    for digit, row in enumerate(rows.all()[:10]):
        cells = row.locator("td").all_inner_texts()
        assert numbers(cells[0])[0] == pytest.approx(logits[digit], abs=CLOSE)
        if powers[digit] > 0.001:  # written without a power of ten
            share = powers[digit] / powers.sum()
            assert numbers(cells[-1])[0] == pytest.approx(share, abs=6e-4)
    expect(rows.last.locator("td").last).to_have_text("1.0000")

    # Another class in focus: its sum, beside that of its closest rival.
    first, second = np.argsort(logits)[::-1][:2]
    panel.locator(".score-rows button").nth(int(second)).click()
    title = panel.locator("[data-logit] h3")
    expect(title).to_have_text(f"Where the logit of {second} comes from")
    expect(panel.locator("[data-logit] thead")).to_contain_text(f"adds to {second}")
    rows = panel.locator("[data-logit] tbody tr")
    expect(rows).to_have_count(15)
    adds = [
        numbers(text)[0] for text in rows.locator("td:nth-child(3)").all_inner_texts()
    ]
    assert round(sum(adds[:-1]), 3) == adds[-1]
    assert adds[-1] == pytest.approx(logits[second], abs=CLOSE)
    rival = rows.last.locator("td:nth-child(4)").inner_text()
    assert numbers(rival)[0] == pytest.approx(logits[first], abs=CLOSE)
