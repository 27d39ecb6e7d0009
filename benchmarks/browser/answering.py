"""Scenes with an answer to wait for: opening, switching, sliding, drawing."""

import math
import time

from playwright.sync_api import Browser, Page

from benchmarks.browser.explorer import fresh_page, open_view
from benchmarks.browser.figures import Figure, median

DRAWING_S = 3.0
POINTS_A_TURN = 60  # of the spiral that is drawn
SAMPLES = 12

# Each is one frame's step; resolves to the milliseconds and frames until the picture.
SLIDE = """async (steps) => {
  const slider = document.querySelector("[data-sliders] input");
  const found = [];
  for (let i = 0; i < steps; i++) {
    await new Promise(requestAnimationFrame);
    const seen = meter.decodings.length;
    const start = performance.now();
    slider.value = String(Number(slider.min) +
      ((i % 10) + 0.5) / 10 * (slider.max - slider.min));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    let frames = 0;
    while (meter.decodings.length === seen && frames < 60) {
      await new Promise(requestAnimationFrame);
      frames += 1;
    }
    found.push({ time: (meter.decodings.at(-1) ?? NaN) - start, frames });
  }
  return found;
}"""

SWITCH = """async (sample) => {
  const seen = meter.readings.length;
  const start = performance.now();
  document.querySelectorAll("[data-samples] button")[sample].click();
  while (meter.readings.length === seen)
    await new Promise((resolve) => setTimeout(resolve, 1));
  return meter.readings[seen] - start;
}"""


def opening(browser: Browser, address: str, rounds: int, view: str) -> list[Figure]:
    """Open the page with nothing cached."""
    times, requests = [], []
    for _ in range(rounds):
        with fresh_page(browser) as page:
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            # Waiting inside the page would keep it from its own work.
            with page.expect_console_message(lambda message: "first" in message.text):
                page.goto(f"{address}/#view={view}", wait_until="commit")
            times.append(page.evaluate("() => meter.readings[0]"))
            requests.append(sum(not url.startswith("data:") for url in asked))
    first = "opening, nothing cached: until the first reading is painted"
    return [
        Figure(first, view, median(times), "ms", 600),
        Figure("opening: requests until then", view, median(requests), "requests"),
    ]


def switching(browser: Browser, address: str, rounds: int, view: str) -> list[Figure]:
    """Choose one sample after the other."""
    with open_view(browser, address, f"view={view}") as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        times = []
        for i in range(max(rounds, 4)):
            times.append(page.evaluate(SWITCH, (i + 1) % SAMPLES))
            page.wait_for_timeout(100)
        requests = sum(not url.startswith("data:") for url in asked) / len(times)
        doing = "switching the image"
        return [
            Figure(f"{doing}: until it is painted", view, median(times), "ms", 60),
            Figure(f"{doing}: requests", view, requests, "requests", 3),
            _long_tasks(page, doing, view),
        ]


def sliding(browser: Browser, address: str, rounds: int) -> list[Figure]:
    """Move a number of the capsule."""
    with open_view(browser, address, "view=reconstruction") as page:
        found = page.evaluate(SLIDE, 10 * rounds)
        times = [each["time"] for each in found]
        frames = [each["frames"] for each in found]
        return [
            Figure("slider to picture", "", median(times), "ms"),
            Figure("slider to picture, in frames", "", median(frames), "frames", 2),
            _long_tasks(page, "moving a slider", ""),
        ]


def drawing(browser: Browser, address: str, _rounds: int, view: str) -> list[Figure]:
    """Draw a spiral with the mouse, as fast as the page takes it."""
    with open_view(browser, address, f"view={view}") as page:
        box = page.locator("[data-pad]").bounding_box()
        assert box is not None
        page.evaluate("() => { meter.readings.length = 0; }")
        start = time.perf_counter()
        point = 0
        while (spent := time.perf_counter() - start) < DRAWING_S:
            x, y = _spiral(point)
            page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
            if point == 0:
                page.mouse.down()
            point += 1
        seen = page.evaluate("() => meter.readings.length")
        page.mouse.up()
        rate = seen / spent
        return [
            Figure("drawing: updates", view, rate, "a second", 20, at_least=True),
            _long_tasks(page, "drawing", view),
        ]


def _spiral(point: int) -> tuple[float, float]:
    """Return a place on the drawing area, in shares: outward, then in again."""
    turns = point / POINTS_A_TURN
    reach = 0.05 + 0.35 * abs(math.sin(turns / 3))
    angle = 2 * math.pi * turns
    return 0.5 + reach * math.cos(angle), 0.5 + reach * math.sin(angle)


def _long_tasks(page: Page, doing: str, view: str) -> Figure:
    count = page.evaluate("() => meter.longTasks.length")
    return Figure(f"{doing}: tasks over 50 ms", view, count, "tasks", 0)
