"""Firefox and WebKit by one face: go somewhere, look, draw.

Firefox speaks WebDriver BiDi itself; WebKit is Debian's MiniBrowser, behind its driver
for WebDriver, on a screen of its own. Both show scrollbars that take room, which
headless Chromium hides.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from tests.browser.server import free_port
from tests.engines.sockets import WebSocket
from tests.patience import PATIENCE_S, START_S

FIREFOX = ("firefox-esr", "firefox")
WEBKIT_DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
MINI_BROWSERS = "/usr/lib"  # below it, webkit2gtk-*/MiniBrowser
PACKAGES = ("firefox-esr", "webkit2gtk-driver", "xvfb")  # of Debian
PREFERENCES = {
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "javascript.options.wasm_optimizingjit": False,  # it runs here for seconds
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "widget.gtk.overlay-scrollbars.enabled": False,
}
LOOK_S = 0.1  # between two looks at a condition
MOVE_MS = 30  # of the pointer, to each point

Point = tuple[float, float]


class Engine(Protocol):
    """A browser with one page.

    Attributes:
        name: of the engine.
        log: errors that pages have told.
    """

    name: str

    @property
    def log(self) -> list[str]: ...

    def goto(self, address: str) -> None:
        """Open an address."""
        ...

    def js(self, expression: str) -> Any:
        """Return what an expression comes to, which may be a promise."""
        ...

    def size(self, width: int, height: int) -> None:
        """Give the page so many CSS pixels."""
        ...

    def drag(self, points: Sequence[Point]) -> None:
        """Press the mouse at the first point, move it over the others, release it."""
        ...

    def picture(self) -> bytes:
        """Return a PNG of what is on show."""
        ...

    def upload(self, selector: str, file: Path) -> None:
        """Choose a file in an input."""
        ...


def until(engine: Engine, expression: str, patience_s: float = PATIENCE_S) -> Any:
    """Wait until an expression is true, and return what it is.

    Raises:
        AssertionError: it never is; says what it was, and what the page told.
    """
    end = time.monotonic() + patience_s
    while True:
        try:
            value = engine.js(expression)
        except RuntimeError as error:  # the page is just going elsewhere
            value, why = None, str(error)
        else:
            why = repr(value)
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"never {expression}: {why}; {engine.log[-3:]}")
        time.sleep(LOOK_S)


def pressed(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Return the moves of a mouse, as WebDriver's two protocols have them."""
    moves = [
        {"type": "pointerMove", "x": int(x), "y": int(y), "duration": MOVE_MS}
        for x, y in points
    ]
    down = {"type": "pointerDown", "button": 0}
    return [moves[0], down, *moves[1:], {"type": "pointerUp", "button": 0}]


