"""What the check of a description found: a table, and sentences."""

import html
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
from torch import nn

from capsnet_explorer.model.described.capsules.squashes import CURVE_WORDS
from capsnet_explorer.model.described.describing import Checked
from capsnet_explorer.model.described.layers import (
    Classes,
    Couplings,
    Decoder,
    Layer,
    Routing,
    Values,
)
from capsnet_explorer.model.described.network import Described, Trace
from capsnet_explorer.model.described.report.sentences import (
    Sentence,
    number_words,
    sentences_of,
    yours,
)
from capsnet_explorer.model.described.report.words import SCALE_WORDS, SETTING_WORDS
from capsnet_explorer.model.described.routing.matrices import (
    matrices,
    vote_matrices,
)
from capsnet_explorer.model.described.search.guesses import Proof
from capsnet_explorer.model.described.search.settings import found_by_layer
from capsnet_explorer.model.printed import size_words, text_table

ALL = 0.995  # of the weights: what rounds to all
COLUMNS = ("layer", "shape", "found", "largest difference")


@dataclass(frozen=True)
class Entry:
    """One layer of a report; `entry.found` and `entry["found"]` are the same.

    Attributes:
        id: of the layer.
        title: for people.
        shape: of its values, for one image.
        found: what the check found, by name. A tuple holds what these images cannot
            tell apart.
        difference: the largest between the module's values and those recomputed here. A
            layer whose values the module shows nowhere has that of the layer above.
            None where nothing is compared.
        ambiguous: the settings that these images and weights cannot tell apart, by
            name; what is shown comes first.
        is_recomputed: whether it is recomputed at all, and not shown as it is.
        is_assumed: whether what stands as found is the paper's, as nothing can be told.
    """

    id: str
    title: str
    shape: tuple[int, ...]
    found: dict[str, Any]
    difference: float | None
    ambiguous: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    is_recomputed: bool = True
    is_assumed: bool = False

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None

    @property
    def words(self) -> str:
        """What was found, in a few words."""
        words = ", ".join(
            words
            for name, value in self.found.items()
            if (words := _brief(name, value))
        )
        return f"assumed: {words}" if self.is_assumed and words else words

    @property
    def difference_words(self) -> str:
        """The difference, or why there is none."""
        return number_words(self.difference) if self.is_recomputed else "not recomputed"


class Report(Mapping[str, Entry]):
    """What was found: `report["routing"].found["iterations"]`; printed, it tells all.

    Args:
        title: of the network.
        entries: one for each layer, from the image up.
        sentences: what differs from the paper, and what cannot be told.
        images: number of images that it was checked on.
        share: of the network's weights, those that take part in what is recomputed.
    """

    def __init__(
        self,
        title: str,
        entries: list[Entry],
        sentences: list[Sentence],
        images: int,
        share: float = 1.0,
    ) -> None:
        self.title = title
        self.entries = tuple(entries)
        self.sentences = tuple(sentences)
        self.images = images
        self.share = share
        self._by_id = {entry.id: entry for entry in entries}

    def __getitem__(self, layer: str) -> Entry:
        try:
            return self._by_id[layer]
        except KeyError:
            known = ", ".join(self._by_id)
            raise KeyError(f"no layer {layer}; there are {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def with_sentence(self, text: str) -> "Report":
        """Return the report with a sentence more."""
        sentences = [*self.sentences, Sentence("", text)]
        entries = [*self.entries]
        return Report(self.title, entries, sentences, self.images, self.share)

    @property
    def difference(self) -> float:
        """The largest difference of all layers."""
        return max(entry.difference or 0.0 for entry in self.entries)

    @property
    def heading(self) -> str:
        """What the report is about, in one line."""
        if not any(entry.difference is not None for entry in self.entries):
            return (
                f"{self.title}: nothing of it is recomputed here; what its parts "
                f"return for {yours(self.images)} is shown as it is."
            )
        if all(entry.is_recomputed for entry in self.entries):
            whose = "its own values differ"
        else:
            done = [
                entry.title for entry in self.entries if entry.difference is not None
            ]
            *others, last = done
            named = f"{', '.join(others)} and {last}" if others else last
            whose = f"the values of {named} differ"
        return (
            f"{self.title}: recomputed here, {whose} by at most "
            f"{number_words(self.difference)} on {yours(self.images)}."
            f"{self._share_words}"
        )

    @property
    def _share_words(self) -> str:
        if self.share >= ALL:
            return ""
        percent = 100 * self.share
        number = f"{percent:.0f}" if percent >= 10 else f"{percent:.1g}"
        return f" That takes {number} % of its weights; the others are not recomputed."

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """The table: layer, shape, found, largest difference."""
        return [
            (
                entry.title,
                size_words(entry.shape),
                entry.words,
                entry.difference_words,
            )
            for entry in self.entries
        ]

    def as_json(self) -> dict[str, Any]:
        """Return it as the card of the network has it."""
        return {
            "heading": self.heading,
            "images": self.images,
            "layers": [
                {**asdict(entry), "words": entry.words} for entry in self.entries
            ],
            "sentences": [asdict(sentence) for sentence in self.sentences],
        }

    def __str__(self) -> str:
        sentences = [f"* {sentence.text}" for sentence in self.sentences]
        return "\n".join(
            [self.heading, "", *text_table([COLUMNS, *self.rows]), "", *sentences]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in COLUMNS)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
            for row in self.rows
        )
        sentences = "".join(
            f"<li>{html.escape(sentence.text)}</li>" for sentence in self.sentences
        )
        return (
            f"<p>{html.escape(self.heading)}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table><ul>{sentences}</ul>"
        )


