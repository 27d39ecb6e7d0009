"""Rules that hold for whatever the page says: each yields the strings that break it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from capsnet_explorer.model.answer import Said, said_by
from capsnet_explorer.model.presence import Presence
from tests.words.arithmetic import equations_in
from tests.words.reading import Page

READS = re.compile(
    r"[Tt]he network (?:(?:still|now) )?"
    r"(reads (?!a picture|the image twice|both|worse)[^.:;,(]+|sees none of its classes"
    r"|is undecided between [^.:;,(]+)"
)
# Said of the past or of another picture, or in general.
ELSEWHERE = re.compile(r"Before the move|gradient|if all|when ")
SCORES = re.compile(r" \([^)]*\)| with >?[\d.]+| only\b|, length >?[\d.]+")


def said_in(page: Page, model: Mapping[str, Any]) -> Said:
    """Return what the network says of a page's image, by Python's own rule."""
    kind, present = model["scores"], model["present"]
    rule = Presence(present["at_most"], present["threshold"])
    scores = np.float32(page.scores)
    return said_by(scores, kind, rule, model["card"])


def contradictions(page: Page, model: Mapping[str, Any]) -> Iterator[str]:
    """Yield each sentence that has the network say something else than it says."""
    answerer, names = said_in(page, model), model["class_names"]
    answer, reads = answerer.answer(names), answerer.reads(names)
    if answer not in page.texts["header"]:
        yield f"the header says {page.texts['header'][:3]}, not {answer}"
    head = page.head
    follows = page.visit.is_intact and page.visit.focus is None
    if follows and head.rstrip(".").lower() != answer.lower():
        yield f"the overview says {head}, not {answer}"
    for view, text in page.strings:
        if ELSEWHERE.search(text):
            continue
        for match in READS.findall(SCORES.sub("", text)):
            if match.strip() != reads:
                yield f"{view} says {match}, not {reads}: {text}"


# Where nothing of the image is changed.
AT_REST = ("parts at rest", "no attack")
TURNED = re.compile(
    r": .*? (?:turns its reading from .*? to|leaves its reading at) (.*?): "
)


def does(read: str) -> str:
    """Return what a network does, by its answer in short: `reads 4` of `4`."""
    if read == "none":
        return "sees none of its classes"
    if read.endswith("?"):
        return f"is undecided between {read[:-1].replace(' or ', ' and ')}"
    return f"reads {read}"


def unlike_verdicts(
    page: Page, models: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield what Lab and Compare say unlike verdicts, and these unlike the header."""
    model = models[page.visit.model]
    answerer, names = said_in(page, model), model["class_names"]
    answer, reads = answerer.answer(names), answerer.reads(names)
    for room in AT_REST:
        if page.verdicts[room].get(model["id"], answer) != answer:
            yield f"{room} has {page.verdicts[room]}, the header {answer}"
    for text in page.texts["compare"]:
        for phrase in re.findall(
            r"(?:one shown it|both images the network) (.*?)\. In", text
        ):
            if phrase != reads:
                yield f"compare says {phrase}, not {reads}"
    for room, attacked in (("parts", False), ("attack", True)):
        texts = "\n".join(page.texts[room])
        for key, read in page.verdicts[room].items():
            title = re.escape(models[key]["title"])
            if attacked:
                matches = re.findall(rf"^{title}{TURNED.pattern}", texts, re.MULTILINE)
                matches = [re.sub(r" \(its own.*?\)", "", match) for match in matches]
                wanted = read.removesuffix("?")
            else:
                pattern = rf"^{title} (?:still|.*? and now) (.*?): its"
                matches, wanted = re.findall(pattern, texts, re.MULTILINE), does(read)
            both = wanted.split(" and ") if attacked else []
            if any(match not in (wanted, *both) for match in matches):
                yield f"{room}: {key} {matches}, and its verdict {read}"


# Rooms where the knob stands between two swept values.
AT_A_KNOB = {"pose": "Turn 40°", "attack between": "ε 0.27"}


def unlike_cards(page: Page, models: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield each score that a plot's readout has at the knob and its card has not."""
    for room, setting in AT_A_KNOB.items():
        texts = [text for text in page.texts[room] if text.startswith(f"{setting}: ")]
        if not texts:
            yield f"{room} has no readout at {setting}"
        for text in texts:
            figures = re.findall(r"([^,:]+) ([^ ,]+)(?=,|$)", text.partition(": ")[2])
            for name, figure in figures:
                titles = {id: models[id]["title"] for id in page.cards[room]}
                ids = [id for id in titles if titles[id].startswith(name.strip())]
                if not any(figure in page.cards[room][id] for id in ids):
                    yield f"{room}: {name} {figure}, not in {page.cards[room]}"


def broken_arithmetic(page: Page) -> Iterator[str]:
    """Yield each equation that does not come out from the figures that stand there."""
    for view, text in page.strings:
        for equation, holds in equations_in(text):
            if not holds:
                yield f"{view} writes {equation}: {text}"


def equations_of(page: Page) -> int:
    """Return how many equations the page writes."""
    return sum(len(list(equations_in(text))) for _, text in page.strings)
