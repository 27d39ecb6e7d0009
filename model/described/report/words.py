"""What was found about a network, in sentences: what the paper does, and what it does.

The paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules".
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from capsnet_explorer.model.described.capsules.between import part_words
from capsnet_explorer.model.described.capsules.cutting import SQUASH_WORDS, Cut
from capsnet_explorer.model.described.capsules.squashes import CURVE_WORDS, PAPER
from capsnet_explorer.model.described.layers import (
    Capsules,
    Decoder,
    Layer,
    Routing,
)
from capsnet_explorer.model.described.network import Described
from capsnet_explorer.model.described.routing.matrices import matrices
from capsnet_explorer.model.described.routing.ways import Way
from capsnet_explorer.model.described.search.guesses import SCALED, SQUASHED, Choices
from capsnet_explorer.model.described.search.judging import Unexplained

PAPER_ITERATIONS = 3


@dataclass(frozen=True)
class Deviation:
    """A setting that is not the paper's.

    Attributes:
        layer: id of the layer.
        setting: its name in the report.
        sentence: what the paper does, what this network does, and what follows.
        changed: the layer as it would be in the paper; None if nothing can be changed.
    """

    layer: str
    setting: str
    sentence: str
    changed: Choices | None = None


# Of routing that makes activations, and no lengths.
OF_FORMS = {
    "em": "by EM, as in the paper of Hinton, Sabour and Frosst (2018), where that of "
    "Sabour, Frosst and Hinton (2017) routes by agreement. The page shows its "
    "assignments.",
    "self": "self-routing, as in the paper of Hahn, Pyeon and Kim (2019): each "
    "capsule’s couplings follow from its own numbers alone, in one step, where that of "
    "Sabour, Frosst and Hinton (2017) routes by agreement. The page shows them.",
}


def _deviation(
    layer: str,
    kind: str,
    choice: Cut | Way,
    setting: str,
    sentence: str,
    **to: Any,
) -> Deviation:
    """Tell of a setting that was found, and how the layer is in the paper (`to`)."""
    changed = {(layer, kind): replace(choice, **to)}
    return Deviation(layer, setting, sentence, changed)


def deviations(network: Described) -> Iterator[Deviation]:
    """Yield every setting that is not the paper's, from the image up."""
    last = network.description.layer(Routing)
    for layer in network.description.layers:
        choice = network.choices
        if isinstance(layer, Capsules):
            yield from _of_cut(layer, choice[layer.id, "cut"])
        elif isinstance(layer, Routing):
            if layer.form in OF_FORMS:
                words = OF_FORMS[layer.form]
                yield Deviation(layer.id, "form", f"{layer.name} is {words}")
                yield from _of_places(layer, choice[layer.id, "way"])
                continue
            is_of_classes = layer is last and network.has_class_capsules
            if layer is last and not is_of_classes:
                yield _of_others(layer, network)
            above = (
                Above() if is_of_classes else Above("capsule above", "capsules above")
            )
            yield from _of_way(layer, choice[layer.id, "way"], above)
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
        )


