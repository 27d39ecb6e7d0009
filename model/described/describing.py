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
from capsnet_explorer.model.described.drawing import Drawing, Drawn, drawing_of
from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import (
    APART,
    Classes,
    Couplings,
    Decoder,
    Layer,
    Routing,
    Values,
    checked_layers,
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
    Recording,
    borrowed,
    precise,
    watch,
)
from capsnet_explorer.model.described.search.evidence import Evidence
from capsnet_explorer.model.described.search.guesses import (
    ANSWERS_OF_ACTIVATIONS,
    Guess,
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
        answers: the module's answers.
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
    answers: Tensor
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
        kind = "state dict" if isinstance(module, dict) else type(module).__name__
        raise ValueError(
            f"module must be an nn.Module, got a {kind}; build it, and load a state "
            "dict into it, as that holds no graph"
        )
    if not tolerance > 0:
        raise ValueError(f"tolerance must be above 0, got {tolerance!r}")
    described = _with_classes(checked_layers(layers))
    images = checked_images(images)
    norm = checked_normalize(normalize, images)
    description = Description(module, described, call, norm)
    with borrowed(module), torch.no_grad():
        progress = progress or Progress("")
        return _Check(description, images, scores, classes, tolerance, progress).run()


def _with_classes(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Return the layers with the classes that every network has."""
    if any(isinstance(layer, Classes) for layer in layers):
        return layers
    index = next(
        (
            position
            for position, layer in enumerate(layers)
            if isinstance(layer, Decoder)
        ),
        len(layers),
    )
    return (*layers[:index], Classes(), *layers[index:])


@dataclass
class _Check:
    description: Description
    images: Tensor
    pick: Scores | None
    classes: int | None
    tolerance: float
    progress: Progress
    judged: Judgement | None = None

    def run(self) -> Checked:
        few = self.images[:TRIED_ON]
        if self._fails_for_one(few):
            self.description = replace(self.description, asks_twice=True)
        recording, answer = self._record(few)
        self._require_steady(few, answer)
        self.progress.doing = "trying how capsules are cut and routed"
        precisely = self._precisely(few, answer)
        if precisely is None:
            guesses, drawing = self._search(few, recording, answer, is_precise=False)
        else:
            with precise(self.description.module, self._parts):
                guesses, drawing = self._search(few, *precisely, is_precise=True)
            guesses = [self._rebind(guess) for guess in guesses]
        sizes = self._sizes(guesses[0], answer)
        self.progress.doing = f"comparing all {len(self.images)} images"
        best, ambiguous, answers, off_answer = self._on_all(guesses, sizes)
        described = self.description
        network = self._network(best, sizes, drawing.drawing)
        differences: dict[str, float | None] = {}
        off: float | None = off_answer
        for layer in reversed(described.layers):
            match layer:
                case Decoder():
                    differences[layer.id] = drawing.difference
                case Values() | Couplings():
                    differences[layer.id] = None
                case Classes():
                    as_it_is = best.choices["", "answers"] == "as they are"
                    differences[layer.id] = None if as_it_is else off_answer
                case _:
                    # What the module shows nowhere is compared by what is made of it.
                    off = best.differences.get(layer.id, off)
                    if layer is self._last:
                        off = max(off or 0.0, off_answer)
                    differences[layer.id] = off
        return Checked(
            network,
            self.images,
            differences,
            ambiguous,
            answers,
            {} if self.judged is None else self.judged.unexplained,
            drawing.alike,
            {part: len(several) for part, several in recording.returned.items()},
            self._off_alone(answer, best),
        )

    @property
    def _parts(self) -> set[nn.Module]:
        module = self.description.module
        parts = {*module.modules()} - {module}
        return parts | {
            part for layer in self.description.layers for part in layer.modules
        }

    def _record(self, images: Tensor) -> tuple[Recording, Tensor]:
        """Return what the module's parts read and return for images, and its answer."""
        recording = self.description.watch(self.description.read(images), self._parts)
        return recording, self._answer_in(recording, images)

    def _fails_for_one(self, images: Tensor) -> bool:
        """Return whether the module answers two images, but not one alone."""
        description = self.description
        image = description.read(images[:1])
        try:
            answer = description.watch(image, ())
            self._pick_scores(answer.output, 1)
        except ValueError:
            pass
        else:
            return False
        try:
            both = watch(
                description.module, torch.cat([image, image]), (), description.call
            )
            self._pick_scores(both.output, 2)
        except ValueError:
            return False  # what is wrong is told later
        return True

    def _precisely(
        self, images: Tensor, answer: Tensor
    ) -> tuple[Recording, Tensor] | None:
        """Return the same in double precision; None where the module has none."""
        try:
            with precise(self.description.module, self._parts):
                recording, double = self._record(images)
        except (ValueError, RuntimeError, TypeError):
            return None
        limit = 1e-3 * max(scale(answer), 1e-12)
        alike = (
            double.shape == answer.shape
            and largest(double.float(), answer.float()) <= limit
        )
        return (recording, double) if double.dtype == torch.float64 and alike else None

    def _search(
        self, images: Tensor, recording: Recording, answer: Tensor, *, is_precise: bool
    ) -> tuple[list[Guess], Drawn]:
        """Return what fits these images, the best first, and how the decoder draws."""
        description = self.description
        judge = Judge(
            description,
            recording,
            answer,
            is_precise=is_precise,
            tolerance=self.tolerance,
        )
        evidence = Evidence(
            description.module,
            description.layers,
            description.read(images),
            recording,
            self.tolerance,
        )
        guesses = Search(evidence, answer, judge.is_enough).guesses()
        if self._last is not None and self._last.form not in APART:
            judge.decided = evidence.shown_ids
            self.judged = judge.judged(guesses)
            guesses = [self.judged.best, *self.judged.others]
            guesses.sort(key=oddity)
        guesses = [
            guess.added("", choices={("", "scores"): self._pick_scores})
            for guess in guesses
        ]
        sizes = self._sizes(guesses[0], answer)
        return guesses, self._drawing(guesses[0], judge, recording, sizes)

    def _rebind(self, guess: Guess) -> Guess:
        """Return a guess whose prior and bias are the module's own again."""
        module = self.description.module
        for layer in self.description.layers:
            if not isinstance(layer, Routing):
                continue
            way: Way = guess.choices[layer.id, "way"]
            if way.form == "em":
                continue
            shape = way.layout.of(matrices(layer)).shape
            for prior in priors(module, layer, shape[0], shape[1]):
                if prior is not None and prior == way.prior:
                    way = replace(way, prior=prior)
            for bias in biases(module, layer, shape[1], shape[2]):
                if bias is not None and bias == way.bias:
                    way = replace(way, bias=bias)
            guess = guess.added("", choices={(layer.id, "way"): way})
        return guess

    @property
    def _last(self) -> Routing | None:
        return self.description.layer(Routing)

    def _answer_in(self, recording: Recording, images: Tensor) -> Tensor:
        answer = self._pick_scores(recording.output, recording.batch)[: len(images)]
        names = {
            part: layer.id
            for layer in self.description.layers
            for part in layer.modules
        }
        require_finite(answer, recording.outputs, names)
        return answer

    def _require_steady(self, images: Tensor, answer: Tensor) -> None:
        """Refuse a module that answers otherwise when it is asked again."""
        read = self.description.read(images)
        again = self.description.watch(read, ())
        second = self._pick_scores(again.output, again.batch)[: len(images)]
        off = largest(second, answer)
        if off > self.tolerance * min(1.0, max(scale(answer), 1e-12)):
            raise ValueError(
                "your module answers otherwise when it is asked again, by "
                f"{off:.2g}: is dropout left on, by F.dropout without "
                "training=self.training, or does it keep something from call to call?"
            )

    def _off_alone(self, answer: Tensor, best: Guess) -> float | None:
        """Return how far the answer for the first image alone is off, if it is."""
        is_shared = any(
            choice.shared != "no"
            for choice in best.choices.values()
            if isinstance(choice, Way)
        )
        if is_shared or len(answer) < 2:
            return None
        recording = self.description.watch(self.description.read(self.images[:1]), ())
        alone = self._pick_scores(recording.output, recording.batch)[:1]
        off = largest(alone, answer[:1])
        return off if off > self.tolerance * max(1e-12, scale(answer)) else None

    def _sizes(self, guess: Guess, answer: Tensor) -> Sizes:
        last = self._last
        capsules = 0
        if last is not None and last.form not in APART:
            way: Way = guess.choices[last.id, "way"]
            capsules, ends, *_ = way.layout.of(matrices(last)).shape
            # Of capsules that are not the classes', nothing is changed on the page.
            is_each = ends == answer.shape[1] and self._follow(guess, answer)
            capsules = capsules if is_each else 0
        channels, rows, columns = self.images.shape[1:]
        return Sizes(channels, rows, columns, answer.shape[1], capsules, 0)

    def _follow(self, guess: Guess, answer: Tensor) -> bool:
        """Return whether scores are those of capsules, one by one.

        What a head makes of capsules may mix them: only where scores are ordered as
        lengths are, or a decoder is said to draw a class from its capsule, each is a
        class's.
        """
        last = self._last
        if last is None or guess.choices["", "answers"] != "as they are":
            return True
        if self.description.layer(Decoder) is not None:
            return True
        lengths = torch.linalg.vector_norm(guess.values[last.id], dim=-1)
        scores = (
            torch.linalg.vector_norm(answer, dim=-1) if answer.ndim == 3 else answer
        )
        return torch.equal(lengths.argsort(dim=1), scores.argsort(dim=1))

    def _drawing(
        self, guess: Guess, judge: Judge, recording: Recording, sizes: Sizes
    ) -> Drawn:
        """Return how the decoder is used, and by how much its pictures are off."""
        layer = self.description.layer(Decoder)
        last = self._last
        if layer is None:
            return Drawn(None, None)
        if last is None:
            raise layer.differs(
                "a decoder reads the capsules of classes; describe the "
                "Routing that makes them, or leave it out"
            )
        if last.form in APART:
            raise layer.differs(
                "what a decoder draws where routing is by EM, or "
                "self-routing, is not recomputed; leave it out"
            )
        if not sizes.routed_capsules:
            raise layer.differs(
                f"a decoder reads the capsules of classes, and {last.id} makes others "
                f"than those of your {sizes.classes} classes; leave it out"
            )
        # Of several calls, nothing says which drew the answer's picture.
        once = recording.calls.get(layer.module) == 1
        first = [x for part, x in recording.outputs.items() if part is layer.module]
        drawn = recording.returned.get(layer.module, first) if once else []
        poses = judge.poses(guess.choices)
        noise = EXACT if judge.is_precise else ROUNDED
        return drawing_of(layer, poses, sizes.image_shape, drawn, self.tolerance, noise)

    def _on_all(
        self, guesses: list[Guess], sizes: Sizes
    ) -> tuple[Guess, dict, Tensor, float]:
        """Return what fits all images best, and what fits as well."""
        kept = guesses[:MOST_LEFT]
        worst = [0.0] * len(kept)
        answers = []
        size = 0.0
        for part in self.images.split(AT_ONCE):
            answer = None
            choices = [guess.choices for guess in kept]
            recording = self.description.record(part, choices)
            for index, guess in enumerate(kept):
                network = self._network(guess, sizes)
                last = self._last
                shared = "no" if last is None else guess.choices[last.id, "way"].shared
                trace = network(part, shared=shared, recording=recording)
                if answer is None:
                    scores = self._pick_scores(trace.answer, trace.batch)
                    answer = scores[: len(part)].cpu()
                    require_finite(answer, {}, {})
                    size = max(size, scale(answer))
                    answers.append(answer)
                worst[index] = max(worst[index], _off(guess, trace, answer))
        least = min(worst)
        limit = self.tolerance * (min(1.0, size) if self._last else max(1.0, size))
        if self.judged is not None and not self.judged.is_explained:
            limit = max(limit, 2 * self.judged.off)  # assumed, and said to be
        if not least <= limit:
            layer = self._last or self.description.layers[-1]
            raise layer.differs(
                f"what fits the first {min(TRIED_ON, len(self.images))} "
                f"images is off by {least:.2g} on others; is there something that "
                "depends on the image, or on others of its batch?",
                difference=least,
            )
        fits = [*zip(kept, worst, strict=True)]
        best, worst_of_best = next(fit for fit in fits if fit[1] <= limit)
        limit = max(as_good(worst_of_best), 1e-6 * min(1.0, size))
        ambiguous = ambiguous_in([best, *(x for x, off in fits if off <= limit)])
        last = self._last
        if last is not None and last.form == "dynamic":
            way: Way = best.choices[last.id, "way"]
            if len(self.images) == 1 or way.iterations == 1:
                ambiguous[last.id, "shared"] = (False, *SHARINGS[1:])
        return best, ambiguous, torch.cat(answers), worst_of_best

    def _network(
        self, guess: Guess, sizes: Sizes, drawing: Drawing | None = None
    ) -> Described:
        if self._last is not None:
            iterations = guess.choices[self._last.id, "way"].iterations
            sizes = replace(sizes, routing_iterations=iterations)
        return Described(self.description, guess.choices, sizes, drawing)

    def _pick_scores(self, output: Any, batch: int) -> Tensor:
        return scores_of(
            output,
            batch,
            scores=self.pick,
            classes=self.classes,
            image=tuple(self.images.shape[1:]),
            of_one=self._single_sizes,
        )

    @property
    def _single_sizes(self) -> tuple[int, ...]:
        """How many numbers the capsule of a single class may have, if W is of one."""
        if self._last is None:
            return ()
        with contextlib.suppress(Different):  # what is wrong with W is told later
            shape = tuple(matrices(self._last).shape)
            return shape if 1 in shape else ()
        return ()


def _off(guess: Guess, trace: Trace, answer: Tensor) -> float:
    """Return by how much a trace differs from what the module answers, or shows."""
    name = guess.choices["", "answers"]
    proof = guess.choices.get(("", "proof"))
    if proof is not None:
        proven = present(trace.proof, "what a part shows of them")
        return largest(proof.of_capsules(trace.capsules), proven)
    if trace.poses is not None:
        again = guess.squashed_again
        return largest(answer_of(name, trace.poses, answer, again), answer)
    if name in ANSWERS_OF_ACTIVATIONS:
        function = ANSWERS_OF_ACTIVATIONS[name]
        return largest(function(trace.values["activations"]), answer)
    if "logits" in trace.values:
        answers = dict(answers_of_dense(trace.values["logits"], answer))[name]
        return largest(answers, answer)
    return 0.0
