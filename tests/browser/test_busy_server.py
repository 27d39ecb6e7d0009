"""What the page says while the server has too much to do."""

import json
import re

from playwright.sync_api import Page, Route, expect

from tests.browser.explorer import ONE, draw, open_page, prediction

READINGS = re.compile(r"/api/models/[^/]+/(trace|read)\b")
BUSY = json.dumps({"error": {"message": "the server is busy", "field": None}})


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
