"""Finds how EM routes: to the classes, and before them in windows of places."""

import math

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.capsules.making import values_of
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Layer, Routing, Values
from capsnet_explorer.model.described.routing.em import (
    Below,
    EmFit,
    below_of,
    costs_in,
    em_steps,
    fitted,
    in_list,
    in_windows,
    votes_of,
    window_of,
)
from capsnet_explorer.model.described.routing.matrices import matrices
from capsnet_explorer.model.described.routing.ways import Way
from capsnet_explorer.model.described.routing.windows import First, Window
from capsnet_explorer.model.described.running.watching import name_of
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.hypotheses import (
    DOUBLE,
    SINGLE,
    Hypothesis,
    as_good,
    explained,
    largest,
    scale,
)

FEW = 6  # windows that all ways are tried on; the nearest are tried on all
TRIED = (
    "of EM, matrices on either side, coordinates, costs β among its parameters, and "
    "constant and rising λ (say temperature=)"
)
SLOTS: tuple[First, ...] = ("types", "places")


class EmSearch:
    """EM routings of one description, compared with one pass of its module.

    Args:
        evidence: what its parts read and returned.
        own: its answer, (batch, classes).
    """

    def __init__(self, evidence: Evidence, own: Tensor) -> None:
        self.evidence = evidence
        self.own = own
        self._made: dict[str, Below] = {}

    def routed(
        self,
        layer: Routing,
        below: Layer,
        hypotheses: list[Hypothesis],
        beside: Tensor | None,
    ) -> list[Hypothesis]:
        """Return the ways of EM routing that make what the module shows.

        To the classes, all that make the answer, each as near; in windows, the one
        nearest to the activations that a part returns.

        Args:
            layer: the routing.
            below: the layer of the capsules that vote.
            hypotheses: of the layers before.
            beside: activations that a part shows.

        Raises:
            Different: there is none, no part shows activations, or the iterations
                hardly change them.
        """
        capsules = self._below(layer, below, beside)
        if layer.kernel is not None:
            return self._in_windows(layer, capsules, hypotheses)
        return self._to_classes(layer, capsules, hypotheses)

    def _to_classes(
        self, layer: Routing, capsules: Below, hypotheses: list[Hypothesis]
    ) -> list[Hypothesis]:
        given, module = self._given(layer), self.evidence.module
        fits = fitted(layer, module, given, capsules, self.own)
        least = self._required(layer, self.own, fits)
        return [
            one.added(
                layer.id,
                None,
                fit.off,
                {
                    (layer.id, "way"): _way(fit),
                    ("", "answers"): "activations",
                },
            )
            for one in hypotheses
            for fit in fits
            if fit.off <= least
        ]

    def _in_windows(
        self, layer: Routing, capsules: Below, hypotheses: list[Hypothesis]
    ) -> list[Hypothesis]:
        given, module = self._given(layer), self.evidence.module
        tried: list[tuple[EmFit, Window, Tensor]] = []
        for slots in SLOTS:
            window = window_of(layer, capsules, slots)
            read = in_windows(capsules, window)
            for part, shown in self._shown(layer, window, given):
                some = torch.linspace(0, len(shown) - 1, min(FEW, len(shown))).long()
                few = Below(read.poses[some], read.activations[some])
                name = name_of(module, part)
                fits = fitted(layer, module, given, few, shown[some], name)
                tried += [(fit, window, shown) for fit in fits[:1]]
        fit, window, shown = min(tried, key=lambda trial: trial[0].off)
        read = in_windows(capsules, window)
        costs = costs_in(module, shown.shape[1])
        votes = votes_of(fit.em, given, read)
        *_, last = em_steps(fit.em, votes, read, costs, fit.iterations)
        off = largest(last.activations, shown)
        fit = EmFit(fit.em, fit.iterations, off, fit.effect)
        self._required(layer, shown, [fit])
        self.evidence.shown.add(layer.id)
        self._made[layer.id] = in_list(last, window)
        return [
            one.added(
                layer.id,
                self._made[layer.id].poses,
                off,
                {(layer.id, "way"): _way(fit, window)},
            )
            for one in hypotheses
        ]

    def _given(self, layer: Routing) -> Tensor:
        return matrices(layer).detach().to(self.evidence.images.dtype)

    def _below(self, layer: Routing, below: Layer, beside: Tensor | None) -> Below:
        if below.id in self._made:
            return self._made[below.id]
        if isinstance(below, Values):
            return below_of(layer, values_of(below, self.evidence.seen)[0], beside)
        raise Different(
            f"{layer.id}: EM routing is recomputed of poses that are Values, or that "
            "EM routing makes in windows; describe what it makes as Values(id, module)",
            layer=layer.id,
        )

    def _shown(
        self, layer: Routing, window: Window, given: Tensor
    ) -> list[tuple[nn.Module, Tensor]]:
        """Return what parts show that may be activations: (batch · places, out).

        Raises:
            Different: there is none.
        """
        seen, (rows, columns) = self.evidence.seen, window.places
        shown: list[tuple[nn.Module, Tensor]] = []
        for part, first in seen.outputs.items():
            for tensor in seen.returned.get(part, [first]):
                if seen.calls[part] > 1 or not _is_share(tensor):
                    continue
                sizes = [length for length in tensor.shape[1:] if length > 1]
                for out in dict.fromkeys(given.shape):
                    by_place, by_type = (rows, columns, out), (out, rows, columns)
                    for axes, type_at in ((by_place, 3), (by_type, 1)):
                        if sizes == [length for length in axes if length > 1]:
                            placed = tensor.reshape(-1, *axes).movedim(type_at, 3)
                            shown.append((part, placed.flatten(0, 2)))
        if shown:
            return shown
        raise Different(
            f"{layer.id}: no part of your module returns activations from 0 to 1 of "
            f"{rows}×{columns} places, with which EM routing in windows is compared; "
            "describe what reads it as Values(id, module)",
            layer=layer.id,
        )

    def _required(self, layer: Routing, own: Tensor, fits: list[EmFit]) -> float:
        off, effect = (fits[0].off, fits[0].effect) if fits else (math.inf, 0.0)
        tried = f"{layer.iterations or '1 to 5'} iterations {TRIED}"
        return required(self.evidence, layer, own, off, effect, tried)


