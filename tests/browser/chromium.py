"""Find a Chromium to test with, or install one: `python -m tests.browser.chromium`.

nginx, which one test sets before the explorer, is installed with it where we may.
"""

import os
import shutil
import subprocess
import sys
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
HOW_TO_GET = (
    "The browser tests need Chromium or Chrome and could not find or install one. "
    f"Install either of them, or name its program in the variable {VARIABLE}."
)


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome on this machine, or Playwright's own."""
    named = os.environ.get(VARIABLE)
    if named:
        return named if Path(named).is_file() else None
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    for application in APPLICATIONS:
        if Path(application).is_file():
            return application
    return _playwrights()


def find_headless() -> str | None:
    """Return the path of a Chromium that need not show windows; see `find_chromium`."""
    shell = None if os.environ.get(VARIABLE) else shutil.which(SHELL)
    return shell or find_chromium()


def install_chromium() -> None:
    """Install Debian's where this is Debian and we may, else Playwright's.

    The headless shell is installed beside a browser, too.
    """
    if _may_install_packages():
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", SHELL, "fonts-dejavu-core")
        _run("apt-get", "install", "-y", "-qq", "nginx-light")
    if find_headless() is None:
        _run(sys.executable, "-m", "playwright", "install", "chromium")


def _may_install_packages() -> bool:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and Path("/etc/debian_version").exists()


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)


def main() -> int:
    """Make sure that there is one; say what to do if there cannot be."""
    if not os.environ.get(VARIABLE) and shutil.which(SHELL) is None:
        install_chromium()
    found = find_headless()
    if found is None:
        print(HOW_TO_GET, file=sys.stderr)
        return 1
    print(f"Browser tests use {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