def report_of(checked: Checked, title: str) -> Report:
    """Return the report on a description."""
    network, images = checked.network, checked.images
    settings_by_layer = found_by_layer(network.choices)
    with torch.no_grad():
        trace = network(images[:1])
    entries = []
    for layer in network.description.layers:
        ambiguous = {
            name: values
            for (id, name), values in checked.ambiguous.items()
            if id == layer.id
        }
        settings = {**settings_by_layer.get(layer.id, {}), **ambiguous}
        if isinstance(layer, Classes):
            answers = network.choices.get(("", "answers"), "lengths")
            settings["answers"] = checked.ambiguous.get(("", "is"), answers)
        if isinstance(layer, Decoder) and network.drawing is not None:
            settings["reads"] = network.drawing.reads
            if checked.alike is None:
                settings["masks"] = network.drawing.masks
        entries.append(
            Entry(
                layer.id,
                layer.name,
                _shape(layer, trace, network),
                settings,
                checked.differences[layer.id],
                ambiguous,
                _is_recomputed(layer, network),
                layer.id in checked.unexplained,
            )
        )
    sentences = [*sentences_of(checked)]
    return Report(title, entries, sentences, len(images), _share(network))


def _share(network: Described) -> float:
    """Return what part of a network's weights takes part in what is recomputed."""
    parts: set[nn.Module] = set()
    counts: dict[Any, int] = {}
    for layer in network.description.layers:
        if _is_recomputed(layer, network):
            parts |= {*layer.modules}
        if isinstance(layer, Routing):
            counts[layer.id] = matrices(layer).numel()
            if layer.votes is not None:
                counts[layer.id] += vote_matrices(layer).numel()
    for choice in network.choices.values():
        if not isinstance(choice, Proof):
            parts |= {*getattr(choice, "parts", ())}
        for added in (getattr(choice, name, None) for name in ("prior", "bias")):
            counts[added] = 0 if added is None else added.values.numel()
    counts |= {
        id(parameter): parameter.numel()
        for part in parts
        for parameter in part.parameters()
    }
    return min(1.0, sum(counts.values()) / max(1, network.parameter_count))


def _is_recomputed(layer: Layer, network: Described) -> bool:
    if isinstance(layer, Values | Couplings):
        return False
    if isinstance(layer, Classes):
        return network.choices["", "answers"] != "as they are"
    return True


def _shape(layer: Layer, trace: Trace, network: Described) -> tuple[int, ...]:
    if isinstance(layer, Classes):
        return tuple(trace.scores.shape[1:])
    if isinstance(layer, Decoder):
        return network.config.image_shape
    named = (f"{layer.id}.{name}" for name in ("capsules", "out"))
    return tuple(
        next(trace.values[name] for name in named if name in trace.values).shape[1:]
    )


def _brief(name: str, value: Any) -> str:
    """Return a setting in a few words; nothing where it is the usual."""
    if isinstance(value, tuple) and (name != "axes" or isinstance(value[0], tuple)):
        name = SETTING_WORDS.get(name, name)
        return f"{name} {' or '.join(map(_plain, value))}"
    if name in _USUAL and _USUAL[name] == value:
        return ""
    words = _BRIEFLY.get(name, str)
    return words if isinstance(words, str) else words(value)


_AXES = {
    "classes": "the capsules above",
    "capsules": "the capsules below",
    "classes and none": "the capsules above and one more",
}

# What nothing is said of.
_USUAL: dict[str, Any] = {
    "curve": "paper",
    "bias": None,
    "squash": "capsule",
    "prior": None,
    "shared": False,
    "axes": ("in", "out", "out size", "in size"),
    "maps": "adjacent",
    "first": "types",
    "flattened": "maps",
    "masks": True,
}

_BRIEFLY: dict[str, str | Callable[[Any], str]] = {
    "axis": lambda value: f"softmax over {_AXES[value]}",
    "iterations": lambda value: f"{value} iteration{'s' if value > 1 else ''}",
    "curve": lambda value: (
        "not squashed" if value == "none" else f"squash {CURVE_WORDS[value]}"
    ),
    "bias": lambda value: f"bias {value}",
    "added": lambda value: (
        f"in {'each iteration' if value == 'each' else 'the last iteration'}"
    ),
    "window": lambda value: f"windows of {value}",
    "W": lambda value: f"W {value}",
    "scale": lambda value: f"over {SCALE_WORDS[value]}",
    "layout": lambda value: f"as ({value})",
    "squash": lambda value: f"squash over {value}",
    "prior": lambda value: f"prior {value}",
    "shared": "logits shared by a batch",
    "axes": lambda value: f"W as ({', '.join(value)})",
    "maps": "maps of a capsule apart",
    "first": "listed place by place",
    "flattened": "flattened place by place",
    "before": lambda value: f"{value} before squash",
    "reads": lambda value: f"reads {value}",
    "masks": "no mask",
    "activation": lambda value: "no activation" if value == "none" else str(value),
}


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(value)})"
    return "none" if value is None or value is False else str(value)
