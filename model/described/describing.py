"""`describe`: a module and its layers in, the network that the explorer shows out."""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.checks import present
from capsnet_explorer.model.described.answers import (
    Scores,
    checked_images,
    checked_normalize,
    require_finite,
    scores_of,
)
from capsnet_explorer.model.described.drawing import Drawn, drawing_of
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import (
    APART,
    Classes,
    Couplings,
    Decoder,
    Layer,
    Routing,
    Values,
    checked,
)
from capsnet_explorer.model.described.network import (
    Described,
    Description,
    Sizes,
    Trace,
)
from capsnet_explorer.model.described.routing.matrices import matrices
from capsnet_explorer.model.described.routing.ways import SHARINGS, Way, biases, priors
from capsnet_explorer.model.described.running.progress import Progress
from capsnet_explorer.model.described.running.watching import (
    Call,
    Seen,
    borrowed,
    precise,
    watched,
)
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.hypotheses import (
    ANSWERS_OF_ACTIVATIONS,
    Hypothesis,
    answer_of,
    answers_of_dense,
    as_good,
    largest,
    scale,
)
from capsnet_explorer.model.described.search.judging import (
    EXACT,
    Judge,
    Judgement,
    Unexplained,
    oddity,
)
from capsnet_explorer.model.described.search.search import Search
from capsnet_explorer.model.described.search.settings import ambiguous_in

AT_ONCE = 16  # images of a pass
TRIED_ON = 2  # images on which every way is tried; with one, no sharing can be seen
ROUNDED = 1e-6  # difference of two pictures that single precision makes
MOST_LEFT = 24  # ways that are compared on all images


@dataclass(frozen=True)
class Checked:
    """A description that reproduces its module.

    Attributes:
        network: as the explorer runs it.
        images: that it was checked on, as they were given.
        differences: the largest of each layer; None for a decoder that did not draw
            while the module answered.
        ambiguous: settings that these images cannot tell apart, by layer and what; the
            one that is shown comes first.
        own: the module's answers.
        unexplained: by the ids of routings, how each moves the values that are
            compared, where what was found does not explain that.
        alike: by how much a decoder's pictures of different classes differ, where that
            is too little to tell what it draws from; None elsewhere.
        returned: how many tensors a part returns, of those that return several.
        alone: how far the answer for an image alone is off that beside others, where
            nothing that was found explains it; None elsewhere.
    """

    network: Described
    images: Tensor
    differences: dict[str, float | None]
    ambiguous: dict[tuple[str, str], tuple[Any, ...]]
    own: Tensor
    unexplained: Mapping[str, Unexplained] = field(default_factory=dict)
    alike: float | None = None
    returned: Mapping[nn.Module, int] = field(default_factory=dict)
    alone: float | None = None


def checked_description(
    module: nn.Module,
    layers: Iterable[Layer],
    images: Any,
    *,
    scores: Scores | None = None,
    call: Call | None = None,
    classes: int | None = None,
    normalize: Any = None,
    tolerance: float = 1e-4,
    progress: Progress | None = None,
) -> Checked:
    """Compare a description with its module, and find what it does not say.

    `progress` is told what is being done; the others are those of `describe`.

    Raises:
        Different: the description does not reproduce the module.
        ValueError: module, images or settings cannot be used.
    """
    if not isinstance(module, nn.Module):
        raise ValueError(
            f"module must be an nn.Module, got a {_kind(module)}; build it, and load a "
            "state dict into it, as that holds no graph"
        )
    if not tolerance > 0:
        raise ValueError(f"tolerance must be above 0, got {tolerance!r}")
    described = _with_classes(checked(layers))
    given = checked_images(images)
    norm = checked_normalize(normalize, given)
    description = Description(module, described, call, norm)
    with borrowed(module), torch.no_grad():
        check = _Check(description, given, scores, classes, tolerance)
        check.progress = progress
        return check.done()


def _kind(value: object) -> str:
    return "state dict" if isinstance(value, dict) else type(value).__name__


