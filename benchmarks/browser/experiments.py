"""Scenes of the Lab: how often a second everything follows a hand that drags."""

from playwright.sync_api import Browser, Page

from benchmarks.browser.explorer import open_view
from benchmarks.browser.figures import Figure, median
from benchmarks.browser.frames import traced

DRAGGING_MS = 3000
A_SECOND = 20
SWEPT_MS = 60_000

# Records the frames in which the changed digit was painted anew, and those in which
# what a network says changed.
WATCH = """(experiment) => {
  const panel = document.querySelector(`[data-experiment=${experiment}]`);
  const digit = panel.querySelector(".lab-digit");
  const now = { digit: false, rows: false };
  window.followed = { frames: 0, digit: 0, rows: 0 };
  const { putImageData } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.putImageData = function (...what) {
    if (this.canvas === digit) now.digit = true;
    return putImageData.apply(this, what);
  };
  const observer = new MutationObserver(() => { now.rows = true; });
  for (const words of panel.querySelectorAll(".lab-reads-words"))
    observer.observe(words, { subtree: true, childList: true, characterData: true });
  const count = () => {
    followed.frames += 1;
    for (const what of ["digit", "rows"]) {
      followed[what] += now[what];
      now[what] = false;
    }
    requestAnimationFrame(count);
  };
  count();
}"""

# One move in every frame, as a mouse gives them; two seconds for a full turn. A slow
# machine turns for longer, until both have been painted once.
TURN = """async (milliseconds) => {
  const handle = document.querySelector("[data-handle=turn]");
  const box = document.querySelector("#lab-pose .lab-digit").getBoundingClientRect();
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  const reach = 0.45 * box.width;
  const start = performance.now();
  const answered = () => followed.digit && followed.rows;
  let spent = 0;
  while (spent < milliseconds || (!answered() && spent < 60_000)) {
    await new Promise(requestAnimationFrame);
    spent = performance.now() - start;
    const angle = (Math.PI * spent) / 1000;
    handle.dispatchEvent(new PointerEvent("pointermove", {
      pointerId: 1,
      bubbles: true,
      clientX: x - reach * Math.sin(angle),
      clientY: y - reach * Math.cos(angle),
    }));
  }
  return spent / 1000;
}"""

# To and fro once in two seconds.
SLIDE = """async (milliseconds) => {
  const slider = document.querySelector("#lab-pose [data-knob=ground]");
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const start = performance.now();
  const answered = () => followed.digit && followed.rows;
  let spent = 0;
  while (spent < milliseconds || (!answered() && spent < 60_000)) {
    await new Promise(requestAnimationFrame);
    spent = performance.now() - start;
    const share = 0.5 - 0.5 * Math.cos((Math.PI * spent) / 1000);
    slider.value = String(low + share * (high - low));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return spent / 1000;
}"""


def turning(browser: Browser, address: str, _rounds: int) -> list[Figure]:
    """Turn the digit by its handle."""
    with open_view(browser, address, "mode=lab&experiment=pose") as page:
        _until_swept(page, "pose")
        box = page.locator("[data-handle=turn]").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        figures = _followed(browser, page, "pose", TURN)
        page.mouse.up()
        return figures


def lighting(browser: Browser, address: str, _rounds: int) -> list[Figure]:
    """Move the slider of Ground."""
    with open_view(browser, address, "mode=lab&experiment=pose&knob=ground") as page:
        _until_swept(page, "pose")
        return _followed(browser, page, "pose", SLIDE)


def _until_swept(page: Page, experiment: str) -> None:
    """Wait until the curves are drawn, after which nothing is computed any more."""
    line = f"#lab-{experiment} .curve[points*=' ']"
    page.wait_for_selector(line, state="attached", timeout=SWEPT_MS)
    page.wait_for_load_state("networkidle")


def _followed(browser: Browser, page: Page, experiment: str, drag: str) -> list[Figure]:
    """Drag, and count the frames in which digit and rows were painted anew.

    Drag again for the time of a frame: to trace it takes a third of the processor.
    """
    asked: list[str] = []
    page.evaluate(WATCH, experiment)
    page.on("request", lambda request: asked.append(request.url))
    seconds = page.evaluate(drag, DRAGGING_MS)
    found = page.evaluate("() => ({ ...followed })")
    requests = sum("/api/" in url for url in asked) / max(found["rows"], 1)
    with traced(browser, page) as frames:
        page.evaluate(drag, DRAGGING_MS)
    doing = "dragging in the Lab"
    unit = "a second"
    rates = {
        f"{doing}: the digit painted": found["digit"] / seconds,
        f"{doing}: every network's row painted": found["rows"] / seconds,
    }
    return [
        *(
            Figure(what, experiment, rate, unit, A_SECOND, at_least=True)
            for what, rate in rates.items()
        ),
        Figure(f"{doing}: requests for new rows", experiment, requests, "requests"),
        Figure(f"{doing}: script a frame", experiment, median(frames.script), "ms"),
        Figure(f"{doing}: all work a frame", experiment, median(frames.work), "ms"),
    ]
