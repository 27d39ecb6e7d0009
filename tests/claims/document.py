"""docs/claims.md, and how it writes what the networks' cards say."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())


def card_of(name):
    return json.loads((ROOT / f"weights/{name}.json").read_text(encoding="utf-8"))


def with_interval(share, low, high, digits=1):
    """Write a share and the ends of its interval, in percent."""
    return "{0:.{3}f} ({1:.{3}f} to {2:.{3}f})".format(
        *(100 * number for number in (share, low, high)), digits
    )


def spaced(count):
    """Write a count with spaces, which do not break, between thousands."""
    return f"{count:,}".replace(",", "\u00a0")


def assert_told(section, verdict):
    """Fail unless the table at the top, which the page shows, says a verdict."""
    assert any(
        line.startswith("| [") and f"](#{section}) | {verdict} |" in line
        for line in TEXT.splitlines()
    )


def holm(values):
    """Correct p values for their number (Holm 1979): each in the order given.

    The smallest is multiplied by their number, the next by one less, and so on; none
    becomes smaller than one before it.
    """
    corrected, least = [0.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = least
    return corrected
