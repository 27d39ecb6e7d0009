"""Finds what a description cannot say, by recomputing each layer in every way.

Each layer is recomputed from the one below and compared with what the module's own
parts read and returned. Where no part shows a layer's values, all ways stay in the
running until the module's answer decides.
"""

import contextlib
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import torch
from torch import Tensor

from capsnet_explorer.model.described.capsules.making import (
    choices_of,
    makings,
    values_of,
)
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import (
    APART,
    Capsules,
    Classes,
    Convolution,
    Couplings,
    Dense,
    Layer,
    Pooling,
    Routing,
    Values,
)
from capsnet_explorer.model.described.routing.matrices import layouts, matrices
from capsnet_explorer.model.described.routing.ways import active_in
from capsnet_explorer.model.described.routing.windows import First, Window
from capsnet_explorer.model.described.search.active import ActiveSearch
from capsnet_explorer.model.described.search.cutter import Cutter
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.hypotheses import (
    Choices,
    Hypothesis,
    Proof,
    answers_of_dense,
    as_good,
    largest,
    proofs_in,
    scale,
)
from capsnet_explorer.model.described.search.trial import Trial


class Search:
    """One description, compared with one pass of its module.

    Args:
        evidence: what its parts read and returned.
        own: its answer, (batch, classes), or (batch, classes, size) if it is capsules.
        is_enough: whether what fits a routing so far needs no further way to be tried.
    """

    def __init__(
        self, evidence: Evidence, own: Tensor, is_enough: Callable[[Trial], bool]
    ) -> None:
        self.evidence = evidence
        self.own = own
        self.is_enough = is_enough
        self._cutter = Cutter(evidence)
        self._active = ActiveSearch(evidence, own)
        routings = [layer for layer in evidence.layers if isinstance(layer, Routing)]
        self._last = routings[-1] if routings else None
        self._proven: dict[tuple[int, ...], list[tuple[Proof, Tensor]]] = {}

    def hypotheses(self) -> list[Hypothesis]:
        """Return what reproduces every layer and the answer, best first.

        Raises:
            Different: nothing does.
        """
        hypotheses = [Hypothesis()]
        for layer in self.evidence.layers:
            hypotheses = self._with(layer, hypotheses)
        for layer in self.evidence.layers:
            if isinstance(layer, Pooling):
                hypotheses = self.evidence.pooled(layer, hypotheses)
            elif isinstance(layer, Capsules):
                self._require_seen(layer)
        return hypotheses

    def _with(self, layer: Layer, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        match layer:
            case Convolution() | Dense():
                return self.evidence.compared(layer, layer.module, hypotheses)
            case Values():
                for part in layer.modules:
                    self.evidence.require_run(layer, part)
                values = values_of(layer, self.evidence.seen)[0]
                return [each.added(layer.id, values) for each in hypotheses]
            case Couplings():
                seen = self.evidence.seen
                layer.of_seen(seen.softmaxes.get(layer.module, []), seen.kept)
            case Capsules():
                return self._cutter.cut(layer, hypotheses)
            case Routing():
                return self._routed(layer, hypotheses)
            case Classes():
                return self._answered(layer, hypotheses)
        return hypotheses

    # Routing.

    def _routed(self, layer: Routing, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        below = self.evidence.by_id[layer.below]
        self._require_place(layer)
        if layer.form == "em":
            return self._active.by_em(layer, below, hypotheses, self._beside(layer))
        if isinstance(below, Values):
            hypotheses = self._made(layer, below, hypotheses)
            if layer.kernel is not None:  # in whatever order, a window holds the same
                made = [one.choices[below.id, "made"] for one in hypotheses]
                pairs = zip(hypotheses, made, strict=True)
                hypotheses = [one for one, how in pairs if not how.is_by_place]
        elif not isinstance(below, Capsules | Routing):
            raise Different(
                f"{layer.id}: below must be a layer of capsules, or Values of shape "
                f"(batch, capsules, size), got {below.id}, {_kind_of(below)}",
                layer=layer.id,
            )
        if layer.form == "self":
            return self._routed_alone(layer, below, hypotheses)
        with torch.no_grad():
            given = matrices(layer).detach().to(self.evidence.images.dtype)
        off_middle = None if layer is self._last else self._off_middle
        reads = below.id
        if layer.kernel is not None:
            hypotheses = [*self._windowed(layer, below, hypotheses)]
            reads, off_middle = f"{layer.id}.windows", _unknown
        trial = Trial(
            layer,
            self.evidence.module,
            given,
            self.own,
            self.evidence.tolerance,
            self._proofs,
            off_middle,
            reads,
            lambda one, curve: self._cutter.recut(one, curve, below.id),
            lambda one: self._types(one, below, given),
            self.is_enough,
        )
        trial.run_all(hypotheses)
        if layer.kernel is not None:
            return self._of_middle(layer, [*self._placed(layer, trial.fitting)])
        if off_middle is not None:
            return self._of_middle(layer, trial.fitting)
        if not trial.fitting:
            raise trial.refused()
        return [one for one, _ in sorted(trial.last_fitting, key=lambda each: each[1])]

    def _require_place(self, layer: Routing) -> None:
        """Refuse a routing where none of its kind is recomputed."""
        is_last, last = layer is self._last, self._last
        form = None if last is None else last.form
        is_below = layer.kernel is not None and form == layer.form
        if layer.form in APART and not (is_last or is_below):
            raise Different(
                f"{layer.id}: {layer.form} routing is recomputed where it is the last, "
                "to the classes, or in windows below such a one; describe what it "
                "makes as Values(id, module)",
                layer=layer.id,
            )
        if is_last and layer.kernel is not None:
            raise Different(
                f"{layer.id}: kernel must be left out of the last Routing, which makes "
                "the capsules of the classes of all below",
                layer=layer.id,
            )

    def _windowed(
        self, layer: Routing, below: Layer, hypotheses: list[Hypothesis]
    ) -> Iterator[Hypothesis]:
        """Yield hypotheses with the capsules that each window reads."""
        fits = False
        for one in hypotheses:
            for grid, first in self._grids(one, below):
                if min(grid[1:]) + 2 * layer.padding < (layer.kernel or 1):
                    continue
                for slots, above in self._orders(one):
                    window = Window(
                        layer.kernel or 1,
                        layer.stride,
                        layer.padding,
                        *(grid, first, slots, above),
                    )
                    read = window.gathered(one.values[below.id])
                    fits = True
                    yield one.added(
                        f"{layer.id}.windows",
                        read,
                        None,
                        {(layer.id, "window"): window},
                    )
        if not fits:
            raise Different(
                f"{layer.id}: with a kernel of {layer.kernel}, {below.id} must have "
                "capsules at rows and columns, at least as many as that; what is cut "
                "by view, or returned in a list, stands at no place",
                layer=layer.id,
            )

    def _orders(self, one: Hypothesis) -> list[tuple[First, First]]:
        """Return how windows and capsules may be listed: as in a layer before."""
        before = [x for (_, what), x in one.choices.items() if what == "window"]
        if before:
            return [(before[-1].slots, before[-1].above)]
        firsts: tuple[First, ...] = ("types", "places")
        return [(slots, above) for slots in firsts for above in firsts]

    def _grids(
        self, one: Hypothesis, below: Layer
    ) -> Iterator[tuple[tuple[int, int, int], First]]:
        """Yield types, rows and columns of capsules, and which is listed first."""
        if isinstance(below, Capsules):
            cut = one.choices[below.id, "cut"]
            maps = cut.maps_of(below.convolutions, self.evidence.seen)
            # In whatever order they are listed, a window holds the same.
            if not cut.oddities and cut.first == "types":
                types = maps.shape[1] // below.size
                yield (types, maps.shape[2], maps.shape[3]), "types"
        elif isinstance(below, Routing):
            window: Window | None = one.choices[below.id, "way"].window
            if window is not None:
                yield window.grid_above(one.values[below.id].shape[1]), window.above
        elif isinstance(below, Values):
            yield from one.choices[below.id, "made"].grids

    def _placed(
        self, layer: Routing, tried: list[tuple[Hypothesis, float]]
    ) -> Iterator[tuple[Hypothesis, float]]:
        """Yield hypotheses with all capsules in one list, and how near a part comes."""
        for one, _ in tried:
            way = one.choices[layer.id, "way"]
            others = [
                other
                for (id, what), other in one.choices.items()
                if what == "way" and id != layer.id and other.window is not None
            ]
            alike = [x.iterations for x in others if x.form == way.form]
            if any(count != way.iterations for count in alike):
                continue
            way = replace(way, window=one.choices[layer.id, "window"])
            listed = way.window.listed(one.values[layer.id])
            placed = one.added(layer.id, listed, None, {(layer.id, "way"): way})
            yield placed, self._off_middle(listed)

    def _routed_alone(
        self, layer: Routing, below: Layer, hypotheses: list[Hypothesis]
    ) -> list[Hypothesis]:
        if layer.kernel is not None:
            hypotheses = [*self._windowed(layer, below, hypotheses)]
        return self._active.alone(
            *(layer, hypotheses),
            lambda one: self._activations(layer, below, one),
            lambda one: self._types(one, below, matrices(layer)),
        )

    def _activations(self, layer: Routing, below: Layer, one: Hypothesis) -> Tensor:
        made = one.values.get(f"{below.id}.active")
        if made is not None:
            return made
        window = one.choices.get((layer.id, "window"))
        grids = [*self._grids(one, below)]
        if window is not None:
            grids = [(window.grid, window.below)]
        return active_in(layer, one.values[below.id], self._beside(layer), grids)

    def _beside(self, layer: Routing) -> Tensor | None:
        """Return the activations that a part shows; None where the layer names none."""
        if layer.activations is None:
            return None
        beside = self.evidence.by_id[layer.activations]
        if isinstance(beside, Values):
            return values_of(beside, self.evidence.seen)[0]
        raise Different(
            f"{layer.id}: activations must be the id of Values, got {beside.id}, "
            f"{_kind_of(beside)}",
            layer=layer.id,
        )

    def _made(
        self, layer: Routing, below: Values, hypotheses: list[Hypothesis]
    ) -> list[Hypothesis]:
        """Read a part's values as capsules."""
        seen, making = self.evidence.seen, []
        for tensor in choices_of(below, seen):
            values = values_of(below, seen, tensor)
            shapes = [tuple(each.shape[1:]) for each in values]
            for made in makings(shapes, self._sizes(layer), self._reads(layer)):
                made = replace(made, tensor=tensor)
                making.append((made, made.listed(values)))
        if not making:
            shapes = " and ".join(str(tuple(x.shape)) for x in values_of(below, seen))
            raise Different(
                f"{layer.id}: below must be Values with capsules that its W of "
                f"{tuple(matrices(layer).shape)} reads, such as (batch, capsules, "
                f"size), got {below.id} with {shapes}",
                layer=layer.id,
            )
        return [
            one.added(below.id, listed, None, {(below.id, "made"): made})
            for one in hypotheses
            for made, listed in making
        ]

    def _sizes(self, layer: Routing) -> list[int]:
        """Return how many numbers a capsule that W reads may have, likeliest first."""
        return [*dict.fromkeys(reversed(matrices(layer).shape))]

    def _reads(self, layer: Routing) -> Callable[[int, int], bool]:
        """Return whether W reads so many capsules of so many numbers."""
        shape = tuple(matrices(layer).shape)
        classes = self.own.shape[1] if layer is self._last else None
        in_window = (layer.kernel or 0) ** 2

        @functools.cache
        def reads(count: int, size: int) -> bool:
            if in_window:
                types = [n // in_window for n in shape if n % in_window == 0]
                return size in shape and any(count % n == 0 for n in types)
            for ends in dict.fromkeys((classes, None)):
                for types in (None, 1, *(each for each in shape if count % each == 0)):
                    with contextlib.suppress(Different):
                        layouts(layer, shape, count, size, classes=ends, types=types)
                        return True
            return False

        return reads

    def _types(self, one: Hypothesis, below: Layer, given: Tensor) -> list[int]:
        """Return how many types the capsules below may be of."""
        capsules = one.values[below.id].shape[1]
        if isinstance(below, Capsules):
            maps = sum(each.out_channels for each in below.convolutions)
            return [maps // below.size]
        counts = dict.fromkeys((*given.shape, 1))
        return [each for each in counts if capsules % each == 0]

    def _proofs(self, shape: tuple[int, ...]) -> list[tuple[Proof, Tensor]]:
        if shape not in self._proven:
            evidence = self.evidence
            self._proven[shape] = proofs_in(evidence.seen, shape, evidence.described)
        return self._proven[shape]

    def _off_middle(self, values: Tensor) -> float:
        """Return how near a part's output comes to capsules; infinite without one."""
        batch, classes, size = values.shape
        shown = [
            tensor.reshape(values.shape)
            for part, tensor in self.evidence.seen.outputs.items()
            if part not in self.evidence.described
            and self.evidence.seen.calls[part] == 1
            and tensor.numel() == values.numel()
            and [n for n in tensor.shape if n > 1][-2:] == [classes, size][-2:]
            and tensor.shape[0] == batch
        ]
        return min((largest(values, each) for each in shown), default=math.inf)

    def _of_middle(
        self, layer: Routing, tried: list[tuple[Hypothesis, float]]
    ) -> list[Hypothesis]:
        """Keep those that a part of the module shows; all, if none shows any."""
        nearest, least = min(tried, key=lambda each: each[1])
        if least > self.evidence.tolerance * min(1.0, scale(nearest.values[layer.id])):
            return [one for one, _ in tried]
        self.evidence.shown.add(layer.id)
        return [
            one.added(layer.id, None, off)
            for one, off in tried
            if off <= as_good(least)
        ]

    # The answer.

    def _answered(
        self, layer: Classes, hypotheses: list[Hypothesis]
    ) -> list[Hypothesis]:
        if self._last is not None:
            return [
                each
                if each.choices["", "answers"] == "as they are"
                else each.added(layer.id, None, each.differences[self._last.id])
                for each in hypotheses
            ]
        dense = [each for each in self.evidence.layers if isinstance(each, Dense)]
        if not dense:
            choices: Choices = {("", "answers"): "as they are"}
            return [each.added(layer.id, choices=choices) for each in hypotheses]
        kept: list[tuple[Hypothesis, float]] = []
        nearest = math.inf
        for each in hypotheses:
            for step, values in self.evidence.given_by(each, dense[-1].id):
                for name, answer in answers_of_dense(values, self.own):
                    off = largest(answer, self.own)
                    nearest = min(nearest, off)
                    if off <= self.evidence.tolerance * max(1.0, scale(self.own)):
                        both = {**each.choices, **step}
                        is_sum = both[dense[-1].id, "step"].changes_nothing
                        answers = name if is_sum else "as they are"
                        choices = {**step, ("", "answers"): answers}
                        kept.append((each.added(layer.id, None, off, choices), off))
        if not kept:
            raise Different(
                f"{layer.id}: your module answers otherwise than {dense[-1].id}, by "
                f"{nearest:.2g}; say by scores which part of its answer the scores are",
                layer=layer.id,
                difference=nearest,
            )
        # Where numbers are all above 0, for one, an activation may change nothing.
        kept.sort(key=lambda each: each[0].choices["", "answers"] == "as they are")
        least = min(off for _, off in kept)
        kept.sort(key=lambda each: each[1] > as_good(least))
        return [one for one, _ in kept]

    # Layers that cannot be compared.

    def _require_seen(self, layer: Capsules) -> None:
        """Refuse capsules that neither a part shows nor a described layer reads."""
        is_read = any(
            isinstance(each, Routing) and each.below == layer.id
            for each in self.evidence.layers
        )
        if not is_read and layer.id not in self.evidence.shown:
            raise Different(
                f"{layer.id}: no part of your module shows its capsules, and no "
                "Routing of your description reads them, so that they cannot be "
                "compared; describe what routes them, or the part that makes them as "
                "Values(id, module)",
                layer=layer.id,
            )


def _unknown(_values: Tensor) -> float:
    """Return how far capsules are off of which nothing is known yet."""
    return math.inf


def _kind_of(layer: Layer) -> str:
    return f"a {type(layer).__name__}"
