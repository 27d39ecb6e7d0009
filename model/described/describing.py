"""`describe`: a module and its layers in, the network that the explorer shows out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.answers import (
    Scores,
    checked_images,
    checked_normalize,
    require_finite,
    scores_of,
)
from capsnet_explorer.model.described.cutting import Cut
from capsnet_explorer.model.described.drawing import Drawing, drawing_of
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.hypotheses import (
    Choices,
    Hypothesis,
    answers_of_capsules,
    answers_of_dense,
    as_good,
    largest,
    scale,
)
from capsnet_explorer.model.described.layers import (
    Classes,
    Decoder,
    Layer,
    Routing,
    checked,
)
from capsnet_explorer.model.described.network import Described, Description, Sizes
from capsnet_explorer.model.described.routing import SHARINGS, Way
from capsnet_explorer.model.described.search import Search
from capsnet_explorer.model.described.watching import (
    Call,
    Seen,
    borrowed,
    watched,
)

AT_ONCE = 16  # images of a pass
TRIED_ON = 2  # images on which every way is tried; with one, no sharing can be seen
MOST_LEFT = 24  # ways that are compared on all images


@dataclass(frozen=True)
class Checked:
    """A description that reproduces its module.

    Attributes:
        network: as the explorer runs it.
        images: that it was checked on, as they were given.
        differences: the largest of each layer; None for a decoder that did not draw
            while the module answered.
        ambiguous: settings that these images cannot tell apart, by layer and what.
    """

    network: Described
    images: Tensor
    differences: dict[str, float | None]
    ambiguous: dict[tuple[str, str], tuple[Any, ...]]
    own: Tensor


def checked_description(
    module: nn.Module,
    layers: Iterable[Layer],
    images: Any,
    *,
    scores: Scores | None = None,
    call: Call | None = None,
    classes: int | None = None,
    normalize: Any = None,
    tolerance: float = 1e-4,
) -> Checked:
    """Compare a description with its module, and find what it does not say.

    Raises:
        Different: the description does not reproduce the module.
        ValueError: module, images or settings cannot be used.
    """
    if not isinstance(module, nn.Module):
        raise ValueError(
            f"module must be an nn.Module, got a {_kind(module)}; build it, and load a "
            "state dict into it, as that holds no graph"
        )
    if not tolerance > 0:
        raise ValueError(f"tolerance must be above 0, got {tolerance!r}")
    described = _with_classes(checked(layers))
    given = checked_images(images)
    norm = checked_normalize(normalize, given)
    description = Description(module, described, call, norm)
    with borrowed(module), torch.no_grad():
        return _Check(description, given, scores, classes, tolerance).done()


def _kind(value: object) -> str:
    return "state dict" if isinstance(value, dict) else type(value).__name__


def _with_classes(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Return the layers with the classes that every network has."""
    if any(isinstance(layer, Classes) for layer in layers):
        return layers
    place = next(
        (at for at, layer in enumerate(layers) if isinstance(layer, Decoder)),
        len(layers),
    )
    return (*layers[:place], Classes(), *layers[place:])


