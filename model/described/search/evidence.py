"""What the parts of a module read and return, compared with what they should."""

import math
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.capsules.between import POOLS, steps_after
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import (
    Capsules,
    Convolution,
    Dense,
    Layer,
    Pooling,
    Routing,
)
from capsnet_explorer.model.described.running.watching import Seen, name_of
from capsnet_explorer.model.described.search.hypotheses import (
    Choices,
    Hypothesis,
    largest,
    scale,
)

INPUT = 1e-5  # what a layer reads is copied, not computed: it agrees far better


class Evidence:
    """What the parts of a module read and returned, beside its described layers.

    Args:
        module: the user's.
        layers: checked.
        images: as the module reads them.
        seen: what its parts read and returned for these images.
        tolerance: the largest difference that counts as none.

    Attributes:
        by_id: the layers.
        described: parts that are layers.
        shown: ids of the layers whose capsules a part is found to show.
    """

    def __init__(
        self,
        module: nn.Module,
        layers: tuple[Layer, ...],
        images: Tensor,
        seen: Seen,
        tolerance: float,
    ) -> None:
        self.module = module
        self.layers = layers
        self.images = images
        self.seen = seen
        self.tolerance = tolerance
        self.by_id = {layer.id: layer for layer in layers}
        self.described = {part for layer in layers for part in layer.modules}
        self.shown: set[str] = set()

    def compared(
        self, layer: Convolution | Dense | Capsules, part: nn.Module, hypotheses: list
    ) -> list[Hypothesis]:
        """Compare what a part reads and returns with what it should.

        Raises:
            Different: it agrees with no hypothesis.
        """
        self.require_run(layer, part)
        kept, nearest = [], math.inf
        for each in hypotheses:
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
        values = _recomputed(part, below)
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
        for choices, values in self.given_by(hypothesis, layer.below):
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

    def pooled(self, layer: Pooling, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        """Compare pooling that no described layer reads with what any part reads.

        Raises:
            Different: no part of the module reads or returns what it gives.
        """
        if any((layer.id, "pool") in each.choices for each in hypotheses):
            return hypotheses  # the layer above has told
        shown = [*self.seen.inputs.values(), *self.seen.outputs.values()]
        kept: list[tuple[float, Hypothesis]] = []
        nearest = math.inf
        for each in hypotheses:
            for choices, values in self.given_by(each, layer.id):
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

    def given_by(
        self, hypothesis: Hypothesis, id: str | None
    ) -> Iterator[tuple[Choices, Tensor]]:
        """Yield what the next layer may read of a layer."""
        if id is None:
            yield {}, self.images
            return
        layer = self.by_id[id]
        if isinstance(layer, Pooling):
            yield from self._pooled_by(hypothesis, layer)
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
        for step in steps_after(values, self.seen, self.described):
            after = step.after(step.before(values, self.seen), self.seen)
            yield {(id, "step"): step}, after

    def _pooled_by(
        self, hypothesis: Hypothesis, layer: Pooling
    ) -> Iterator[tuple[Choices, Tensor]]:
        """Yield what pooling may give, of what it may read."""
        known = hypothesis.choices.get((layer.id, "pool"))
        for choices, values in self.given_by(hypothesis, layer.below):
            if values.ndim != 4 or min(values.shape[2:]) < layer.size:
                continue
            for name, pool in POOLS.items():
                if known in (None, name):
                    pooled = pool(values, layer.size)
                    yield {**choices, (layer.id, "pool"): name}, pooled

    def require_run(self, layer: Layer, part: nn.Module) -> None:
        """Refuse a part that cannot be compared.

        Raises:
            Different: it did not run once, or returned no tensor.
        """
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
                for _, values in self.given_by(
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


def _recomputed(part: nn.Module, below: Tensor) -> Tensor:
    """Return what a convolution or a linear layer computes, by their definitions."""
    if isinstance(part, nn.Linear):
        return F.linear(below, part.weight, part.bias)
    if not isinstance(part, nn.Conv2d):
        raise TypeError(f"must be a convolution or a linear layer, got {type(part)}")
    if part.padding_mode != "zeros":
        below = F.pad(
            below, part._reversed_padding_repeated_twice, mode=part.padding_mode
        )
    padding = part.padding if part.padding_mode == "zeros" else 0
    return F.conv2d(
        below, part.weight, part.bias, part.stride, padding, part.dilation, part.groups
    )


def _article(part: nn.Module) -> str:
    return "a linear layer" if isinstance(part, nn.Linear) else "a convolution"
