"""What a report says in sentences: what differs from the paper, and by how much."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from capsnet_explorer.model.described.capsules.cutting import Cut
from capsnet_explorer.model.described.describing import AT_ONCE, Checked
from capsnet_explorer.model.described.layers import Decoder, Layer, Routing, Values
from capsnet_explorer.model.described.network import Described
from capsnet_explorer.model.described.report.words import (
    Deviation,
    ambiguity,
    certain,
    deviations,
    unexplained,
)
from capsnet_explorer.model.described.routing.ways import Way
from capsnet_explorer.model.described.search.guesses import (
    SCALED,
    SQUASHED,
    TELLING,
    answer_of,
)
from capsnet_explorer.model.printed import size_words

# What nothing depends on where there is one capsule above.
OF_COUPLINGS = ("iterations", "shared", "prior")


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


def sentences_of(checked: Checked) -> Iterator[Sentence]:
    """Yield what is said of a description that reproduces its module."""
    named = [
        deviation
        for deviation in deviations(checked.network)
        if _is_known(deviation, checked)
    ]
    yield from _of_deviations(checked, named)
    yield from _of_what_is_unexplained(checked)
    if not named:
        yield from _of_the_paper(checked)
    yield from _of_ambiguities(checked)
    yield from _of_decoder_and_batch(checked)
    yield from _of_parts(checked)
    yield from _of_images(checked)


def _is_known(deviation: Deviation, checked: Checked) -> bool:
    """Return whether a deviation is known."""
    is_of_answer = deviation.setting == "answers" and ("", "is") in checked.ambiguous
    is_of_mask = deviation.setting == "masks" and checked.alike is not None
    return not (
        is_of_answer
        or is_of_mask
        or (deviation.layer, deviation.setting) in checked.ambiguous
        or deviation.layer in checked.unexplained
        or _is_idle(deviation.layer, deviation.setting, checked)
    )


def _is_idle(layer: str, setting: str, checked: Checked) -> bool:
    """Return whether nothing depends on a setting, as there is one capsule above."""
    return setting in OF_COUPLINGS and layer in _certain(checked)


def _certain(checked: Checked) -> dict[str, Routing]:
    """Return the routings to one capsule, by id."""
    network = checked.network
    routings = [x for x in network.description.layers if isinstance(x, Routing)]
    return {
        layer.id: layer
        for layer in routings
        if network.choices[layer.id, "way"].is_certain(layer)
    }


def _of_deviations(checked: Checked, named: list[Deviation]) -> Iterator[Sentence]:
    routing = checked.network.description.layer(Routing)
    off = (checked.differences[routing.id] or 0.0) if routing is not None else 0.0
    for deviation in named:
        text = deviation.sentence
        if deviation.changed is not None:
            changes, moved = _measure(checked, deviation)
            differs = checked.differences[deviation.layer] or 0.0
            if checked.unexplained and moved <= TELLING * max(off, differs):
                continue  # the paper's way fits about as well
            text += " " + changes
        yield Sentence(deviation.layer, text, deviation.setting)


def _of_what_is_unexplained(checked: Checked) -> Iterator[Sentence]:
    for layer in checked.network.description.layers:
        if layer.id in checked.unexplained:
            why = checked.unexplained[layer.id]
            yield Sentence(layer.id, unexplained(layer, why))


def _of_the_paper(checked: Checked) -> Iterator[Sentence]:
    is_routed = checked.network.description.layer(Routing) is not None
    is_assumed = any(setting != "shared" for _, setting in checked.ambiguous)
    if is_routed and not checked.unexplained and not is_assumed:
        yield Sentence(
            "",
            f"Capsules are {_as_in_the_paper(checked.network)} as in the paper of "
            "Sabour, Frosst and Hinton (2017).",
        )


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


def _of_ambiguities(checked: Checked) -> Iterator[Sentence]:
    by_id: dict[str, Layer] = {x.id: x for x in checked.network.description.layers}
    for id, layer in _certain(checked).items():
        if id not in checked.unexplained:
            yield Sentence(id, certain(layer))
    for (id, setting), values in checked.ambiguous.items():
        # Of what is unexplained, nothing is told.
        if id not in checked.unexplained and not _is_idle(id, setting, checked):
            why = _why(by_id.get(id), checked)
            yield Sentence(id, ambiguity(by_id.get(id), setting, values, why))


def _why(layer: Layer | None, checked: Checked) -> str | None:
    """Return why settings of a routing cannot be told apart; None for weak weights."""
    if not isinstance(layer, Routing):
        return None
    way: Way = checked.network.choices[layer.id, "way"]
    if way.iterations == 1 and (layer.id, "iterations") not in checked.ambiguous:
        return "there is one iteration"
    return "there is one image" if len(checked.images) == 1 else None


def _of_decoder_and_batch(checked: Checked) -> Iterator[Sentence]:
    if checked.alone is not None:
        yield Sentence(
            "",
            "Its answer for an image depends on the others of its batch, by "
            f"{number_words(checked.alone)}; the explorer shows each image alone.",
        )
    if checked.alike is not None:
        decoder = checked.network.description.layer(Decoder)
        yield Sentence(
            decoder.id,
            f"{decoder.name}: its pictures of different classes differ by "
            f"{number_words(checked.alike)} at most, so nothing can be told of what it "
            "draws from.",
        )


def _of_parts(checked: Checked) -> Iterator[Sentence]:
    """Tell which tensor is shown of parts that return several."""
    for layer in checked.network.description.layers:
        count = checked.returned.get(layer.modules[0]) if layer.modules else None
        if isinstance(layer, Values) and count:
            yield Sentence(
                layer.id,
                f"{layer.name}: its part returns {count} tensors; shown is "
                f"{_which(layer, checked.network)}, of shape "
                f"{size_words(_shape_of(layer, checked))}.",
            )


def _which(layer: Values, network: Described) -> str:
    """Return which of a part's tensors is shown."""
    if layer.pick is not None:
        return "the one that pick takes"
    arrangement = network.choices.get((layer.id, "made"))
    ordinals = ("first", "second", "third", "fourth")
    number = 0 if arrangement is None else arrangement.tensor
    if number < len(ordinals):
        return f"the {ordinals[number]}"
    return f"number {number + 1}"


