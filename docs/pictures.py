"""Makes every picture of README and docs from the page as it is: `make pictures`.

A picture is a link, a size and what a hand does there. The moving one is taken frame by
frame, so that it shows the same on a machine of any speed.
"""

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from capsnet_explorer.chromium import ARGUMENTS, find_headless
from tests.browser.chromium import HOW_TO_GET
from tests.browser.explorer import prediction
from tests.browser.places import LINKS
from tests.browser.server import running

HERE = Path(__file__).parent
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
STAGE = "view=overview&sample=four-open"
PAIR = "model=capsnet-overlapping&view=overview"
FRAME_MS = 125
MOST_BYTES = 2_500_000
SEVEN = (
    *((0.25, 0.25), (0.4, 0.24), (0.55, 0.24), (0.73, 0.23), (0.68, 0.35)),
    *((0.6, 0.5), (0.53, 0.65), (0.47, 0.83)),
)
# A pointer where the mouse is, which screenshots leave out.
POINTER = """addEventListener("mousemove", ({ clientX, clientY }) => {
    const pointer = document.getElementById("pointer") ??
        Object.assign(document.createElement("div"), { id: "pointer" });
    Object.assign(pointer.style, {
        position: "fixed", zIndex: 9999, pointerEvents: "none",
        left: `${clientX}px`, top: `${clientY}px`, width: "14px", height: "20px",
        background: "#111", outline: "1px solid #fff",
        clipPath: "polygon(0 0, 0 80%, 28% 60%, 48% 100%, 64% 92%, 45% 55%, 90% 55%)",
    });
    if (!pointer.isConnected) document.body.append(pointer);
}, true)"""
SEEN = """try { localStorage.setItem("guide", JSON.stringify(
    { seen: [], done: [], at: null, isDismissed: true, tried: %s })) } catch {}"""


def main() -> None:
    """Write the pictures, or those whose files are named."""
    program = find_headless()
    if program is None:
        sys.exit(HOW_TO_GET)
    names = sys.argv[1:] or list(PICTURES)
    with ExitStack() as stack:
        address = stack.enter_context(running())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for name in names:
            PICTURES[name](browser, address, HERE / name)
            print(f"{name}: {(HERE / name).stat().st_size / 1e3:.0f} kB")


@contextmanager
def opened(
    browser: Browser, address: str, link: str, size: tuple[int, int]
) -> Iterator[Page]:
    """Open a link in a window of this size, once all of it is drawn."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(SEEN % list(LINKS))
    context.add_init_script(POINTER)
    page = context.new_page()
    page.goto(f"{address}/#{link}")
    settle(page)
    yield page
    context.close()


def settle(page: Page) -> None:
    """Wait until the page has answered and drawn."""
    expect(page.locator("body")).to_have_attribute("aria-busy", "false")
    for waits in ("[aria-busy=true]", "figure > [role=status]", ".tick.is-note"):
        expect(page.locator(f"{waits}:visible")).to_have_count(0)
    page.wait_for_timeout(150)  # what comes in with a delay


def taken(page: Page) -> Image.Image:
    """Return what the window shows."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


Step = Callable[[Page], object]
Point = tuple[float, float]


def strip(link: str, *steps: Step) -> Callable[[Browser, str, Path], None]:
    """Make three pictures side by side: before, the gesture, after."""

    def make(browser: Browser, address: str, file: Path) -> None:
        pictures = []
        with opened(browser, address, link, (1136, 708)) as page:
            for step in (lambda _: None, *steps):
                step(page)
                settle(page)
                pictures.append(smaller(taken(page), (568, 354)))
        side_by_side(pictures).quantize(192).save(file, optimize=True)

    return make


