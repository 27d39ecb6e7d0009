"""Find a Chromium or Chrome that draws pages without a window."""

import os
import shutil
from pathlib import Path

VARIABLE = "CAPSNET_CHROMIUM"
# Chromium without windows and their own pages: tests take a fifth less time.
SHELL = "chromium-headless-shell"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
NEEDED = (
    "need Chromium or Chrome, and there is none here: install either of them, run "
    "`python -m playwright install chromium`, or name its program in the variable "
    f"{VARIABLE}"
)
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--force-color-profile=srgb")


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome on this machine, or Playwright's own."""
    named = os.environ.get(VARIABLE)
    if named:
        return named if Path(named).is_file() else None
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    for application in APPLICATIONS:
        if Path(application).is_file():
            return application
    return _playwrights()


def find_headless() -> str | None:
    """Return the path of a Chromium that need not show windows; see `find_chromium`."""
    shell = None if os.environ.get(VARIABLE) else shutil.which(SHELL)
    return shell or find_chromium()


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None
