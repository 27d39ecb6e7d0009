"""Finds what a description cannot say, by recomputing each layer in every way.

Each layer is recomputed from the one below and compared with what the module's own
parts read and returned. Where no part shows a layer's values, all ways stay in the
running until the module's answer decides.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.between import POOLS, chain_after, steps_after
from capsnet_explorer.model.described.cutting import Cut, cuts, makings
from capsnet_explorer.model.described.em import below_of, fitted
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.hypotheses import (
    Choices,
    Hypothesis,
    Proof,
    answers_of_dense,
    as_good,
    explained,
    largest,
    proofs_in,
    scale,
)
from capsnet_explorer.model.described.layers import (
    Capsules,
    Classes,
    Convolution,
    Dense,
    Layer,
    Pooling,
    Routing,
    Values,
)
from capsnet_explorer.model.described.matrices import matrices
from capsnet_explorer.model.described.routing import Way
from capsnet_explorer.model.described.squashes import (
    OTHERS,
    PAPER,
    Curve,
    all_constants,
)
from capsnet_explorer.model.described.trial import Trial
from capsnet_explorer.model.described.watching import Seen, name_of

EXACT, SINGLE = 1e-15, 6e-8  # of the largest value: rounding, in either precision
INPUT = 1e-5  # what a layer reads is copied, not computed: it agrees far better


class Search:
    """One description, compared with one pass of its module.

    Args:
        module: the user's.
        layers: checked.
        images: as the module reads them.
        seen: what its parts read and returned for these images.
        own: its answer for them, (batch, classes), or (batch, classes, size) if it is
            capsules.
        tolerance: the largest difference that counts as none.
        is_enough: whether what fits a routing so far needs no further way to be tried.
    """

    def __init__(
        self,
        module: nn.Module,
        layers: tuple[Layer, ...],
        images: Tensor,
        seen: Seen,
        own: Tensor,
        tolerance: float,
        is_enough: Callable[[Trial], bool],
    ) -> None:
        self.module = module
        self.layers = layers
        self.images = images
        self.seen = seen
        self.own = own
        self.tolerance = tolerance
        self.is_enough = is_enough
        self._by_id = {layer.id: layer for layer in layers}
        self._described = {part for layer in layers for part in layer.modules}
        routings = [layer for layer in layers if isinstance(layer, Routing)]
        self._last = routings[-1] if routings else None
        self._proven: dict[tuple[int, ...], list[tuple[Proof, Tensor]]] = {}
        self.are_shown: set[str] = set()  # ids of capsules that a part shows

    def hypotheses(self) -> list[Hypothesis]:
        """Return what reproduces every layer and the answer, best first.

        Raises:
            Different: nothing does.
        """
        found = [Hypothesis()]
        for layer in self.layers:
            found = self._with(layer, found)
        for layer in self.layers:
            if isinstance(layer, Pooling):
                found = self._pooled(layer, found)
            elif isinstance(layer, Capsules):
                self._require_seen(layer)
        return found

    def _with(self, layer: Layer, found: list[Hypothesis]) -> list[Hypothesis]:
        match layer:
            case Convolution() | Dense():
                return self._read(layer, layer.module, found)
            case Values():
                self._require_run(layer, layer.module)
                values = self.seen.outputs[layer.module]
                return [each.added(layer.id, values) for each in found]
            case Capsules():
                return self._cut(layer, found)
            case Routing():
                return self._routed(layer, found)
            case Classes():
                return self._answered(layer, found)
        return found

    # What a layer reads, and computes of it.

    def _read(
        self, layer: Convolution | Dense | Capsules, part: nn.Module, found: list
    ) -> list[Hypothesis]:
        """Compare what a part reads and returns with what it should."""
        self._require_run(layer, part)
        kept, nearest = [], math.inf
        for each in found:
            matched, off = self._matching(each, layer, part)
            nearest = min(nearest, off)
            kept += matched
        if not kept:
            raise self._reads_other(layer, part, nearest)
        below, _here = kept[0]
        own = self.seen.outputs[part]
        if own.dtype.itemsize < below.dtype.itemsize:
            raise Different(
                f"{layer.id}: {name_of(self.module, part)} computes in {own.dtype}, "
                "and its rounding hides the rest: turn autocast off while your module "
                "is described, and hand it over in single precision",
                layer=layer.id,
            )
        values = recomputed(part, below)
        off = largest(values, own)
        if not off <= self.tolerance * max(1.0, scale(own)):
            raise Different(
                f"{layer.id}: {name_of(self.module, part)} computes otherwise than "
                f"{_article(part)}, by {off:.2g}; describe it as "
                "Values(id, module)",
                layer=layer.id,
                difference=off,
            )
        return [
            one.added(layer.id, own, max(off, one.differences.get(layer.id, 0.0)))
            for _, one in kept
        ]

    def _matching(
        self, hypothesis: Hypothesis, layer: Any, part: nn.Module
    ) -> tuple[list[tuple[Tensor, Hypothesis]], float]:
        """Return what a part reads of the layer below, and how near that comes."""
        read = self.seen.inputs[part]
        kept: list[tuple[float, tuple[Tensor, Hypothesis]]] = []
        nearest = math.inf
        for choices, values in self._outs(hypothesis, layer.below):
            for flat, seen_as in self._as_read(layer, values, read):
                off = largest(seen_as, read)
                nearest = min(nearest, off)
                if off <= INPUT * max(1.0, scale(read)):
                    extra = {**choices, **flat}
                    one = seen_as, hypothesis.added(layer.id, choices=extra)
                    if any(getattr(each, "is_shown", False) for each in extra.values()):
                        return [one], off
                    kept.append((off, one))
        # Batch norm that has not learned yet changes values by a few millionths.
        return [one for off, one in kept if off <= 8 * nearest], nearest

    def _pooled(self, layer: Pooling, found: list[Hypothesis]) -> list[Hypothesis]:
        """Compare pooling that no described layer reads with what any part reads.

        Raises:
            Different: no part of the module reads or returns what it gives.
        """
        if any((layer.id, "pool") in each.choices for each in found):
            return found  # the layer above has told
        shown = [*self.seen.inputs.values(), *self.seen.outputs.values()]
        kept: list[tuple[float, Hypothesis]] = []
        nearest = math.inf
        for each in found:
            for choices, values in self._outs(each, layer.id):
                off = min(
                    (
                        largest(values.flatten(1), tensor.flatten(1))
                        for tensor in shown
                        if tensor.numel() == values.numel() and tensor.ndim > 1
                    ),
                    default=math.inf,
                )
                nearest = min(nearest, off)
                if off <= INPUT * max(1.0, scale(values)):
                    kept.append((off, each.added(layer.id, None, off, choices)))
        if not kept:
            near = "" if math.isinf(nearest) else f"; the nearest is {nearest:.2g} off"
            raise Different(
                f"{layer.id}: no part of your module reads what it gives{near}, so it "
                "cannot be compared; leave it out, or describe what reads it",
                layer=layer.id,
                difference=nearest,
            )
        return [one for off, one in kept if off <= 8 * nearest]

    def _as_read(
        self, layer: Layer, values: Tensor, read: Tensor
    ) -> Iterator[tuple[Choices, Tensor]]:
        """Yield values in the shape in which a layer reads them."""
        if values.shape == read.shape:
            yield {}, values
        elif isinstance(layer, Dense) and values.numel() == read.numel():
            yield {(layer.id, "flat"): "maps"}, values.reshape(read.shape)
            if values.ndim == 4 and values.shape[1] > 1 < values[0, 0].numel():
                places = values.permute(0, 2, 3, 1).reshape(read.shape)
                yield {(layer.id, "flat"): "places"}, places

    def _outs(
        self, hypothesis: Hypothesis, id: str | None
    ) -> Iterator[tuple[Choices, Tensor]]:
        """Yield what the next layer may read of a layer."""
        if id is None:
            yield {}, self.images
            return
        layer = self._by_id[id]
        if isinstance(layer, Pooling):
            for choices, values in self._outs(hypothesis, layer.below):
                for name, pool in POOLS.items():
                    if (id, "pool") in hypothesis.choices and (
                        hypothesis.choices[id, "pool"] != name
                    ):
                        continue
                    if values.ndim == 4 and min(values.shape[2:]) >= layer.size:
                        pooled = pool(values, layer.size)
                        yield {**choices, (id, "pool"): name}, pooled
            return
        values = hypothesis.values[id]
        if isinstance(layer, Capsules | Routing):
            yield {}, values
            if isinstance(layer, Routing):
                yield {}, torch.linalg.vector_norm(values, dim=-1)
            return
        if chosen := hypothesis.choices.get((id, "step")):
            yield {}, chosen.after(chosen.before(values, self.seen), self.seen)
            return
        for step in steps_after(values, self.seen, self._described):
            after = step.after(step.before(values, self.seen), self.seen)
            yield {(id, "step"): step}, after

    # Capsules, cut and squashed.

    def _cut(self, layer: Capsules, found: list[Hypothesis]) -> list[Hypothesis]:
        for part in layer.convolutions:
            found = self._read(layer, part, found)
        maps = Cut().maps_of(layer.convolutions, self.seen)
        types = maps.shape[1] // layer.size
        places = maps[0, 0].numel()
        shown, hinted = self._shown(layer, len(maps), types * places, layer.size)
        first = PAPER if layer.squash is None else Curve("own", function=layer.squash)
        tried = [*self._cuts(layer, first, shown)]
        if hinted and not shown:
            # What a later part reads may be anything; capsules agree to the last digit.
            seen = [*self._cuts(layer, first, hinted)]
            exact = min(each[3] for each in seen) <= self.tolerance * 0.01
            shown, tried = (hinted, seen) if exact else (shown, tried)
        fitting = tried
        if shown:
            self.are_shown.add(layer.id)
            fitting = self._fitting(layer, tried, shown)
        least = min(each[3] for each in fitting)
        fitting = [each for each in fitting if each[3] <= as_good(least)]
        return [
            hypothesis.added(
                layer.id,
                listed,
                max(hypothesis.differences[layer.id], after if shown else 0.0),
                {(layer.id, "cut"): cut},
            )
            for hypothesis in found
            for cut, listed, _, after in fitting
        ]

    def _cuts(
        self, layer: Capsules, curve: Curve, shown: list[Tensor]
    ) -> Iterator[tuple[Cut, Tensor, float, float]]:
        """Yield every cut, its capsules, and how far off they are before and after."""
        maps = Cut().maps_of(layer.convolutions, self.seen)
        types, places = maps.shape[1] // layer.size, maps[0, 0].numel()
        chain = () if len(layer.convolutions) > 1 else self._chain(maps)
        for count in range(len(chain), -1, -1):
            for cut in cuts(types, places, layer.size, curve, chain[:count]):
                yield self._compared(cut, layer, shown)

    def _chain(self, maps: Tensor) -> tuple[nn.Module, ...]:
        return chain_after(maps, self.seen, self._described)

    def _compared(
        self, cut: Cut, layer: Capsules, shown: list[Tensor]
    ) -> tuple[Cut, Tensor, float, float]:
        grid = cut.grid(cut.maps_of(layer.convolutions, self.seen), layer.size)
        listed = cut.listed(cut.squashed(grid))
        before = min((largest(cut.listed(grid), each) for each in shown), default=0.0)
        after = min((largest(listed, each) for each in shown), default=0.0)
        return cut, listed, before, after

    def _fitting(
        self, layer: Capsules, tried: list, shown: list[Tensor]
    ) -> list[tuple[Cut, Tensor, float, float]]:
        """Return the cuts that make what the module has, with their constants.

        Raises:
            Different: none does.
        """
        size = min(scale(each) for each in shown)
        limit = self.tolerance * min(1.0, size)
        if layer.squash is None and not any(each[3] <= limit for each in tried):
            nearest = sorted(tried, key=lambda each: each[3])[:4]
            tried = [*tried, *self._with_constants(layer, nearest, shown)]
        if layer.squash is None and not any(each[3] <= limit for each in tried):
            for curve in OTHERS:
                tried = [*tried, *self._cuts(layer, curve, shown)]
        fitting = [each for each in tried if each[3] <= limit]
        if fitting:
            if layer.squash is None:
                least = min(each[3] for each in fitting)
                near = [each for each in fitting if each[3] <= as_good(least)]
                fitting += self._with_constants(layer, near, shown)
            return fitting
        # A part may show the capsules before squash; that comes later, then.
        fitting = [
            each
            for each in tried
            if each[2] <= self.tolerance * max(1.0, size)
            and each[0].curve.name in ("paper", "own")
        ]
        if fitting:
            return [(cut, listed, before, before) for cut, listed, before, _ in fitting]
        nearest = min(tried, key=lambda each: each[3])
        raise Different(
            f"{layer.id}: cut in no way that was tried do its maps make the capsules "
            f"that the module has; the nearest is off by {nearest[3]:.2g}. If "
            "something else lies between, such as batch norm, describe the part that "
            "returns the capsules as Values(id, module), and let Routing read that",
            layer=layer.id,
            difference=nearest[3],
        )

    def _with_constants(
        self, layer: Capsules, near: list, shown: list[Tensor]
    ) -> Iterator[tuple[Cut, Tensor, float, float]]:
        for cut, *_ in near:
            for constants in all_constants():
                curve = cut.curve.with_constants(constants)
                changed = replace(cut, curve=curve)
                yield self._compared(changed, layer, shown)

    def _recut(
        self, hypothesis: Hypothesis, curve: Curve, id: str
    ) -> Hypothesis | None:
        """Return a hypothesis with another curve below; None where it is decided."""
        layer = self._by_id[id]
        if not isinstance(layer, Capsules) or layer.squash is not None:
            return None
        if id in self.are_shown:
            return None
        cut = hypothesis.choices[id, "cut"]
        if curve.name == "none" and cut.squash != "capsule":
            return None
        changed = replace(cut, curve=curve)
        maps = changed.maps_of(layer.convolutions, self.seen)
        listed = changed.listed(changed.squashed(changed.grid(maps, layer.size)))
        return hypothesis.added(id, listed, None, {(id, "cut"): changed})

    def _shown(
        self, layer: Capsules, batch: int, capsules: int, size: int
    ) -> tuple[list[Tensor], list[Tensor]]:
        """Return what can only be a layer's capsules, and what may be.

        Parts around it return the first; what other parts read may be the second.
        """
        parts = set(layer.convolutions)
        around = [
            module
            for module in self.module.modules()
            if module is not self.module
            and module not in parts
            and any(part in set(module.modules()) for part in parts)
        ]
        returned = [self.seen.outputs.get(module) for module in around]
        read = [
            tensor
            for part, tensor in self.seen.inputs.items()
            if part not in parts and part not in around
        ]
        return (
            [*_as_capsules(returned, batch, capsules, size)],
            [*_as_capsules(read, batch, capsules, size)],
        )

    # Routing.

    def _routed(self, layer: Routing, found: list[Hypothesis]) -> list[Hypothesis]:
        below = self._by_id[layer.below]
        if layer.form == "em":
            return self._routed_by_em(layer, below, found)
        if isinstance(below, Values):
            found = self._made(layer, below, found)
        elif not isinstance(below, Capsules | Routing):
            raise Different(
                f"{layer.id}: below must be a layer of capsules, or Values of shape "
                f"(batch, capsules, size), got {below.id}, {_kind_of(below)}",
                layer=layer.id,
            )
        with torch.no_grad():
            given = matrices(layer).detach().to(self.images.dtype)
        off_middle = None if layer is self._last else self._off_middle
        trial = Trial(
            layer,
            self.module,
            given,
            self.own,
            self.tolerance,
            self._proofs,
            off_middle,
            lambda one, curve: self._recut(one, curve, below.id),
            lambda one: self._types(one, below, given),
            self.is_enough,
        )
        trial.run_all(found)
        if off_middle is not None:
            return self._of_middle(layer, trial.fitting)
        if not trial.fitting:
            raise trial.refused()
        return [one for one, _ in sorted(trial.last_fitting, key=lambda each: each[1])]

    def _routed_by_em(
        self, layer: Routing, below: Layer, found: list[Hypothesis]
    ) -> list[Hypothesis]:
        """Return all ways of EM routing that make the answer, each as near.

        Raises:
            Different: there is none, or the iterations hardly change what it makes.
        """
        beside = None if layer.activations is None else self._by_id[layer.activations]
        if layer is not self._last or not isinstance(below, Values):
            raise Different(
                f"{layer.id}: EM routing is recomputed where poses that are Values are "
                "routed to the classes; describe what it makes as Values(id, module)",
                layer=layer.id,
            )
        activations = beside and self.seen.outputs[beside.modules[0]]
        capsules = below_of(layer, self.seen.outputs[below.module], activations)
        given = matrices(layer).detach().to(self.images.dtype)
        fits = fitted(layer, self.module, given, capsules, self.own)
        limit = self.tolerance * min(1.0, scale(self.own))
        off = fits[0].off if fits else math.inf
        if not off <= limit:
            raise Different(
                f"{layer.id}: routed by EM in no way that was tried are its classes as "
                f"active as your module answers: off by {off:.2g} at best, where at "
                f"most {limit:.2g} counts as none. Tried were "
                f"{layer.iterations or '1 to 5'} iterations, "
                "matrices on either side, coordinates, costs β among its parameters, "
                "and constant and rising λ (say temperature=). If it routes otherwise, "
                "describe the part that makes its capsules as Values(id, module)",
                layer=layer.id,
                difference=off,
            )
        effect = fits[0].effect
        size, is_precise = scale(self.own), self.own.dtype == torch.float64
        noise = size * (EXACT if is_precise else SINGLE)
        if not max(off, noise) <= explained(effect, size, is_precise=is_precise):
            raise Different(
                f"{layer.id}: these weights cannot show how it routes: iterations "
                f"change its activations by {effect:.1g} at most; describe the part "
                "that makes its capsules as Values(id, module)",
                layer=layer.id,
                difference=off,
            )
        least = as_good(off, noise)
        return [
            one.added(
                layer.id,
                None,
                each.off,
                {
                    (layer.id, "way"): Way(
                        form="em", em=each.em, iterations=each.iterations
                    ),
                    ("", "answers"): "activations",
                },
            )
            for one in found
            for each in fits
            if each.off <= least
        ]

    def _made(
        self, layer: Routing, below: Values, found: list[Hypothesis]
    ) -> list[Hypothesis]:
        """Read a part's values as capsules.

        Raises:
            Different: they have too few axes.
        """
        values = self.seen.outputs[below.module]
        making = [*makings(values)]
        if not making:
            raise Different(
                f"{layer.id}: below must be Values of shape (batch, capsules, size), "
                f"got {below.id} with {tuple(values.shape)}",
                layer=layer.id,
            )
        sizes = {*matrices(layer).shape}
        fitting = [each for each in making if each.listed(values).shape[2] in sizes]
        return [
            one.added(below.id, made.listed(values), None, {(below.id, "made"): made})
            for one in found
            for made in fitting or making[:1]
        ]

    def _types(self, one: Hypothesis, below: Layer, given: Tensor) -> list[int]:
        """Return how many types the capsules below may be of."""
        capsules = one.values[below.id].shape[1]
        if isinstance(below, Capsules):
            maps = sum(each.out_channels for each in below.convolutions)
            return [maps // below.size]
        return [each for each in dict.fromkeys(given.shape) if capsules % each == 0]

    def _proofs(self, shape: tuple[int, ...]) -> list[tuple[Proof, Tensor]]:
        if shape not in self._proven:
            self._proven[shape] = proofs_in(self.seen, shape, self._described)
        return self._proven[shape]

    def _off_middle(self, values: Tensor) -> float:
        """Return how near a part's output comes to capsules; infinite without one."""
        batch, classes, size = values.shape
        shown = [
            tensor.reshape(values.shape)
            for part, tensor in self.seen.outputs.items()
            if part not in self._described
            and self.seen.calls[part] == 1
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
        if least > self.tolerance * min(1.0, scale(nearest.values[layer.id])):
            return [one for one, _ in tried]
        self.are_shown.add(layer.id)
        return [
            one.added(layer.id, None, off)
            for one, off in tried
            if off <= as_good(least)
        ]

    # The answer.

    def _answered(self, layer: Classes, found: list[Hypothesis]) -> list[Hypothesis]:
        if self._last is not None:
            return [
                each
                if each.choices["", "answers"] == "as they are"
                else each.added(layer.id, None, each.differences[self._last.id])
                for each in found
            ]
        dense = [each for each in self.layers if isinstance(each, Dense)]
        if not dense:
            choices: Choices = {("", "answers"): "as they are"}
            return [each.added(layer.id, choices=choices) for each in found]
        kept: list[tuple[Hypothesis, float]] = []
        nearest = math.inf
        for each in found:
            for step, values in self._outs(each, dense[-1].id):
                for name, answer in answers_of_dense(values, self.own):
                    off = largest(answer, self.own)
                    nearest = min(nearest, off)
                    if off <= self.tolerance * max(1.0, scale(self.own)):
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
        """Refuse capsules that neither a part shows nor a described layer reads.

        Raises:
            Different: nothing can be told of them.
        """
        is_read = any(
            isinstance(each, Routing) and each.below == layer.id for each in self.layers
        )
        if not is_read and layer.id not in self.are_shown:
            raise Different(
                f"{layer.id}: no part of your module shows its capsules, and no "
                "Routing of your description reads them, so that they cannot be "
                "compared; describe what routes them, or the part that makes them as "
                "Values(id, module)",
                layer=layer.id,
            )

    def _require_run(self, layer: Layer, part: nn.Module) -> None:
        count = self.seen.calls.get(part, 0)
        if count == 1 and part in self.seen.outputs:
            return
        name = name_of(self.module, part)
        if count == 0:
            problem = f"{name} did not run when your module answered"
        elif count > 1:
            problem = f"{name} ran {count} times in one answer"
        else:
            problem = f"{name} returned no tensor"
        raise Different(
            f"{layer.id}: {problem}; describe a part of it that runs once and returns "
            "a tensor",
            layer=layer.id,
        )

    def _reads_other(self, layer: Layer, part: nn.Module, nearest: float) -> Different:
        below = "the image" if layer.reads is None else layer.reads
        read = self.seen.inputs[part]
        if math.isinf(nearest):
            shapes = {
                tuple(values.shape[1:])
                for _, values in self._outs(
                    Hypothesis(values=self._own_values), layer.reads
                )
            }
            gives = " or ".join(map(str, sorted(shapes))) or "nothing"
            shape = tuple(read.shape[1:])
            words = f"it reads values of shape {shape}, and {below} gives {gives}"
        else:
            words = f"what it reads differs from what {below} gives, by {nearest:.2g}"
        return Different(
            f"{layer.id}: {words}; describe what lies between, or name the layer below",
            layer=layer.id,
            difference=nearest,
        )

    @property
    def _own_values(self) -> dict[str, Tensor]:
        return {
            layer.id: self.seen.outputs[layer.modules[0]]
            for layer in self.layers
            if layer.modules and layer.modules[0] in self.seen.outputs
        }


def _as_capsules(
    tensors: Sequence[Tensor | None], batch: int, capsules: int, size: int
) -> Iterator[Tensor]:
    """Yield tensors that have as many capsules, as (batch, capsules, size)."""
    for tensor in tensors:
        if tensor is None or tensor.numel() != batch * capsules * size:
            continue
        if tensor.ndim > 2 and tensor.shape[-1] == size and tensor.shape[0] == batch:
            yield tensor.reshape(batch, capsules, size)
        elif tensor.shape == (batch, size, capsules):
            yield tensor.mT


def recomputed(part: nn.Module, below: Tensor) -> Tensor:
    """Return what a convolution or a linear layer computes, by their definitions."""
    if isinstance(part, nn.Linear):
        return F.linear(below, part.weight, part.bias)
    assert isinstance(part, nn.Conv2d)
    if part.padding_mode != "zeros":
        below = F.pad(
            below, part._reversed_padding_repeated_twice, mode=part.padding_mode
        )
    padding = part.padding if part.padding_mode == "zeros" else 0
    return F.conv2d(
        below, part.weight, part.bias, part.stride, padding, part.dilation, part.groups
    )


def _kind_of(layer: Layer) -> str:
    return f"a {type(layer).__name__}"


def _article(part: nn.Module) -> str:
    return "a linear layer" if isinstance(part, nn.Linear) else "a convolution"
