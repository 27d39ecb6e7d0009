"""Finds how maps are cut into capsules and squashed, by what the module shows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from torch import Tensor, nn

from capsnet_explorer.model.described.capsules.between import chain_after
from capsnet_explorer.model.described.capsules.cutting import Cut, cuts
from capsnet_explorer.model.described.capsules.squashes import (
    OTHERS,
    PAPER,
    Curve,
    all_constants,
)
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Capsules, Routing
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.hypotheses import (
    Hypothesis,
    as_good,
    largest,
    scale,
)


class Cutter:
    """Cuts the maps of one pass in every way."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    def cut(self, layer: Capsules, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        """Return the ways that make the capsules that the module has.

        Where no part shows them, all ways stay.

        Raises:
            Different: none does.
        """
        for part in layer.convolutions:
            hypotheses = self.evidence.compared(layer, part, hypotheses)
        maps = Cut().maps_of(layer.convolutions, self.evidence.seen)
        types = maps.shape[1] // layer.size
        places = maps[0, 0].numel()
        shown, hinted = self._shown(layer, len(maps), types * places, layer.size)
        first = PAPER if layer.squash is None else Curve("own", function=layer.squash)
        tried = [*self._cuts(layer, first, shown)]
        if hinted and not shown:
            # What a later part reads may be anything; capsules agree to the last digit.
            seen = [*self._cuts(layer, first, hinted)]
            exact = min(each[3] for each in seen) <= self.evidence.tolerance * 0.01
            shown, tried = (hinted, seen) if exact else (shown, tried)
        fitting = tried
        if shown:
            fitting, is_squashed = self._fitting(layer, tried, shown)
            if is_squashed or not self._is_routed(layer):
                self.evidence.shown.add(layer.id)
        least = min(each[3] for each in fitting)
        fitting = [each for each in fitting if each[3] <= as_good(least)]
        return [
            hypothesis.added(
                layer.id,
                listed,
                max(hypothesis.differences[layer.id], after if shown else 0.0),
                {(layer.id, "cut"): cut},
            )
            for hypothesis in hypotheses
            for cut, listed, _, after in fitting
        ]

    def _cuts(
        self, layer: Capsules, curve: Curve, shown: list[Tensor]
    ) -> Iterator[tuple[Cut, Tensor, float, float]]:
        """Yield every cut, its capsules, and how far off they are before and after."""
        maps = Cut().maps_of(layer.convolutions, self.evidence.seen)
        types, places = maps.shape[1] // layer.size, maps[0, 0].numel()
        chain = () if len(layer.convolutions) > 1 else self._chain(maps)
        for count in range(len(chain), -1, -1):
            for cut in cuts(types, places, layer.size, curve, chain[:count]):
                yield self._compared(cut, layer, shown)

    def _chain(self, maps: Tensor) -> tuple[nn.Module, ...]:
        return chain_after(maps, self.evidence.seen, self.evidence.described)

    def _compared(
        self, cut: Cut, layer: Capsules, shown: list[Tensor]
    ) -> tuple[Cut, Tensor, float, float]:
        grid = cut.grid(cut.maps_of(layer.convolutions, self.evidence.seen), layer.size)
        listed = cut.listed(cut.squashed(grid))
        before = min((largest(cut.listed(grid), each) for each in shown), default=0.0)
        after = min((largest(listed, each) for each in shown), default=0.0)
        return cut, listed, before, after

    def _fitting(
        self, layer: Capsules, tried: list, shown: list[Tensor]
    ) -> tuple[list[tuple[Cut, Tensor, float, float]], bool]:
        """Return the cuts that make what the module has, with their constants.

        And whether that is squashed: a part may show capsules before squash, which
        then comes later, or never.
        """
        size = min(scale(each) for each in shown)
        limit = self.evidence.tolerance * min(1.0, size)
        if layer.squash is None and not any(each[3] <= limit for each in tried):
            nearest = sorted(tried, key=lambda each: each[3])[:4]
            tried = [*tried, *self._with_constants(layer, nearest, shown)]
        if layer.squash is None and not any(each[3] <= limit for each in tried):
            for curve in OTHERS:
                tried = [*tried, *self._cuts(layer, curve, shown)]
        fitting = [each for each in tried if each[3] <= limit]
        later = [
            (cut, listed, before, before)
            for cut, listed, before, _ in tried
            if before <= self.evidence.tolerance * max(1.0, size)
            and cut.curve.name in ("paper", "own")
        ]
        if fitting and layer.squash is None:
            least = min(each[3] for each in fitting)
            near = [each for each in fitting if each[3] <= as_good(least)]
            if all(each[0].curve.name == "none" for each in near):
                # What squashes later sees capsules, and rarely sums over others.
                usual = [each for each in later if each[0].squash == "capsule"]
                return [*(usual if self._is_routed(layer) else []), *near], False
            fitting += self._with_constants(layer, near, shown)
        if fitting or later:
            return fitting or later, True
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

    def _is_routed(self, layer: Capsules) -> bool:
        layers = self.evidence.layers
        return any(isinstance(x, Routing) and x.below == layer.id for x in layers)

    def recut(self, hypothesis: Hypothesis, curve: Curve, id: str) -> Hypothesis | None:
        """Return a hypothesis with another curve below; None where it is decided."""
        layer = self.evidence.by_id[id]
        if not isinstance(layer, Capsules) or layer.squash is not None:
            return None
        if id in self.evidence.shown:
            return None
        cut = hypothesis.choices[id, "cut"]
        if cut.curve.name == "none":
            return None  # one with a squash stands beside it
        if curve.name == "none" and cut.squash != "capsule":
            return None
        changed = replace(cut, curve=curve)
        maps = changed.maps_of(layer.convolutions, self.evidence.seen)
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
            for module in self.evidence.module.modules()
            if module is not self.evidence.module
            and module not in parts
            and any(part in set(module.modules()) for part in parts)
        ]
        returned = [self.evidence.seen.outputs.get(module) for module in around]
        read = [
            tensor
            for part, tensor in self.evidence.seen.inputs.items()
            if part not in parts and part not in around
        ]
        return (
            [*_as_capsules(returned, batch, capsules, size)],
            [*_as_capsules(read, batch, capsules, size)],
        )


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
