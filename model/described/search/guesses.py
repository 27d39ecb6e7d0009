"""What is tried about a description, and how far it is off."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.running.watching import Recording

# How many times smaller than what routing does a difference must be that is explained.
EXPLAINED = {True: 1000, False: 10}  # in double precision, and in single
# What moves values a little moves them nearly in proportion, so that half of the
# agreement, twice, is alike to all of it, once. They differ by the square of that.
ALIKE = 0.01
DOUBLE = 1e-15  # of the largest value: one rounding in double precision
SINGLE = 6e-8  # of the largest value: the same in single precision
TELLING = 10  # times the least difference: what differs by more is told apart

SCALED = "lengths times a number"  # the same for all classes and images
SQUASHED = "squashed once more"

Again = Callable[[Tensor], Tensor]

Choices = Mapping[tuple[str, str], Any]
"""What was found, by a layer's id and what it is, such as `step`, `cut` or `way`."""


@dataclass(frozen=True)
class Guess:
    """Settings of all layers so far.

    Attributes:
        choices: what is tried.
        values: what each layer then computes, in the module's own order.
        differences: the largest difference of each layer that could be compared.
    """

    choices: Choices = field(default_factory=dict)
    values: Mapping[str, Tensor] = field(default_factory=dict)
    differences: Mapping[str, float] = field(default_factory=dict)

    @property
    def squashed_again(self) -> Again | None:
        """Squash as the last routing has it; None where it has none."""
        return again_of(self.choices)

    def oddities_of(self, layer: str) -> int:
        """Return how much of a layer's capsules is not as in the paper."""
        choices = (self.choices.get((layer, what)) for what in ("cut", "made"))
        return sum(choice.oddities for choice in choices if choice is not None)

    def added(
        self,
        layer: str,
        values: Tensor | None = None,
        difference: float | None = None,
        choices: Choices | None = None,
    ) -> "Guess":
        """Return this one with a layer more."""
        return Guess(
            {**self.choices, **(choices or {})},
            self.values if values is None else {**self.values, layer: values},
            self.differences
            if difference is None
            else {**self.differences, layer: difference},
        )


def again_of(choices: Choices) -> Again | None:
    """Return the squash of the last routing; None where it has none."""
    ways = [choice for (_, what), choice in choices.items() if what == "way"]
    return ways[-1].again if ways else None


@dataclass(frozen=True)
class Proof:
    """A part of the module that shows the capsules of the classes, or their lengths.

    Attributes:
        part: the part.
        does: whether it `reads` or `returns` them.
        shows: which of the two.
        shape: of the capsules: (classes, size).
        position: of the part in the order in which all parts ran.
    """

    part: nn.Module
    does: Literal["reads", "returns"]
    shows: Literal["capsules", "lengths"]
    shape: tuple[int, int]
    position: int

    @property
    def parts(self) -> tuple[nn.Module, ...]:
        """The part."""
        return (self.part,)

    def of_capsules(self, capsules: Tensor) -> Tensor:
        """Return what it should show, of capsules (batch, classes, size)."""
        if self.shows == "capsules":
            return capsules
        return torch.linalg.vector_norm(capsules, dim=-1)

    def of_recording(self, recording: Recording) -> Tensor:
        """Return what it shows."""
        tensor = (recording.inputs if self.does == "reads" else recording.outputs)[
            self.part
        ]
        sizes = self.shape if self.shows == "capsules" else self.shape[:1]
        return tensor.reshape(-1, *sizes)


