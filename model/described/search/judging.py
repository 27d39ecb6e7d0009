"""What a network's values can tell of its routing, and what they cannot.

Where the weights are weak, routing hardly moves the answer, and any number of
iterations fits within a tolerance. So a setting is told only where another would differ
by far more than what was found, and what was found only where it explains what routing
does.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.checks import present
from capsnet_explorer.model.described.capsules.cutting import Cut, cuts
from capsnet_explorer.model.described.capsules.making import (
    Arrangement,
    arrangements,
    values_of,
)
from capsnet_explorer.model.described.capsules.squashes import Constants, all_constants
from capsnet_explorer.model.described.layers import Capsules, Layer, Routing, Values
from capsnet_explorer.model.described.network import Description, Pass, Routed
from capsnet_explorer.model.described.routing.matrices import layouts, matrices
from capsnet_explorer.model.described.routing.ways import (
    MOST_ITERATIONS,
    SHARES,
    Way,
    beside,
)
from capsnet_explorer.model.described.running.watching import Recording
from capsnet_explorer.model.described.search.guesses import (
    DOUBLE,
    EXPLAINED,
    SINGLE,
    SQUASHED,
    TELLING,
    Choices,
    Guess,
    again_of,
    answer_of,
    as_good,
    explained,
    largest,
    scale,
)
from capsnet_explorer.model.described.search.trial import Trial
from capsnet_explorer.model.device import single_thread
from capsnet_explorer.model.layers.dynamic import Votes

EXACT = 1e-13  # of the largest value: what double precision leaves
ROUGH = 1e-3  # of the largest value: far more than single precision leaves
TOGETHER = 2  # images of a pass, of which the first is compared at first
WEAK = 1e-3  # of the largest value: routing that moves it by less does not matter
AT_FIRST = 8  # guesses that are compared for the best
STEPS = 4  # settings that are changed one after the other
REFINED = 3  # guesses whose constants are looked for
CLOSE = 0.2  # of the largest value: no constant moves it further


LIKE_EACH_OTHER = {"squared lengths": SQUASHED, SQUASHED: "squared lengths"}


@dataclass(frozen=True)
class Unexplained:
    """What a routing does that nothing is told of.

    Attributes:
        effect: by how much it moves the values that are compared.
        off: by how much what is shown differs from these.
        is_near: whether that is far less. Then others would come about as near, since
            what moves values a little moves them nearly in proportion.
    """

    effect: float
    off: float
    is_near: bool


@dataclass(frozen=True)
class Judgement:
    """What is told of a routing.

    Attributes:
        best: the guess to show.
        others: those that fit as well, each in one setting otherwise.
        off: by how much the best differs.
        is_explained: whether the best explains what the last routing does.
        unexplained: by the ids of routings that it does not explain, how each moves the
            values that are compared.
    """

    best: Guess
    others: tuple[Guess, ...]
    off: float
    is_explained: bool
    unexplained: Mapping[str, Unexplained]


class Judge:
    """Judges guesses by recomputing them.

    Args:
        description: what the user says.
        recording: what the module's parts read and returned.
        answer: the module's answer.
        is_precise: whether both are of double precision.
        tolerance: the largest difference that counts as none, for values of 1.
    """

    def __init__(
        self,
        description: Description,
        recording: Recording,
        answer: Tensor,
        *,
        is_precise: bool,
        tolerance: float,
    ) -> None:
        self.description = description
        self.recording = recording
        self.answer = answer
        self.is_precise = is_precise
        self.tolerance = tolerance
        self.decided: set[str] = set()  # ids of capsules that a part shows
        self._noise: float | None = None
        self._first: Recording | None = None
        self._kept: dict[Any, Votes] = {}
        self._tried: list[Guess] = []  # whose constants have been looked for

    @property
    def last(self) -> Routing:
        """The last routing, to the classes."""
        return present(self.description.layer(Routing), "a layer that routes")

    @single_thread()
    def is_enough(self, trial: Trial) -> bool:
        """Return whether what fits a routing is explained; improves what fits."""
        near = sorted(trial.last_fitting, key=lambda fit: fit[1])
        if not near:
            size = scale(self.answer)
            near = [(guess, off) for off, guess in trial.nearest if off <= CLOSE * size]
        limit = as_good(near[0][1]) if near else 0.0
        # Of what fits about as well, the paper's first.
        near.sort(key=lambda fit: (fit[1] > limit, oddity(fit[0])))
        near = self._with_siblings(self._unlike(near)[:REFINED])
        for guess, off in near:
            if any(guess is other for other in self._tried):
                continue
            self._tried.append(guess)
            better, best = self._refine(guess, off)
            limit = self.tolerance * min(1.0, scale(self._target(better.choices)))
            if best <= limit and better is not guess:
                trial.fitting.append((better, best))
            if best <= limit and self._is_explained(better, best):
                return True
        return False

    def _unlike(self, near: list[tuple[Guess, float]]) -> list[tuple[Guess, float]]:
        """Return guesses of which no two differ in the iterations alone."""
        unlike: dict[Any, tuple[Guess, float]] = {}
        for guess, off in near:
            way: Way = guess.choices[self.last.id, "way"]
            below = [
                guess.choices.get((self.last.below, what)) for what in ("cut", "made")
            ]
            answers = guess.choices["", "answers"]
            key = (replace(way, iterations=1), *below, answers)
            unlike.setdefault(key, (guess, off))
        return list(unlike.values())

    @single_thread()
    def judged(self, guesses: list[Guess]) -> Judgement:
        """Return what is told, of guesses that fit, the nearest first."""
        offs = [(guess, self.off(guess.choices)) for guess in guesses[:AT_FIRST]]
        offs = self._with_siblings(offs)
        least = min(off for _, off in offs)
        near = as_good(least, self.noise(guesses[0].choices))
        best, off = min(
            (fit for fit in offs if fit[1] <= near),
            key=lambda fit: oddity(fit[0]),
        )
        best, off, others = self._nearest(best, off)
        is_explained = self._is_explained(best, off)
        unexplained = {
            layer.id: moved
            for layer in self.middles
            if (moved := self._unexplained_by(layer, best, off)) is not None
        }
        if not is_explained:
            effect = self.effect(best.choices)
            unexplained[self.last.id] = self._why(effect, off)
            best, others = self._assume(best, guesses)
            off = self.off(best.choices)
        return Judgement(best, tuple(others), off, is_explained, unexplained)

    def _nearest(self, guess: Guess, off: float) -> tuple[Guess, float, list[Guess]]:
        """Return what fits best of all that differ in a setting, and what fits as well.

        Where routing is nearly saturated, ways come near that are not the module's.
        """
        beside: list[tuple[Guess, float]] = []
        limit = as_good(off, self.noise(guess.choices))
        for _ in range(STEPS):
            limit = as_good(off, self.noise(guess.choices))
            beside = [
                (guess.added("", choices=choices), self.off(choices))
                for choices in self._beside(guess.choices)
                if not self._is_far(choices, limit)
            ]
            nearer, least = min(beside, key=lambda fit: fit[1], default=(guess, off))
            if not as_good(least, self.noise(guess.choices)) < off:
                break
            guess, off = nearer, least
        return (
            guess,
            off,
            [other for other, difference in beside if difference <= limit],
        )

    @property
    def middles(self) -> list[Routing]:
        """The routings whose capsules are not the classes'."""
        routings = [x for x in self.description.layers if isinstance(x, Routing)]
        return [layer for layer in routings if layer is not self.last]

    def _unexplained_by(
        self, layer: Routing, guess: Guess, off: float
    ) -> Unexplained | None:
        """Return how a routing moves values; None if that is explained."""
        way: Way = guess.choices[layer.id, "way"]
        if layer.id in guess.differences:  # a part shows its capsules
            passing = self._pass(guess.choices)
            others, off = (
                _routed_otherwise(way, passing.routed[layer.id]),
                (guess.differences[layer.id]),
            )
            here = passing.routed[layer.id].steps[-1].capsules
        else:
            here = self._answer_of(guess.choices)
            others = [self._answer_of(x) for x in _otherwise(guess.choices, layer)]
        effect = max(largest(values, here) for values in others)
        noise = DOUBLE if self.is_precise else 4 * SINGLE
        is_so = self._explains(effect, max(off, noise * scale(here)), scale(here))
        return None if is_so else self._why(effect, off)

    def _why(self, effect: float, off: float) -> Unexplained:
        return Unexplained(effect, off, off <= effect / EXPLAINED[self.is_precise])

    def _answer_of(self, choices: Choices) -> Tensor:
        return self._answer(choices, self._pass(choices).poses)

    def _assume(self, best: Guess, guesses: list[Guess]) -> tuple[Guess, list[Guess]]:
        """Return what is most like the paper of all that fits, and the rest of that."""
        size = scale(self._target(best.choices))
        limit = self.tolerance * min(1.0, size)
        effect = self.effect(best.choices)
        if effect <= WEAK * size:
            limit = max(limit, 2 * effect)
        fitting = [best, *guesses[:AT_FIRST]]
        for _ in range(3):  # one setting after the other
            several = [
                best.added("", choices=choices)
                for choices in self._beside(best.choices)
                if not self._is_far(choices, limit) and self.off(choices) <= limit
            ]
            fitting += several
            nearer = min([best, *several], key=oddity)
            if oddity(nearer) >= oddity(best):
                break
            best = nearer
        return best, [guess for guess in fitting if guess is not best]

    def poses(self, choices: Choices) -> Tensor:
        """Return the capsules of the classes that a guess makes."""
        return present(self._pass(choices).poses, "capsules of the classes")

    def off(self, choices: Choices) -> float:
        """Return by how much a guess differs from the module."""
        return largest(self._answer_of(choices), self._target(choices))

    def _is_far(self, choices: Choices, limit: float) -> bool:
        """Return whether one image in single precision already differs by more."""
        routed = [choices[layer.id, "way"] for layer in [*self.middles, self.last]]
        if len(self.answer) != TOGETHER or any(way.shared != "no" for way in routed):
            return False
        if self._first is None:
            self._first = self.recording.in_precision(torch.float32).first()
        poses = self._pass(choices, self._first).poses
        answer = self.answer[:1].float()
        target = self._target(choices)[:1].float()
        off = largest(self._answer(choices, poses, answer), target)
        return off > limit + ROUGH * scale(target)

    def noise(self, choices: Choices) -> float:
        """Return the difference that rounding alone makes."""
        if self.is_precise:
            return EXACT * scale(self._target(choices))
        if self._noise is None:
            double = self.recording.in_precision(torch.float64)
            twice = present(
                self._pass(choices, double).poses, "capsules of the classes"
            )
            once = self._pass(choices).poses
            off = largest(
                self._answer(choices, once).double(), self._answer(choices, twice)
            )
            self._noise = 4 * max(off, SINGLE * scale(self._target(choices)))
        return self._noise

    def effect(self, choices: Choices) -> float:
        """Return by how much routing moves the values that are compared."""
        passing = self._pass(choices)
        way: Way = choices[self.last.id, "way"]
        routed = passing.routed[self.last.id]
        here = self._answer(choices, passing.poses)
        others = [self._answer(choices, x) for x in _routed_otherwise(way, routed)]
        return max(largest(capsules, here) for capsules in others)

    def _is_explained(self, guess: Guess, off: float) -> bool:
        effect, size = (
            self.effect(guess.choices),
            scale(self._target(guess.choices)),
        )
        if not size:
            return False
        way: Way = guess.choices[self.last.id, "way"]
        if way.is_certain(self.last):
            return off <= TELLING * self.noise(guess.choices)
        if way.shared != "no":
            # Of images that are nearly alike, shared logits are like shared couplings.
            alone = replace(way, shared="no")
            apart = self._answer_of({**guess.choices, (self.last.id, "way"): alone})
            effect = min(effect, largest(apart, self._answer_of(guess.choices)))
        rounded = DOUBLE * size if self.is_precise else self.noise(guess.choices)
        return self._explains(effect, max(off, rounded), size)

    def _explains(self, effect: float, off: float, size: float) -> bool:
        return off <= explained(effect, size, is_precise=self.is_precise)

    def _pass(self, choices: Choices, recording: Recording | None = None) -> Pass:
        kept = self._kept if recording is None else None
        passing = Pass(
            self.description, choices, recording or self.recording, kept=kept
        )
        for layer in self.description.layers:
            if isinstance(layer, Capsules | Values):
                passing.fill(layer)
            elif isinstance(layer, Routing):
                shared = choices[layer.id, "way"].shared
                passing.fill(layer, shared=shared, through_all=False)
        return passing

    def _answer(
        self, choices: Choices, poses: Tensor | None, answer: Tensor | None = None
    ) -> Tensor:
        poses = present(poses, "capsules of the classes")
        answer = self.answer if answer is None else answer
        proof = choices.get(("", "proof"))
        if proof is not None:
            return proof.of_capsules(poses)
        again = again_of(choices)
        return answer_of(choices["", "answers"], poses, answer, again)

    def _target(self, choices: Choices) -> Tensor:
        proof = choices.get(("", "proof"))
        return self.answer if proof is None else proof.of_recording(self.recording)

    # The small constants of squash.

    def _refine(self, guess: Guess, off: float) -> tuple[Guess, float]:
        """Return a guess with the constants that fit best, and its difference."""
        best = guess
        for choices in self._with_constants(guess.choices):
            if off <= self.noise(best.choices):
                break
            for counted, difference in self._by_count(choices):
                if difference < off / 2:
                    best = guess.added(self.last.id, None, difference, counted)
                    off = difference
        return best, off

    def _by_count(self, choices: dict[Any, Any]) -> Iterator[tuple[dict, float]]:
        """Yield choices with each number of iterations, and how far they are off."""
        way: Way = choices[self.last.id, "way"]
        if way.form == "attention" or self.last.iterations is not None:
            yield choices, self.off(choices)
            return
        routed = self._pass(choices).routed[self.last.id]
        steps = list(way.steps(routed.votes, MOST_ITERATIONS, prior=routed.prior))
        # A part that shows the first sums may be followed by others.
        for count in range(2 if ("", "proof") in choices else 1, len(steps) + 1):
            counted = {**choices, (self.last.id, "way"): replace(way, iterations=count)}
            answer = self._answer(choices, way.after(steps, routed.votes, count))
            yield counted, largest(answer, self._target(choices))

    def _with_constants(self, choices: Choices) -> Iterator[dict[Any, Any]]:
        last = self.last.id
        squashes = [key for key in choices if key[1] in ("cut", "way")]
        below = [key for key in squashes if key != (last, "way")]
        for constants in all_constants():
            if below:
                yield self._one_with(choices, below, constants)
            yield self._one_with(choices, (), constants)

    def _one_with(
        self,
        choices: Choices,
        below: Iterable[tuple[str, str]],
        constants: Constants,
    ) -> dict[Any, Any]:
        """Return choices with other constants of the last squash, and those below."""
        changed = dict(choices)
        for key in (*below, (self.last.id, "way")):
            curve = choices[key].curve.with_constants(constants)
            changed[key] = replace(choices[key], curve=curve)
        return changed

    # What differs in one setting.

    def _beside(self, choices: Choices) -> Iterator[dict[Any, Any]]:
        last = self.last
        way: Way = choices[last.id, "way"]
        weights = matrices(last)
        shape = way.layout.of(weights).shape
        module = self.description.module
        sizes = (shape[0], shape[1], shape[2], shape[3])
        for changed in beside(way, module, last, sizes):
            if changed != way:
                yield {**choices, (last.id, "way"): changed}
        is_shared = way.layout.shared != "no"
        for layout in layouts(
            last,
            tuple(weights.shape),
            *(shape[0], shape[3]),
            classes=shape[1],
            types=shape[0] // way.layout.times if is_shared else None,
        ):
            if layout != way.layout:
                yield {**choices, (last.id, "way"): replace(way, layout=layout)}
        below = next(x for x in self.description.layers if x.id == last.below)
        yield from self._below(below, choices)
        yield from self._answers(choices)
        for layer in self.middles:
            if layer.id not in self.decided:
                yield from self._middle(layer, choices)

    def _answers(self, choices: Choices) -> Iterator[dict[Any, Any]]:
        """Yield the same capsules, of which the answer is made in a way that is alike.

        A squash makes nearly squares of lengths that are small.
        """
        other = LIKE_EACH_OTHER.get(choices["", "answers"])
        if other is None or self.answer.ndim == 3:
            return
        if other != SQUASHED or again_of(choices) is not None:
            yield {**choices, ("", "answers"): other}

    def _with_siblings(
        self, near: list[tuple[Guess, float]]
    ) -> list[tuple[Guess, float]]:
        """Return guesses, and those that answer with what is alike."""
        siblings = [
            (guess.added("", choices=choices), self.off(choices))
            for guess, _ in near
            for choices in self._answers(guess.choices)
        ]
        return [*near, *siblings]

    def _middle(self, layer: Routing, choices: Choices) -> Iterator[dict[Any, Any]]:
        """Yield what differs in one setting of capsules that no part shows."""
        way: Way = choices[layer.id, "way"]
        is_counted = layer.iterations is None and way.form == "dynamic"
        counts = range(1, MOST_ITERATIONS + 1) if is_counted else ()
        changed = [replace(way, iterations=count) for count in counts]
        changed += [replace(way, axis=axis) for axis in SHARES]
        for other in changed:
            if other != way:
                yield {**choices, (layer.id, "way"): other}

    def _below(self, below: Layer, choices: Choices) -> Iterator[dict[Any, Any]]:
        if below.id in self.decided:
            return
        if isinstance(below, Capsules):
            cut: Cut = choices[below.id, "cut"]
            maps = [
                self.recording.outputs[convolution]
                for convolution in below.convolutions
            ]
            types = sum(tensor.shape[1] for tensor in maps) // below.size
            places = maps[0][0, 0].numel()
            size, curve = below.size, cut.curve
            for changed in cuts(types, places, size, curve, cut.between):
                if changed != cut:
                    yield {**choices, (below.id, "cut"): changed}
        elif isinstance(below, Values):
            arrangement: Arrangement = choices[below.id, "made"]
            values = values_of(below, self.recording, arrangement.tensor)
            shapes = [tuple(tensor.shape[1:]) for tensor in values]
            for changed in arrangements(shapes, (arrangement.size,), lambda *_: True):
                changed = replace(changed, tensor=arrangement.tensor)
                if changed != arrangement:
                    yield {**choices, (below.id, "made"): changed}


