"""Words that this project must not use, wherever a reader could meet them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

SUFFIXES = {".py", ".js", ".ts", ".css", ".html", ".json", ".svg", ".md"}
DENIED = re.compile(r"\b(?:not|no|never|nor)\s+(?:\w+\s+){0,2}probabilit(?:y|ies)\b")


def claims(text: str) -> list[str]:
    """Return the lines that speak of probabilities other than to deny them."""
    lines = DENIED.sub("", text).splitlines()
    return [line for line in lines if "probab" in line.lower()]


@pytest.mark.parametrize(
    "folder",
    [
        "model/capsnet",
        "static/js/kinds/capsules",
        "static/js/kinds/routing/dynamic",
        "templates/kinds/capsules",
        "templates/kinds/routing/dynamic",
    ],
)
def test_capsule_lengths_are_nowhere_called_probabilities(folder):
    """Elsewhere networks whose scores are probabilities are spoken of as well."""
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    assert files, f"{folder} holds no text: fix the rule"
    for path in files:
        assert not claims(path.read_text(encoding="utf-8")), path
