"""What the check of a description found: a table, and sentences."""

import html
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from capsnet_explorer.model.described.cutting import Cut
from capsnet_explorer.model.described.describing import (
    AT_ONCE,
    Checked,
    found_by_layer,
)
from capsnet_explorer.model.described.hypotheses import (
    SCALED,
    TELLING,
    answers_of_capsules,
)
from capsnet_explorer.model.described.layers import (
    Classes,
    Decoder,
    Layer,
    Routing,
    Values,
)
from capsnet_explorer.model.described.network import Described, Trace
from capsnet_explorer.model.described.routing import Way
from capsnet_explorer.model.described.squashes import CURVE_WORDS
from capsnet_explorer.model.described.words import (
    SCALE_WORDS,
    SETTING_WORDS,
    Deviation,
    ambiguity,
    deviations,
    unexplained,
)
from capsnet_explorer.model.printed import size_words, text_table

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
        said = ", ".join(
            words
            for name, value in self.found.items()
            if (words := _brief(name, value))
        )
        return f"assumed: {said}" if self.is_assumed and said else said

    @property
    def difference_words(self) -> str:
        """The difference, or why there is none."""
        return _number(self.difference) if self.is_recomputed else "not recomputed"


@dataclass(frozen=True)
class Sentence:
    """One sentence or two of a report.

    Attributes:
        layer: id of the layer that it is about; "" for the whole network.
        text: for people.
        setting: that is not the paper's, such as `axis`; "" for anything else.
    """

    layer: str
    text: str
    setting: str = ""


class Report(Mapping[str, Entry]):
    """What was found: `report["routing"].found["iterations"]`; printed, it tells all.

    Args:
        title: of the network.
        entries: one for each layer, from the image up.
        sentences: what differs from the paper, and what cannot be told.
        images: number of images that it was checked on.
    """

    def __init__(
        self,
        title: str,
        entries: list[Entry],
        sentences: list[Sentence],
        images: int,
    ) -> None:
        self.title = title
        self.entries = tuple(entries)
        self.sentences = tuple(sentences)
        self.images = images
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

    def with_said(self, text: str) -> "Report":
        """Return the report with a sentence more."""
        sentences = [*self.sentences, Sentence("", text)]
        return Report(self.title, [*self.entries], sentences, self.images)

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
            done = [each.title for each in self.entries if each.difference is not None]
            *others, last = done
            named = f"{', '.join(others)} and {last}" if others else last
            whose = f"the values of {named} differ"
        return (
            f"{self.title}: recomputed here, {whose} by at most "
            f"{_number(self.difference)} on {yours(self.images)}."
        )

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
            "sentences": [asdict(each) for each in self.sentences],
        }

    def __str__(self) -> str:
        said = [f"* {each.text}" for each in self.sentences]
        return "\n".join(
            [self.heading, "", *text_table([COLUMNS, *self.rows]), "", *said]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in COLUMNS)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
            for row in self.rows
        )
        said = "".join(f"<li>{html.escape(each.text)}</li>" for each in self.sentences)
        return (
            f"<p>{html.escape(self.heading)}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table><ul>{said}</ul>"
        )


def report_of(checked: Checked, title: str) -> Report:
    """Return the report on a description.

    Args:
        checked: the description, and what was found.
        title: of the network.
    """
    network, images = checked.network, checked.images
    found = found_by_layer(network.choices)
    with torch.no_grad():
        trace = network(images[:1])
    entries = []
    for layer in network.description.layers:
        ambiguous = {
            name: values
            for (id, name), values in checked.ambiguous.items()
            if id == layer.id
        }
        settings = {**found.get(layer.id, {}), **ambiguous}
        if isinstance(layer, Classes):
            settings["answers"] = network.choices.get(("", "answers"), "lengths")
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
    return Report(title, entries, list(_sentences(checked)), len(images))


