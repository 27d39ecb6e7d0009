"""What no string of the page may look like, whatever it tells of."""

import re
from collections.abc import Iterable, Iterator

# What is counted: each with an s where it is not one.
NOUNS = (
    "image|pixel|value|piece|unit|step|run|pair|digit|type|capsule|window|map|number|kernel"
    "|example|symbol|snapshot|network|parameter|epoch|toy|neighbour|iteration|vote|label"
)
SPACE = "[ \u00a0\u202f]"
BEFORE = rf"(?:(?:test|training|whole|other|class|sample) )?(?:{NOUNS})"

RULES = {
    "one of many": re.compile(
        rf"(?<![\d.,×−]{SPACE})(?<!capsule{SPACE})(?<![\w.,×−@])1{SPACE}"
        rf"{BEFORE}s\b(?! of)"
    ),
    "many of one": re.compile(
        rf"(?<![\w.,×−])(?:0|[2-9]|\d[\d\u202f]*\d)[ \u00a0]{BEFORE}\b(?![s’-])"
    ),
    "verb of one": re.compile(r"\bof the 1 that \w+(?<!s)\b|\b1 of them are\b"),
    "no value": re.compile(r"\bundefined\b|\bnull\b|NaN|Infinity|\[object"),
    "doubled signs": re.compile(r"[^.]\.\.(?!\.)|[,;:?!][,;:.]|\(\)| [,;.](?!\d)"),
    "no end": re.compile(r"[,;:]$(?<!:)"),
}
SENTENCE = re.compile(r"\S+ \S+ .*[.]$")
BEGUN_SMALL = re.compile(r"^[a-z]|[.?!] [a-z]")
# Names that begin small; and what follows a stop that ends no sentence.
SMALL = re.compile(r"\b(?:e\.g|i\.e|vs|al|python -m)\b")


def broken_by(text: str) -> Iterator[str]:
    """Yield the rules that a string breaks."""
    for rule, pattern in RULES.items():
        if pattern.search(text):
            yield rule
    if SENTENCE.search(text) and BEGUN_SMALL.search(text) and not SMALL.search(text):
        yield "begun small"


def badly_put(strings: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the strings that are badly put, with their views."""
    for view, text in strings:
        for rule in broken_by(text):
            yield f"{view}, {rule}: {text}"
