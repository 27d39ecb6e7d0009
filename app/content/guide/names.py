"""Placeholders in the guide's texts: `{{ name }}`, `{{ name | format }}`.

A name is `card.FIELD`, a field of the model's card such as `card.config.primary_types`,
or `trace.SAMPLE.QUANTITY`, something computed from a trace of a sample, such as
`trace.one-plain.length`; `trace.SAMPLE@2.QUANTITY` is of a run with 2 iterations of
routing. Both are of the chapter's first network. Another one's stand behind its name:
`cnn.card.test_error`.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from capsnet_explorer.app.content.guide.networks import QUANTITIES

_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
_SAMPLE = re.compile(r"([a-z0-9-]+)(?:@([1-9]|10))?")

# Keys of cards. A card of one's own network may lack what was not measured on it;
# anything else is a slip of the author.
CARD_KEYS = frozenset(
    {
        *("title", "dataset", "config", "loss", "training", "training_images"),
        *("training_time_s", "epochs", "lineage", "test_error", "test_images"),
        *("reconstruction_mse", "class_errors", "legibility", "meanings", "outliers"),
        *("mistakes", "errors_by_iterations", "routing", "robustness", "measurements"),
        *("error_without_agreement", "saved_by_routing", "spoiled_by_routing"),
        *("forward", "following", "half_precision", "date", "measured_on"),
        *("overlaps", "present", "viewpoints", "novel_views", "backgrounds"),
    }
)


FINEST = 6  # decimals of a figure that is nearly nothing or all


def _exact(value: float, places: int, all_of_it: float) -> str:
    """Return a number as text: nothing or all of it only where it is that."""
    for digits in range(places, FINEST):
        text = f"{value:.{digits}f}"
        if float(text) not in (0, all_of_it) or float(text) == value:
            return text
    return f"{value:.{FINEST}f}"


def _percent(value: Any, places: int = 2) -> str:
    text = _exact(100 * value, places, 100)
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def _decimals(places: int):
    return lambda value: _exact(value, places, 1) if places else f"{value:.0f}"


def _numbers(classes: Any) -> list[Any]:
    """Return the measured meanings of all numbers of all classes."""
    return [number for entry in classes if entry for number in entry["numbers"]]


def _singles(classes: Any) -> int:
    return sum(number["is_single"] for number in _numbers(classes))


def _single_percent(classes: Any) -> str:
    return f"{100 * _singles(classes) / len(_numbers(classes)):.0f} %"


FORMATS = {
    "percent": _percent,
    "whole-percent": lambda value: _percent(value, 0),
    "grouped": lambda value: f"{value:,.0f}".replace(",", "\u202f"),
    "count": lambda value: str(len(value)),
    "singles": lambda value: str(_singles(value)),
    "singles-percent": _single_percent,
    "mixed": lambda value: str(len(_numbers(value)) - _singles(value)),
    "hours": lambda value: f"{value / 3600:.1f}",
    "minutes": lambda value: f"{value / 60:.0f}",
    **{f"decimals-{places}": _decimals(places) for places in range(5)},
}


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Something to be filled in.

    Attributes:
        name: all of it, as the author wrote it.
        network: the architecture it is of; None for the chapter's first.
        kind: where its value comes from.
        path: the keys of a card's field; the quantity of a trace.
        sample: the sample that is traced.
        iterations: of routing; None for the model's own.
        format: one of `FORMATS`; None for words, and numbers as they stand.
    """

    name: str
    network: str | None
    kind: Literal["card", "trace"]
    path: tuple[str, ...]
    sample: str = ""
    iterations: int | None = None
    format: str | None = None

    def check(self, networks: Collection[str], samples: Collection[str]) -> None:
        """Refuse what can have no value.

        Args:
            networks: the architectures of the chapter, the main one first.
            samples: the ids of all samples.

        Raises:
            ValueError: the message tells what is unknown.
        """
        if self.network is not None and self.network not in networks:
            raise ValueError(f"{self.name}: the chapter has no network {self.network}")
        if self.format is not None and self.format not in FORMATS:
            raise ValueError(
                f"{self.name}: the format must be one of {', '.join(FORMATS)}"
            )
        if self.kind == "card":
            if self.path[0] not in CARD_KEYS:
                raise ValueError(f"{self.name}: cards have no key {self.path[0]}")
            return
        network = self.network or next(iter(networks))
        known = QUANTITIES.get(network, {})
        if self.path[0] not in known:
            raise ValueError(
                f"{self.name}: a trace of {network} has {', '.join(known)}"
            )
        if self.sample not in samples:
            raise ValueError(f"{self.name}: there is no sample {self.sample}")

    def written(self, value: Any) -> str:
        """Return a value as readers see it."""
        if self.format is not None:
            return FORMATS[self.format](value)
        return _exact(value, 3, 1) if isinstance(value, float) else str(value)


def placeholders_in(text: str) -> Iterator[Placeholder]:
    """Yield the placeholders of a text.

    Raises:
        ValueError: one has another form.
    """
    for match in _PLACEHOLDER.finditer(text):
        yield parse_placeholder(match[1])


def filled(text: str, written: dict[str, str]) -> str:
    """Replace each placeholder by what is written for it, by its text."""
    return _PLACEHOLDER.sub(lambda match: written[match[1].strip()], text)


def parse_placeholder(text: str) -> Placeholder:
    """Read what stands between the braces.

    Raises:
        ValueError: it has another form.
    """
    name = text.strip()
    path, _, form = (part.strip() for part in name.partition("|"))
    keys = path.split(".")
    network = None if keys[0] in ("card", "trace") else keys.pop(0)
    if keys[:1] == ["card"] and len(keys) > 1:
        return Placeholder(name, network, "card", tuple(keys[1:]), format=form or None)
    sample = (
        _SAMPLE.fullmatch(keys[1]) if keys[:1] == ["trace"] and keys[3:] == [] else None
    )
    if len(keys) != 3 or sample is None:
        raise ValueError(
            f"a placeholder must be card.FIELD or trace.SAMPLE.QUANTITY, got {name!r}"
        )
    iterations = None if sample[2] is None else int(sample[2])
    return Placeholder(
        name, network, "trace", (keys[2],), sample[1], iterations, form or None
    )