@dataclass
class _Check:
    description: Description
    images: Tensor
    pick: Scores | None
    classes: int | None
    tolerance: float

    def done(self) -> Checked:
        description, module = self.description, self.description.module
        few = self.images[:TRIED_ON]
        read = description.read(few)
        parts = {*module.modules()} - {module}
        parts |= {part for layer in description.layers for part in layer.modules}
        seen = watched(module, read, parts, description.call)
        own = self._own(seen, few)
        self._require_steady(read, own)
        search = Search(module, description.layers, read, seen, own, self.tolerance)
        left = search.hypotheses()
        sizes = self._sizes(left[0], own)
        drawing, off_drawn = self._drawing(left[0], seen, sizes)
        if self._last is None:
            left = [
                one.added("", choices={("", "scores"): self._picked}) for one in left
            ]
        best, ambiguous, answers, off_answer = self._on_all(left, sizes)
        network = Described(
            description, best.choices, self._sized(sizes, best), drawing
        )
        differences: dict[str, float | None] = {}
        off = off_answer
        for layer in reversed(description.layers):
            if isinstance(layer, Decoder):
                differences[layer.id] = off_drawn
                continue
            # What the module shows nowhere is compared by what is made of it.
            off = best.differences.get(layer.id, off)
            if layer is self._last or isinstance(layer, Classes):
                off = max(off, off_answer)
            differences[layer.id] = off
        return Checked(network, self.images, differences, ambiguous, answers)

    @property
    def _last(self) -> Routing | None:
        return self.description.layer(Routing)

    def _own(self, seen: Seen, images: Tensor) -> Tensor:
        answer = scores_of(
            seen.output, len(images), scores=self.pick, classes=self.classes
        )
        names = {
            part: layer.id
            for layer in self.description.layers
            for part in layer.modules
        }
        require_finite(answer, seen.outputs, names)
        return answer

    def _require_steady(self, read: Tensor, own: Tensor) -> None:
        """Refuse a module that answers otherwise when it is asked again."""
        module = self.description.module
        again = watched(module, read, (), self.description.call)
        found = scores_of(
            again.output, len(read), scores=self.pick, classes=self.classes
        )
        off = largest(found, own)
        if off > self.tolerance * min(1.0, max(scale(own), 1e-12)):
            raise ValueError(
                "your module answers otherwise when it is asked again, by "
                f"{off:.2g}: is dropout left on, by F.dropout without "
                "training=self.training, or does it keep something from call to call?"
            )

    def _sizes(self, found: Hypothesis, own: Tensor) -> Sizes:
        last = self._last
        capsules = 0 if last is None else found.values[last.below].shape[1]
        channels, rows, columns = self.images.shape[1:]
        return Sizes(channels, rows, columns, own.shape[1], capsules, 0)

    def _sized(self, sizes: Sizes, found: Hypothesis) -> Sizes:
        last = self._last
        if last is None:
            return sizes
        way = found.choices[last.id, "way"]
        return replace(sizes, routing_iterations=way.iterations)

    def _drawing(
        self, found: Hypothesis, seen: Seen, sizes: Sizes
    ) -> tuple[Drawing | None, float | None]:
        """Return how the decoder is used, and by how much its pictures are off."""
        layer = self.description.layer(Decoder)
        last = self._last
        if layer is None:
            return None, None
        if last is None:
            raise Different(
                f"{layer.id}: a decoder reads the capsules of classes; describe the "
                "Routing that makes them, or leave it out",
                layer=layer.id,
            )
        # Of several calls, nothing says which drew the answer's picture.
        once = seen.calls.get(layer.module) == 1
        own = seen.outputs.get(layer.module) if once else None
        return drawing_of(
            layer, found.values[last.id], sizes.image_shape, own, self.tolerance
        )

    def _on_all(
        self, left: list[Hypothesis], sizes: Sizes
    ) -> tuple[Hypothesis, dict, Tensor, float]:
        """Return what fits all images best, and what fits as well."""
        kept = left[:MOST_LEFT]
        worst = [0.0] * len(kept)
        answers = []
        size = 0.0
        for part in self.images.split(AT_ONCE):
            own = None
            for place, one in enumerate(kept):
                network = self._network(one, sizes)
                trace = network(part, shared=self._shared(one))
                if own is None:
                    own = scores_of(
                        trace.answer, len(part), scores=self.pick, classes=self.classes
                    ).cpu()
                    require_finite(own, {}, {})
                    size = max(size, scale(own))
                    answers.append(own)
                worst[place] = max(worst[place], largest(_answer(one, trace, own), own))
        least = min(worst)
        limit = self.tolerance * (min(1.0, size) if self._last else max(1.0, size))
        if not least <= limit:
            layer = self._last or self.description.layers[-1]
            raise Different(
                f"{layer.id}: what fits the first {min(TRIED_ON, len(self.images))} "
                f"images is off by {least:.2g} on others; is there something that "
                "depends on the image, or on others of its batch?",
                layer=layer.id,
                difference=least,
            )
        fitting = [
            one
            for one, off in zip(kept, worst, strict=True)
            if off <= as_good(least, size)
        ]
        best = min(fitting, key=_oddity)
        ambiguous = _ambiguous(fitting)
        if self._last is not None and len(self.images) == 1:
            ambiguous[self._last.id, "shared"] = (False, *SHARINGS[1:])
        return best, ambiguous, torch.cat(answers), worst[kept.index(best)]

    def _network(self, one: Hypothesis, sizes: Sizes) -> Described:
        return Described(self.description, one.choices, self._sized(sizes, one))

    def _picked(self, output: Any, batch: int) -> Tensor:
        return scores_of(output, batch, scores=self.pick, classes=self.classes)

    def _shared(self, one: Hypothesis) -> str:
        last = self._last
        return "no" if last is None else one.choices[last.id, "way"].shared


