"""A lesson in which everything breaks: `python -m benchmarks.lesson`.

Thirty clients draw, and look at the runs, as the page does. Meanwhile two networks
train, one of them is kept, the server is killed twice, and its disk is full once. It
counts what each client was shown, and compares what was saved before each accident with
what is there at the end.

The disk is a small one of its own, in memory, which takes the rights of root to mount.
"""

import argparse
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CLIENTS = 30
DISK_MB = 300
LEAST_FREE_MB = 8  # that the server leaves others, on so small a disk
READY = "CapsNet Explorer is ready at "
PATIENCE_S = 120.0
REST_S = 0.5  # of a client, between two things that it does
RECIPE = {
    **{"dataset": "drawn", "threads": 1, "epochs": 12, "examples": 1000},
    **{"conv1_kernels": 8, "primary_types": 4},
}
# The server's command line, on a disk that is smaller than those it is made for.
START = (
    "import sys\n"
    "from capsnet_explorer.app.engines.training import room\n"
    f"room.LEAST_FREE = {LEAST_FREE_MB << 20}\n"
    "from capsnet_explorer.command import main\n"
    "sys.exit(main(sys.argv[1:]))\n"
)


class Server:
    """A server that can be killed, and started again at the same address."""

    def __init__(self, folder: Path, weights: Path) -> None:
        self._folder = folder
        self._weights = weights
        self._process: subprocess.Popen[str] | None = None
        self._log = folder.parent / "log.txt"
        self.port = 0
        self.started_s: list[float] = []

    def start(self) -> None:
        """Start it, and wait until it answers."""
        began = time.monotonic()
        options = ["--runs", str(self._folder / "runs"), "--port", str(self.port)]
        command = [sys.executable, "-c", START, *options]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--weights", str(self._weights)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith(READY):
            raise SystemExit(f"the server did not start: {self._log.read_text()}")
        self.port = int(line.rpartition(":")[2].strip().rstrip("/"))
        self.started_s.append(time.monotonic() - began)

    def kill(self) -> None:
        """Kill it, as a machine does that runs out of memory."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """End it as an operator does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    @property
    def tracebacks(self) -> int:
        """How many tracebacks it has logged."""
        return self._log.read_text().count("Traceback")

    def ask(
        self, path: str, body: Any = None, method: str | None = None
    ) -> tuple[int, Any]:
        """Ask it for something; return status and answer.

        Raises:
            OSError: nobody answers.
        """
        content = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        url = f"http://127.0.0.1:{self.port}/api/{path}"
        request = urllib.request.Request(url, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=70) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or b"null")


class Lesson:
    """Thirty clients, and what each was shown."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.shown: list[Counter[str]] = [Counter() for _ in range(CLIENTS)]
        self.words: Counter[str] = Counter()
        self.longest_s = 0.0
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._attend, args=(place,), daemon=True)
            for place in range(CLIENTS)
        ]

    def begin(self) -> None:
        """Let everybody come in."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Let everybody go home."""
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _attend(self, place: int) -> None:
        model = self.server.ask("models")[1]["models"][0]
        _, rows, columns = model["input_shape"]
        step = 0
        while not self._is_over.wait(REST_S):
            step += 1
            ink = [[(place + step + x) % 7 / 7] * columns for x in range(rows)]
            jobs = [
                (f"models/{model['id']}/trace", {"image": ink, "tensors": ["scores"]}),
                ("runs", None),
            ]
            self._see(place, *jobs[step % 2])

    def _see(self, place: int, path: str, body: Any) -> None:
        began = time.monotonic()
        try:
            status, answer = self.server.ask(path, body)
        except OSError:
            self.shown[place]["no answer"] += 1
            return
        self.longest_s = max(self.longest_s, time.monotonic() - began)
        self.shown[place][str(status)] += 1
        if path == "runs" and status == 200:
            for run in answer["runs"]:
                if run["message"]:
                    self.words[f"{run['state']}: {run['message']}"] += 1


def until(look: Callable[[], bool], what: str) -> float:
    """Wait until something is so; return how long it took, in seconds."""
    began = time.monotonic()
    while not look():
        if time.monotonic() - began > PATIENCE_S:
            raise SystemExit(f"waited in vain: {what}")
        time.sleep(0.1)
    return time.monotonic() - began


def saved(folder: Path) -> dict[str, str]:
    """Return what a person would miss: snapshots and kept models, by their content."""
    files = [*folder.glob("runs/*/watched/*.*"), *folder.glob("runs/kept/*/*")]
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.suffix in (".safetensors", ".json") and file.stem != "control"
    }


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """Mount a small disk."""
    with tempfile.TemporaryDirectory() as folder:
        disk = Path(folder, "disk")
        disk.mkdir()
        options = ["-t", "tmpfs", "-o", f"size={DISK_MB}m", "lesson", str(disk)]
        subprocess.run(["mount", *options], check=True)
        try:
            yield disk
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> Path:
    """Fill a disk to the last byte; return the file that does."""
    file = disk / "full"
    with contextlib.suppress(OSError), file.open("wb") as opened:
        while True:
            opened.write(bytes(1 << 16))
            opened.flush()
    return file


