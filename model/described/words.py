"""What was found about a network, in sentences: what the paper does, and what it does.

The paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules".
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from capsnet_explorer.model.described.cutting import SQUASH_WORDS, Cut
from capsnet_explorer.model.described.hypotheses import Choices
from capsnet_explorer.model.described.layers import (
    Capsules,
    Decoder,
    Layer,
    Routing,
)
from capsnet_explorer.model.described.network import Described
from capsnet_explorer.model.described.routing import Way

PAPER_ITERATIONS = 3


@dataclass(frozen=True)
class Deviation:
    """A setting that is not the paper's.

    Attributes:
        layer: id of the layer.
        setting: its name in the report.
        sentence: what the paper does, what this network does, and what follows.
        changed: the layer as it would be in the paper; None if nothing can be changed.
        room: of the museum of mistakes, if it has one; as a recipe names it.
    """

    layer: str
    setting: str
    sentence: str
    changed: Choices | None = None
    room: str | None = None


ROOMS = {
    "axis": "softmax over the wrong axis",
    "view": "reshaping without reordering the axes",
    "iteration": "one iteration too many",
    "mask": "a mask that is missing",
}


def deviations(network: Described) -> Iterator[Deviation]:
    """Yield every setting that is not the paper's, from the image up."""
    last = network.description.layer(Routing)
    for layer in network.description.layers:
        choice = network.choices
        if isinstance(layer, Capsules):
            yield from _of_cut(layer, choice[layer.id, "cut"])
        elif isinstance(layer, Routing):
            yield from _of_way(layer, choice[layer.id, "way"])
    if last is not None:
        yield from _of_answers(network)
    drawn = network.description.layer(Decoder)
    if drawn is not None and network.drawing is not None and not network.drawing.masks:
        yield Deviation(
            drawn.id,
            "masks",
            f"{drawn.name} draws from the capsules of all classes, where the paper’s "
            "draws from one and zeros for the others. So the picture can change with "
            "every capsule; on the page, a slider’s picture has zeros for the others.",
            room="mask",
        )


def _of_cut(layer: Capsules, cut: Cut) -> Iterator[Deviation]:
    def deviation(setting: str, sentence: str, room: str | None = None, **to: Any):
        changed = {(layer.id, "cut"): replace(cut, **to)}
        return Deviation(layer.id, setting, sentence, changed, room)

    if cut.order == "view":
        yield deviation(
            "order",
            f"{layer.name}’s capsules are cut by view: each takes {layer.size} "
            f"neighbouring values of one map, where the paper’s takes the values of "
            f"{layer.size} maps at one place. So a capsule stands for no single place "
            "of the image.",
            "view",
            order="permute",
        )
    if cut.squash != "capsule":
        yield deviation(
            "squash",
            f"Squash shrinks {layer.name}’s numbers over {SQUASH_WORDS[cut.squash]}, "
            "where the paper’s shrinks each capsule by its own length. So a capsule "
            "can be longer than 1"
            + (
                ", and its direction changes."
                if cut.squash == "number"
                else ", and how long it is depends on others."
            ),
            squash="capsule",
        )
    if cut.relu:
        yield deviation(
            "before",
            f"What is negative becomes 0 before {layer.name}’s capsules are squashed, "
            "where the paper’s keeps it. So no number of a capsule is below 0.",
            relu=False,
        )


def _of_way(layer: Routing, way: Way) -> Iterator[Deviation]:
    def deviation(setting: str, sentence: str, room: str | None = None, **to: Any):
        changed = {(layer.id, "way"): replace(way, **to)}
        return Deviation(layer.id, setting, sentence, changed, room)

    if way.axis == "capsules":
        yield deviation(
            "axis",
            f"{layer.name}’s softmax runs over the capsules below, where the paper’s "
            "runs over the classes. So each class divides itself among the capsules, "
            "and no capsule has to choose a class.",
            "axis",
            axis="classes",
        )
    if way.iterations != PAPER_ITERATIONS:
        count = way.iterations
        runs = f"{count} iteration{'s' if count > 1 else ''}"
        follows = {
            1: " With one, votes are summed as they are, and no agreement is heard."
        }
        yield deviation(
            "iterations",
            f"{layer.name} has {runs}, where the paper’s has {PAPER_ITERATIONS}."
            + follows.get(count, ""),
            "iteration" if count == PAPER_ITERATIONS + 1 else None,
            iterations=PAPER_ITERATIONS,
        )
    if way.prior is not None:
        yield deviation(
            "prior",
            f"{layer.name} begins with logits of its own, {way.prior.name}, where the "
            "paper’s begin with 0. So capsules lean towards some classes before any "
            "agreement.",
            prior=None,
        )
    if way.squash != "capsule":
        over = {
            "classes": "over all classes together",
            "number": "each by itself",
        }[way.squash]
        yield deviation(
            "squash",
            f"Squash shrinks the numbers of {layer.name}’s capsules {over}, where the "
            "paper’s shrinks each capsule by its own length. So a capsule can be "
            "longer than 1, and its direction changes.",
            squash="capsule",
        )
    if way.shared != "no":
        yield deviation(
            "shared",
            f"{layer.name}’s logits are shared: the {way.shared} of what all images of "
            "a batch add, where the paper’s are each image’s own. So its answer for an "
            "image depends on the others of its batch; the explorer shows each image "
            "alone.",
            shared="no",
        )


def _of_answers(network: Described) -> Iterator[Deviation]:
    answers = network.choices.get(("", "answers"))
    if answers == "softmax of lengths":
        most = math.e / (math.e + network.config.classes - 1)
        yield Deviation(
            "",
            "answers",
            "It answers with the softmax of the lengths, where the paper’s scores are "
            "the lengths. So they add up to 1, and no score can reach "
            f"{math.ceil(most * 100) / 100:.2f}.",
        )
    elif answers == "squared lengths":
        yield Deviation(
            "",
            "answers",
            "It answers with the squares of the lengths, where the paper’s scores are "
            "the lengths.",
        )


def ambiguity(layer: Layer | None, setting: str, values: tuple[Any, ...]) -> str:
    """Return the sentence that these images cannot tell settings apart."""
    where = "The answer" if layer is None else layer.name
    if setting == "shared":
        return (
            f"{where}: these images cannot tell whether the logits of a batch are "
            "shared; nothing shows it where there is one iteration, or one image."
        )
    said = " or ".join(_said(value) for value in values)
    return (
        f"{where}: these images cannot tell the {setting}: {said} fit equally well. "
        f"Shown is {_said(values[0])}."
    )


def _said(value: Any) -> str:
    if value is None or value is False:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
