"""Answers and scripts that come late, in any order, or not at once."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.explorer import (
    ONE,
    draw,
    open_page,
    pass_frames,
    prediction,
)

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


def test_back_pressed_while_the_network_is_loaded_is_followed(page: Page):
    open_page(page, "model=cnn-mnist")
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile("image=none"))
    release = hold(page, "**/api/models/cnn-mnist")
    with (
        page.expect_response(re.compile(r"/api/models\?")),
        page.expect_response("**/api/samples"),
    ):
        page.reload(wait_until="domcontentloaded")
    pass_frames(page)
    page.go_back(wait_until="commit")
    expect(page).not_to_have_url(re.compile("image=none"))
    release()
    expect(prediction(page)).to_have_text("4")


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
    assert all("503" in complaint for complaint in complaints)
    complaints.clear()


def choose_sample(page: Page, number: int) -> None:
    page.locator("[data-samples] button").nth(number).click()


def test_the_header_tells_the_old_answer_of_the_old_image(page: Page):
    open_page(page)
    more = page.locator("[data-more]")
    picture = page.locator("[data-seen]")
    answer, image = more.inner_text(), picture.evaluate("(own) => own.toDataURL()")
    release = hold(page, "**/api/models/*/*")
    choose_sample(page, 0)
    expect(page.locator("body")).to_have_attribute("aria-busy", "true")
    expect(more).to_have_text(answer)
    assert picture.evaluate("(own) => own.toDataURL()") == image
    release()
    expect(prediction(page)).to_have_text("0")
    assert picture.evaluate("(own) => own.toDataURL()") != image


def test_in_the_lab_nothing_told_of_another_image_stands_beside_a_new_one(
    page: Page,
):
    page.goto("/#mode=lab&experiment=pose")
    panel = page.locator("#lab-pose")
    parts = [
        panel.locator(".lab-reads").first,
        panel.locator(".lab-words"),
        panel.locator(".plot .curve.is-own").first,
    ]
    for part in parts:
        expect(part).to_be_visible()
    release = hold(page, re.compile(r"/api/(traces|models/.*/(batch|sweep|attack))"))
    choose_sample(page, 0)
    for part in parts:
        expect(part).to_be_hidden()
    release()
    for part in parts:
        expect(part).to_be_visible()
    expect(panel.locator(".is-unread")).to_have_count(0)