def went_on_at(disk: Path, id: str) -> list[int]:
    """Return the steps at which a run's process began to train."""
    text = (disk / "runs" / id / "watched" / "events.jsonl").read_text()
    lines = (json.loads(line) for line in text.splitlines() if line.endswith("}"))
    return [each["step"] for each in lines if "total" in each]


def goes_on(disk: Path, id: str, sittings: int) -> bool:
    """Tell whether a run's process has begun to train so many times."""
    return len(went_on_at(disk, id)) == sittings


def is_further(step: int, found: dict[str, Any]) -> bool:
    """Tell whether a run has passed a step."""
    return found["step"] > step


def hold(server: Server, disk: Path) -> dict[str, Any]:
    """Hold the lesson; return its figures."""
    server.start()
    lesson = Lesson(server)
    lesson.begin()

    def facts(id: str) -> dict[str, Any]:
        return server.ask(f"runs/{id}")[1]

    def wait(id: str, what: str, is_so: Callable[[dict[str, Any]], bool]) -> float:
        return until(lambda: is_so(facts(id)), what)

    ids = [server.ask("runs", {**RECIPE, "seed": seed})[1]["id"] for seed in (0, 1)]
    for id in ids:
        wait(id, "training begins", lambda found: found["step"] > 20)
    step = facts(ids[0])["snapshots"][-1]
    asked = {"step": step, "name": "kept-before"}
    assert server.ask(f"runs/{ids[0]}/keep", asked)[0] == 201
    lost_steps, back_s = [], []
    everything: dict[str, str] = {}
    for sittings in (2, 3):
        stood = {id: facts(id)["step"] for id in ids}
        everything |= saved(disk)
        server.kill()
        server.start()
        for id in ids:
            wait(id, "the run can go on", lambda found: found["can_go_on"])
            status, _ = server.ask(f"runs/{id}", {"state": "running"}, "PATCH")
            assert status == 200, status
        for id in ids:
            back_s.append(until(partial(goes_on, disk, id, sittings), "it goes on"))
            lost_steps.append(max(0, stood[id] - went_on_at(disk, id)[-1]))
            further = partial(is_further, stood[id])
            wait(id, "it is further than before", further)
    everything |= saved(disk)
    full = fill(disk)
    paused_s = until(
        lambda: any("the disk is full" in (facts(id)["message"] or "") for id in ids),
        "a run says that the disk is full",
    )
    refused, answer = server.ask("runs", RECIPE)
    kept, why = server.ask(
        f"runs/{ids[0]}/keep", {"step": step, "name": "kept-on-a-full-disk"}
    )
    traced, _ = server.ask("models")
    time.sleep(3)
    full.unlink()
    room_s = until(
        lambda: all(facts(id)["state"] in ("running", "done") for id in ids),
        "all runs go on",
    )
    for id in ids:
        wait(id, "the run is done", lambda found: found["state"] == "done")
    end = saved(disk)
    lesson.end()
    changed = [name for name in everything if end.get(name) != everything[name]]
    models = server.ask("models")[1]
    opened = Counter(
        server.ask(f"models/{id}@{step}")[0]
        for id in ids
        for step in facts(id)["snapshots"]
    )
    return {
        "starts_s": [round(each, 1) for each in server.started_s],
        "back_s": [round(each, 1) for each in back_s],
        "lost_steps": lost_steps,
        "told_full_after_s": round(paused_s, 1),
        "on_a_full_disk": {
            f"POST runs: {refused}": answer["error"]["message"],
            f"keep: {kept}": why["error"]["message"],
            f"GET models: {traced}": "",
        },
        "on_again_after_s": round(room_s, 1),
        "states": [facts(id)["state"] for id in ids],
        "saved_files": len(everything),
        "saved_files_changed": changed,
        "snapshots_opened": dict(opened),
        "kept": [each["id"] for each in models["models"] if each["kept"]],
        "answers": dict(sum(lesson.shown, Counter())),
        "clients_with_5xx": sum(
            any(status.startswith("5") for status in each) for each in lesson.shown
        ),
        "longest_answer_s": round(lesson.longest_s, 2),
        "words": dict(lesson.words.most_common()),
        "tracebacks": server.tracebacks,
    }


def main() -> int:
    """Hold the lesson, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--weights", type=Path, default=ROOT / "weights" / "capsnet-mnist.safetensors"
    )
    options = parser.parse_args()
    os.chdir(ROOT)
    with small_disk() as disk:
        server = Server(disk, options.weights)
        try:
            print(json.dumps(hold(server, disk), indent=2, ensure_ascii=False))
        finally:
            server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