def _with_classes(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Return the layers with the classes that every network has."""
    if any(isinstance(layer, Classes) for layer in layers):
        return layers
    place = next(
        (at for at, layer in enumerate(layers) if isinstance(layer, Decoder)),
        len(layers),
    )
    return (*layers[:place], Classes(), *layers[place:])


@dataclass
class _Check:
    description: Description
    images: Tensor
    pick: Scores | None
    classes: int | None
    tolerance: float
    judged: Judgement | None = None
    progress: Progress | None = None

    def _tell(self, doing: str) -> None:
        if self.progress is not None:
            self.progress.doing = doing

    def done(self) -> Checked:
        few = self.images[:TRIED_ON]
        if self._fails_for_one(few):
            self.description = replace(self.description, asks_twice=True)
        seen, own = self._asked(few)
        self._require_steady(few, own)
        self._tell("trying how capsules are cut and routed")
        precisely = self._precisely(few, own)
        if precisely is None:
            left, drawing = self._found(few, seen, own, is_precise=False)
        else:
            with precise(self.description.module, self._parts):
                left, drawing = self._found(few, *precisely, is_precise=True)
            left = [self._rebound(one) for one in left]
        sizes = self._sizes(left[0], own)
        self._tell(f"comparing all {len(self.images)} images")
        best, ambiguous, answers, off_answer = self._on_all(left, sizes)
        described = self.description
        network = Described(
            described, best.choices, self._sized(sizes, best), drawing.drawing
        )
        differences: dict[str, float | None] = {}
        off: float | None = off_answer
        for layer in reversed(described.layers):
            if isinstance(layer, Decoder):
                differences[layer.id] = drawing.difference
                continue
            if isinstance(layer, Values | Couplings):
                differences[layer.id] = None
                continue
            if isinstance(layer, Classes):
                as_it_is = best.choices["", "answers"] == "as they are"
                differences[layer.id] = None if as_it_is else off_answer
                continue
            # What the module shows nowhere is compared by what is made of it.
            off = best.differences.get(layer.id, off)
            if layer is self._last:
                off = max(off or 0.0, off_answer)
            differences[layer.id] = off
        judged = self.judged
        return Checked(
            network,
            self.images,
            differences,
            ambiguous,
            answers,
            {} if judged is None else judged.unexplained,
            drawing.alike,
            {part: len(several) for part, several in seen.returned.items()},
            self._off_alone(own, best),
        )

    @property
    def _parts(self) -> set[nn.Module]:
        module = self.description.module
        parts = {*module.modules()} - {module}
        return parts | {
            part for layer in self.description.layers for part in layer.modules
        }

    def _asked(self, images: Tensor) -> tuple[Seen, Tensor]:
        """Return what the module's parts read and return for images, and its answer."""
        seen = self.description.watched(self.description.read(images), self._parts)
        return seen, self._own(seen, images)

    def _fails_for_one(self, images: Tensor) -> bool:
        """Return whether the module answers two images, but not one alone."""
        description = self.description
        one = description.read(images[:1])
        try:
            answer = description.watched(one, ())
            self._picked(answer.output, 1)
        except ValueError:
            pass
        else:
            return False
        try:
            both = watched(
                description.module, torch.cat([one, one]), (), description.call
            )
            self._picked(both.output, 2)
        except ValueError:
            return False  # what is wrong is told later
        return True

    def _precisely(self, images: Tensor, own: Tensor) -> tuple[Seen, Tensor] | None:
        """Return the same in double precision; None where the module has none."""
        try:
            with precise(self.description.module, self._parts):
                seen, found = self._asked(images)
        except (ValueError, RuntimeError, TypeError):
            return None
        limit = 1e-3 * max(scale(own), 1e-12)
        alike = (
            found.shape == own.shape and largest(found.float(), own.float()) <= limit
        )
        return (seen, found) if found.dtype == torch.float64 and alike else None

    def _found(
        self, images: Tensor, seen: Seen, own: Tensor, *, is_precise: bool
    ) -> tuple[list[Hypothesis], Drawn]:
        """Return what fits these images, the best first, and how the decoder draws."""
        description = self.description
        judge = Judge(
            description, seen, own, is_precise=is_precise, tolerance=self.tolerance
        )
        evidence = Evidence(
            description.module,
            description.layers,
            description.read(images),
            seen,
            self.tolerance,
        )
        left = Search(evidence, own, judge.is_enough).hypotheses()
        if self._last is not None and self._last.form not in APART:
            judge.decided = evidence.shown
            self.judged = judge.judged(left)
            left = [self.judged.best, *self.judged.others]
            left.sort(key=oddity)
        left = [one.added("", choices={("", "scores"): self._picked}) for one in left]
        sizes = self._sizes(left[0], own)
        return left, self._drawing(left[0], judge, seen, sizes)

    def _rebound(self, one: Hypothesis) -> Hypothesis:
        """Return a hypothesis whose prior and bias are the module's own again."""
        module = self.description.module
        for layer in self.description.layers:
            if not isinstance(layer, Routing):
                continue
            way: Way = one.choices[layer.id, "way"]
            if way.form == "em":
                continue
            shape = way.layout.of(matrices(layer)).shape
            for prior in priors(module, layer, shape[0], shape[1]):
                if prior is not None and prior == way.prior:
                    way = replace(way, prior=prior)
            for bias in biases(module, layer, shape[1], shape[2]):
                if bias is not None and bias == way.bias:
                    way = replace(way, bias=bias)
            one = one.added("", choices={(layer.id, "way"): way})
        return one

    @property
    def _last(self) -> Routing | None:
        return self.description.layer(Routing)

    def _own(self, seen: Seen, images: Tensor) -> Tensor:
        answer = self._picked(seen.output, seen.asked)[: len(images)]
        names = {
            part: layer.id
            for layer in self.description.layers
            for part in layer.modules
        }
        require_finite(answer, seen.outputs, names)
        return answer

    def _require_steady(self, images: Tensor, own: Tensor) -> None:
        """Refuse a module that answers otherwise when it is asked again."""
        read = self.description.read(images)
        again = self.description.watched(read, ())
        found = self._picked(again.output, again.asked)[: len(images)]
        off = largest(found, own)
        if off > self.tolerance * min(1.0, max(scale(own), 1e-12)):
            raise ValueError(
                "your module answers otherwise when it is asked again, by "
                f"{off:.2g}: is dropout left on, by F.dropout without "
                "training=self.training, or does it keep something from call to call?"
            )

    def _off_alone(self, own: Tensor, best: Hypothesis) -> float | None:
        """Return how far the answer for the first image alone is off, if it is."""
        is_shared = any(
            choice.shared != "no"
            for choice in best.choices.values()
            if isinstance(choice, Way)
        )
        if is_shared or len(own) < 2:
            return None
        one = self.description.watched(self.description.read(self.images[:1]), ())
        alone = self._picked(one.output, one.asked)[:1]
        off = largest(alone, own[:1])
        return off if off > self.tolerance * max(1e-12, scale(own)) else None

    def _sizes(self, found: Hypothesis, own: Tensor) -> Sizes:
        last = self._last
        capsules = 0
        if last is not None and last.form not in APART:
            way: Way = found.choices[last.id, "way"]
            capsules, ends, *_ = way.layout.of(matrices(last)).shape
            # Of capsules that are not the classes', nothing is changed on the page.
            is_each = ends == own.shape[1] and self._follow(found, own)
            capsules = capsules if is_each else 0
        channels, rows, columns = self.images.shape[1:]
        return Sizes(channels, rows, columns, own.shape[1], capsules, 0)

    def _follow(self, found: Hypothesis, own: Tensor) -> bool:
        """Return whether scores are those of capsules, one by one.

        What a head makes of capsules may mix them: only where scores are ordered as
        lengths are, or a decoder is said to draw a class from its capsule, each is a
        class's.
        """
        last = self._last
        if last is None or found.choices["", "answers"] != "as they are":
            return True
        if self.description.layer(Decoder) is not None:
            return True
        lengths = torch.linalg.vector_norm(found.values[last.id], dim=-1)
        scores = torch.linalg.vector_norm(own, dim=-1) if own.ndim == 3 else own
        return torch.equal(lengths.argsort(dim=1), scores.argsort(dim=1))

    def _sized(self, sizes: Sizes, found: Hypothesis) -> Sizes:
        last = self._last
        if last is None:
            return sizes
        way = found.choices[last.id, "way"]
        return replace(sizes, routing_iterations=way.iterations)

    def _drawing(
        self, found: Hypothesis, judge: Judge, seen: Seen, sizes: Sizes
    ) -> Drawn:
        """Return how the decoder is used, and by how much its pictures are off."""
        layer = self.description.layer(Decoder)
        last = self._last
        if layer is None:
            return Drawn(None, None)
        if last is None:
            raise Different(
                f"{layer.id}: a decoder reads the capsules of classes; describe the "
                "Routing that makes them, or leave it out",
                layer=layer.id,
            )
        if last.form in APART:
            raise Different(
                f"{layer.id}: what a decoder draws where routing is by EM, or "
                "self-routing, is not recomputed; leave it out",
                layer=layer.id,
            )
        if not sizes.routed_capsules:
            raise Different(
                f"{layer.id}: a decoder reads the capsules of classes, and {last.id} "
                f"makes others than those of your {sizes.classes} classes; leave it "
                "out",
                layer=layer.id,
            )
        # Of several calls, nothing says which drew the answer's picture.
        once = seen.calls.get(layer.module) == 1
        first = [seen.outputs[layer.module]] if layer.module in seen.outputs else []
        drawn = seen.returned.get(layer.module, first) if once else []
        poses = judge.poses(found.choices)
        noise = EXACT if judge.is_precise else ROUNDED
        return drawing_of(layer, poses, sizes.image_shape, drawn, self.tolerance, noise)

    def _on_all(
        self, left: list[Hypothesis], sizes: Sizes
    ) -> tuple[Hypothesis, dict, Tensor, float]:
        """Return what fits all images best, and what fits as well."""
        kept = left[:MOST_LEFT]
        worst = [0.0] * len(kept)
        answers = []
        size = 0.0
        for part in self.images.split(AT_ONCE):
            own = None
            seen = self.description.seen(part, [one.choices for one in kept])
            for place, one in enumerate(kept):
                network = self._network(one, sizes)
                trace = network(part, shared=self._shared(one), seen=seen)
                if own is None:
                    own = self._picked(trace.answer, trace.asked)[: len(part)].cpu()
                    require_finite(own, {}, {})
                    size = max(size, scale(own))
                    answers.append(own)
                worst[place] = max(worst[place], _off(one, trace, own))
        least = min(worst)
        limit = self.tolerance * (min(1.0, size) if self._last else max(1.0, size))
        if self.judged is not None and not self.judged.is_explained:
            limit = max(limit, 2 * self.judged.off)  # assumed, and said to be
        if not least <= limit:
            layer = self._last or self.description.layers[-1]
            raise Different(
                f"{layer.id}: what fits the first {min(TRIED_ON, len(self.images))} "
                f"images is off by {least:.2g} on others; is there something that "
                "depends on the image, or on others of its batch?",
                layer=layer.id,
                difference=least,
            )
        best = next(one for one, off in zip(kept, worst, strict=True) if off <= limit)
        worst_of_best = worst[kept.index(best)]
        fitting = [
            one
            for one, off in zip(kept, worst, strict=True)
            if one is best or off <= max(as_good(worst_of_best), 1e-6 * min(1.0, size))
        ]
        ambiguous = ambiguous_in([best, *fitting])
        last = self._last
        if last is not None and last.form == "dynamic":
            way: Way = best.choices[last.id, "way"]
            if len(self.images) == 1 or way.iterations == 1:
                ambiguous[last.id, "shared"] = (False, *SHARINGS[1:])
        return best, ambiguous, torch.cat(answers), worst_of_best

    def _network(self, one: Hypothesis, sizes: Sizes) -> Described:
        return Described(self.description, one.choices, self._sized(sizes, one))

    def _picked(self, output: Any, batch: int) -> Tensor:
        return scores_of(
            output,
            batch,
            scores=self.pick,
            classes=self.classes,
            image=tuple(self.images.shape[1:]),
            of_one=self._of_one,
        )

    @property
    def _of_one(self) -> tuple[int, ...]:
        """How many numbers the capsule of a single class may have, if W is of one."""
        if self._last is None:
            return ()
        with contextlib.suppress(Different):  # what is wrong with W is told later
            shape = tuple(matrices(self._last).shape)
            return shape if 1 in shape else ()
        return ()

    def _shared(self, one: Hypothesis) -> str:
        last = self._last
        return "no" if last is None else one.choices[last.id, "way"].shared


def _off(one: Hypothesis, trace: Trace, own: Tensor) -> float:
    """Return by how much a trace differs from what the module answers, or shows."""
    name = one.choices["", "answers"]
    proof = one.choices.get(("", "proof"))
    if proof is not None:
        seen = present(trace.proof, "what a part shows of them")
        return largest(proof.of_capsules(trace.capsules), seen)
    if trace.poses is not None:
        again = one.squashed_again
        return largest(answer_of(name, trace.poses, own, again), own)
    if name in ANSWERS_OF_ACTIVATIONS:
        answer = ANSWERS_OF_ACTIVATIONS[name]
        return largest(answer(trace.values["activations"]), own)
    if "logits" in trace.values:
        found = dict(answers_of_dense(trace.values["logits"], own))[name]
        return largest(found, own)
    return 0.0
