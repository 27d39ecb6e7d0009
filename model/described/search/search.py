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

from torch import Tensor

from capsnet_explorer.model.described.capsules.making import (
    arrangements,
    choices_of,
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
from capsnet_explorer.model.described.search.guesses import (
    Choices,
    Guess,
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
        answer: its answer, (batch, classes), or capsules (batch, classes, size).
        is_enough: whether what fits a routing so far needs no further way to be tried.
    """

    def __init__(
        self, evidence: Evidence, answer: Tensor, is_enough: Callable[[Trial], bool]
    ) -> None:
        self.evidence = evidence
        self.answer = answer
        self.is_enough = is_enough
        self._cutter = Cutter(evidence)
        self._active = ActiveSearch(evidence, answer)
        routings = [layer for layer in evidence.layers if isinstance(layer, Routing)]
        self._last = routings[-1] if routings else None

        @functools.cache
        def proofs(shape: tuple[int, ...]) -> list[tuple[Proof, Tensor]]:
            return proofs_in(evidence.recording, shape, evidence.described)

        self._proofs = proofs

    def guesses(self) -> list[Guess]:
        """Return what reproduces every layer and the answer, best first.

        Raises:
            Different: nothing does.
        """
        guesses = [Guess()]
        for layer in self.evidence.layers:
            guesses = self._extend(layer, guesses)
        for layer in self.evidence.layers:
            if isinstance(layer, Pooling):
                guesses = self.evidence.pooled(layer, guesses)
            elif isinstance(layer, Capsules):
                self._require_seen(layer)
        return guesses

    def _extend(self, layer: Layer, guesses: list[Guess]) -> list[Guess]:
        match layer:
            case Convolution() | Dense():
                return self.evidence.compared(layer, layer.module, guesses)
            case Values():
                for part in layer.modules:
                    self.evidence.require_run(layer, part)
                values = values_of(layer, self.evidence.recording)[0]
                return [guess.added(layer.id, values) for guess in guesses]
            case Couplings():
                recording = self.evidence.recording
                layer.select(recording.softmaxes.get(layer.module, []), recording.kept)
            case Capsules():
                return self._cutter.cut(layer, guesses)
            case Routing():
                return self._route(layer, guesses)
            case Classes():
                return self._compare_answer(layer, guesses)
        return guesses

    # Routing.

    def _route(self, layer: Routing, guesses: list[Guess]) -> list[Guess]:
        below = self.evidence.by_id[layer.below]
        self._require_place(layer)
        if layer.form == "em":
            activations = self._part_activations(layer)
            return self._active.by_em(layer, below, guesses, activations)
        if isinstance(below, Values):
            guesses = self._arrange(layer, below, guesses)
        elif not isinstance(below, Capsules | Routing):
            raise layer.differs(
                "below must be a layer of capsules, or Values of shape "
                f"(batch, capsules, size), got {below.id}, {_kind_of(below)}"
            )
        if layer.kernel is not None:
            guesses = [*self._gather_windows(layer, below, guesses)]
        if layer.form == "self":
            return self._active.alone(
                *(layer, guesses),
                lambda guess: self._activations(layer, below, guess),
                lambda guess: self._types(guess, below, matrices(layer)),
            )
        weights = matrices(layer).detach().to(self.evidence.images.dtype)
        reads, off_middle = below.id, self._off_middle
        if layer is self._last:
            off_middle = None
        elif layer.kernel is not None:
            reads, off_middle = f"{layer.id}.windows", lambda _: math.inf
        trial = Trial(
            *(layer, self.evidence.module, weights, self.answer),
            *(self.evidence.tolerance, self._proofs, off_middle, reads),
            lambda guess, curve: self._cutter.recut(guess, curve, below.id),
            lambda guess: self._types(guess, below, weights),
            self.is_enough,
        )
        trial.run_all(guesses)
        if off_middle is not None:
            return self._of_middle(layer, trial.fitting)
        if not trial.fitting:
            raise trial.refused()
        fits = sorted(trial.last_fitting, key=lambda fit: fit[1])
        return [guess for guess, _ in fits]

    def _require_place(self, layer: Routing) -> None:
        """Refuse a routing where none of its kind is recomputed."""
        is_last, last = layer is self._last, self._last
        form = None if last is None else last.form
        is_below = layer.kernel is not None and form == layer.form
        if layer.form in APART and not (is_last or is_below):
            raise layer.differs(
                f"{layer.form} routing is recomputed where it is the last, "
                "to the classes, or in windows below such a one; describe what it "
                "makes as Values(id, module)"
            )
        if is_last and layer.kernel is not None:
            raise layer.differs(
                "kernel must be left out of the last Routing, which makes "
                "the capsules of the classes of all below"
            )

    def _gather_windows(
        self, layer: Routing, below: Layer, guesses: list[Guess]
    ) -> Iterator[Guess]:
        """Yield guesses with the capsules that each window reads."""
        fits = False
        for guess in guesses:
            for grid, first in self._grids(guess, below):
                if min(grid[1:]) + 2 * layer.padding < (layer.kernel or 1):
                    continue
                for slots, above in self._orders(guess):
                    window = Window(
                        layer.kernel or 1,
                        layer.stride,
                        layer.padding,
                        *(grid, first, slots, above),
                    )
                    read = window.gathered(guess.values[below.id])
                    fits = True
                    yield guess.added(
                        f"{layer.id}.windows",
                        read,
                        None,
                        {(layer.id, "window"): window},
                    )
        if not fits:
            raise layer.differs(
                f"with a kernel of {layer.kernel}, {below.id} must have "
                "capsules at rows and columns, at least as many as that; what is cut "
                "by view, or returned in a list, stands at no place"
            )

    def _orders(self, guess: Guess) -> list[tuple[First, First]]:
        """Return how windows and capsules may be listed: as in a layer before."""
        before = [x for (_, what), x in guess.choices.items() if what == "window"]
        if before:
            return [(before[-1].slots, before[-1].above)]
        firsts: tuple[First, ...] = ("types", "places")
        return [(slots, above) for slots in firsts for above in firsts]

    def _grids(
        self, guess: Guess, below: Layer
    ) -> Iterator[tuple[tuple[int, int, int], First]]:
        """Yield types, rows and columns of capsules, and which is listed first."""
        if isinstance(below, Capsules):
            cut = guess.choices[below.id, "cut"]
            maps = cut.maps_of(below.convolutions, self.evidence.recording)
            # In whatever order they are listed, a window holds the same.
            if not cut.oddities and cut.first == "types":
                types = maps.shape[1] // below.size
                yield (types, maps.shape[2], maps.shape[3]), "types"
        elif isinstance(below, Routing):
            window: Window | None = guess.choices[below.id, "way"].window
            if window is not None:
                count = guess.values[below.id].shape[1]
                yield window.grid_above(count), window.above
        elif isinstance(below, Values):
            yield from guess.choices[below.id, "made"].grids

    def _list_windows(
        self, layer: Routing, tried: list[tuple[Guess, float]]
    ) -> Iterator[tuple[Guess, float]]:
        """Yield guesses with all capsules in one list, and how near a part comes."""
        for guess, _ in tried:
            way = guess.choices[layer.id, "way"]
            others = [
                other
                for (id, what), other in guess.choices.items()
                if what == "way" and id != layer.id and other.window is not None
            ]
            alike = [x.iterations for x in others if x.form == way.form]
            if any(count != way.iterations for count in alike):
                continue
            way = replace(way, window=guess.choices[layer.id, "window"])
            listed = way.window.listed(guess.values[layer.id])
            placed = guess.added(layer.id, listed, None, {(layer.id, "way"): way})
            yield placed, self._off_middle(listed)

    def _activations(self, layer: Routing, below: Layer, guess: Guess) -> Tensor:
        activations = guess.values.get(f"{below.id}.active")
        if activations is not None:
            return activations
        window = guess.choices.get((layer.id, "window"))
        grids = [*self._grids(guess, below)]
        if window is not None:
            grids = [(window.grid, window.below)]
        beside = self._part_activations(layer)
        return active_in(layer, guess.values[below.id], beside, grids)

    def _part_activations(self, layer: Routing) -> Tensor | None:
        """Return the activations that a part shows; None where the layer names none."""
        if layer.activations is None:
            return None
        source = self.evidence.by_id[layer.activations]
        if isinstance(source, Values):
            return values_of(source, self.evidence.recording)[0]
        raise layer.differs(
            f"activations must be the id of Values, got {source.id}, {_kind_of(source)}"
        )

    def _arrange(
        self, layer: Routing, below: Values, guesses: list[Guess]
    ) -> list[Guess]:
        """Read a part's values as capsules."""
        recording, shape = self.evidence.recording, tuple(matrices(layer).shape)
        sizes = dict.fromkeys(reversed(shape))  # of a capsule, likeliest first
        making = []
        for tensor in choices_of(below, recording):
            values = values_of(below, recording, tensor)
            shapes = [tuple(part.shape[1:]) for part in values]
            for arrangement in arrangements(shapes, sizes, self._reads(layer)):
                arrangement = replace(arrangement, tensor=tensor)
                making.append((arrangement, arrangement.listed(values)))
        if layer.kernel is not None:  # in whatever order, a window holds the same
            making = [pair for pair in making if not pair[0].is_by_place]
        if not making:
            shapes = [str(tuple(x.shape)) for x in values_of(below, recording)]
            raise layer.differs(
                "below must be Values with capsules that its W of "
                f"{shape} reads, such as (batch, capsules, size), got {below.id} with "
                f"{' and '.join(shapes)}"
            )
        return [
            guess.added(below.id, listed, None, {(below.id, "made"): arrangement})
            for guess in guesses
            for arrangement, listed in making
        ]

    def _reads(self, layer: Routing) -> Callable[[int, int], bool]:
        """Return whether W reads so many capsules of so many numbers."""
        shape = tuple(matrices(layer).shape)
        classes = self.answer.shape[1] if layer is self._last else None
        in_window = (layer.kernel or 0) ** 2

        @functools.cache
        def reads(count: int, size: int) -> bool:
            if in_window:
                types = [n // in_window for n in shape if n % in_window == 0]
                return size in shape and any(count % n == 0 for n in types)
            for ends in dict.fromkeys((classes, None)):
                for types in (None, 1, *(n for n in shape if count % n == 0)):
                    with contextlib.suppress(Different):
                        layouts(layer, shape, count, size, classes=ends, types=types)
                        return True
            return False

        return reads

    def _types(self, guess: Guess, below: Layer, weights: Tensor) -> list[int]:
        """Return how many types the capsules below may be of."""
        capsules = guess.values[below.id].shape[1]
        if isinstance(below, Capsules):
            maps = sum(convolution.out_channels for convolution in below.convolutions)
            return [maps // below.size]
        counts = dict.fromkeys((*weights.shape, 1))
        return [count for count in counts if capsules % count == 0]

    def _off_middle(self, values: Tensor) -> float:
        """Return how near a part's output comes to capsules; infinite without one."""
        batch, classes, size = values.shape
        tensors = [
            tensor.reshape(values.shape)
            for part, tensor in self.evidence.recording.outputs.items()
            if part not in self.evidence.described
            and self.evidence.recording.calls[part] == 1
            and tensor.numel() == values.numel()
            and [n for n in tensor.shape if n > 1][-2:] == [classes, size][-2:]
            and tensor.shape[0] == batch
        ]
        return min((largest(values, tensor) for tensor in tensors), default=math.inf)

    def _of_middle(
        self, layer: Routing, fits: list[tuple[Guess, float]]
    ) -> list[Guess]:
        """Keep those that a part of the module shows; all, if none shows any."""
        if layer.kernel is not None:
            fits = [*self._list_windows(layer, fits)]
        nearest, least = min(fits, key=lambda fit: fit[1])
        if least > self.evidence.tolerance * min(1.0, scale(nearest.values[layer.id])):
            return [guess for guess, _ in fits]
        self.evidence.shown_ids.add(layer.id)
        near = [(guess, off) for guess, off in fits if off <= as_good(least)]
        return [guess.added(layer.id, None, off) for guess, off in near]

    # The answer.

    def _compare_answer(self, layer: Classes, guesses: list[Guess]) -> list[Guess]:
        if self._last is not None:
            return [
                guess
                if guess.choices["", "answers"] == "as they are"
                else guess.added(layer.id, None, guess.differences[self._last.id])
                for guess in guesses
            ]
        dense = [layer for layer in self.evidence.layers if isinstance(layer, Dense)]
        if not dense:
            choices: Choices = {("", "answers"): "as they are"}
            return [guess.added(layer.id, choices=choices) for guess in guesses]
        kept: list[tuple[Guess, float]] = []
        nearest = math.inf
        for guess in guesses:
            for step, values in self.evidence.given_by(guess, dense[-1].id):
                for name, candidate in answers_of_dense(values, self.answer):
                    off = largest(candidate, self.answer)
                    nearest = min(nearest, off)
                    if off <= self.evidence.tolerance * max(1.0, scale(self.answer)):
                        both = {**guess.choices, **step}
                        is_sum = both[dense[-1].id, "step"].changes_nothing
                        answers = name if is_sum else "as they are"
                        choices = {**step, ("", "answers"): answers}
                        fit = guess.added(layer.id, None, off, choices), off
                        kept.append(fit)
        if not kept:
            raise layer.differs(
                f"your module answers otherwise than {dense[-1].id}, by "
                f"{nearest:.2g}; say by scores which part of its answer the scores are",
                difference=nearest,
            )
        least = min(off for _, off in kept)
        # Where numbers are all above 0, for one, an activation may change nothing.
        kept.sort(
            key=lambda fit: (
                fit[1] > as_good(least),
                fit[0].choices["", "answers"] == "as they are",
            )
        )
        return [guess for guess, _ in kept]

    # Layers that cannot be compared.

    def _require_seen(self, layer: Capsules) -> None:
        """Refuse capsules that neither a part shows nor a described layer reads."""
        is_read = any(
            isinstance(other, Routing) and other.below == layer.id
            for other in self.evidence.layers
        )
        if not is_read and layer.id not in self.evidence.shown_ids:
            raise layer.differs(
                "no part of your module shows its capsules, and no Routing of your "
                "description reads them, so that they cannot be compared; describe "
                "what routes them, or the part that makes them as Values(id, module)"
            )


def _kind_of(layer: Layer) -> str:
    return f"a {type(layer).__name__}"
