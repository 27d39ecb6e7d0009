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
from capsnet_explorer.model.described.running.watching import Recording, name_of
from capsnet_explorer.model.described.search.guesses import (
    Choices,
    Guess,
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
        recording: what its parts read and returned for these images.
        tolerance: the largest difference that counts as none.

    Attributes:
        by_id: the layers.
        described: parts that are layers.
        shown_ids: ids of the layers whose capsules a part is found to show.
    """

    def __init__(
        self,
        module: nn.Module,
        layers: tuple[Layer, ...],
        images: Tensor,
        recording: Recording,
        tolerance: float,
    ) -> None:
        self.module = module
        self.layers = layers
        self.images = images
        self.recording = recording
        self.tolerance = tolerance
        self.by_id = {layer.id: layer for layer in layers}
        self.described = {part for layer in layers for part in layer.modules}
        self.shown_ids: set[str] = set()

    def compared(
        self, layer: Convolution | Dense | Capsules, part: nn.Module, guesses: list
    ) -> list[Guess]:
        """Compare what a part reads and returns with what it should.

        Raises:
            Different: it agrees with no guess.
        """
        self.require_run(layer, part)
        kept, nearest = [], math.inf
        for guess in guesses:
            matched, off = self._matching(guess, layer, part)
            nearest = min(nearest, off)
            kept += matched
        if not kept:
            raise self._reads_other(layer, part, nearest)
        below, _here = kept[0]
        output = self.recording.outputs[part]
        if output.dtype.itemsize < below.dtype.itemsize:
            raise layer.differs(
                f"{name_of(self.module, part)} computes in {output.dtype}, "
                "and its rounding hides the rest: turn autocast off while your module "
                "is described, and hand it over in single precision"
            )
        values = _recompute(part, below)
        off = largest(values, output)
        if not off <= self.tolerance * max(1.0, scale(output)):
            kind = "linear layer" if isinstance(part, nn.Linear) else "convolution"
            raise layer.differs(
                f"{name_of(self.module, part)} computes otherwise than a {kind}, by "
                f"{off:.2g}; describe it as Values(id, module)",
                difference=off,
            )
        return [
            guess.added(
                layer.id, output, max(off, guess.differences.get(layer.id, 0.0))
            )
            for _, guess in kept
        ]

    def _matching(
        self, guess: Guess, layer: Any, part: nn.Module
    ) -> tuple[list[tuple[Tensor, Guess]], float]:
        """Return what a part reads of the layer below, and how near that comes."""
        read = self.recording.inputs[part]
        kept: list[tuple[float, tuple[Tensor, Guess]]] = []
        nearest = math.inf
        for choices, values in self.given_by(guess, layer.below):
            for flat, below in self._as_read(layer, values, read):
                off = largest(below, read)
                nearest = min(nearest, off)
                if off <= INPUT * max(1.0, scale(read)):
                    extra = {**choices, **flat}
                    match = below, guess.added(layer.id, choices=extra)
                    if any(getattr(x, "is_shown", False) for x in extra.values()):
                        return [match], off
                    kept.append((off, match))
        # Batch norm that has not learned yet changes values by a few millionths.
        return [match for off, match in kept if off <= 8 * nearest], nearest

    def pooled(self, layer: Pooling, guesses: list[Guess]) -> list[Guess]:
        """Compare pooling that no described layer reads with what any part reads.

        Raises:
            Different: no part of the module reads or returns what it gives.
        """
        if any((layer.id, "pool") in guess.choices for guess in guesses):
            return guesses  # the layer above has told
        tensors = [*self.recording.inputs.values(), *self.recording.outputs.values()]
        kept: list[tuple[float, Guess]] = []
        nearest = math.inf
        for guess in guesses:
            for choices, values in self.given_by(guess, layer.id):
                off = min(
                    (
                        largest(values.flatten(1), tensor.flatten(1))
                        for tensor in tensors
                        if tensor.numel() == values.numel() and tensor.ndim > 1
                    ),
                    default=math.inf,
                )
                nearest = min(nearest, off)
                if off <= INPUT * max(1.0, scale(values)):
                    fit = guess.added(layer.id, None, off, choices)
                    kept.append((off, fit))
        if not kept:
            near = "" if math.isinf(nearest) else f"; the nearest is {nearest:.2g} off"
            raise layer.differs(
                f"no part of your module reads what it gives{near}, so it "
                "cannot be compared; leave it out, or describe what reads it",
                difference=nearest,
            )
        return [guess for off, guess in kept if off <= 8 * nearest]

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
        self, guess: Guess, id: str | None
    ) -> Iterator[tuple[Choices, Tensor]]:
        """Yield what the next layer may read of a layer."""
        if id is None:
            yield {}, self.images
            return
        layer = self.by_id[id]
        if isinstance(layer, Pooling):
            yield from self._pooled_by(guess, layer)
            return
        values = guess.values[id]
        if isinstance(layer, Capsules | Routing):
            yield {}, values
            if isinstance(layer, Routing):
                yield {}, torch.linalg.vector_norm(values, dim=-1)
            return
        if chosen := guess.choices.get((id, "step")):
            yield (
                {},
                chosen.after(chosen.before(values, self.recording), self.recording),
            )
            return
        for step in steps_after(values, self.recording, self.described):
            after = step.after(step.before(values, self.recording), self.recording)
            yield {(id, "step"): step}, after

    def _pooled_by(
        self, guess: Guess, layer: Pooling
    ) -> Iterator[tuple[Choices, Tensor]]:
        """Yield what pooling may give, of what it may read."""
        known = guess.choices.get((layer.id, "pool"))
        for choices, values in self.given_by(guess, layer.below):
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
        count = self.recording.calls.get(part, 0)
        if count == 1 and part in self.recording.outputs:
            return
        name = name_of(self.module, part)
        if count == 0:
            problem = f"{name} did not run when your module answered"
        elif count > 1:
            problem = f"{name} ran {count} times in one answer"
        else:
            problem = f"{name} returned no tensor"
        raise layer.differs(
            f"{problem}; describe a part of it that runs once and returns a tensor"
        )

    def _reads_other(self, layer: Layer, part: nn.Module, nearest: float) -> Different:
        below = "the image" if layer.reads is None else layer.reads
        read = self.recording.inputs[part]
        if math.isinf(nearest):
            shapes = {
                tuple(values.shape[1:])
                for _, values in self.given_by(
                    Guess(values=self._own_values), layer.reads
                )
            }
            gives = " or ".join(map(str, sorted(shapes))) or "nothing"
            shape = tuple(read.shape[1:])
            words = f"it reads values of shape {shape}, and {below} gives {gives}"
        else:
            words = f"what it reads differs from what {below} gives, by {nearest:.2g}"
        return layer.differs(
            f"{words}; describe what lies between, or name the layer below",
            difference=nearest,
        )

    @property
    def _own_values(self) -> dict[str, Tensor]:
        return {
            layer.id: self.recording.outputs[layer.modules[0]]
            for layer in self.layers
            if layer.modules and layer.modules[0] in self.recording.outputs
        }


def _recompute(part: nn.Module, below: Tensor) -> Tensor:
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
