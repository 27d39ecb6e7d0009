"""Scenes that wait for a response: opening, switching, sliding, drawing, turning."""

from playwright.sync_api import Browser, Page

from benchmarks.browser.explorer import fresh_page, open_view
from benchmarks.browser.figures import Figure, median
from capsnet_explorer.checks import present

DRAWING_MS = 3000
SAMPLES = 12

# Moves the slider once a frame; resolves to the time (ms) and frames to each picture.
SLIDE = """async (steps) => {
  meter.watchPicture();
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
    while (meter.decodings.length === seen) {
      if (frames === 60) throw new Error("no picture came within 60 frames");
      await new Promise(requestAnimationFrame);
      frames += 1;
    }
    found.push({ time: meter.decodings.at(-1) - start, frames });
  }
  return found;
}"""

SWITCH = """async (sample) => {
  const seen = meter.readings.length;
  const start = performance.now();
  document.querySelectorAll("[data-samples] button")[sample].click();
  while (meter.readings.length === seen) {
    if (performance.now() > start + 10_000)
      throw new Error("no reading was painted within 10 s");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return meter.readings[seen] - start;
}"""

# Sixty moves make a full turn; resolves to the number of readings painted meanwhile.
DRAW = """async (milliseconds) => {
  const pad = document.querySelector("[data-pad]");
  const { left, top, width, height } = pad.getBoundingClientRect();
  const seen = meter.readings.length;
  const updates = () => meter.readings.length - seen;
  const start = performance.now();
  let spent = 0;
  for (
    let move = 1;
    spent < milliseconds || (!updates() && spent < 60_000);
    spent = performance.now() - start, move++
  ) {
    await new Promise(requestAnimationFrame);
    const angle = (2 * Math.PI * move) / 60;
    const reach = 0.05 + 0.35 * Math.abs(Math.sin(move / 180));
    pad.dispatchEvent(new PointerEvent("pointermove", {
      pointerId: 1,
      clientX: left + (0.5 + reach * Math.cos(angle)) * width,
      clientY: top + (0.5 + reach * Math.sin(angle)) * height,
    }));
  }
  return (1000 * updates()) / spent;
}"""

# A full turn in two seconds, one step in every frame. The toy is painted at once; the
# verdict's bars move when the network has answered. A slow machine turns it for longer,
# until it has read it once.
TURN_TOY = """async (milliseconds) => {
  const slider = document.querySelector("[data-toy-of=azimuth]");
  const stage = document.querySelector("[data-toy-stage]");
  const counts = { painted: 0, read: 0 };
  const { putImageData } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.putImageData = function (...what) {
    if (this.canvas === stage) counts.painted += 1;
    return putImageData.apply(this, what);
  };
  const observer = new MutationObserver(() => { counts.read += 1; });
  observer.observe(document.querySelector("[data-part=verdict]"), {
    subtree: true, attributeFilter: ["style"],
  });
  const start = performance.now();
  let spent = 0;
  while (spent < milliseconds || (!counts.read && spent < 60_000)) {
    await new Promise(requestAnimationFrame);
    spent = performance.now() - start;
    slider.value = String(Math.floor(spent * 0.18) % 360);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  observer.disconnect();
  CanvasRenderingContext2D.prototype.putImageData = putImageData;
  return { ...counts, seconds: spent / 1000 };
}"""
TURNING_MS = 4000
TURNED = "matrix-toys"
TOY = f"view=input&model={TURNED}&toy=animal.2000.320.40.1.plain.nothing"


def opening(browser: Browser, address: str, rounds: int, view: str) -> list[Figure]:
    """Open the page with nothing cached."""
    times, requests = [], []
    for _ in range(rounds):
        with fresh_page(browser) as page:
            urls: list[str] = []
            page.on("request", lambda request, urls=urls: urls.append(request.url))
            # Waiting inside the page would slow down its own work.
            with page.expect_console_message(lambda message: "first" in message.text):
                page.goto(f"{address}/#view={view}", wait_until="commit")
            times.append(page.evaluate("() => meter.readings[0]"))
            requests.append(sum(not url.startswith("data:") for url in urls))
    first = "opening, nothing cached: until the first reading is painted"
    return [
        Figure(first, view, median(times), "ms", 600),
        Figure("opening: requests until then", view, median(requests), "requests"),
    ]


def switching(browser: Browser, address: str, rounds: int, view: str) -> list[Figure]:
    """Select one sample after another."""
    with open_view(browser, address, f"view={view}") as page:
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url))
        times = []
        for i in range(max(rounds, 4)):
            times.append(page.evaluate(SWITCH, (i + 1) % SAMPLES))
            page.wait_for_timeout(100)
        requests = sum(not url.startswith("data:") for url in urls) / len(times)
        doing = "switching the image"
        return [
            Figure(f"{doing}: until it is painted", view, median(times), "ms", 50),
            Figure(f"{doing}: requests", view, requests, "requests", 3),
            _long_tasks(page, doing, view),
        ]


def sliding(browser: Browser, address: str, rounds: int) -> list[Figure]:
    """Move a slider of the capsule."""
    with open_view(browser, address, "view=reconstruction") as page:
        moves = page.evaluate(SLIDE, 10 * rounds)
        times = [move["time"] for move in moves]
        frames = [move["frames"] for move in moves]
        return [
            Figure("slider to picture", "", median(times), "ms"),
            Figure("slider to picture, in frames", "", median(frames), "frames", 2),
            _long_tasks(page, "moving a slider", ""),
        ]


def drawing(browser: Browser, address: str, _rounds: int, view: str) -> list[Figure]:
    """Draw a spiral outward and in again, with one move in every frame.

    This imitates a mouse, whose moves Chromium delivers to the page once a frame. The
    moves are generated in the page: moves sent from outside wait for one another and
    take about a tenth of the machine's capacity. On a slow machine the drawing lasts
    until the network has answered once.
    """
    with open_view(browser, address, f"view={view}") as page:
        rate = updates_while_drawing(page)
        least = 30 if view == "overview" else 20
        return [
            Figure("drawing: updates", view, rate, "a second", least, at_least=True),
            _long_tasks(page, "drawing", view),
        ]


def turning_a_toy(browser: Browser, address: str, _rounds: int) -> list[Figure]:
    """Turn a toy on its turntable by the slider, which matrix capsules read."""
    with open_view(browser, address, TOY) as page:
        page.wait_for_selector("[data-toy-stage]:visible")
        counts = page.evaluate(TURN_TOY, TURNING_MS)
        rates = {"the toy painted": ("painted", 60), "read": ("read", 20)}
        return [
            Figure(
                f"turning a toy: {what}",
                "input",
                counts[name] / counts["seconds"],
                "a second",
                limit,
                at_least=True,
            )
            for what, (name, limit) in rates.items()
        ]


def updates_while_drawing(page: Page) -> float:
    """Draw on an empty area for some seconds; return how often a second it was read."""
    page.locator("[data-clear]").click()
    box = present(page.locator("[data-pad]").bounding_box(), "the drawing area")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    rate = page.evaluate(DRAW, DRAWING_MS)
    page.mouse.up()
    return rate


def _long_tasks(page: Page, doing: str, view: str) -> Figure:
    count = page.evaluate("() => meter.longTasks.length")
    return Figure(f"{doing}: tasks over 50 ms", view, count, "tasks", 0)