def _way(fit: EmFit, window: Window | None = None) -> Way:
    return Way(form="em", em=fit.em, iterations=fit.iterations, window=window)


def _is_share(tensor: Tensor) -> bool:
    if not tensor.is_floating_point() or not tensor.numel():
        return False
    low, high = tensor.aminmax()
    return bool(low >= 0 and high <= 1)


def required(
    evidence: Evidence,
    layer: Routing,
    own: Tensor,
    off: float,
    effect: float,
    tried: str,
) -> float:
    """Return up to which difference another way is as good as the best.

    Args:
        evidence: of the description.
        layer: a routing that makes activations.
        own: what the module makes.
        off: by how much the best is off.
        effect: by how much routing changes what it makes.
        tried: what was.

    Raises:
        Different: the best is not the module's, or nothing can be told of it.
    """
    size, is_precise = scale(own), own.dtype == torch.float64
    limit = evidence.tolerance * min(1.0, size)
    if not off <= limit:
        raise Different(
            f"{layer.id}: routed in no way that was tried are its capsules as "
            f"active as your module makes them: off by {off:.2g} at best, where at "
            f"most {limit:.2g} counts as none. Tried were {tried}. If it routes "
            "otherwise, describe the part that makes its capsules as Values(id, "
            "module)",
            layer=layer.id,
            difference=off,
        )
    noise = size * (DOUBLE if is_precise else SINGLE)
    if not max(off, noise) <= explained(effect, size, is_precise=is_precise):
        raise Different(
            f"{layer.id}: these weights cannot show how it routes: routing "
            f"changes its activations by {effect:.1g} at most; describe the part "
            "that makes its capsules as Values(id, module)",
            layer=layer.id,
            difference=off,
        )
    return as_good(off, noise)
