"""What makes the page fast, counted: requests, repaints, and what is left undone."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explorer import (
    expect_every_script,
    open_page,
    open_view,
    pass_frames,
    prediction,
    rest,
)

MOST_REQUESTS_A_SWITCH = 3


@pytest.fixture
def paths(page: Page) -> list[str]:
    """The paths that the page has asked for, in order."""
    paths: list[str] = []

    def note(request):
        if urlsplit(request.url).scheme.startswith("http"):
            paths.append(urlsplit(request.url).path)

    page.on("request", note)
    return paths


def test_the_page_opens_with_one_style_sheet_and_asks_for_nothing_twice(
    page: Page, paths: list[str]
):
    open_page(page)
    page.wait_for_load_state("networkidle")
    assert sum(path.endswith(".css") for path in paths) == 1
    once = [path for path in paths if not path.endswith("icon.svg")]  # the tab's too
    assert len(once) == len(set(once))


def test_opening_again_takes_every_file_from_the_cache(page: Page):
    open_page(page)
    expect_every_script(page)
    page.wait_for_function(  # the last to come
        """() => performance.getEntriesByType("resource")
            .some(({ name }) => name.endsWith("/api/glossary"))"""
    )
    page.wait_for_load_state("networkidle")
    page.goto("about:blank")
    open_page(page)
    page.wait_for_load_state("networkidle")
    transferred = page.evaluate(
        """() => performance.getEntriesByType("resource")
            .filter(({ name }) => name.includes("/static/"))
            .map(({ transferSize }) => transferSize)"""
    )
    assert len(transferred) > 0
    assert sum(transferred) == 0


def test_switching_the_image_asks_for_little(page: Page, paths: list[str]):
    open_page(page)
    expect_every_script(page)
    for view in ("overview", "routing", "reconstruction"):
        page.get_by_role("button", name="0, round").click()
        expect(prediction(page)).to_have_text("0")
        open_view(page, view)
        rest(page)
        paths.clear()
        page.get_by_role("button", name="1, one stroke").click()
        expect(prediction(page)).to_have_text("1")
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        pass_frames(page)
        own = [path for path in paths if not path.endswith("icon.svg")]  # the tab's
        assert 0 < len(own) <= MOST_REQUESTS_A_SWITCH, (view, paths)
