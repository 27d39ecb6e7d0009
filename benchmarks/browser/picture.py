"""`make picture`: the picture at the top of the README, of the page as it is now."""

import argparse
from pathlib import Path

from playwright.sync_api import Browser, FloatRect

from benchmarks.browser.explorer import chromium
from benchmarks.server import ROOT
from tests.browser.server import running

WINDOW = {"width": 1440, "height": 900}
DENSITY = 1.5  # device pixels to one of CSS
MARGIN = 10  # CSS px
LINK = "view=overview&sample=four-open"


def main() -> None:
    """Draw the picture of the whole network into a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--file", type=Path, default=ROOT / "docs" / "overview.png")
    options = parser.parse_args()
    with running("--weights", str(options.weights)) as address, chromium() as browser:
        options.file.write_bytes(picture(browser, address))


def picture(browser: Browser, address: str) -> bytes:
    """Return the Overview as PNG, with a margin."""
    with browser.new_context(viewport=WINDOW, device_scale_factor=DENSITY) as context:
        page = context.new_page()
        page.goto(f"{address}/#{LINK}")
        page.wait_for_selector("#view-overview [data-class]")
        page.wait_for_selector("body[aria-busy=false]")
        page.wait_for_load_state("networkidle")
        box = page.locator("#view-overview").bounding_box()
        assert box is not None
        room: FloatRect = {
            "x": box["x"] - MARGIN,
            "y": box["y"] - MARGIN,
            "width": box["width"] + 2 * MARGIN,
            "height": box["height"] + 2 * MARGIN,
        }
        return page.screenshot(clip=room, animations="disabled")


if __name__ == "__main__":
    main()
