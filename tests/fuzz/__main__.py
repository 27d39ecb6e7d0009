"""Fuzz the real server: `python -m tests.fuzz --cases 2000 --pictures 2000`."""

import argparse
import contextlib
import json
import random
import subprocess
import sys
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
EXAMPLES = 100  # to each operation in one run


def main() -> int:
    """Run schemathesis until enough requests were made; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000, help="requests at least")
    parser.add_argument("--pictures", type=int, default=2000, help="broken ones")
    parser.add_argument("--seed", type=int, help="of the first run; random if absent")
    options = parser.parse_args()
    seed = random.randrange(2**31) if options.seed is None else options.seed
    cases, start = 0, time.monotonic()
    with _server() as address:
        fuzz_pictures(
            lambda data: answers_well(*_post(address, data)), options.pictures
        )
        print(f"{options.pictures} pictures, nothing found", flush=True)
        while cases < options.cases:
            outcome = fuzz(address, EXAMPLES, seed)
            if not outcome.has_passed:
                print(outcome.report)
                return 1
            cases += outcome.cases
            print(f"seed {seed}: {outcome.cases} requests, nothing found", flush=True)
            seed += 1
    print(f"{cases} requests in {time.monotonic() - start:.0f} s, nothing found")
    return 0


def _post(address: str, picture: bytes) -> tuple[int, Any]:
    """Send a file as a picture; return status and answer."""
    headers = {"Content-Type": "application/octet-stream"}
    request = urllib.request.Request(f"{address}/api/images", picture, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@contextlib.contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, str(ROOT / "run_visualization.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line.startswith(READY):
                raise SystemExit("the server did not start")
            yield line.removeprefix(READY).strip()
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
