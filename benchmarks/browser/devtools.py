"""A Chromium driven over a pipe, and the processor time of processes.

Playwright has every request's body sent to it, which costs as much as a quarter of a
reading. Here DevTools tells nothing that is not asked for.
"""

import json
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from benchmarks.browser.explorer import ARGUMENTS, HERE, WINDOW
from capsnet_explorer.chromium import NEEDED, find_headless

PROCESSES = Path("/proc")
REST_S = 1.5
KINDS = {"renderer": "page", "gpu-process": "viz"}  # all others: the browser


class Tab:
    """The only page of a Chromium.

    Args:
        process: the browser's.
        asks: takes commands, each ended by a zero byte.
        tells: gives answers and events, ended alike.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], asks: int, tells: BinaryIO
    ) -> None:
        self.process = process
        self._asks = asks
        self._tells = tells
        self._session: dict[str, str] = {}
        self._asked = 0
        target = self.ask("Target.createTarget", url="about:blank")
        found = self.ask("Target.attachToTarget", **target, flatten=True)
        self._session = found
        self.ask("Page.enable")
        self.ask("Performance.enable")
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            **WINDOW,
            deviceScaleFactor=1,
            mobile=False,
        )
        meter = (HERE / "meter.js").read_text()
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=meter)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command; return its answer.

        Raises:
            RuntimeError: Chromium refuses it, or has ended.
        """
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        os.write(self._asks, json.dumps(message | self._session).encode() + b"\0")
        while True:
            answer = json.loads(self._next() or '{"error": "Chromium has ended"}')
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            if answer.get("id") == self._asked:
                return answer["result"]

    def _next(self) -> bytes:
        said = bytearray()
        while (byte := self._tells.read(1)) not in (b"", b"\0"):
            said += byte
        return bytes(said)

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """Call a function in the page; return what it resolves to.

        Raises:
            RuntimeError: it throws.
        """
        given = ", ".join(map(json.dumps, arguments))
        answer = self.ask(
            "Runtime.evaluate",
            expression=f"({script})({given})",
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def open(self, address: str) -> None:
        """Open the explorer anew; return once it is at rest after its first reading."""
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=address)
        while not self.evaluate("() => window.meter?.readings.length > 0"):
            time.sleep(0.1)
        time.sleep(REST_S)

    def press(self, x: float, y: float, *, isDown: bool) -> None:
        """Press or release the mouse at a place, in CSS px."""
        kind = "mousePressed" if isDown else "mouseReleased"
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.ask("Input.dispatchMouseEvent", type=kind, **at)

    def counts(self) -> dict[str, float]:
        """Return what the page holds, by DevTools' names, without rubbish."""
        self.ask("HeapProfiler.collectGarbage")
        found = self.ask("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in found}


@contextmanager
def tab() -> Iterator[Tab]:
    """Start a headless Chromium without a graphics card; yield its page.

    Raises:
        RuntimeError: there is no Chromium.
    """
    program = find_headless()
    if program is None:
        raise RuntimeError(f"These measurements {NEEDED}.")
    takes, asks = os.pipe()
    tells, gives = os.pipe()
    command = [program, *ARGUMENTS, "--headless", "--remote-debugging-pipe"]
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = f"--user-data-dir={folder}"
        process = subprocess.Popen(
            # Chromium reads from 3 and writes to 4.
            ["bash", "-c", f'exec "$0" "$@" 3<&{takes} 4>&{gives}', *command, home],
            pass_fds=(takes, gives),
            stderr=subprocess.DEVNULL,
        )
        os.close(takes)
        os.close(gives)
        try:
            with os.fdopen(tells, "rb") as answers:
                yield Tab(process, asks, answers)
        finally:
            process.terminate()
            process.wait()
            os.close(asks)


def times(root: int) -> dict[str, float]:
    """Return the processor time (s) of a process and all below it, by their kind.

    Raises:
        FileNotFoundError: the system does not tell it.
    """
    if not PROCESSES.is_dir():
        raise FileNotFoundError(f"processor times need Linux's {PROCESSES}")
    ticks = os.sysconf("SC_CLK_TCK")  # a second
    below: dict[int, list[int]] = {}
    spent: dict[int, tuple[str, float]] = {}
    for folder in PROCESSES.glob("[0-9]*"):
        pid = int(folder.name)
        try:
            # The name before may hold spaces.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            words = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it has ended meanwhile
            continue
        kind = words.partition("--type=")[2].partition(" ")[0]
        seconds = (int(fields[11]) + int(fields[12])) / ticks
        spent[pid] = KINDS.get(kind, "browser and network"), seconds
        below.setdefault(int(fields[1]), []).append(pid)
    sums: defaultdict[str, float] = defaultdict(float)
    left = [root]
    while left:
        pid = left.pop()
        left += below.get(pid, [])
        kind, seconds = spent.get(pid, ("", 0.0))
        sums[kind] += seconds
    return sums