def proofs_in(
    recording: Recording, shape: tuple[int, ...], described: set[nn.Module]
) -> list[tuple[Proof, Tensor]]:
    """Return the parts of a module that may show capsules, and what they show.

    One that ran several times shows what routing had in between.

    Args:
        recording: what all parts read and returned.
        shape: of the capsules: (batch, classes, size).
        described: parts that are layers of a description, which return no capsules.
    """
    batch, classes, size = shape
    proofs = []
    ran = {part: position for position, part in enumerate(recording.outputs)}
    sides: tuple[tuple[Literal["reads", "returns"], dict[nn.Module, Tensor]], ...] = (
        ("returns", recording.outputs),
        ("reads", recording.inputs),
    )
    for does, tensors in sides:
        for part, tensor in tensors.items():
            if does == "returns" and part in described:
                continue
            if part not in ran or recording.calls[part] != 1:
                continue
            if not tensor.is_floating_point() or not tensor.ndim:
                continue
            sizes = [length for length in tensor.shape[1:] if length > 1]
            if len(tensor) != batch:
                continue
            of_each = [length for length in (classes, size) if length > 1]
            if sizes in (of_each, [classes * size]):
                proof = Proof(part, does, "capsules", (classes, size), ran[part])
            elif sizes == [classes]:
                proof = Proof(part, does, "lengths", (classes, size), ran[part])
            else:
                continue
            proofs.append((proof, proof.of_recording(recording)))
    return proofs


def answers_of_capsules(
    capsules: Tensor, answer: Tensor, again: Again | None = None
) -> Iterator[tuple[str, Tensor]]:
    """Yield what a module may answer with, of its last capsules.

    Args:
        capsules: (batch, classes, size).
        answer: what it answers, of whose shape they must be.
        again: squashes capsules as routing did; None where that is no squash.
    """
    twice = None if again is None else again(capsules)
    if answer.ndim == 3:
        if answer.shape == capsules.shape:
            yield "capsules", capsules
            if twice is not None:
                yield SQUASHED, twice
        return
    if twice is not None:
        yield SQUASHED, torch.linalg.vector_norm(twice, dim=-1)
    lengths = torch.linalg.vector_norm(capsules, dim=-1)
    yield "lengths", lengths
    yield "softmax of lengths", lengths.softmax(dim=1)
    yield "squared lengths", lengths.square()
    yield "log softmax of lengths", lengths.log_softmax(dim=1)
    yield "lengths over their sum", lengths / lengths.sum(dim=1, keepdim=True)
    if lengths.shape == answer.shape:
        factor = (lengths * answer).sum() / lengths.square().sum()
        if factor > 0:
            yield SCALED, lengths * factor


def answer_of(
    name: str, capsules: Tensor, answer: Tensor, again: Again | None
) -> Tensor:
    """Return what a module answers with, by name.

    Args:
        name: of what `answers_of_capsules` yields.
        capsules: (batch, classes, size).
        answer: what it answers, of whose shape they must be.
        again: squashes capsules as routing did; None leaves them as they are.
    """
    if name == SQUASHED and again is None:
        name = "capsules" if answer.ndim == 3 else "lengths"
    return dict(answers_of_capsules(capsules, answer, again))[name]


# What a module may answer with, of activations of its classes.
ANSWERS_OF_ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "activations": lambda activations: activations,
    "log activations": lambda activations: activations.log(),
}


def answers_of_dense(values: Tensor, answer: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Yield what a module may answer with, of its last dense layer."""
    if values.shape != answer.shape:
        return
    yield "logits", values
    yield "probabilities", values.softmax(dim=1)
    yield "log probabilities", values.log_softmax(dim=1)


def largest(first: Tensor, second: Tensor) -> float:
    """Return the largest difference; infinite if shapes differ, or where one is NaN."""
    if first.shape != second.shape:
        return math.inf
    off = (first - second).abs().max().item()
    return math.inf if math.isnan(off) else off


def scale(values: Tensor) -> float:
    """Return the largest value without its sign."""
    return values.abs().max().item()


def explained(effect: float, size: float, *, is_precise: bool) -> float:
    """Return the difference up to which it is far less than what routing does.

    Args:
        effect: by how much routing moves the values that are compared.
        size: the largest of these.
        is_precise: whether they are of double precision.
    """
    return min(effect / EXPLAINED[is_precise], ALIKE * effect**2 / size)


def as_good(least: float, noise: float = 0.0) -> float:
    """Return the difference up to which another is as good as the least.

    Args:
        least: difference of the best.
        noise: that which rounding alone makes.
    """
    return TELLING * max(least, noise)
