"""The Atlas: the whole test set, by mouse, keys and finger."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import PHONE, WIDE, violations

# The map, if it stands still for some frames.
RESTING = """async () => {
    const canvas = document.querySelector("[data-map] canvas");
    const picture = canvas.toDataURL();
    for (let frame = 0; frame < 5; frame += 1) {
        await new Promise(requestAnimationFrame);
        if (canvas.toDataURL() !== picture) return null;
    }
    return picture;
}"""


def open_atlas(page: Page, link: str = "") -> Locator:
    """Open the Atlas and return its map, once the test set is there."""
    page.goto(f"/#mode=atlas&sample=four-nine{link}")
    expect(page.locator("#view-atlas [data-sentence]")).to_contain_text("test images")
    expect(page.locator("[data-nearest] button")).to_have_count(10)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    return page.locator("[data-map] canvas")


def test_the_map_is_walked_by_keys_and_shows_what_the_mouse_points_at(page: Page):
    page.set_viewport_size(WIDE)
    canvas = open_atlas(page)
    canvas.focus()
    chosen = page.locator("[data-point]")
    page.keyboard.press("ArrowRight")
    expect(chosen).to_contain_text("Test image")
    first = chosen.inner_text()
    page.keyboard.press("ArrowRight")
    expect(chosen).not_to_have_text(first)
    expect(page).to_have_url(re.compile(r"test-image=\d+"))
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.wait_for_function(RESTING)
    before = page.evaluate(RESTING)
    middle = box["y"] + box["height"] / 2
    for right in range(0, 300, 6):  # until there is a point under the mouse
        page.mouse.move(box["x"] + box["width"] / 2 - 150 + right, middle)
        page.wait_for_function(RESTING)
        if page.evaluate(RESTING) != before:
            break
    else:
        raise AssertionError("the map does not show what is pointed at")
    page.mouse.move(0, 0)
    page.wait_for_function(
        f"async (before) => (await ({RESTING})()) === before", arg=before
    )


@pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True)
def test_two_fingers_enlarge_the_map_and_one_moves_it(page: Page):
    canvas = open_atlas(page)
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *fingers: tuple[float, float]):
        points = [{"x": x + a, "y": y + b, "id": i} for i, (a, b) in enumerate(fingers)]
        event = {"type": kind, "touchPoints": points}
        session.send("Input.dispatchTouchEvent", event)

    def rests(*, at: tuple[str, ...] = (), other: tuple[str, ...] = ()) -> str:
        """Wait until the map stands still, as one picture or as another."""
        for _ in range(100):
            picture = page.evaluate(RESTING)
            if picture in at or (not at and picture not in {None, *other}):
                return picture
        raise AssertionError("the map does not become what it should")

    whole = rests()
    touch("touchStart", (-20, 0), (20, 0))
    for reach in (30, 50, 70):
        touch("touchMove", (-reach, 0), (reach, 0))
    touch("touchEnd")
    near = rests(other=(whole,))
    touch("touchStart", (0, 0))
    for step in (10, 30, 50):
        touch("touchMove", (step, step))
    touch("touchEnd")
    rests(other=(near, whole))
    assert page.evaluate("scrollX") == 0
    page.get_by_role("button", name="Whole map").click()
    rests(at=(whole,))
    chosen = page.locator("[data-point]")
    for step in range(20):  # until there is a point under the finger
        page.touchscreen.tap(x - 80 + 8 * step, y - 80 + 8 * step)
        if "Test image" in chosen.inner_text():
            break
    expect(chosen).to_contain_text("label")


def test_on_a_phone_nothing_is_too_wide_and_axe_finds_nothing(page: Page):
    page.set_viewport_size(PHONE)
    open_atlas(page, "&selected=misread")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == PHONE["width"]
    assert violations(page, "#view-atlas") == []
