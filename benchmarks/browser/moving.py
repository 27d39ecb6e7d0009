"""Scenes of pure movement: the cost of a frame while scrubbing, turning, hovering."""

from playwright.sync_api import Browser, Page

from benchmarks.browser.explorer import open_view
from benchmarks.browser.figures import Figure, median, share
from benchmarks.browser.frames import Frames, traced

SCRIPT_MS = 4
FRAMES_A_ROUND = 12

SCRUB = """async (steps) => {
  const slider = document.querySelector("#view-routing [data-step]");
  for (let i = 0; i < steps; i++) {
    await new Promise(requestAnimationFrame);
    slider.value = String(1 + (i % Number(slider.max)));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
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

PICTURES = (
    "#view-{view} canvas:visible, "
    "#view-{view} svg:visible:not(.overlaid svg):not(.sparkline)"
)


def scrubbing(browser: Browser, address: str, rounds: int) -> list[Figure]:
    """Step through the iterations of routing, one each frame."""
    with open_view(browser, address, "view=routing&iterations=10") as page:
        with traced(browser, page) as frames:
            page.evaluate(SCRUB, FRAMES_A_ROUND * rounds)
        return _figures("scrubbing the iterations", "routing", frames)


def turning_a_toy(browser: Browser, address: str, _rounds: int) -> list[Figure]:
    """Turn a toy on its turntable by the slider, which matrix capsules read."""
    with open_view(browser, address, TOY) as page:
        page.wait_for_selector("[data-sides-own]:visible")
        counts = page.evaluate(TURN_TOY, TURNING_MS)
        with traced(browser, page) as frames:
            page.evaluate(TURN_TOY, TURNING_MS)
        doing = "turning a toy"
        rates = {"the toy painted": ("painted", 60), "read": ("read", 20)}
        return [
            *(
                Figure(
                    f"{doing}: {what}",
                    "input",
                    counts[name] / counts["seconds"],
                    "a second",
                    limit,
                    at_least=True,
                )
                for what, (name, limit) in rates.items()
            ),
            *_figures(doing, "input", frames),
        ]


def hovering(browser: Browser, address: str, rounds: int, view: str) -> list[Figure]:
    """Move the mouse across every picture of a view."""
    with open_view(browser, address, f"view={view}") as page:
        pictures = page.locator(PICTURES.format(view=view)).all()
        with traced(browser, page) as frames:
            for picture in pictures:
                _cross(page, picture, FRAMES_A_ROUND * rounds // len(pictures))
        return _figures("hovering", view, frames)


def _cross(page: Page, picture, steps: int) -> None:
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    for i in range(max(steps, 8)):
        across, down = (i * 0.37) % 1, i / max(steps, 8)
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        page.mouse.move(x, y)


def _figures(doing: str, view: str, frames: Frames) -> list[Figure]:
    script = f"{doing}: script a frame"
    return [
        Figure(script, view, median(frames.script), "ms", SCRIPT_MS),
        Figure(f"{script}, 95 of 100", view, share(frames.script, 95), "ms"),
        Figure(f"{doing}: all work a frame", view, median(frames.work), "ms"),
    ]
