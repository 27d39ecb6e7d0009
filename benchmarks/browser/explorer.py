"""A Chromium, and a running explorer opened with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from capsnet_explorer.chromium import find_chromium
from tests.browser.chromium import HOW_TO_GET

HERE = Path(__file__).parent
WINDOW: ViewportSize = {"width": 1440, "height": 900}
# Rendering without a GPU, as on the simplest machine, and without background work.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium that renders without a graphics card."""
    program = find_chromium()
    if program is None:
        raise RuntimeError(HOW_TO_GET)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """Open a page with an empty cache and the meter installed."""
    context = browser.new_context(viewport=WINDOW)
    context.add_init_script(path=HERE / "meter.js")
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def open_view(browser: Browser, address: str, link: str) -> Iterator[Page]:
    """Open the explorer at a link; yield the page once it is idle."""
    with fresh_page(browser) as page:
        page.goto(f"{address}/#{link}")
        page.wait_for_function("() => meter.readings.length > 0")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(500)
        page.evaluate("() => { meter.longTasks.length = 0; }")
        yield page
