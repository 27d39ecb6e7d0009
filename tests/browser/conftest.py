"""A running explorer with the shipped weights, and a page that must behave."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from capsnet_explorer.chromium import find_headless
from tests.browser.chromium import HOW_TO_GET
from tests.browser.places import NAMES
from tests.browser.server import EXPLORER, ROOT, running

# The offer of the first visit is answered and all is tried, but for the tests of these.
ANSWERED = {"seen": [], "done": [], "at": None, "isDismissed": True, "tried": NAMES}
KNOWN = f"""try {{
    if (!sessionStorage.getItem("is-new-here") && !localStorage.getItem("guide"))
        localStorage.setItem("guide", {json.dumps(json.dumps(ANSWERED))});
}} catch {{}}"""

PATIENCE_MS = 60_000  # on a machine that does much else, too

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    program = find_headless()
    assert program is not None, HOW_TO_GET
    return {
        **browser_type_launch_args,
        "executable_path": program,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--process-per-site",  # a page takes over what is compiled and cached
            "--js-flags=--liftoff-only",  # WebAssembly runs here for seconds
        ],
    }


@pytest.fixture(scope="session")
def base_url(explorer: str) -> str:
    """The address that pages are led to; some files have an explorer of their own."""
    return explorer


@pytest.fixture(scope="session")
def learning(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., AbstractContextManager[str]]:
    """Run an explorer whose sets, runs and kept models are its own files."""

    def started(*options: str) -> AbstractContextManager[str]:
        folder = tmp_path_factory.mktemp("learner")
        for ending in ("json", "safetensors"):
            shutil.copy(ROOT / "weights" / f"capsnet-mnist.{ending}", folder)
        folders = ("--weights", str(folder), "--runs", str(folder / "runs"))
        return running(*folders, *options)

    return started


@pytest.fixture(scope="session")
def learner(learning) -> Iterator[str]:
    """The address of one without data, for what people bring themselves."""
    with learning() as address:
        yield address


@pytest.fixture
def browser_context_args(browser_context_args, base_url: str):
    """Lead pages to the explorer of their own file, whichever was started first."""
    return {**browser_context_args, "base_url": base_url}


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Callable[[dict[str, Any]], BrowserContext]:
    """Open a context for each kind of visitor, once: its cache stays warm.

    The first page of each stays open, and with it the process that shows the others.
    """
    opened: dict[str, BrowserContext] = {}

    def context_of(options: dict[str, Any]) -> BrowserContext:
        name = json.dumps(options, sort_keys=True)
        if name not in opened:
            opened[name] = browser.new_context(**options)
            opened[name].set_default_timeout(PATIENCE_MS)
            opened[name].new_page().goto("/static/icon.svg")
            opened[name].add_init_script(KNOWN)
        return opened[name]

    return context_of


@pytest.fixture
def context(
    contexts, browser_context_args, request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A context that has been used before and remembers nothing of it but files."""
    marker = request.node.get_closest_marker("browser_context_args")
    context = contexts({**browser_context_args, **(marker.kwargs if marker else {})})
    yield context
    for page in context.pages[1:]:
        page.close()
    context.clear_permissions()


@pytest.fixture
def page(context: BrowserContext, base_url: str) -> Page:
    """A page in a browser that remembers nothing of the explorer."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send(
        "Storage.clearDataForOrigin",
        {"origin": base_url.rstrip("/"), "storageTypes": "cookies,local_storage"},
    )
    session.detach()  # or going elsewhere would end what a page emulates
    return page


@pytest.fixture(autouse=True)
def complaints(
    page: Page, base_url: str, request: pytest.FixtureRequest
) -> Iterator[list[str]]:
    """Fail any test in which the page complains or asks another host.

    A test that provokes an error clears the list after looking at it.
    """
    complaints: list[str] = []
    shared = getattr(request.config, "workerinput", {}).get(EXPLORER)
    is_shared = base_url == shared

    def on_console(message):
        # Other workers keep a shared explorer busy: it asks to come back, and pages do.
        if is_shared and "status of 503" in message.text:
            return
        if message.type in ("error", "warning"):
            complaints.append(f"console {message.type}: {message.text}")

    def on_request(request):
        if urlsplit(request.url).scheme in ("data", "blob"):
            return
        if not request.url.startswith(base_url):
            complaints.append(f"request to {request.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("request", on_request)
    yield complaints
    assert not complaints
