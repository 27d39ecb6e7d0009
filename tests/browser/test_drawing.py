"""The drawing area: what is drawn stays until it is taken away, and can be had back."""

import re

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.explorer import (
    FOUR,
    ONE,
    UNFOLDED,
    draw,
    open_page,
    open_view,
    pixels_at_rest,
    pixels_of,
    prediction,
)
from tests.browser.test_journeys import seven

LOW: ViewportSize = {"width": 1366, "height": 650}


def pad(page: Page) -> Locator:
    return page.locator("[data-pad]")


def pictures(page: Page) -> tuple[str, str]:
    """What the drawing area shows, and what the network sees."""
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    return pixels_at_rest(pad(page)), pixels_at_rest(page.locator("canvas[data-seen]"))


def test_undo_and_redo_lead_through_all_that_was_there(page: Page):
    """Through strokes, Clear, an upload and an example, by keys and buttons."""
    open_page(page, "view=input&sample=one-plain")
    expect(prediction(page)).to_have_text("1")
    undo = page.get_by_role("button", name="Undo")
    redo = page.get_by_role("button", name="Redo")
    expect(undo).to_be_disabled()
    expect(redo).to_be_disabled()
    example, address = pictures(page), page.url

    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    four = pictures(page)
    page.locator("[data-upload]").set_input_files(
        {"name": "seven.png", "mimeType": "image/png", "buffer": seven()}
    )
    expect(prediction(page)).to_have_text("7")
    page.locator("[data-tab=input]").click()
    page.locator("[data-rotate]").fill("3")
    expect(page.locator("[data-decided]")).to_contain_text("Turn")
    upload = pictures(page)
    page.get_by_role("button", name="0, round").click()
    expect(prediction(page)).to_have_text("0")
    page.get_by_role("button", name="Clear").click()
    expect(prediction(page)).to_have_text("–")

    page.keyboard.press("Control+z")
    expect(prediction(page)).to_have_text("0")
    expect(page).to_have_url(re.compile("sample=zero-round"))
    page.keyboard.press("Control+z")
    expect(prediction(page)).to_have_text("7")
    expect(page.locator("[data-decided]")).to_contain_text("Turn")
    assert pictures(page) == upload
    undo.click()
    expect(prediction(page)).to_have_text("4")
    assert pictures(page) == four
    for _ in range(3):  # both strokes, and Clear
        undo.click()
    expect(prediction(page)).to_have_text("1")
    expect(page.locator("[data-more]")).to_contain_text("The label agrees")
    expect(page).to_have_url(address)
    assert pictures(page) == example
    expect(undo).to_be_disabled()

    for key in ("Control+Shift+Z", "Control+y", "Control+y"):
        page.keyboard.press(key)
    expect(prediction(page)).to_have_text("4")
    assert pictures(page) == four
    redo.click()
    expect(prediction(page)).to_have_text("7")
    draw(page, ONE)
    expect(redo).to_be_disabled()


def test_a_field_keeps_its_own_undo(page: Page):
    open_page(page, "sample=one-plain")
    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    page.evaluate("document.querySelector('[data-datasets]').open = true")
    expect(page.locator("[data-dataset-note]")).not_to_be_empty()
    page.evaluate("document.querySelector('[data-dataset-form]').hidden = false")
    number = page.locator("[name=index]")
    number.press("7")
    number.press("Control+z")
    expect(number).to_have_value("")
    expect(prediction(page)).to_have_text("4")


def test_a_drawing_outlives_the_page(page: Page):
    open_page(page)
    draw(page, ONE)
    page.reload()
    expect(prediction(page)).to_have_text("1")
    drawn = pictures(page)
    page.reload()
    expect(prediction(page)).to_have_text("1")
    assert pictures(page) == drawn
    page.keyboard.press("Control+z")
    expect(prediction(page)).to_have_text("–")

    # Nor is it lost before the server has read it.
    page.route("**/read?*", lambda _route: None)
    draw(page, FOUR)
    page.unroute("**/read?*")
    page.reload()
    expect(prediction(page)).to_have_text("4")