def _of_cut(layer: Capsules, cut: Cut) -> Iterator[Deviation]:
    deviation = partial(_deviation, layer.id, "cut", cut)

    if cut.order == "view":
        yield deviation(
            "order",
            f"{layer.name}’s capsules are cut by view: each takes {layer.size} "
            f"neighbouring values of one map, where the paper’s takes the values of "
            f"{layer.size} maps at one place. So a capsule stands for no single place "
            "of the image.",
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
    if cut.curve.name not in ("paper", "own"):
        yield deviation("curve", _curve_words(layer, cut.curve.name), curve=PAPER)
    if cut.between:
        named = part_words(cut.between)
        yield Deviation(
            layer.id,
            "before",
            f"{layer.name}’s maps pass {named} before capsules are cut of them, where "
            "the paper’s are cut as they are.",
        )
    if cut.relu:
        yield deviation(
            "before",
            f"What is negative becomes 0 before {layer.name}’s capsules are squashed, "
            "where the paper’s keeps it. So no number of a capsule is below 0.",
            relu=False,
        )


def _curve_words(layer: Layer, name: str) -> str:
    if name == "none":
        return (
            f"{layer.name}’s capsules are not squashed, where the paper’s shrink to a "
            "length below 1. So a capsule can be of any length."
        )
    return (
        f"{layer.name}’s squash makes {CURVE_WORDS[name]} of a length l, where the "
        f"paper’s makes {CURVE_WORDS['paper']}."
    )


@dataclass(frozen=True)
class Above:
    """What the capsules that a routing makes are called.

    Attributes:
        one: of them.
        many: of them.
    """

    one: str = "class"
    many: str = "classes"


def _of_others(layer: Routing, network: Described) -> Deviation:
    way: Way = network.choices[layer.id, "way"]
    count = way.layout.of(matrices(layer)).shape[1]
    if count == network.config.classes:
        return Deviation(
            layer.id,
            "capsules",
            f"Scores do not follow the lengths of {layer.name}’s {count} capsules, and "
            "what makes them is not recomputed. So no capsule is known to be that of a "
            "class, and the page has none.",
        )
    return Deviation(
        layer.id,
        "capsules",
        f"{layer.name} makes {count} capsules for {network.config.classes} classes, "
        "where the paper’s makes one for each class. What reads them is not "
        "recomputed, so the page has no capsule of a class.",
    )


def _of_attention(layer: Routing, way: Way, above: Above) -> Iterator[Deviation]:
    yield Deviation(
        layer.id,
        "form",
        f"{layer.name} is by attention: each vote’s coupling follows from its dot "
        f"product with the sum of all votes for the {above.one}, over "
        f"{SCALE_WORDS[way.scale]}, in one "
        "step, as in the paper of Mazzia, Salvetti and Chiaberge (2021), where that of "
        "Sabour, Frosst and Hinton (2017) routes by agreement in three iterations.",
    )

    deviation = partial(_deviation, layer.id, "way", way)

    if way.axis == "capsules":
        yield deviation(
            "axis",
            f"{layer.name}’s softmax runs over the capsules below, where both papers’ "
            "run over those above.",
            axis="classes",
        )
    if way.scale != "√ in size":
        yield deviation(
            "scale",
            f"{layer.name} divides the dot products by {SCALE_WORDS[way.scale]}, where "
            "the paper of 2021 divides by the root of a lower capsule’s size.",
            scale="√ in size",
        )
    if way.prior is None:
        yield Deviation(
            layer.id,
            "prior",
            f"{layer.name} adds nothing learned to the couplings that could be found, "
            "where the paper of 2021 adds a prior; one that is 0 cannot be seen.",
        )
    if way.curve.name not in ("exponential", "own"):
        yield deviation(
            "curve",
            f"{layer.name}’s squash makes {CURVE_WORDS[way.curve.name]} of a length l, "
            f"where the paper of 2021 makes {CURVE_WORDS['exponential']}.",
            curve=replace(way.curve, name="exponential"),
        )
    yield from _of_bias(layer, way, above, deviation)
    yield from _of_places(layer, way)


def _of_bias(
    layer: Routing, way: Way, above: Above, deviation: Any
) -> Iterator[Deviation]:
    if way.bias is None:
        return
    when = "in each iteration" if way.bias.when == "each" else "in the last iteration"
    when = "" if way.form == "attention" or way.iterations == 1 else f" {when}"
    yield deviation(
        "bias",
        f"{layer.name} adds a bias, {way.bias.name}, to the weighted sum of votes of "
        f"each {above.one}{when}, where the paper’s adds none. So a capsule can be "
        "long without any vote.",
        bias=None,
    )


def _of_way(layer: Routing, way: Way, above: Above) -> Iterator[Deviation]:
    if way.form == "attention":
        yield from _of_attention(layer, way, above)
        return

    deviation = partial(_deviation, layer.id, "way", way)

    if way.axis == "capsules":
        yield deviation(
            "axis",
            f"{layer.name}’s softmax runs over the capsules below, where the paper’s "
            f"runs over the {above.many}. So each {above.one} divides itself among the "
            f"capsules below, and none of these has to choose a {above.one}.",
            axis="classes",
        )
    if way.axis == "classes and none":
        yield deviation(
            "axis",
            f"{layer.name}’s softmax runs over the {above.many} and one more, whose "
            f"logit stays 0, where the paper’s runs over the {above.many} alone. So "
            "the couplings of a capsule below add up to less than 1: what no "
            f"{above.one} claims is heard by none.",
            axis="classes",
        )
    if way.iterations != PAPER_ITERATIONS:
        count = way.iterations
        runs = f"{count} iteration{'s' if count > 1 else ''}"
        alone = "" if way.prior else ", and all votes weigh alike"
        follows = {1: f" With one, no agreement is heard{alone}."}
        yield deviation(
            "iterations",
            f"{layer.name} has {runs}, where the paper’s has {PAPER_ITERATIONS}."
            + follows.get(count, ""),
            iterations=PAPER_ITERATIONS,
        )
    if way.prior is not None:
        yield deviation(
            "prior",
            f"{layer.name} begins with logits of its own, {way.prior.name}, where the "
            f"paper’s begin with 0. So capsules lean towards some {above.many} before "
            "any agreement.",
            prior=None,
        )
    if way.squash != "capsule":
        over = {
            "classes": f"over all {above.many} together",
            "number": "each by itself",
        }[way.squash]
        yield deviation(
            "squash",
            f"Squash shrinks the numbers of {layer.name}’s capsules {over}, where the "
            "paper’s shrinks each capsule by its own length. So a capsule can be "
            "longer than 1, and its direction changes.",
            squash="capsule",
        )
    if way.curve.name not in ("paper", "own"):
        yield deviation("curve", _curve_words(layer, way.curve.name), curve=PAPER)
    yield from _of_bias(layer, way, above, deviation)
    yield from _of_places(layer, way)
    if way.shared != "no":
        yield deviation(
            "shared",
            f"{layer.name}’s logits are shared: the {way.shared} of what all images of "
            "a batch add, where the paper’s are each image’s own. So its answer for an "
            "image depends on the others of its batch; the explorer shows each image "
            "alone.",
            shared="no",
        )


def _of_places(layer: Routing, way: Way) -> Iterator[Deviation]:
    """Yield how places share W, and which of them a capsule reads."""
    if way.window is not None:
        side = f"{way.window.kernel}×{way.window.kernel}"
        yield Deviation(
            layer.id,
            "window",
            f"Each capsule of {layer.name} reads a window of {side} places, with a W "
            "that all places share, where the paper’s reads all capsules below. So it "
            "stands at a place, and knows what is there.",
        )
    if way.layout.shared != "no":
        yield Deviation(
            layer.id,
            "W",
            f"{layer.name}’s W is one for all places of a type of capsules, where the "
            "paper’s is each capsule’s own. So a vote does not know where its capsule "
            "stands.",
        )


def _of_answers(network: Described) -> Iterator[Deviation]:
    sentence = ANSWERS.get(network.choices.get(("", "answers"), ""))
    if sentence is not None:
        most = math.e / (math.e + network.config.classes - 1)
        most = f"{math.ceil(most * 100) / 100:.2f}"
        yield Deviation("", "answers", "It answers with " + sentence.format(most=most))


LENGTHS = "where the paper’s scores are the lengths."

# What a network answers with that is not the lengths, after “It answers with”.
ANSWERS = {
    "softmax of lengths": f"the softmax of the lengths, {LENGTHS} So they add up to 1, "
    "and no score can reach {most}.",
    "log softmax of lengths": f"the logarithms of a softmax of the lengths, {LENGTHS} "
    "The page shows that softmax.",
    "lengths over their sum": f"each length over the sum of all, {LENGTHS} So they add "
    "up to 1.",
    SCALED: f"the lengths times a number, the same for all, {LENGTHS} The page shows "
    "scores as the network gives them, and lengths beside them.",
    "as they are": "what something that is not recomputed makes of its capsules; the "
    "page shows the scores as the network gives them. Its routing was compared with "
    "what a part of it shows of the capsules.",
    "squared lengths": f"the squares of the lengths, {LENGTHS}",
    SQUASHED: f"the lengths of its capsules squashed once more, {LENGTHS} The page "
    "shows scores as the network gives them, and lengths beside them.",
}


def ambiguity(
    layer: Layer | None, setting: str, values: tuple[Any, ...], why: str | None = None
) -> str:
    """Return the sentence that these images and weights cannot tell settings apart.

    Args:
        layer: that they are of; None for the answer.
        setting: its name.
        values: that fit equally well; the one that is shown comes first.
        why: nothing could tell them apart; None where it is that weights are weak.
    """
    where = "The answer" if layer is None else layer.name
    if setting == "shared" and why is not None:
        return (
            f"{where}: these images cannot tell whether the logits of a batch are "
            f"shared, as {why}."
        )
    named = " or ".join(map(_value_words, values))
    name = SETTING_WORDS.get(setting, setting)
    usual = _is_usual(setting, values[0])
    return (
        f"{where}: these weights and images cannot tell the {name}: {named} fit "
        f"equally well. {'Assumed' if usual else 'Shown'} is {_value_words(values[0])}"
        f"{', as in the paper' if usual else ''}."
    )


def unexplained(layer: Layer, why: Unexplained) -> str:
    """Return the sentence that nothing is told of a routing."""
    moves = (
        f"{layer.name}: these weights cannot show how it routes: routing moves the "
        f"values that can be compared by {why.effect:.1g} at most, and"
    )
    if why.is_near:
        return (
            f"{moves} though what is shown differs from them by only {why.off:.1g}, "
            "half of the agreement in twice as many iterations would differ about as "
            "little. What is shown of it is assumed, and not found."
        )
    return (
        f"{moves} nothing that was tried explains that. What is shown of it is "
        "assumed, and not found."
    )


def certain(layer: Layer) -> str:
    """Return the sentence that couplings to one capsule above are all 1."""
    return (
        f"{layer.name}: with one capsule above, every coupling is 1, whatever "
        "agreement adds. So iterations cannot be counted, and nothing depends on them."
    )


SCALE_WORDS = {
    "√ in size": "the root of a lower capsule’s size",
    "√ out size": "the root of a higher capsule’s size",
    "1": "1",
}

SETTING_WORDS = {
    "shared": "sharing of logits",
    "scale": "number that dot products are divided by",
    "is": "way in which scores follow from lengths",
    "answers": "scores",
    "axis": "axis of the softmax",
    "iterations": "number of iterations",
    "curve": "squash",
    "squash": "numbers that squash takes together",
    "maps": "maps of a capsule",
    "first": "order of the capsules",
    "added": "iterations in which the bias is added",
    "axes": "axes of W",
}

_PAPER = {
    "axis": "classes",
    "iterations": PAPER_ITERATIONS,
    "curve": "paper",
    "squash": "capsule",
    "prior": None,
    "bias": None,
    "order": "permute",
    "shared": False,
}


def _is_usual(setting: str, value: Any) -> bool:
    return setting in _PAPER and _PAPER[setting] == value


def _value_words(value: Any) -> str:
    if value is None or value is False:
        return "none"
    if isinstance(value, str):
        return CURVE_WORDS.get(value, value)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
