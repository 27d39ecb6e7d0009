"""Fuzz the real server: `python -m tests.fuzz --cases 2000`."""

import argparse
import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz import fuzz

ROOT = Path(__file__).parents[2]
READY = "CapsNet Explorer is ready at "
EXAMPLES = 100  # to each operation in one run


def main() -> int:
    """Run schemathesis until enough requests were made; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000, help="requests at least")
    parser.add_argument("--seed", type=int, help="of the first run; random if absent")
    options = parser.parse_args()
    seed = random.randrange(2**31) if options.seed is None else options.seed
    cases, start = 0, time.monotonic()
    with _server() as address:
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
