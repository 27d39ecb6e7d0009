"""Random requests of every kind, made by schemathesis from the OpenAPI document."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz.narrowing import narrowed

SETTINGS = Path(__file__).parent / "schemathesis.toml"
EXAMPLES = int(os.environ.get("FUZZ", "0"))  # more than in every run of the tests


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one run.

    Attributes:
        has_passed: whether every answer was one that the document allows.
        cases: how many requests were made.
        report: what schemathesis says, with the seed and a command for each failure.
    """

    has_passed: bool
    cases: int
    report: str


def fuzz(address: str, examples: int, *options: str, seed: int = 0) -> Outcome:
    """Ask a running server whatever its document allows, and what it does not.

    Args:
        address: such as `http://127.0.0.1:5000`; serves `capsnet-mnist`.
        examples: random requests to each operation at most; many more are made for
            the edges of what the document allows.
        options: more of schemathesis' own.
        seed: chooses them.
    """
    models = {each["id"]: each for each in _read(address, "models")["models"]}
    model = models["capsnet-mnist"]
    document = narrowed(_read(address, "openapi.json"), model)
    with tempfile.TemporaryDirectory() as folder:  # it leaves files where it runs
        Path(folder, "openapi.json").write_text(json.dumps(document))
        result = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli"),
                *("--config-file", str(SETTINGS)),
                *("run", "openapi.json", "--url", address),
                *("--no-color", "--no-shrink"),  # images take minutes to shrink
                *("--max-examples", str(examples), "--seed", str(seed)),
                *options,
            ],
            capture_output=True,
            text=True,
            cwd=folder,
        )
    report = result.stdout + result.stderr
    cases = re.search(r"(\d+) generated", report)
    return Outcome(result.returncode == 0, int(cases[1]) if cases else 0, report)


def _read(address: str, name: str) -> Any:
    with urllib.request.urlopen(f"{address}/api/{name}") as answer:
        return json.load(answer)
