"""The command that draws a network's figures, for a paper or a talk.

They are saved from the page itself, which a browser without a window opens: there is
one way to draw what a network makes of a picture.
"""

import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from capsnet_explorer import ROOT
from capsnet_explorer.options import Option

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

Form = Literal["svg", "png", "csv"]
VIEWS = ("overview",)
FORMS: tuple[Form, ...] = ("svg",)
NAME_LINK = "(page, link) => { page.dataset.address = link; }"
PATIENCE_MS = 60_000
AT_REST_MS = 500  # after the answer: pictures that come in with a delay
WINDOW: "ViewportSize" = {"width": 1366, "height": 900}  # CSS pixels


def figures(
    source: Annotated[str, Option(metavar="SOURCE")],
    pictures: Annotated[Sequence[Path], Option(metavar="PICTURE")],
    *,
    views: Annotated[
        Sequence[str], Option(metavar="VIEW", shown=", ".join(VIEWS))
    ] = VIEWS,
    forms: Annotated[
        Sequence[Form], Option(choices=get_args(Form), shown=", ".join(FORMS))
    ] = FORMS,
    transparent: bool = False,
    link: Annotated[str, Option(metavar="ADDRESS")] = "",
    output: Annotated[Path | None, Option(metavar="FOLDER")] = None,
) -> None:
    """Draw what a network makes of pictures.

    Every picture of the views is saved as it is by ⤓ on the page; a Chromium without a
    window and the package playwright draw it.

        python -m capsnet_explorer figures capsnet-mnist four.png nine.png
        python -m capsnet_explorer figures mine.py four.png --views overview routing

    Args:
        source: id of a shipped network, a weight file, or a Python file that describes
            one
        pictures: drawings, scans or photos, read as the page reads them
        views: ids of layers, overview or input, as links to them say
        forms: what is written of each picture; csv has the numbers behind it
        transparent: without the white ground
        link: of the page where others find it, such as a site that was published;
            without it, figures say only what stands behind the # of such a link
        output: for the files (figures/ here)
    """
    missing = next((path for path in pictures if not path.is_file()), None)
    if missing is not None:
        raise ValueError(f"PICTURE must be a file, got {missing}")
    folder = output or Path("figures")
    with _open_page(source) as page:
        folder.mkdir(parents=True, exist_ok=True)
        page.locator("html").evaluate(NAME_LINK, link)
        page.locator("[data-clear-ground]").set_checked(transparent, force=True)
        for picture in pictures:
            _show(page, picture)
            for view in views:
                for name, content in _save_pictures(page, view, forms):
                    path = folder / f"{picture.stem}-{name}"
                    path.write_bytes(content)
                    print(path)


@contextmanager
def _open_page(source: str) -> "Iterator[Page]":
    """Open the page of a network."""
    from capsnet_explorer.app import create_app
    from capsnet_explorer.app.http.serving import Server
    from capsnet_explorer.app.site.command import engines_of
    from capsnet_explorer.chromium import ARGUMENTS, NEEDED, find_headless
    from capsnet_explorer.exploring import BACKLOG, HOST, Explorer

    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise ValueError(
            "figures of pictures are drawn by a browser: run `pip install playwright` "
            "and `python -m playwright install chromium` first"
        ) from None
    program = find_headless()
    if program is None:
        raise ValueError(f"figures of pictures {NEEDED}")
    app = create_app(engines_of([source], ROOT / "weights"))
    with ExitStack() as stack:
        listener = socket.create_server((HOST, 0), backlog=BACKLOG)
        explorer = Explorer(Server(app, listener), listener, "")
        stack.callback(explorer.stop)
        chromium = stack.enter_context(sync_playwright()).chromium
        browser = chromium.launch(executable_path=program, args=list(ARGUMENTS))
        stack.callback(browser.close)
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE_MS)
        page.goto(explorer.address)
        _settle(page)
        yield page


def _settle(page: "Page") -> None:
    """Wait until the page has answered and drawn."""
    page.wait_for_timeout(AT_REST_MS)
    page.locator("body[aria-busy=false]").wait_for()
    page.wait_for_timeout(AT_REST_MS)


def _show(page: "Page", picture: Path) -> None:
    """Have the page read a picture."""
    with page.expect_response(re.compile(r"/api/models/[^/]+/read\b")) as answer:
        page.locator("[data-upload]").set_input_files(picture)
    if not answer.value.ok:
        raise ValueError(f"{picture}: {answer.value.json()['error']['message']}")
    _settle(page)


def _save_pictures(
    page: "Page", view: str, forms: Sequence[Form]
) -> Iterator[tuple[str, bytes]]:
    """Save every picture that a view shows; yield their files' names and contents."""
    tabs = page.locator("[data-tab]")
    known = tabs.evaluate_all("all => all.map((each) => each.dataset.tab)")
    if view not in known:
        raise ValueError(f"--views must be of {', '.join(known)}, got {view}")
    page.locator(f"[data-tab={view}]").click()
    _settle(page)
    dialog = page.locator("[data-dialog=save]")
    for button in page.locator(f"#view-{view} .save-picture:visible").all():
        button.click()
        for form in forms:
            save = dialog.locator(f"[data-save-{form}]")
            if save.is_visible():  # not every picture is of numbers
                with page.expect_download() as file:
                    save.click()
                yield file.value.suggested_filename, file.value.path().read_bytes()
        dialog.get_by_role("button", name="Close").click()
