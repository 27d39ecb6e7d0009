"""A running explorer with the shipped weights, and a page that must behave."""

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import HOW_TO_GET, find_headless
from tests.browser.server import running
from tests.browser.tries import TRIES

# The offer of the first visit is answered and all is tried, but for the tests of these.
ANSWERED = {"seen": [], "done": [], "at": None, "isDismissed": True, "tried": [*TRIES]}
KNOWN = f"""try {{
    if (!sessionStorage.getItem("is-new-here") && !localStorage.getItem("guide"))
        localStorage.setItem("guide", {json.dumps(json.dumps(ANSWERED))});
}} catch {{}}"""

PATIENCE_MS = 60_000  # on a machine that does much else, too

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    found = find_headless()
    assert found is not None, HOW_TO_GET
    return {
        **browser_type_launch_args,
        "executable_path": found,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """The address of an explorer started as a user starts it."""
    with running() as address:
        yield address


@pytest.fixture
def browser_context_args(browser_context_args, base_url: str):
    """Lead pages to the explorer of their own file, whichever was started first."""
    return {**browser_context_args, "base_url": base_url}


@pytest.fixture
def context(context):
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(KNOWN)
    return context


@pytest.fixture(autouse=True)
def complaints(page: Page, base_url: str) -> Iterator[list[str]]:
    """Fail any test in which the page complains or asks another host.

    A test that provokes an error clears the list after looking at it.
    """
    found: list[str] = []

    def on_console(message):
        if message.type in ("error", "warning"):
            found.append(f"console {message.type}: {message.text}")

    def on_request(request):
        if urlsplit(request.url).scheme in ("data", "blob"):
            return
        if not request.url.startswith(base_url):
            found.append(f"request to {request.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("request", on_request)
    yield found
    assert not found
