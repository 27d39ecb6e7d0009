"""Finds how EM and self-routing route: to the classes, and before them in windows.

Both make activations, with which they are compared.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from capsnet_explorer.checks import present
from capsnet_explorer.model.described.capsules.making import values_of
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Layer, Routing, Values
from capsnet_explorer.model.described.routing.em import (
    EmFit,
    below_of,
    costs_in,
    em_steps,
    fit_em,
    votes_of,
    window_of,
)
from capsnet_explorer.model.described.routing.matrices import (
    layouts,
    matrices,
    vote_matrices,
)
from capsnet_explorer.model.described.routing.ways import (
    Way,
    posed,
    priors,
)
from capsnet_explorer.model.described.routing.windows import Active, First, Window
from capsnet_explorer.model.described.running.watching import name_of
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.guesses import (
    ANSWERS_OF_ACTIVATIONS,
    DOUBLE,
    SINGLE,
    Guess,
    as_good,
    explained,
    largest,
    scale,
)
from capsnet_explorer.model.layers.dynamic import Votes

FEW = 6  # windows that all ways are tried on; the nearest are tried on all
TRIED = (
    "of EM, matrices on either side, coordinates, costs β among its parameters, and "
    "constant and rising λ (say temperature=)"
)
SLOTS: tuple[First, ...] = ("types", "places")


TRIED_ALONE = (
    "self-routing with and without a bias, by a softmax over the classes, weighted by "
    "activations, and its logarithm"
)


@dataclass(frozen=True)
class _Trial:
    """A way of self-routing that was tried.

    Attributes:
        off: by how much its activations differ from what is shown.
        effect: by how much the couplings change them.
        target: what is shown.
        guess: the guess that it belongs to.
        way: the way.
        couplings, activations, read: its couplings and activations, and what it reads.
    """

    off: float
    effect: float
    target: Tensor
    guess: Guess
    way: Way
    couplings: Tensor
    activations: Tensor
    read: Active


class ActiveSearch:
    """Routings that make activations, compared with one pass of their module.

    Args:
        evidence: what its parts read and returned.
        answer: its answer, (batch, classes).
    """

    def __init__(self, evidence: Evidence, answer: Tensor) -> None:
        self.evidence = evidence
        self.answer = answer
        self._capsules: dict[str, Active] = {}

    def by_em(
        self,
        layer: Routing,
        below: Layer,
        guesses: list[Guess],
        beside: Tensor | None,
    ) -> list[Guess]:
        """Return the ways of EM routing that make what the module shows.

        To the classes, all that make the answer, each as near; in windows, the one
        nearest to the activations that a part returns.

        Raises:
            Different: there is none, no part shows activations, or the iterations
                hardly change them.
        """
        capsules = self._below(layer, below, beside)
        if layer.kernel is not None:
            return self._in_windows(layer, capsules, guesses)
        return self._to_classes(layer, capsules, guesses)

    def _to_classes(
        self, layer: Routing, capsules: Active, guesses: list[Guess]
    ) -> list[Guess]:
        weights, module = self._weights(layer), self.evidence.module
        fits = fit_em(layer, module, weights, capsules, self.answer)
        least = self._require(layer, self.answer, fits)
        near = [
            (fit.off, {(layer.id, "way"): _way(fit), ("", "answers"): "activations"})
            for fit in fits
            if fit.off <= least
        ]
        return [guess.added(layer.id, None, *fit) for guess in guesses for fit in near]

    def _in_windows(
        self, layer: Routing, capsules: Active, guesses: list[Guess]
    ) -> list[Guess]:
        weights, module = self._weights(layer), self.evidence.module
        tried: list[tuple[EmFit, Window, Tensor]] = []
        for trial in self._fits(layer, capsules, weights):
            tried.append(trial)
            if trial[0].is_exact(trial[2]):
                break
        fit, window, target = min(tried, key=lambda trial: trial[0].off)
        read = capsules.in_windows(window)
        costs = costs_in(module, target.shape[1])
        votes = votes_of(fit.em, weights, read)
        *_, last = em_steps(fit.em, votes, read, costs, fit.iterations)
        off = largest(last.activations, target)
        fit = EmFit(fit.em, fit.iterations, off, fit.effect)
        self._require(layer, target, [fit])
        self.evidence.shown_ids.add(layer.id)
        listed = Active(last.means, last.activations).in_list(window)
        self._capsules[layer.id] = listed
        choices = {(layer.id, "way"): _way(fit, window)}
        return [guess.added(layer.id, listed.poses, off, choices) for guess in guesses]

    def _fits(
        self, layer: Routing, capsules: Active, weights: Tensor
    ) -> Iterator[tuple[EmFit, Window, Tensor]]:
        """Yield the nearest way for each order of windows, and what a part shows."""
        for slots in SLOTS:
            window = window_of(layer, capsules, slots)
            read = capsules.in_windows(window)
            for part, target in self._shown_activations(layer, window, weights):
                some = torch.linspace(0, len(target) - 1, min(FEW, len(target))).long()
                few = Active(read.poses[some], read.activations[some])
                module = self.evidence.module
                name = name_of(module, part)
                fits = fit_em(layer, module, weights, few, target[some], part=name)
                for fit in fits[:1]:
                    yield fit, window, target

    def _weights(self, layer: Routing) -> Tensor:
        return matrices(layer).detach().to(self.evidence.images.dtype)

    def _below(self, layer: Routing, below: Layer, beside: Tensor | None) -> Active:
        if below.id in self._capsules:
            return self._capsules[below.id]
        if isinstance(below, Values):
            return below_of(layer, values_of(below, self.evidence.recording)[0], beside)
        raise layer.differs(
            "EM routing is recomputed of poses that are Values, or that "
            "EM routing makes in windows; describe what it makes as Values(id, module)"
        )

    def _shown_activations(
        self, layer: Routing, window: Window, weights: Tensor
    ) -> list[tuple[nn.Module, Tensor]]:
        """Return what parts show that may be activations: (batch · places, out)."""
        recording, (rows, columns) = self.evidence.recording, window.places
        activations: list[tuple[nn.Module, Tensor]] = []
        for part, first in recording.outputs.items():
            for tensor in recording.returned.get(part, [first]):
                if recording.calls[part] > 1 or not _is_share(tensor):
                    continue
                sizes = [length for length in tensor.shape[1:] if length > 1]
                for out in dict.fromkeys(weights.shape):
                    by_place, by_type = (rows, columns, out), (out, rows, columns)
                    for axes, type_at in ((by_place, 3), (by_type, 1)):
                        if sizes == [length for length in axes if length > 1]:
                            placed = tensor.reshape(-1, *axes).movedim(type_at, 3)
                            activations.append((part, placed.flatten(0, 2)))
        if activations:
            return activations
        raise layer.differs(
            "no part of your module returns activations from 0 to 1 of "
            f"{rows}×{columns} places, with which routing in windows is compared; "
            "describe what reads it as Values(id, module)"
        )

    # Self-routing.

    def alone(
        self,
        layer: Routing,
        guesses: list[Guess],
        active: Callable[[Guess], Tensor],
        types: Callable[[Guess], list[int]],
    ) -> list[Guess]:
        """Return the ways of self-routing that make what the module shows.

        Args:
            layer: the routing.
            guesses: of the layers before, and of windows, where it reads such.
            active: returns activations of the capsules below, (batch, capsules).
            types: how many types of them there may be, whose places share W.

        Raises:
            Different: there is none, no part shows activations, or the couplings hardly
                change them.
        """
        tried: list[_Trial] = []
        refused: Different | None = None
        by_oddity: dict[int, list[Guess]] = {}
        for guess in guesses:
            by_oddity.setdefault(guess.oddities_of(layer.below), []).append(guess)
        for _, alike in sorted(by_oddity.items()):
            for guess in alike:
                try:
                    capsules = active(guess), types(guess)
                    tried += self._route(layer, guess, *capsules)
                except Different as error:  # of capsules that are cut otherwise
                    refused = refused or error
            tried.sort(key=lambda trial: trial.off)
            if tried and tried[0].off <= self.evidence.tolerance:
                break
        if not tried and refused is not None:
            raise refused
        off, effect = (tried[0].off, tried[0].effect) if tried else (math.inf, 0.0)
        target = tried[0].target if tried else self.answer
        least = required(self.evidence, layer, target, off, effect, TRIED_ALONE)
        near = [trial for trial in tried if trial.off <= least]
        if layer.kernel is None:
            return [trial.guess for trial in near]
        return [*self._add_poses(layer, near)]

    def _route(
        self, layer: Routing, guess: Guess, active: Tensor, types: list[int]
    ) -> Iterator[_Trial]:
        """Yield ways, compared with the answer, or what a part shows of windows."""
        weights = self._weights(layer)
        window = guess.choices.get((layer.id, "window"))
        read = Active(guess.values[layer.below], active)
        sizes = {"classes": self.answer.shape[1], "types": types[0] if types else None}
        if window is not None:
            read = read.in_windows(window)
            sizes = {"classes": None, "types": None}
        _, count, size = read.poses.shape
        for layout in layouts(layer, tuple(weights.shape), count, size, **sizes):
            votes = Votes(read.poses, layout.of(weights)).formed
            out = votes.shape[2]
            for prior in priors(self.evidence.module, layer, count, out):
                way = Way(layout, "self", prior=prior, iterations=1, window=window)
                couplings, activations = way.alone(votes, read.activations)
                for name, target in self._targets(layer, window, weights):
                    if votes.shape[3] == 1 and target.shape == activations.shape:
                        answer = ANSWERS_OF_ACTIVATIONS[name]
                        even = answer(torch.full_like(activations, 1 / out))
                        off = largest(answer(activations), target)
                        effect = largest(answer(activations), even)
                        choices = {(layer.id, "way"): way}
                        choices |= {} if window else {("", "answers"): name}
                        routed = guess.added(layer.id, None, off, choices)
                        yield _Trial(
                            *(off, effect, target, routed),
                            *(way, couplings, activations, read),
                        )

    def _targets(
        self, layer: Routing, window: Window | None, weights: Tensor
    ) -> list[tuple[str, Tensor]]:
        """Return how activations are shown, and what should be these."""
        if window is None:
            return [(name, self.answer) for name in ANSWERS_OF_ACTIVATIONS]
        shown = self._shown_activations(layer, window, weights)
        return [("activations", activations) for _, activations in shown]

    def _add_poses(self, layer: Routing, near: list[_Trial]) -> Iterator[Guess]:
        """Yield guesses with the capsules of all windows, near what a part shows."""
        weights = vote_matrices(layer).detach().to(self.evidence.images.dtype)
        tried: list[tuple[float, Way, _Trial, Tensor]] = []
        for trial in near:
            couplings, read = trial.couplings, trial.read
            _, count, size = read.poses.shape
            sizes = {"classes": couplings.shape[2], "types": None}
            for layout in layouts(layer, tuple(weights.shape), count, size, **sizes):
                votes = Votes(read.poses, layout.of(weights)).formed
                poses = posed(couplings, read.activations, votes)
                way = replace(trial.way, votes=layout)
                off = self._off_shown(poses, present(way.window, "windows"))
                tried.append((off, way, trial, poses))
        least = min(off for off, *_ in tried)
        is_shown = least <= self.evidence.tolerance * min(1.0, scale(tried[0][3]))
        self.evidence.shown_ids.add(layer.id)
        for off, way, trial, poses in tried:
            if not is_shown or off <= as_good(least):
                window = present(way.window, "windows")
                listed = Active(poses, trial.activations).in_list(window)
                worst = max(trial.off, off) if is_shown else trial.off
                choices = {(layer.id, "way"): way}
                guess = trial.guess.added(layer.id, listed.poses, worst, choices)
                yield guess.added(f"{layer.id}.active", listed.activations)

    def _off_shown(self, poses: Tensor, window: Window) -> float:
        """Return how near a part's output comes to capsules; infinite without one."""
        placed = poses.unflatten(0, (-1, *window.places))  # rows, columns, types, size
        orders = [
            placed.permute(0, *axes)
            for axes in ((1, 2, 3, 4), (3, 4, 1, 2), (3, 1, 2, 4))
        ]
        recording = self.evidence.recording
        return min(
            (
                largest(order.reshape(tensor.shape), tensor)
                for part, first in recording.outputs.items()
                for tensor in recording.returned.get(part, [first])
                if len(tensor) == len(placed) and tensor.numel() == placed.numel()
                for order in orders
            ),
            default=math.inf,
        )

    def _require(self, layer: Routing, target: Tensor, fits: list[EmFit]) -> float:
        off, effect = (fits[0].off, fits[0].effect) if fits else (math.inf, 0.0)
        tried = f"{layer.iterations or '1 to 5'} iterations {TRIED}"
        return required(self.evidence, layer, target, off, effect, tried)


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
    target: Tensor,
    off: float,
    effect: float,
    tried: str,
) -> float:
    """Return up to which difference another way is as good as the best.

    Args:
        evidence: of the description.
        layer: a routing that makes activations.
        target: what the module makes.
        off: by how much the best is off.
        effect: by how much routing changes what it makes.
        tried: what was.

    Raises:
        Different: the best is not the module's, or nothing can be told of it.
    """
    size, is_precise = scale(target), target.dtype == torch.float64
    limit = evidence.tolerance * min(1.0, size)
    if not off <= limit:
        raise layer.differs(
            "routed in no way that was tried are its capsules as active as your module "
            f"makes them: off by {off:.2g} at best, where at most {limit:.2g} counts "
            f"as none. Tried were {tried}. If it routes otherwise, describe the part "
            "that makes its capsules as Values(id, module)",
            difference=off,
        )
    noise = size * (DOUBLE if is_precise else SINGLE)
    if not max(off, noise) <= explained(effect, size, is_precise=is_precise):
        raise layer.differs(
            "these weights cannot show how it routes: routing "
            f"changes its activations by {effect:.1g} at most; describe the part "
            "that makes its capsules as Values(id, module)",
            difference=off,
        )
    return as_good(off, noise)
