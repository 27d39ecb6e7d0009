"""Answers and scripts that come late, in any order, or not at once."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.explorer import (
    ONE,
    SCRIPTS,
    VIEWS,
    draw,
    open_page,
    open_view,
    pass_frames,
    prediction,
)

# What each view shows once it has read a 4.
SHOWN = {
    "routing": ("[data-story]", re.compile("Iteration")),
}


READINGS = re.compile(r"/api/models/[^/]+/(trace|read)\b")
BUSY = json.dumps({"error": {"message": "the server is busy", "field": None}})


def hold(page: Page, pattern: str | re.Pattern[str]) -> Callable[[], None]:
    """Keep requests back until the returned function is called."""
    held: list[Route] = []
    is_open = False

    def answer(route: Route) -> None:
        if is_open:
            route.continue_()
        else:
            held.append(route)

    def release() -> None:
        nonlocal is_open
        is_open = True
        for route in held:
            route.continue_()

    page.route(pattern, answer)
    return release


def expect_read(page: Page, view: str) -> None:
    place, words = SHOWN[view]
    panel = page.locator(f"#view-{view}")
    expect(panel.locator(place).first).to_have_text(words)
    expect(panel).not_to_have_class(re.compile("is-unread|is-old"))


def test_a_view_whose_scripts_come_after_its_answer_shows_it(page: Page):
    release = hold(page, f"**/{SCRIPTS['routing']}")
    open_page(page, "view=routing")
    expect(page.locator("#view-routing")).to_have_attribute("aria-busy", "true")
    release()
    expect_read(page, "routing")


def test_a_part_of_the_last_image_that_comes_late_is_no_answer_to_this_one(page: Page):
    """Draw, open a view in mid-stroke, and go on while what it needs is on its way."""
    open_page(page)
    open_view(page, "input")  # which needs nothing that others need
    release = hold(page, "**/trace")
    page.get_by_role("button", name="Clear").click()
    expect(prediction(page)).to_have_text("–")
    start, *rest = [_at(page, point) for point in ONE[0]]
    page.mouse.move(*start)
    page.mouse.down()
    for point in rest:
        page.mouse.move(*point, steps=6)
    expect(prediction(page)).to_have_text("1")
    with page.expect_request("**/trace"):
        page.keyboard.press(str(1 + VIEWS.index("routing")))
    with page.expect_response("**/read?*"):
        page.mouse.move(*start, steps=6)
    release()
    page.mouse.up()
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    expect(prediction(page)).to_have_text("1")
    panel = page.locator("#view-routing")
    expect(panel).not_to_have_class(re.compile("is-unread|is-old"))


def test_back_pressed_while_the_network_is_loaded_is_followed(page: Page):
    open_page(page)
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile("image=none"))
    release = hold(page, "**/kinds/described.js")
    with (
        page.expect_response("**/api/models"),
        page.expect_response("**/api/samples"),
    ):
        page.reload(wait_until="domcontentloaded")
    pass_frames(page)
    page.go_back(wait_until="commit")
    expect(page).not_to_have_url(re.compile("image=none"))
    release()
    expect(prediction(page)).to_have_text("4")


def _at(page: Page, point: tuple[float, float]) -> tuple[float, float]:
    box = page.locator("[data-pad]").bounding_box()
    assert box is not None
    return box["x"] + point[0] * box["width"], box["y"] + point[1] * box["height"]


def refuse(route: Route) -> None:
    """Ask the page to come back in a second."""
    headers = {"Retry-After": "1"}
    route.fulfill(
        status=503, headers=headers, content_type="application/json", body=BUSY
    )


def test_a_busy_server_is_asked_again_and_the_page_says_so(page: Page, complaints):
    open_page(page)
    note = page.get_by_text("The server is busy. Trying again").first
    spoken = page.locator("[data-part=announcer]")
    expect(note).to_be_hidden()
    page.route(READINGS, refuse)
    draw(page, ONE)
    expect(note).to_be_visible()
    expect(spoken).to_have_text("The server is busy. Trying again …")
    page.unroute(READINGS)
    expect(prediction(page)).to_have_text("1")
    expect(note).to_be_hidden()
    expect(page.locator("[data-part=problem]")).to_be_hidden()
    # The browser tells of every 503 itself.
    assert all("503" in each for each in complaints)
    complaints.clear()


def choose_sample(page: Page, place: int) -> None:
    page.locator("[data-samples] button").nth(place).click()


def test_the_header_tells_the_old_answer_of_the_old_image(page: Page):
    open_page(page)
    more = page.locator("[data-more]")
    seen = page.locator("[data-seen]")
    said, image = more.inner_text(), seen.evaluate("(own) => own.toDataURL()")
    release = hold(page, "**/api/models/*/*")
    choose_sample(page, 0)
    expect(page.locator("body")).to_have_attribute("aria-busy", "true")
    expect(more).to_have_text(said)
    assert seen.evaluate("(own) => own.toDataURL()") == image
    release()
    expect(prediction(page)).to_have_text("0")
    assert seen.evaluate("(own) => own.toDataURL()") != image


def test_in_the_lab_nothing_told_of_another_image_stands_beside_a_new_one(
    page: Page,
):
    page.goto("/#mode=lab&experiment=pose")
    panel = page.locator("#lab-pose")
    told = [
        panel.locator(".lab-reads").first,
        panel.locator(".lab-words"),
        panel.locator(".plot .curve.is-own").first,
    ]
    for each in told:
        expect(each).to_be_visible()
    release = hold(page, re.compile(r"/api/(traces|models/.*/(batch|sweep|attack))"))
    choose_sample(page, 0)
    for each in told:
        expect(each).to_be_hidden()
    release()
    for each in told:
        expect(each).to_be_visible()
    expect(panel.locator(".is-unread")).to_have_count(0)