def _sentences(checked: Checked) -> Iterator[Sentence]:
    network = checked.network
    by_id = {layer.id: layer for layer in network.description.layers}
    named = [
        each
        for each in deviations(network)
        if (each.layer, each.setting) not in checked.ambiguous
        and not (each.setting == "masks" and checked.alike is not None)
        and each.layer not in checked.unexplained
    ]
    routing = network.description.layer(Routing)
    off = (checked.differences[routing.id] or 0.0) if routing is not None else 0.0
    for each in named:
        text = each.sentence
        if each.changed is not None:
            changes, moved = _measured(checked, each)
            differs = checked.differences[each.layer] or 0.0
            if checked.unexplained and moved <= TELLING * max(off, differs):
                continue  # the paper's way fits about as well
            text += " " + changes
        yield Sentence(each.layer, text, each.setting)
    for id, effect in checked.unexplained.items():
        yield Sentence(id, unexplained(by_id[id], effect))
    if (
        routing is not None
        and not named
        and not checked.unexplained
        and not _is_assumed(checked)
    ):
        yield Sentence(
            "",
            f"Capsules are {_as_in_the_paper(network)} as in the paper of Sabour, "
            "Frosst and Hinton (2017).",
        )
    for (id, setting), values in checked.ambiguous.items():
        if id in checked.unexplained:
            continue  # nothing of it is told
        why = None
        if id in by_id and isinstance(by_id[id], Routing):
            is_one = (
                network.choices[id, "way"].iterations == 1
                and (id, "iterations") not in checked.ambiguous
            )
            why = "there is one iteration" if is_one else None
            why = why or ("there is one image" if len(checked.images) == 1 else None)
        yield Sentence(id, ambiguity(by_id.get(id), setting, values, why))
    if checked.alone is not None:
        yield Sentence(
            "",
            "Its answer for an image depends on the others of its batch, by "
            f"{_number(checked.alone)}; the explorer shows each image alone.",
        )
    if checked.alike is not None:
        drawn = network.description.layer(Decoder)
        yield Sentence(
            drawn.id,
            f"{drawn.name}: its pictures of different classes differ by "
            f"{_number(checked.alike)} at most, so nothing can be told of what it "
            "draws from.",
        )
    for layer in network.description.layers:
        count = checked.returned.get(layer.modules[0]) if layer.modules else None
        if isinstance(layer, Values) and count:
            yield Sentence(
                layer.id,
                f"{layer.name}: its part returns {count} tensors; shown is "
                f"{_which(layer, network)}, of shape "
                f"{size_words(_shape_of(network, checked, layer))}.",
            )
    low, high = checked.images.aminmax()
    if network.description.normalize is None and (low < 0 or high > 1):
        yield Sentence(
            "",
            f"Its images have numbers from {low:.2g} to {high:.2g}. What is drawn or "
            "uploaded on the page has 0 to 1: normalize=(mean, standard deviation), "
            "with images in 0 to 1, makes both fit.",
        )


def _measured(checked: Checked, deviation: Deviation) -> tuple[str, float]:
    """Return what the paper's way would change on these images, and by how much."""
    network, images = checked.network, checked.images
    last = network.description.layer(Routing)
    shared = network.choices[last.id, "way"].shared
    name = network.choices["", "answers"]
    changed, off = 0, 0.0
    with torch.no_grad():
        for part, own in zip(
            images.split(AT_ONCE), checked.own.split(AT_ONCE), strict=True
        ):
            trace = network(part, shared=shared, changed=deviation.changed)
            lengths = torch.linalg.vector_norm(own, dim=-1) if own.ndim == 3 else own
            if name in ("as they are", SCALED):
                capsules = network(part, shared=shared).capsules
                lengths = torch.linalg.vector_norm(capsules, dim=-1)
                answer = torch.linalg.vector_norm(trace.capsules, dim=-1)
            else:
                answer = dict(answers_of_capsules(trace.poses, own))[name]
            if answer.ndim == 3:
                answer = torch.linalg.vector_norm(answer, dim=-1)
            changed += int((answer.argmax(1) != lengths.argmax(1)).sum())
            off = max(off, (answer - lengths).abs().max().item())
    count = f"{changed} of {yours(len(images))}"
    if name in ("as they are", SCALED):
        changes = f"change which capsule is the longest for {count}, and lengths"
    else:
        changes = f"change the answer to {count}, and scores"
    return f"The paper’s way would {changes} by up to {_number(off)}.", off


def _as_in_the_paper(network: Described) -> str:
    """Return what is done to capsules as in the paper, of what was compared."""
    done = ["routed"]
    curves = [
        choice.curve.name
        for choice in network.choices.values()
        if isinstance(choice, Cut | Way)
    ]
    if any(isinstance(choice, Cut) for choice in network.choices.values()):
        done = ["cut", "routed"] if "own" in curves else ["cut", "squashed", "routed"]
    *others, last = done
    return f"{', '.join(others)} and {last}" if others else last


def _is_assumed(checked: Checked) -> bool:
    """Return whether a setting of capsules or routing is not found, but assumed."""
    return any(setting != "shared" for _, setting in checked.ambiguous)


def _is_recomputed(layer: Layer, network: Described) -> bool:
    if isinstance(layer, Values):
        return False
    if isinstance(layer, Classes):
        return network.choices["", "answers"] != "as they are"
    return True


def yours(count: int) -> str:
    """Return what the images of a report are called."""
    return f"your {count} images" if count > 1 else "your 1 image"


def _which(layer: Values, network: Described) -> str:
    """Return which of a part's tensors is shown."""
    if layer.pick is not None:
        return "the one that pick takes"
    made = network.choices.get((layer.id, "made"))
    ordinals = ("first", "second", "third", "fourth")
    number = 0 if made is None else made.tensor
    if number < len(ordinals):
        return f"the {ordinals[number]}"
    return f"number {number + 1}"


def _shape_of(network: Described, checked: Checked, layer: Layer) -> tuple[int, ...]:
    with torch.no_grad():
        return _shape(layer, network(checked.images[:1]), network)


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
        return f"{name} {' or '.join(_plain(each) for each in value)}"
    if name in _USUAL and _USUAL[name] == value:
        return ""
    said = _BRIEFLY.get(name, str)
    return said if isinstance(said, str) else said(value)


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


def _number(value: float | None) -> str:
    if value is None:
        return "not compared"
    if value == 0:
        return "0"
    return f"{value:.1e}" if value < 0.01 else f"{value:.2g}"
