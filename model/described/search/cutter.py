"""Finds how maps are cut into capsules and squashed, by what the module shows."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from torch import Tensor

from capsnet_explorer.model.described.capsules.between import chain_after
from capsnet_explorer.model.described.capsules.cutting import Cut, cuts
from capsnet_explorer.model.described.capsules.squashes import (
    OTHERS,
    PAPER,
    Curve,
    all_constants,
)
from capsnet_explorer.model.described.layers import Capsules, Routing
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.guesses import (
    Guess,
    as_good,
    largest,
    scale,
)


class Fit(NamedTuple):
    """A cut that was tried, its capsules, and how far off they are around squash."""

    cut: Cut
    capsules: Tensor
    before: float
    after: float


class Cutter:
    """Cuts the maps of one pass in every way."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    def cut(self, layer: Capsules, guesses: list[Guess]) -> list[Guess]:
        """Return the ways that make the capsules that the module has.

        Where no part shows them, all ways stay.

        Raises:
            Different: none does.
        """
        for part in layer.convolutions:
            guesses = self.evidence.compared(layer, part, guesses)
        targets, hints = self._shown(layer)
        first = PAPER if layer.squash is None else Curve("own", function=layer.squash)
        fits = [*self._cuts(layer, first, targets)]
        if hints and not targets:
            # What a later part reads may be anything; capsules agree to the last digit.
            hinted = [*self._cuts(layer, first, hints)]
            if min(fit.after for fit in hinted) <= self.evidence.tolerance * 0.01:
                targets, fits = hints, hinted
        if targets:
            fits, is_squashed = self._fitting(layer, fits, targets)
            if is_squashed or not self._is_routed(layer):
                self.evidence.shown_ids.add(layer.id)
        return [
            guess.added(
                layer.id,
                fit.capsules,
                max(guess.differences[layer.id], fit.after),
                {(layer.id, "cut"): fit.cut},
            )
            for guess in guesses
            for fit in _best_of(fits)
        ]

    def _cuts(
        self, layer: Capsules, curve: Curve, targets: list[Tensor]
    ) -> Iterator[Fit]:
        recording = self.evidence.recording
        maps = Cut().maps_of(layer.convolutions, recording)
        types, places = maps.shape[1] // layer.size, maps[0, 0].numel()
        chain = ()
        if len(layer.convolutions) == 1:
            chain = chain_after(maps, recording, self.evidence.described)
        for count in range(len(chain), -1, -1):
            for cut in cuts(types, places, layer.size, curve, chain[:count]):
                yield self._compare(cut, layer, targets)

    def _compare(self, cut: Cut, layer: Capsules, targets: list[Tensor]) -> Fit:
        maps = cut.maps_of(layer.convolutions, self.evidence.recording)
        grid = cut.grid(maps, layer.size)
        plain, squashed = cut.listed(grid), cut.listed(cut.squashed(grid))
        before = min((largest(plain, target) for target in targets), default=0.0)
        after = min((largest(squashed, target) for target in targets), default=0.0)
        return Fit(cut, squashed, before, after)

    def _fitting(
        self, layer: Capsules, fits: list[Fit], targets: list[Tensor]
    ) -> tuple[list[Fit], bool]:
        """Return the cuts that make what the module has, with their constants.

        And whether that is squashed: a part may show capsules before squash, which
        then comes later, or never.
        """
        size = min(scale(target) for target in targets)
        limit = self.evidence.tolerance * min(1.0, size)
        if layer.squash is None and not any(fit.after <= limit for fit in fits):
            nearest = sorted(fits, key=lambda fit: fit.after)[:4]
            fits = [*fits, *self._with_constants(layer, nearest, targets)]
        if layer.squash is None and not any(fit.after <= limit for fit in fits):
            for curve in OTHERS:
                fits = [*fits, *self._cuts(layer, curve, targets)]
        fitting = [fit for fit in fits if fit.after <= limit]
        later = [
            fit._replace(after=fit.before)
            for fit in fits
            if fit.before <= self.evidence.tolerance * max(1.0, size)
            and fit.cut.curve.name in ("paper", "own")
        ]
        if fitting and layer.squash is None:
            best = _best_of(fitting)
            if all(fit.cut.curve.name == "none" for fit in best):
                # What squashes later sees capsules, and rarely sums over others.
                usual = [fit for fit in later if fit.cut.squash == "capsule"]
                return [*(usual if self._is_routed(layer) else []), *best], False
            fitting += self._with_constants(layer, best, targets)
        if fitting or later:
            return fitting or later, True
        least = min(fit.after for fit in fits)
        raise layer.differs(
            "cut in no way that was tried do its maps make the capsules "
            f"that the module has; the nearest is off by {least:.2g}. If "
            "something else lies between, such as batch norm, describe the part that "
            "returns the capsules as Values(id, module), and let Routing read that",
            difference=least,
        )

    def _with_constants(
        self, layer: Capsules, fits: list[Fit], targets: list[Tensor]
    ) -> Iterator[Fit]:
        for fit in fits:
            for constants in all_constants():
                curve = fit.cut.curve.with_constants(constants)
                yield self._compare(replace(fit.cut, curve=curve), layer, targets)

    def _is_routed(self, layer: Capsules) -> bool:
        layers = self.evidence.layers
        return any(isinstance(x, Routing) and x.below == layer.id for x in layers)

    def recut(self, guess: Guess, curve: Curve, id: str) -> Guess | None:
        """Return a guess with another curve below; None where it is decided."""
        layer = self.evidence.by_id[id]
        if not isinstance(layer, Capsules) or layer.squash is not None:
            return None
        if id in self.evidence.shown_ids:
            return None
        cut = guess.choices[id, "cut"]
        if cut.curve.name == "none":
            return None  # one with a squash stands beside it
        if curve.name == "none" and cut.squash != "capsule":
            return None
        fit = self._compare(replace(cut, curve=curve), layer, [])
        return guess.added(id, fit.capsules, None, {(id, "cut"): fit.cut})

    def _shown(self, layer: Capsules) -> tuple[list[Tensor], list[Tensor]]:
        """Return what can only be a layer's capsules, and what may be.

        Parts around it return the first; what other parts read may be the second.
        """
        recording, module = self.evidence.recording, self.evidence.module
        maps = Cut().maps_of(layer.convolutions, recording)
        shape = (len(maps), maps[0].numel() // layer.size, layer.size)
        parts = set(layer.convolutions)
        around = {
            part
            for part in module.modules()
            if part is not module and part not in parts and parts & {*part.modules()}
        }
        returned = [x for part, x in recording.outputs.items() if part in around]
        others = recording.inputs.keys() - parts - around
        read = [x for part, x in recording.inputs.items() if part in others]
        return [*_as_capsules(returned, shape)], [*_as_capsules(read, shape)]


def _best_of(fits: list[Fit]) -> list[Fit]:
    least = min(fit.after for fit in fits)
    return [fit for fit in fits if fit.after <= as_good(least)]


def _as_capsules(
    tensors: list[Tensor], shape: tuple[int, int, int]
) -> Iterator[Tensor]:
    """Yield tensors that have as many capsules, as (batch, capsules, size)."""
    batch, capsules, size = shape
    for tensor in tensors:
        if tensor.numel() != math.prod(shape):
            continue
        if tensor.ndim > 2 and (len(tensor), tensor.shape[-1]) == (batch, size):
            yield tensor.reshape(shape)
        elif tensor.shape == (batch, size, capsules):
            yield tensor.mT