def _shape_of(layer: Values, checked: Checked) -> tuple[int, ...]:
    with torch.no_grad():
        values = checked.network(checked.images[:1]).values
    named = (f"{layer.id}.capsules", f"{layer.id}.out")
    return tuple(next(values[name] for name in named if name in values).shape[1:])


def _of_images(checked: Checked) -> Iterator[Sentence]:
    low, high = checked.images.aminmax()
    is_normalised = checked.network.description.normalize is not None
    if not is_normalised and (low < 0 or high > 1):
        yield Sentence(
            "",
            f"Its images have numbers from {low:.2g} to {high:.2g}. What is drawn or "
            "uploaded on the page has 0 to 1: normalize=(mean, standard deviation), "
            "with images in 0 to 1, makes both fit.",
        )


def _measure(checked: Checked, deviation: Deviation) -> tuple[str, float]:
    """Return what the paper's way would change on these images, and by how much."""
    images = checked.images
    changed, off = 0, 0.0
    with torch.no_grad():
        for part, answers in zip(
            images.split(AT_ONCE), checked.answers.split(AT_ONCE), strict=True
        ):
            answer, lengths = _answers_of(checked, deviation, part, answers)
            changed += int((answer.argmax(1) != lengths.argmax(1)).sum())
            off = max(off, (answer - lengths).abs().max().item())
    count = f"{changed} of {yours(len(images))}"
    if _are_capsules_compared(checked.network):
        changes = f"change which capsule is the longest for {count}, and lengths"
    else:
        changes = f"change the answer to {count}, and scores"
    if checked.network.config.classes == 1:
        changes = "change scores"
    return f"The paper’s way would {changes} by up to {number_words(off)}.", off


def _answers_of(
    checked: Checked, deviation: Deviation, images: Any, scores: Any
) -> Any:
    """Return the answer the paper's way, and the module's: (batch, classes) each."""
    network = checked.network
    last = network.description.layer(Routing)
    shared = network.choices[last.id, "way"].shared
    trace = network(images, shared=shared, changed=deviation.changed)
    if _are_capsules_compared(network):
        capsules = network(images, shared=shared).capsules
        return (
            torch.linalg.vector_norm(trace.capsules, dim=-1),
            torch.linalg.vector_norm(capsules, dim=-1),
        )
    way = {**network.choices, **(deviation.changed or {})}[last.id, "way"]
    name = network.choices["", "answers"]
    answer = answer_of(name, trace.poses, scores, way.again)
    return tuple(
        torch.linalg.vector_norm(answer, dim=-1) if answer.ndim == 3 else answer
        for answer in (answer, scores)
    )


def _are_capsules_compared(network: Described) -> bool:
    """Return whether lengths are told in place of scores, which do not follow alone."""
    return network.choices["", "answers"] in ("as they are", SCALED, SQUASHED)


def yours(count: int) -> str:
    """Return what the images of a report are called."""
    return f"your {count} images" if count > 1 else "your 1 image"


def number_words(value: float | None) -> str:
    """Return a difference as people read it."""
    if value is None:
        return "not compared"
    if value == 0:
        return "0"
    return f"{value:.1e}" if value < 0.01 else f"{value:.2g}"
