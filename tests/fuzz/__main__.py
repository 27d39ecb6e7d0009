"""Fuzz the real server: `python -m tests.fuzz --cases 2000 --pictures 2000`."""

import argparse
import contextlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fuzz import fuzz
from tests.fuzz.pictures import answers_well, fuzz_pictures

ROOT = Path(__file__).parents[2]
READY = "CapsNet Explorer is ready at "
MODEL = "capsnet-mnist"
PICTURE, JSON = "application/octet-stream", "application/json"
RECIPE = {
    **{"dataset": "drawn", "threads": 1, "epochs": 1, "examples": 100},
    **{"conv1_kernels": 8, "primary_types": 2, "decoder_hidden": [16, 32]},
}


def main() -> int:
    """Run schemathesis until enough requests were made; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000, help="requests at least")
    parser.add_argument("--pictures", type=int, default=2000, help="broken ones")
    parser.add_argument("--seed", type=int, help="of the first run; random if absent")
    parser.add_argument(
        "--examples", type=int, default=100, help="to each operation in one run"
    )
    options = parser.parse_args()
    seed = random.randrange(2**31) if options.seed is None else options.seed
    cases, start = 0, time.monotonic()
    with _server() as address:
        run = _run(address)
        fuzz_pictures(
            lambda data: answers_well(*_post(f"{address}/api/images", data, PICTURE)),
            options.pictures,
        )
        print(f"{options.pictures} pictures, nothing found", flush=True)
        while cases < options.cases:
            outcome = fuzz(address, options.examples, seed, run=run)
            if not outcome.has_passed:
                print(outcome.report)
                return 1
            cases += outcome.cases
            print(f"seed {seed}: {outcome.cases} requests, nothing found", flush=True)
            seed += 1
    print(f"{cases} requests in {time.monotonic() - start:.0f} s, nothing found")
    return 0


def _run(address: str) -> str:
    """Train a small network on the server; return the run's id once it is done."""
    status, run = _post(f"{address}/api/runs", json.dumps(RECIPE).encode(), JSON)
    if status != 202:
        raise SystemExit(f"the server does not train: {run}")
    while (state := _get(f"{address}/api/runs/{run['id']}")["state"]) != "done":
        if state in {"failed", "stopped"}:
            raise SystemExit(f"the run has {state}")
        time.sleep(0.5)
    return run["id"]


def _get(url: str) -> Any:
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def _post(url: str, content: bytes, media_type: str) -> tuple[int, Any]:
    """Send something; return status and answer."""
    request = urllib.request.Request(url, content, {"Content-Type": media_type})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@contextlib.contextmanager
def _server() -> Iterator[str]:
    """Run a server with one network, which trains and keeps in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder, "weights")
        weights.mkdir()
        for file in (ROOT / "weights").glob(f"{MODEL}.*"):
            shutil.copy(file, weights)
        command = [
            *(sys.executable, str(ROOT / "run_visualization.py"), "--port", "0"),
            *("--weights", str(weights), "--runs", str(Path(folder, "runs"))),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                line = server.stdout.readline()
                if not line.startswith(READY):
                    raise SystemExit("the server did not start")
                yield line.removeprefix(READY).strip().rstrip("/")
            finally:
                server.terminate()


if __name__ == "__main__":
    sys.exit(main())