def test_drawing_area_and_verdict_stay_in_sight(page: Page):
    """Beside the microscope, which stands far down, one draws and sees it change."""
    open_page(page, "view=routing&sample=one-plain&open=capsule")
    grid = page.locator("[data-type-grid] canvas")
    page.set_viewport_size(LOW)
    page.get_by_role("button", name="1, one stroke").click()
    expect(prediction(page)).to_have_text("1")
    grid.evaluate("each => each.scrollIntoView({ block: 'center' })")
    expect(grid).to_be_in_viewport(ratio=0.5)
    for part in (pad(page), page.locator("[data-part=verdict]")):
        expect(part).to_be_in_viewport(ratio=1)
    before = pixels_at_rest(grid)
    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    assert pixels_at_rest(grid) != before
    expect(grid).to_be_in_viewport(ratio=0.5)
    # What there is to try can still be reached.
    page.locator("[data-samples] button").last.click()
    expect(prediction(page)).to_have_text("9")


def test_values_stand_at_the_pointer_and_at_the_keys(page: Page):
    open_page(page, f"view=routing{UNFOLDED}")
    grid = open_view(page, "routing").locator("[data-type-grid] canvas")
    grid.evaluate("each => each.scrollIntoView({ block: 'center' })")
    pixels_at_rest(grid)
    # What has been filled at rest meanwhile may have moved it.
    grid.evaluate("each => each.scrollIntoView({ block: 'center' })")
    box = grid.bounding_box()
    x, y = box["x"] + 0.4 * box["width"], box["y"] + 0.55 * box["height"]
    page.mouse.move(x, y)
    tip = page.locator("[data-tip]")
    expect(tip).to_have_text(re.compile(r"^row \d, column \d: c to \d = "))
    at = tip.bounding_box()
    assert at["x"] <= x <= at["x"] + at["width"]
    assert min(abs(y - at["y"]), abs(y - at["y"] - at["height"])) < 30
    page.mouse.move(1, 1)
    expect(tip).to_be_hidden()

    page.keyboard.press("Tab")
    grid.focus()
    page.keyboard.press("ArrowDown")
    expect(tip).to_be_visible()
    at = tip.bounding_box()
    box = grid.bounding_box()
    assert box["y"] - 70 < at["y"] < box["y"] + box["height"] + 30
    grid.blur()
    expect(tip).to_be_hidden()


POINTERS = """(canvas, moves) => {
    // Synthetic pointers cannot be captured.
    canvas.setPointerCapture = () => {};
    const box = canvas.getBoundingClientRect();
    for (const [type, pointerId, pointerType, x, y] of moves) {
        const [clientX, clientY] = [box.x + x * box.width, box.y + y * box.height];
        const place = { clientX, clientY, button: 0, buttons: 1, bubbles: true };
        const look = { pointerId, pointerType, ...place };
        canvas.dispatchEvent(new PointerEvent(type, look));
    }
}"""


def test_one_stroke_follows_one_pointer(page: Page):
    page.goto("/#image=none")
    expect(page.locator("[data-part=empty]")).to_be_visible()  # pens are listened to
    expect(prediction(page)).to_have_text("–")
    alone = [
        ("pointerdown", 1, "touch", 0.5, 0.2),
        ("pointermove", 1, "touch", 0.5, 0.8),
        ("pointerup", 1, "touch", 0.5, 0.8),
    ]
    second = [
        ("pointerdown", 2, "touch", 0.1, 0.9),
        ("pointermove", 2, "touch", 0.9, 0.1),
        ("pointerup", 2, "touch", 0.9, 0.1),
    ]
    pad(page).evaluate(POINTERS, alone)
    expect(prediction(page)).to_have_text("1")
    expected = pixels_of(pad(page))
    page.locator("[data-clear]").click()
    assert pixels_of(pad(page)) != expected
    pad(page).evaluate(POINTERS, [alone[0], *second[:2], alone[1], second[2], alone[2]])
    assert pixels_of(pad(page)) == expected
    # A palm that came first gives way to the pen, and does not draw on.
    clear = page.locator("[data-clear]")
    palm = [(kind, 3, "touch", 0.9, 0.9) for kind in ("pointerdown", "pointerup")]
    pen = [(kind, 4, "pen", x, y) for kind, _, _, x, y in alone]
    clear.click()
    pad(page).evaluate(POINTERS, [*palm, *pen])
    expected = pixels_of(pad(page))
    clear.click()
    dragged = ("pointermove", 3, "touch", 0.1, 0.9)
    moves = [palm[0], pen[0], dragged, pen[1], palm[1], pen[2]]
    pad(page).evaluate(POINTERS, moves)
    assert pixels_of(pad(page)) == expected