def awaited(expression: str) -> str:
    """Return JavaScript that gives an expression's value as JSON."""
    return f'(async () => JSON.stringify(await ({expression})) ?? "null")()'


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Iterator[None]:
    """End a process in the end."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Firefox:
    """Firefox, headless.

    Args:
        stack: ends it.
        program: its path.
    """

    name = "firefox"

    def __init__(self, stack: ExitStack, program: str) -> None:
        self.log: list[str] = []
        self._number = 0
        folder = Path(stack.enter_context(_folder()))
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in PREFERENCES.items()
        ]
        (folder / "user.js").write_text("".join(lines))
        port = free_port()
        process = subprocess.Popen(
            [
                *(program, "--headless", "--no-remote", "--profile", str(folder)),
                *(f"--remote-debugging-port={port}", "about:blank"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder), "MOZ_HEADLESS_WIDTH": "1500"},
        )
        stack.enter_context(ended(process))
        self._socket = stack.enter_context(
            tried(lambda: WebSocket(port, "/session", START_S), process)
        )
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        tree = self._ask("browsingContext.getTree")
        self._page = tree["contexts"][0]["context"]

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        question = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(question))
        while True:
            answer = json.loads(self._socket.receive())
            if answer.get("id") == self._number:
                break
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}, {answer['message']}")
        return answer["result"]

    def _note(self, event: dict[str, Any]) -> None:
        entry = event.get("params", {})
        if event.get("method") == "log.entryAdded" and entry["level"] == "error":
            self.log.append(f"{entry['type']}: {entry['text']}")

    def goto(self, address: str) -> None:
        # Where a page has a worker, Firefox may not say that it is complete.
        self._ask(
            "browsingContext.navigate", context=self._page, url=address, wait="none"
        )
        start = json.dumps(address.partition("#")[0])  # pages write their own link
        there = f"location.href.startsWith({start})"
        until(self, f"{there} && document.readyState !== 'loading'")

    def js(self, expression: str) -> Any:
        answer = self._ask(
            "script.evaluate",
            expression=awaited(expression),
            target={"context": self._page},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def size(self, width: int, height: int) -> None:
        self._ask(
            "browsingContext.setViewport",
            context=self._page,
            viewport={"width": width, "height": height},
        )

    def drag(self, points: Sequence[Point]) -> None:
        pointer = {"type": "pointer", "id": "mouse", "actions": pressed(points)}
        self._ask("input.performActions", context=self._page, actions=[pointer])

    def picture(self) -> bytes:
        answer = self._ask("browsingContext.captureScreenshot", context=self._page)
        return base64.b64decode(answer["data"])

    def upload(self, selector: str, file: Path) -> None:
        answer = self._ask(
            "script.evaluate",
            expression=f"document.querySelector({json.dumps(selector)})",
            target={"context": self._page},
            awaitPromise=False,
        )
        element = {"sharedId": answer["result"]["sharedId"]}
        self._ask(
            "input.setFiles", context=self._page, element=element, files=[str(file)]
        )


class WebKit:
    """WebKitGTK's MiniBrowser.

    Args:
        stack: ends it.
        driver: the path of its WebDriver.
        browser: the path of the browser.
        screen: the path of Xvfb.
    """

    name = "webkit"

    def __init__(
        self, stack: ExitStack, driver: str, browser: str, screen: str
    ) -> None:
        folder = stack.enter_context(_folder())
        screen_process = subprocess.Popen(
            [
                *(screen, "-displayfd", "1", "-screen", "0", "1600x1500x24"),
                *("-nolisten", "tcp"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        stack.enter_context(ended(screen_process))
        if screen_process.stdout is None:
            raise RuntimeError("the screen tells no number")
        number = stack.enter_context(screen_process.stdout).readline().strip()
        self._told = Path(folder) / "told.log"
        port = free_port()
        with self._told.open("w") as log:
            process = subprocess.Popen(
                [driver, f"--port={port}"],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    **{"DISPLAY": f":{number}", "HOME": folder},
                    **{"XDG_RUNTIME_DIR": folder, "NO_AT_BRIDGE": "1"},
                    "GTK_OVERLAY_SCROLLING": "0",
                    "LIBGL_ALWAYS_SOFTWARE": "1",
                    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
                },
            )
        stack.enter_context(ended(process))
        self._address = f"http://127.0.0.1:{port}"
        arguments = ["--automation", "--enable-write-console-messages-to-stdout=true"]
        options = {"binary": browser, "args": arguments}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = tried(
            lambda: self._ask("POST", "/session", capabilities=wanted), process
        )
        self._address += f"/session/{session['sessionId']}"
        stack.callback(self._ask, "DELETE", "")
        self._ask("POST", "/timeouts", script=int(1000 * PATIENCE_S))

    @property
    def log(self) -> list[str]:
        lines = self._told.read_text(errors="replace").splitlines()
        return [line for line in lines if "ERROR" in line]

    def _ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(
            self._address + path, data, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=START_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode(errors="replace")[:400]) from None

    def goto(self, address: str) -> None:
        self._ask("POST", "/url", url=address)

    def js(self, expression: str) -> Any:
        script = (
            "const done = arguments[0];"
            f'{awaited(expression)}.then(done, (error) => done("!" + error));'
        )
        answer = self._ask("POST", "/execute/async", script=script, args=[])
        if answer.startswith("!"):
            raise RuntimeError(answer[1:])
        return json.loads(answer)

    def size(self, width: int, height: int) -> None:
        rect = self._ask("GET", "/window/rect")
        inner = self.js("[innerWidth, innerHeight]")
        frame = rect["width"] - inner[0], rect["height"] - inner[1]
        wanted = {"width": width + frame[0], "height": height + frame[1]}
        self._ask("POST", "/window/rect", **wanted)
        until(self, f"innerWidth === {width} && innerHeight === {height}")

    def drag(self, points: Sequence[Point]) -> None:
        pointer = {"type": "pointer", "id": "mouse", "actions": pressed(points)}
        self._ask("POST", "/actions", actions=[pointer])

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def upload(self, selector: str, file: Path) -> None:
        answer = self._ask("POST", "/element", using="css selector", value=selector)
        (element,) = answer.values()
        self._ask("POST", f"/element/{element}/value", text=str(file))


@contextmanager
def _folder() -> Iterator[str]:
    """Give a folder for a profile, which its browser may still write to in the end."""
    folder = tempfile.mkdtemp()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def tried(connect: Callable[[], Any], process: subprocess.Popen[Any]) -> Any:
    """Connect to a program that is about to start.

    Raises:
        OSError: it never listens, or has ended.
    """
    end = time.monotonic() + START_S
    while True:
        try:
            return connect()
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(LOOK_S)


def _firefox(stack: ExitStack) -> Engine:
    program = next(filter(None, map(shutil.which, FIREFOX)), None)
    if program is None:
        raise LookupError(f"no {FIREFOX[0]} here")
    return Firefox(stack, program)


def _webkit(stack: ExitStack) -> Engine:
    driver, screen = shutil.which(WEBKIT_DRIVER), shutil.which(SCREEN)
    browsers = sorted(Path(MINI_BROWSERS).glob("*/webkit2gtk-*/MiniBrowser"))
    for name, program in ((WEBKIT_DRIVER, driver), (SCREEN, screen)):
        if program is None:
            raise LookupError(f"no {name} here")
    if not browsers:
        raise LookupError("no MiniBrowser here")
    return WebKit(stack, str(driver), str(browsers[-1]), str(screen))


ENGINES: dict[str, Callable[[ExitStack], Engine]] = {
    "firefox": _firefox,
    "webkit": _webkit,
}


@contextmanager
def engine_named(name: str) -> Iterator[Engine]:
    """Start an engine.

    Raises:
        LookupError: it is not installed; the message says what is missing.
    """
    with ExitStack() as stack:
        yield ENGINES[name](stack)


def install() -> None:
    """Install what is missing where this is Debian and we may."""
    if all(map(shutil.which, (FIREFOX[0], WEBKIT_DRIVER, SCREEN))):
        return
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and Path("/etc/debian_version").exists():
        with suppress(OSError):
            subprocess.run(["apt-get", "update", "-qq"], check=False)
            command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
            subprocess.run([*command, *PACKAGES], check=False)


if __name__ == "__main__":
    install()