def smaller(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return a picture scaled down to a size."""
    return picture.resize(size, Image.Resampling.LANCZOS)


def side_by_side(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size in a row."""
    width, height = pictures[0].size
    row = Image.new("RGB", (len(pictures) * width, height))
    for i, picture in enumerate(pictures):
        row.paste(picture, (i * width, 0))
    return row


def tile(page: Page, kind: int) -> Locator:
    """The tile of a capsule type in the Overview."""
    return page.locator(f'[data-over] [data-layer="primary"][data-part="{kind}"]')


def stroke(page: Page, points: Sequence[Point], after: Step = settle) -> None:
    """Draw one stroke on the drawing area; call `after` at each point."""
    box = page.locator("[data-pad]").bounding_box()
    if box is None:
        raise RuntimeError("the drawing area must be in sight")
    left, top, width, height = (box[key] for key in ("x", "y", "width", "height"))
    places = [(left + x * width, top + y * height) for x, y in points]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
        after(page)
    page.mouse.up()


def silence(page: Page) -> None:
    """Press the button beside the type under the pointer."""
    page.keyboard.press("s")


def show_network(link: str) -> Step:
    """Open another link in the same page."""
    return lambda page: page.evaluate("link => { location.hash = link; }", link)


def first_screens(browser: Browser, address: str, file: Path) -> None:
    """One sheet of what is in sight as each view opens at 1366×650."""
    width, height, columns, label = 456, 217, 4, 18
    rows = -(-len(LINKS) // columns)
    across, down = width + 8, height + label + 8
    sheet = Image.new("RGB", (columns * across, rows * down), "white")
    draw = ImageDraw.Draw(sheet)
    for i, (name, link) in enumerate(LINKS.items()):
        left, top = i % columns * across, i // columns * down
        draw.text((left, top), name, fill="black", font=ImageFont.load_default(13))
        with opened(browser, address, link, (1366, 650)) as page:
            sheet.paste(smaller(taken(page), (width, height)), (left, top + label))
    sheet.quantize(192).save(file, optimize=True)


def in_use(browser: Browser, address: str, file: Path) -> None:
    """Eight seconds: draw a 7, silence what spoke for it, turn the reconstruction."""
    frames: list[Image.Image] = []

    def record(page: Page, count: int = 1) -> None:
        settle(page)
        frames.extend([smaller(taken(page), (960, 600))] * count)

    with opened(browser, address, STAGE, (1280, 800)) as page:
        record(page, 4)
        stroke(page, SEVEN, record)
        expect(prediction(page)).to_have_text("7")
        record(page, 10)
        strongest = tile(page, 18)
        strongest.hover()
        record(page, 5)
        silence(page)
        record(page, 12)
        page.get_by_role("button", name="All back").click()
        page.locator("[data-tab=reconstruction]").click()
        record(page, 4)
        slider = page.locator("#view-reconstruction input[type=range]").first
        slider.hover()
        for _ in range(2):
            for key in ["ArrowRight"] * 8 + ["ArrowLeft"] * 8:
                slider.press(key)
                slider.press(key)
                if len(frames) < 64:
                    record(page)
    for quality in (70, 55, 40, 25):
        frames[0].save(
            file,
            save_all=True,
            append_images=frames[1:],
            duration=FRAME_MS,
            loop=0,
            quality=quality,
            method=4,
        )
        if file.stat().st_size <= MOST_BYTES:
            return
    raise RuntimeError(f"{file.name} must be at most {MOST_BYTES} bytes")


PICTURES: dict[str, Callable[[Browser, str, Path], None]] = {
    "in-use.webp": in_use,
    "first-screen.png": first_screens,
    "stage/open.png": strip(
        STAGE, lambda page: tile(page, 18).hover(), lambda page: tile(page, 18).click()
    ),
    "stage/silence.png": strip(STAGE, lambda page: tile(page, 18).hover(), silence),
    "stage/draw.png": strip(
        STAGE,
        lambda page: stroke(page, SEVEN[:4]),
        lambda page: stroke(page, SEVEN[3:]),
    ),
    "stage/pair.png": strip(
        STAGE,
        show_network(PAIR),
        lambda page: page.locator("#view-overview [data-class]").first.hover(),
    ),
}


if __name__ == "__main__":
    main()
