"""What makes the page fast, counted: requests, repaints, and what is left undone."""

import json
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explorer import VIEWS, open_page, open_view, prediction

MOST_REQUESTS_A_SWITCH = 3


@pytest.fixture
def asked(page: Page) -> list[str]:
    """The paths that the page has asked for, in order."""
    paths: list[str] = []

    def note(request):
        if urlsplit(request.url).scheme.startswith("http"):
            paths.append(urlsplit(request.url).path)

    page.on("request", note)
    return paths


def test_the_page_opens_with_one_style_sheet_and_asks_for_nothing_twice(
    page: Page, asked: list[str]
):
    open_page(page)
    page.wait_for_load_state("networkidle")
    assert sum(path.endswith(".css") for path in asked) == 1
    once = [path for path in asked if not path.endswith("icon.svg")]  # the tab's too
    assert len(once) == len(set(once))


def test_a_view_whose_scripts_cannot_be_had_is_told_of_only_when_it_is_opened(
    page: Page, complaints: list[str]
):
    page.route("**/packs/routing.js", lambda route: route.abort())
    open_page(page)
    expect(page.locator("#view-input [data-readout]")).to_contain_text("row 14")
    expect(page.get_by_role("alert")).to_be_hidden()
    panel = open_view(page, "routing")
    expect(panel.get_by_role("alert")).to_contain_text("could not be loaded")
    open_view(page, "conv1")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.wait_for_load_state("networkidle")
    complaints.clear()


def test_a_view_takes_three_files_of_scripts_at_most(page: Page, asked: list[str]):
    open_page(page, "view=routing")
    found = [path.rpartition("/")[2] for path in asked if path.endswith(".js")]
    first = found[: found.index("routing.js") + 2]
    assert sorted(first) == ["main.js", "routing.js", "shared.js", "theme.js"]


def test_the_scripts_of_every_view_are_fetched_once_there_is_nothing_else_to_do(
    page: Page, asked: list[str]
):
    open_page(page, "view=routing")
    page.wait_for_load_state("networkidle")
    packs = json.loads(page.locator("script[data-packs]").inner_text())
    assert {address for needed in packs.values() for address in needed} <= set(asked)


def test_opening_again_takes_every_file_from_the_cache(page: Page):
    open_page(page)
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


@pytest.mark.parametrize("view", VIEWS)
def test_switching_the_image_asks_for_little(page: Page, asked: list[str], view: str):
    open_page(page)
    open_view(page, view)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    asked.clear()
    page.get_by_role("button", name="1, one stroke").click()
    expect(prediction(page)).to_have_text("1")
    page.wait_for_load_state("networkidle")
    assert len(asked) <= MOST_REQUESTS_A_SWITCH, asked
