"""One routing, tried in every way."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.hypotheses import (
    Hypothesis,
    answers_of_capsules,
    as_good,
    largest,
)
from capsnet_explorer.model.described.layers import Layer, Routing
from capsnet_explorer.model.described.routing import (
    MOST_ITERATIONS,
    Way,
    orders,
    priors,
    ways,
)
from capsnet_explorer.model.layers.dynamic import Votes

USUAL = 2  # settings that are not the paper's, of capsules and routing together


@dataclass
class Trial:
    """Routes the capsules of hypotheses, and compares with what the module has.

    Attributes:
        layer: the routing.
        module: the user's.
        given: its W, in its own order of axes.
        own: the module's answer, (batch, classes) or (batch, classes, size).
        limit: the largest difference that counts as none.
        off_middle: says how far capsules are off that are not the classes'; None for
            those that are.
        fitting: hypotheses with this layer, and by how much each is off.
    """

    layer: Routing
    module: nn.Module
    given: Tensor
    own: Tensor
    limit: float
    off_middle: Callable[[Tensor], float] | None
    fitting: list[tuple[Hypothesis, float]] = field(default_factory=list)
    nearest: tuple[float, Hypothesis | None] = (math.inf, None)

    def run_all(self, found: list[Hypothesis]) -> None:
        """Try every way; those that are usual first, and the others where needed.

        Args:
            found: hypotheses about the layers below.
        """
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # small products only lose time on more
        try:
            self._run_all(found)
        finally:
            torch.set_num_threads(threads)

    def _run_all(self, found: list[Hypothesis]) -> None:
        if self.off_middle is not None:
            self._run(found, lambda _odd: True)
            return
        # All ways together take several times as long.
        self._run(found, lambda odd: odd <= USUAL)
        near = found
        if self.fitting:
            least = min(off for _, off in self.fitting)
            # Whether another way fits as well, with the same capsules below.
            best = [one.choices for one, off in self.fitting if off <= as_good(least)]
            near = [each for each in found if any(_is_part(each, of) for of in best)]
        self._run(near, lambda odd: odd > USUAL)

    def refused(self, below: Layer) -> Different:
        """Return the error that no way fits capsules of the layer below."""
        off, one = self.nearest
        if one is None:
            return Different(
                f"{self.layer.id}: your module's answer has no lengths of its "
                f"{self.own.shape[1]} classes to compare with; say by scores which "
                "part of its answer they are",
                layer=self.layer.id,
            )
        return Different(
            f"{self.layer.id}: routed in no way that was tried do its capsules have "
            f"the lengths that your module answers with; the nearest, "
            f"{described(one, self.layer, below)}, is off by {off:.2g}, and at most "
            f"{self.limit:.2g} would count as none",
            layer=self.layer.id,
            difference=off,
        )

    def _run(self, found: list[Hypothesis], wanted: Callable[[int], bool]) -> None:
        axes = self._orders_by_shape(found)
        for hypothesis in found:
            shape = hypothesis.values[self.layer.below].shape[1:]
            for way, steps in self._routed(hypothesis, axes[shape], wanted):
                for iterations, values in steps:
                    chosen = replace(way, iterations=iterations)
                    self._compare(
                        hypothesis.added(
                            self.layer.id,
                            values,
                            choices={(self.layer.id, "way"): chosen},
                        ),
                        values,
                    )

    def _orders_by_shape(
        self, found: list[Hypothesis]
    ) -> dict[torch.Size, list[tuple[int, ...]]]:
        """Return the orders of W's axes for each shape of the capsules below.

        Capsules that a layer in the middle makes may be of several shapes, of which W
        fits some: the others have no order.

        Raises:
            Different: W fits none.
        """
        classes = self.own.shape[1] if self.off_middle is None else None
        fitting: dict[torch.Size, list[tuple[int, ...]]] = {}
        refused: Different | None = None
        for each in found:
            shape = each.values[self.layer.below].shape[1:]
            if shape in fitting:
                continue
            try:
                capsules, size = shape
                fitting[shape] = orders(
                    self.layer, tuple(self.given.shape), capsules, size, classes
                )
            except Different as error:
                refused = refused or error
                fitting[shape] = []
        if refused is not None and not any(fitting.values()):
            raise refused
        return fitting

    def _compare(self, one: Hypothesis, values: Tensor) -> None:
        if self.off_middle is not None:
            self.fitting.append((one, self.off_middle(values)))
            return
        for name, answer in answers_of_capsules(values, self.own):
            off = largest(answer, self.own)
            if off < self.nearest[0]:
                self.nearest = off, one
            if off <= self.limit:
                choices = {("", "answers"): name}
                self.fitting.append((one.added(self.layer.id, None, off, choices), off))

    def _routed(
        self,
        hypothesis: Hypothesis,
        axes: Iterable[tuple[int, ...]],
        wanted: Callable[[int], bool],
    ) -> Iterator[tuple[Way, list[tuple[int, Tensor]]]]:
        """Yield each way to route, with the capsules after each iteration."""
        layer = self.layer
        below = hypothesis.values[layer.below]
        cut = hypothesis.choices.get((layer.below, "cut"))
        counts: Iterable[int] = range(1, MOST_ITERATIONS + 1)
        if layer.iterations is not None:
            counts = (layer.iterations,)
        earlier = [
            way
            for (id, what), way in hypothesis.choices.items()
            if what == "way" and id not in hypothesis.differences
        ]
        for order in axes:
            transforms = self.given.permute(order)
            votes = Votes(below, transforms)
            found = priors(self.module, layer, *transforms.shape[:2])
            for way in ways([order], found, several=len(below) > 1):
                if not wanted(way.oddities + (cut.oddities if cut else 0)):
                    continue
                # Unseen, the layer between is taken to be routed as this one is.
                if any(not _alike(way, other) for other in earlier):
                    continue
                steps = list(way.steps(votes, max(counts)))
                yield way, [(count, steps[count - 1].capsules) for count in counts]


def described(found: Hypothesis, layer: Routing, below: Layer) -> str:
    """Return a way to route in words."""
    way = found.choices[layer.id, "way"]
    cut = found.choices.get((below.id, "cut"))
    words = [
        *([f"{below.id} cut by {cut.order}"] if cut else []),
        f"a softmax over the {way.axis}",
        f"{way.iterations} iteration{'s' if way.iterations > 1 else ''}",
    ]
    if way.prior:
        words.append(f"the prior {way.prior.name}")
    if way.shared != "no":
        words.append("logits shared by the batch")
    return ", ".join(words)


def _is_part(below: Hypothesis, choices: Any) -> bool:
    return all(choices.get(key) is value for key, value in below.choices.items())


def _alike(way: Way, other: Way) -> bool:
    return (way.axis, way.squash, way.shared) == (
        other.axis,
        other.squash,
        other.shared,
    )