def _answer(one: Hypothesis, trace: Any, own: Tensor) -> Tensor:
    """Return of a trace what the module answers with."""
    name = one.choices.get(("", "answers"), "lengths")
    if trace.poses is not None:
        return dict(answers_of_capsules(trace.poses, own))[name]
    if "logits" in trace.values:
        return dict(answers_of_dense(trace.values["logits"], own))[name]
    return trace.scores


def _oddity(one: Hypothesis) -> float:
    """Return how much differs from the paper."""
    total = 0.0
    for choice in one.choices.values():
        if isinstance(choice, Cut):
            total += (choice.order == "view") + (choice.squash != "capsule")
            total += choice.relu + 0.1 * (choice.maps == "apart")
            total += 0.1 * (choice.first == "places")
        elif isinstance(choice, Way):
            total += (choice.axis == "capsules") + (choice.squash != "capsule")
            total += (choice.prior is not None) + (choice.shared != "no")
            total += 0.2 * abs(choice.iterations - 3)
    return total


def _ambiguous(fitting: Sequence[Hypothesis]) -> dict:
    """Return the settings in which hypotheses differ that fit equally well."""
    found: dict[tuple[str, str], list[Any]] = {}
    for one in fitting:
        for (id, _), choice in one.choices.items():
            for name, value in settings_of(choice).items():
                values = found.setdefault((id, name), [])
                if value not in values:
                    values.append(value)
    return {key: tuple(values) for key, values in found.items() if len(values) > 1}


def settings_of(choice: Any) -> dict[str, Any]:
    """Return what was found as words and numbers, by name."""
    if isinstance(choice, Cut):
        found = {"order": choice.order, "squash": choice.squash}
        if choice.order == "permute":
            found |= {"maps": choice.maps, "first": choice.first}
        return found | ({"before": "ReLU"} if choice.relu else {})
    if isinstance(choice, Way):
        names = ("in", "out", "out size", "in size")
        by_axis = sorted(zip(choice.axes, names, strict=True))
        return {
            "axis": choice.axis,
            "iterations": choice.iterations,
            "squash": choice.squash,
            "prior": None if choice.prior is None else choice.prior.name,
            "shared": choice.shared if choice.shared != "no" else False,
            "axes": tuple(name for _, name in by_axis),
        }
    if isinstance(choice, str):
        return {"is": choice}
    return {"activation": choice.words} if hasattr(choice, "words") else {}


def found_by_layer(choices: Choices) -> dict[str, dict[str, Any]]:
    """Return what was found about each layer that has something to find."""
    found: dict[str, dict[str, Any]] = {}
    for (id, what), choice in choices.items():
        named = {"pool": "pooling", "flat": "flattened"}.get(what)
        settings = {named: choice} if named else settings_of(choice)
        found.setdefault(id, {}).update(settings)
    return found
