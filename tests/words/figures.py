"""Rules for figures: what they may say, and what they must be."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.words.reading import Page

# Squash leaves less than 1 of any length.
ENDS = re.compile(r"(?:length|‖[uv]‖)(?: of)?(?: =|:)? 1\.0+(?!\d|\u00a0×)")
PERCENT = r"(\d+(?:\.\d+)?)\u202f%"
SHARE = re.compile(rf"{PERCENT} [^%]*\({PERCENT} [^,)]+, {PERCENT}")
# A share that is hardly any is written as less than a tenth.
TYPE = re.compile(r"(?:(-?\d+\.\d)|[<>]-?0\.1)\u202f%")
PARTS = re.compile(rf"{PERCENT} of all that (?:lengthens|shortens)")
FIGURE = r"(?P<figure>\d\.\d+)(?![\d ]*[×\u00a0\u202f%])"


def full_lengths(page: Page) -> Iterator[str]:
    """Yield lengths that are said to be 1, which none is."""
    for view, text in page.strings:
        if match := ENDS.search(text):
            yield f"{view} says {match[0]}: {text}"


def more_than_all(page: Page) -> Iterator[str]:
    """Yield shares of all that lengthens a class that are more than all of it."""
    for view, text in page.strings:
        for share in PARTS.findall(text):
            if float(share) > 100:
                yield f"{view} says {share} %: {text}"


def torn_parts(page: Page) -> Iterator[str]:
    """Yield parts in percent that do not add up to the whole beside them."""
    for view, text in page.strings:
        for match in SHARE.finditer(text):
            whole, *parts = map(float, match.groups())
            if abs(whole - sum(parts)) > 1e-9:
                yield f"{view} says {match[0]}"
    for view, texts in page.texts.items():
        for text in texts:
            if match := re.search(rf"they add up to {PERCENT}", text):
                shares = shares_of_types(texts)
                if round(sum(shares) - float(match[1]), 6) != 0:
                    yield f"{view} has shares that add up to {sum(shares)}: {shares}"


def shares_of_types(texts: Iterable[str]) -> list[float]:
    """Return the shares of types, or capsules, in percent, in their order."""
    shares: list[float] = []
    for text in texts:
        start = f"type {len(shares)}"
        rest = text.removeprefix(start).replace("−", "-")
        if text.startswith(start) and (match := TYPE.fullmatch(rest)):
            shares.append(float(match[1] or 0))
    return shares


def wrong_scores(page: Page, model: Mapping[str, Any]) -> Iterator[str]:
    """Yield figures of a class's score that are not that score, as it is written."""
    names = {name.lower(): at for at, name in enumerate(model["class_names"])}
    either = "|".join(re.escape(name) for name in names)
    pattern = re.compile(
        rf"(?<!column )(?<!row )(?<!type )\b(?P<name>{either})"
        r"(?: with|[,:] (?:length|probability|activation)"
        rf"| is the (?:longest|most active),) {FIGURE}",
        re.IGNORECASE,
    )
    for view, text in page.strings:
        for match in pattern.finditer(text):
            score = page.scores[names[match["name"].lower()]]
            half = 0.5 * 10 ** -len(match["figure"].partition(".")[2])
            # Half precision may come over the wire where single precision was rounded.
            if abs(float(match["figure"]) - score) > half + score * 2**-11:
                yield f"{view} says {match[0]}, not {score}: {text}"


# A quantity that stands in more than one place, and how each place says it: of what it
# is, and its value as it is written.
VALUE = r"(?P<value>[<>]?−?\d+\.\d+(?:\u00a0×\u00a010[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:\u202f%)?)"
LONGEST = r"(?:longest|most active|highest|most probable)"
PLACES = {
    "the score": (
        rf"\b(?P<of>[\w-]+) with {VALUE}",
        rf"\b{LONGEST}, (?P<of>[\w-]+), has {VALUE}",
        rf"(?<!column )\b(?P<of>[\w-]+), (?:length|probability|activation) {VALUE}",
        rf"\brunner-up is (?P<of>[\w-]+), {VALUE}",
        rf"Length ‖v‖ of (?P<of>[\w-]+): {VALUE}",
        rf"(?:length|activation) of (?P<of>[\w-]+) (?:goes from \S+ to|stays) {VALUE}",
    ),
    "the share of the strongest": (
        rf"that lengthens (?P<of>[\w-]+); the strongest(?:, [^,]+,)? gives {VALUE}",
    ),
    "how many give most": (
        r"(?P<value>(?:about )?[\d\u202f]+)(?: of \d+)? capsules"
        r"(?: at [^;]+? places?)? give 9\d\u202f% of all that lengthens (?P<of>[\w-]+)",
    ),
    "the largest coupling": (
        rf"Largest c to (?P<of>)[\w-]+: {VALUE}",
        rf"(?P<of>)largest coupling is c = {VALUE}",
    ),
    "the share of the votes": (
        rf"Votes of (?P<of>)[\w-]+: {VALUE}",
        rf"(?P<of>)share of the votes goes from \S+ to {VALUE}",
    ),
    "what a part gives": (rf"\btype (?P<of>\d+ → [\w-]+): {VALUE}",),
}
GIVES = re.compile(r"\btype (\d+) gives ([^;]+)")
GIFT = re.compile(rf"{VALUE} (?:of the \S+ given )?to (?P<to>(?!type)[\w-]+)")


def quantities(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a text says of quantities: which, of what, and how it is written."""
    for name, places in PLACES.items():
        for pattern in places:
            for match in re.finditer(pattern, text, re.IGNORECASE):
                yield name, match["of"].lower(), match["value"].lower()
    for part, gifts in GIVES.findall(text):
        for gift in GIFT.finditer(gifts):
            yield "what a part gives", f"{part} → {gift['to'].lower()}", gift["value"]


def written_unlike(page: Page) -> Iterator[str]:
    """Yield each quantity that the page writes in more than one way."""
    ways: dict[tuple[str, str], dict[str, str]] = {}
    for view, text in page.strings:
        for name, of, value in quantities(text):
            ways.setdefault((name, of), {}).setdefault(value, f"{view}: {text}")
    for (name, of), values in ways.items():
        if len(values) > 1:
            yield f"{name} of {of} is written {' and '.join(values)}: {values}"


def count_scores(page: Page, model: Mapping[str, Any]) -> int:
    """Return how many figures of a class's score the page says."""
    either = "|".join(re.escape(name) for name in model["class_names"])
    pattern = re.compile(rf"\b(?:{either}) with {FIGURE}", re.IGNORECASE)
    return sum(len(pattern.findall(text)) for _, text in page.strings)
