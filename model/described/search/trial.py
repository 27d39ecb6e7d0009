"""One routing, tried in every way."""

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.checks import present
from capsnet_explorer.model.described.capsules.squashes import Curve, all_constants
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Routing
from capsnet_explorer.model.described.routing.matrices import Layout, layouts
from capsnet_explorer.model.described.routing.ways import (
    MOST_ITERATIONS,
    Bias,
    Way,
    biases,
    curves_of,
    priors,
    ways,
)
from capsnet_explorer.model.described.running.limiting import require_time
from capsnet_explorer.model.described.search.guesses import (
    SCALED,
    Guess,
    Proof,
    answers_of_capsules,
    largest,
    scale,
)
from capsnet_explorer.model.device import single_thread
from capsnet_explorer.model.layers.dynamic import Votes

REFINED = 3  # guesses whose constants are looked for
USUAL = 2  # settings that are not the paper's, of capsules and routing together
SHARES = ("softmax of lengths", "log softmax of lengths", "lengths over their sum")
ROUNDED = 3e-7  # what single precision leaves of a share
NEAREST = 6  # guesses that are kept where none fits
_SHARED = attrgetter("axis", "squash", "shared")  # by routings that nothing shows


Recut = Callable[[Guess, Curve], Guess | None]


@dataclass
class Trial:
    """Routes the capsules of guesses, and compares with what the module has.

    Attributes:
        layer: the routing.
        module: the user's.
        weights: its W, in its own order of axes.
        answer: the module's answer, (batch, classes) or (batch, classes, size).
        tolerance: the largest difference that counts as none, for values of 1.
        proofs: parts of the module that may show its capsules, by the shape of these.
        off_middle: says how far capsules are off that are not the classes'; None for
            those that are.
        reads: id of the values that vote: the layer below, or what windows read of it.
        recut: returns a guess with another curve below; None where it is decided.
        types: returns how many types of capsules a guess has below, whose places
            may share W.
        is_enough: whether what fits so far needs no further way to be tried.
        fitting: guesses with this layer, and by how much each is off.
        nearest: those that came nearest, and by how much each is off.
        are_scaled: whether scores may be lengths times a number.
        known: how many settings that are not the paper's need not be guessed, as a part
            of the module shows them, or the layer says them.
        is_tried: whether any way has been compared.
    """

    layer: Routing
    module: nn.Module
    weights: Tensor
    answer: Tensor
    tolerance: float
    proofs: Callable[[tuple[int, ...]], list[tuple[Proof, Tensor]]]
    off_middle: Callable[[Tensor], float] | None
    reads: str
    recut: Recut
    types: Callable[[Guess], list[int]]
    is_enough: Callable[["Trial"], bool]
    fitting: list[tuple[Guess, float]] = field(default_factory=list)
    nearest: list[tuple[float, Guess]] = field(default_factory=list)
    are_scaled: bool = False
    known: int = 0
    is_tried: bool = False

    @single_thread()
    def run_all(self, guesses: list[Guess]) -> None:
        """Try every way; those that are usual first, and the others where needed."""
        first, *others = curves_of(self.layer)
        if self.layer.kernel is not None:
            # Of several in a row, each way of one would meet each way of the next.
            self._run(guesses, first, lambda odd: odd <= 1)
            return
        if self.off_middle is not None:
            self._run(guesses, first, lambda _odd: True)
            self._look_further(guesses, others)
            return
        # What all guesses have in common is no guess, but known.
        below = self.layer.below
        self.known = min((guess.oddities_of(below) for guess in guesses), default=0)
        if self.layer.prior is not None and self.layer.form == "dynamic":
            self.known += 1
        for _ in self._rounds(guesses, first, others):
            if self.is_tried and not self.fitting and not self.nearest:
                return  # there is nothing to compare with
            if self.is_enough(self):
                return
        if not self.fitting:
            self._run_scaled(guesses, first)

    def _rounds(
        self, guesses: list[Guess], first: Curve, others: list[Curve]
    ) -> Iterator[None]:
        """Try what is ever more unusual; each round takes as long as all before it."""
        for count in range(USUAL + 1):
            self._run(guesses, first, lambda odd, count=count: odd == count)
            if count == 0 and first.name not in ("paper", "own"):
                # Most squash all capsules alike: those below as the form's paper, too.
                self._run(self._recut(guesses, first), first, lambda odd: odd <= 1)
            yield
        self._run(guesses, first, lambda odd: odd <= USUAL, are_biased=True)
        yield
        for curve in others:
            again = self._recut(guesses, curve)
            self._run(guesses, curve, lambda odd: odd <= USUAL)
            # One function that squashes all capsules is one setting, and counts twice.
            self._run(again, curve, lambda odd: odd <= USUAL + 1)
            self._run(again, curve, lambda odd: odd <= USUAL + 1, are_biased=True)
            self._run(again, first, lambda odd: odd <= USUAL)
        yield
        self._run(guesses, first, lambda odd: odd > USUAL)
        yield

    def _run_scaled(self, guesses: list[Guess], first: Curve) -> None:
        """Try whether scores are lengths times a number, which fits much by itself."""
        self.are_scaled = True
        self._run(guesses, first, lambda odd: odd <= 1)
        self._run(guesses, first, lambda odd: odd <= 1, are_biased=True)
        if not self.is_enough(self):
            self.fitting.clear()

    def _look_further(self, guesses: list[Guess], others: list[Curve]) -> None:
        """Try other squashes and constants for capsules that a part shows."""

        def nearest() -> list[tuple[Guess, float]]:
            return sorted(self.fitting, key=lambda fit: fit[1])

        def is_near(guess: Guess, off: float) -> bool:
            return off <= self._limit(guess.values[self.layer.id])

        if not self.fitting or math.isinf(nearest()[0][1]):
            return
        if not is_near(*nearest()[0]):
            for curve in others:
                self._run(guesses, curve, lambda _odd: True)
                self._run(self._recut(guesses, curve), curve, lambda _odd: True)
        if self.layer.squash is not None:
            return
        below, id = self.reads, self.layer.id
        for guess, off in nearest()[:REFINED]:
            way: Way = guess.choices[id, "way"]
            for constants in all_constants():
                curve = way.curve.with_constants(constants)
                changed = replace(way, curve=curve)
                values = guess.values[below]
                votes = Votes(values, way.layout.of(self.weights))
                *_, step = changed.steps(votes, way.iterations)
                choices = {(id, "way"): changed}
                better = guess.added(id, step.capsules, None, choices)
                if self._off_middle(step.capsules) < off / 2:
                    self._compare(better, step.capsules)

    def _off_middle(self, values: Tensor) -> float:
        return present(self.off_middle, "what it is compared with")(values)

    def _recut(self, guesses: list[Guess], curve: Curve) -> list[Guess]:
        """Return guesses with another curve below, where that is not decided."""
        others = [self.recut(guess, curve) for guess in guesses]
        return [guess for guess in others if guess is not None]

    def refused(self) -> Different:
        """Return the error that no way fits."""
        if not self.nearest:
            return self.layer.differs(
                "your module's answer has no lengths of its "
                f"{self.answer.shape[1]} classes to compare with, and no part of it "
                f"reads or returns capsules that a W of {tuple(self.weights.shape)} "
                "makes; say by scores which part of its answer they are, or make what "
                "reads them a part of your module"
            )
        off, nearest = self.nearest[0]
        is_share = nearest.choices["", "answers"] in SHARES
        limit = self._share_limit() if is_share else self._limit(self.answer)
        return self.layer.differs(
            "routed in no way that was tried do its capsules have the lengths that "
            "your module answers with, or that a part of it shows: off by "
            f"{off:.2g} at best, where at most {limit:.2g} counts as none. Tried were "
            f"{self._tried_words()}. If it routes otherwise, by sigmoids or cosines, "
            "or if something lies between its layers or follows it, describe the part "
            "that makes its capsules as Values(id, module)",
            difference=off,
        )

    def _tried_words(self) -> str:
        if self.layer.form == "attention":
            return (
                "attention with and without a prior and a bias, a softmax over the "
                "capsules above or below, and five kinds of squash"
            )
        count = self.layer.iterations
        runs = (
            f"1 to {MOST_ITERATIONS} iterations (say iterations= for more, or for 1 "
            "that only a part shows)"
            if count is None
            else f"{count} iteration{'s' if count > 1 else ''}, as you said"
        )
        return (
            f"{runs}, a softmax over the capsules below or above, with and without one "
            "more that takes the rest, a prior, a bias and logits shared by the batch, "
            "and five kinds of squash, up to two or three of these otherwise than in "
            "the paper"
        )

    def _limit(self, values: Tensor) -> float:
        # Small beside values that are small: anything would fit those of a network that
        # has not learned yet.
        return self.tolerance * min(1.0, scale(values))

    def _share_limit(self) -> float:
        """Return the same for shares of 1, of which most may be what all have."""
        apart = self.answer - self.answer.mean(dim=1, keepdim=True)
        least = 0.0 if self.answer.dtype == torch.float64 else ROUNDED
        return max(self._limit(apart), least)

    def _run(
        self,
        guesses: list[Guess],
        curve: Curve,
        wanted: Callable[[int], bool],
        *,
        are_biased: bool = False,
    ) -> None:
        fitting = self._layouts(guesses)
        for guess in guesses:
            shape = guess.values[self.reads].shape[1:]
            for layout in fitting[shape]:
                for way, steps in self._route(
                    guess, layout, curve, wanted, are_biased=are_biased
                ):
                    for iterations, values in steps:
                        chosen = replace(way, iterations=iterations)
                        self._compare(
                            guess.added(
                                self.layer.id,
                                values,
                                choices={(self.layer.id, "way"): chosen},
                            ),
                            values,
                        )

    def _layouts(self, guesses: list[Guess]) -> dict[torch.Size, list[Layout]]:
        """Return the layouts of W for each shape of the capsules below.

        Capsules that a layer in the middle makes may be of several shapes, of which W
        fits some: the others have no layout.
        """
        classes = self.answer.shape[1] if self.off_middle is None else None
        shape_of = partial(layouts, self.layer, tuple(self.weights.shape))
        fitting: dict[torch.Size, list[Layout]] = {}
        refused: Different | None = None
        for guess in guesses:
            shape = guess.values[self.reads].shape[1:]
            if shape in fitting:
                continue
            capsules, size = shape
            fitting[shape] = []
            for types in (None, *self.types(guess)):
                try:
                    fitting[shape] = shape_of(
                        capsules, size, classes=classes, types=types
                    )
                    break
                except Different as error:
                    refused = refused or error
            if self.layer.kernel is not None:  # as usual, where that fits
                fitting[shape].sort(key=lambda layout: layout.oddities)
                del fitting[shape][1:]
            if not fitting[shape] and classes is not None:
                # A head may read capsules that are not those of the classes.
                with contextlib.suppress(Different):
                    fitting[shape] = shape_of(capsules, size, classes=None, types=None)
        if refused is not None and not any(fitting.values()):
            raise refused
        return fitting

    def _compare(self, guess: Guess, values: Tensor) -> None:
        if self.off_middle is not None:
            self.fitting.append((guess, self._off_middle(values)))
            return
        self.is_tried = True
        limit, is_answer = self._limit(self.answer), False
        for name, candidate in answers_of_capsules(
            values, self.answer, guess.squashed_again
        ):
            if name == SCALED and not self.are_scaled:
                continue
            off = largest(candidate, self.answer)
            allowed = self._share_limit() if name in SHARES else limit
            is_answer |= off <= allowed
            self._add(guess, {("", "answers"): name}, off, allowed)
        way: Way = guess.choices[self.layer.id, "way"]
        is_first = way.form == "dynamic" and way.iterations == 1
        if is_answer or (is_first and self.layer.iterations is None):
            return  # a part that shows the first sums may be followed by others
        for proof, target in self.proofs(tuple(values.shape)):
            choices = {("", "answers"): "as they are", ("", "proof"): proof}
            off = largest(proof.of_capsules(values), target)
            self._add(guess, choices, off, self._limit(target))

    @property
    def last_fitting(self) -> list[tuple[Guess, float]]:
        """What fits the answer; else, what fits the last part that shows capsules.

        Parts that ran before may show what routing had in between.
        """
        proofs = [guess.choices.get(("", "proof")) for guess, _ in self.fitting]
        positions = [math.inf if proof is None else proof.position for proof in proofs]
        fitting = zip(self.fitting, positions, strict=True)
        return [fit for fit, position in fitting if position == max(positions)]

    def _add(self, guess: Guess, choices: Any, off: float, limit: float) -> None:
        if off <= limit:
            self.fitting.append((guess.added(self.layer.id, None, off, choices), off))
        elif not math.isfinite(off):
            return
        elif len(self.nearest) < NEAREST or off < self.nearest[-1][0]:
            self.nearest.append((off, guess.added(self.layer.id, None, off, choices)))
            self.nearest.sort(key=lambda fit: fit[0])
            del self.nearest[NEAREST:]

    def _route(
        self,
        guess: Guess,
        layout: Layout,
        curve: Curve,
        wanted: Callable[[int], bool],
        *,
        are_biased: bool,
    ) -> Iterator[tuple[Way, list[tuple[int, Tensor]]]]:
        """Yield each way to route, with the capsules after each iteration."""
        layer = self.layer
        below = guess.values[self.reads]
        odd = guess.oddities_of(layer.below) - self.known
        earlier = [
            way
            for (id, what), way in guess.choices.items()
            if what == "way" and id not in guess.differences
        ]
        transforms = layout.of(self.weights)
        votes = Votes(below, transforms)
        capsules, classes, size, _ = transforms.shape
        begin = priors(self.module, layer, capsules, classes)
        added: list[Bias | None] = [None]
        if are_biased or layer.bias is not None:
            added = [
                bias
                for bias in biases(self.module, layer, classes, size)
                if bias is not None
            ]
        form = "attention" if layer.form == "attention" else "dynamic"
        several = len(below) > 1 and layer.kernel is None
        for way in ways(layout, begin, curve, several=several, form=form):
            if not wanted(way.oddities + odd):
                continue
            # Unseen, the layer between is taken to be routed as this one is.
            if any(_SHARED(way) != _SHARED(other) for other in earlier):
                continue
            yield from self._with_biases(way, votes, added)

    def _with_biases(
        self, way: Way, votes: Votes, added: list[Bias | None]
    ) -> Iterator[tuple[Way, list[tuple[int, Tensor]]]]:
        counts: Iterable[int] = range(1, MOST_ITERATIONS + 1)
        if self.layer.iterations is not None:
            counts = (self.layer.iterations,)
        for bias in added:
            biased = replace(way, bias=bias)
            if way.form == "attention":
                step = biased.attend(votes.formed, votes.primary.shape[2])
                yield biased, [(1, step.capsules)]
                continue
            require_time()
            steps = list(biased.steps(votes, max(counts)))
            yield biased, [(n, biased.after(steps, votes, n)) for n in counts]
