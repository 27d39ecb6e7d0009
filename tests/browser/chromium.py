"""Find a Chromium to test with, or install one: `python -m tests.browser.chromium`.

nginx, which one test sets before the explorer, is installed with it where we may.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from capsnet_explorer.chromium import NEEDED, SHELL, VARIABLE, find_headless

HOW_TO_GET = f"The browser tests {NEEDED}."


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


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)


def main() -> int:
    """Make sure that there is one; say what to do if there cannot be."""
    if not os.environ.get(VARIABLE) and shutil.which(SHELL) is None:
        install_chromium()
    program = find_headless()
    if program is None:
        print(HOW_TO_GET, file=sys.stderr)
        return 1
    print(f"Browser tests use {program}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