def _routed_otherwise(way: Way, routed: Routed) -> list[Tensor]:
    """Return the capsules of each number of iterations, or of shares that are even."""
    if way.form == "attention":
        step: Any = routed.steps[0]
        even = torch.full_like(step.couplings, 1 / step.couplings.shape[2])
        even = step.couplings - step.shares + even  # what is added, stays
        sums = (routed.votes.formed * even[..., None]).sum(dim=1)
        return [way.shrink(sums, is_last=True)]
    count = max(3, way.iterations)
    steps = list(way.steps(routed.votes, count, prior=routed.prior))
    return [way.after(steps, routed.votes, n) for n in range(1, count + 1)]


def _otherwise(choices: Choices, layer: Routing) -> list[Choices]:
    """Return the same with other iterations of a routing, or other shares."""
    way: Way = choices[layer.id, "way"]
    if way.form == "attention":
        changed = [replace(way, axis=axis) for axis in ("classes", "capsules")]
    else:
        counts = range(1, max(3, way.iterations) + 1)
        changed = [replace(way, iterations=count) for count in counts]
    return [{**choices, (layer.id, "way"): other} for other in changed]


def oddity(guess: Guess) -> float:
    """Return how much differs from the paper."""
    total = 0.0
    for choice in guess.choices.values():
        if isinstance(choice, Cut):
            total += choice.oddities + 0.1 * (choice.maps == "apart")
            total += 0.1 * (choice.first == "places")
        elif isinstance(choice, Way):
            total += choice.oddities + 0.01 * choice.layout.oddities
            if choice.form == "dynamic":
                total += 0.2 * abs(choice.iterations - 3)
        elif isinstance(choice, Arrangement):
            total += choice.oddities + 0.1 * (not choice.is_plain)
    return total
