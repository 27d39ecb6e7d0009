"""The narrow door between the web app and a network: what routes may ask of it.

Routes speak NumPy and this protocol only, so they are tested without torch and any
network that can answer these questions can be shown.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.perturbations.attack import (
    RANDOM_STARTS,
    Attack,
    Loss,
    Pixels,
    Slope,
    attacked,
    followed,
)

Number = TypeVar("Number", bound=np.generic)

Array = NDArray[np.float32]
Numbers = NDArray[np.floating[Any]]  # float32, or float16 where asked for
GradientThrough = Literal["full", "last"]


def pictured(images: NDArray[Number]) -> NDArray[Number]:
    """Return images as answers have them: without the axis of a single channel.

    Args:
        images: (..., channels, rows, columns).
    """
    return images[..., 0, :, :] if images.shape[-3] == 1 else images


class Options(Hashable, Protocol):
    """What a question asks beyond its image; equal ones are equal keys."""

    @property
    def in_response(self) -> Mapping[str, object]:
        """What an answer repeats of them, such as `iterations`."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What a trace is asked.

    Attributes:
        image: (channels, rows, columns) in [0, 1].
        options: as the engine's `options` made them.
        names: which of `info.tensors` to answer with.
        half: whether tensors whose precision is `f16` are answered as float16, unless
            they hold values too large for it.
        is_urgent: whether someone draws and waits for the answer: it is then computed
            before other questions.
    """

    image: Array
    options: Options
    names: tuple[str, ...]
    half: bool = False
    is_urgent: bool = False

    @property
    def key(self) -> Hashable:
        """What decides the forward pass: equal keys of one model, equal tensors.

        Nothing else is part of it: the rest chooses what to answer with, and when.
        """
        return (self.image.shape, self.image.tobytes(), self.options)


@dataclass(frozen=True, slots=True)
class Trace:
    """What one forward pass did.

    Attributes:
        prediction: the class with the highest score.
        tensors: those asked for, by name.
        present: the classes that the model's rule names, best first.
        doubts: sentences on why the network's answer may be wrong.
    """

    prediction: int
    tensors: Mapping[str, Numbers]
    present: tuple[int, ...]
    doubts: tuple[str, ...] = ()


class Gradient(Protocol):
    """Returns what an attack raises, and its gradient; see `Engine.gradient`."""

    def __call__(
        self,
        images: Array,
        labels: Sequence[int],
        *,
        of: Loss,
        through: GradientThrough,
    ) -> Slope:
        """Return the slope of each image's own value."""
        ...


TraceMany = Callable[[Sequence[Question]], list[Trace]]
"""Answers several questions; see `Engine.trace_many`."""


@dataclass(frozen=True, slots=True, eq=False)
class AttackQuestion:
    """An image to be changed so that it is misread.

    Attributes:
        image: (channels, rows, columns) in [0, 1].
        label: the class that the image is to be kept from.
        target: the class that it is to be taken for; None for any but the label.
        epsilons: by how much a pixel may change at most; each in [0, 1].
        attack: the method.
        of: what to raise for the label, or to lower for the target.
        through: which iterations of routing the gradient goes through.
        options: of the passes over the changed images.
        names: which of `info.tensors` to answer with for each of these.
        wants_path: whether to answer with every step; for one ε.
    """

    image: Pixels
    label: int
    target: int | None
    epsilons: tuple[float, ...]
    attack: Attack
    of: Loss
    through: GradientThrough
    options: Options
    names: tuple[str, ...]
    wants_path: bool = False

    @property
    def sizes(self) -> tuple[int, int]:
        """How many gradients and how many traces it takes."""
        count, steps = len(self.epsilons), self.attack.steps
        gradients = {
            "noise": 0,
            "fgsm": 1,
            "bim": 1 + count * steps,
            "pgd": 1 + count * (steps + 1) * (1 + RANDOM_STARTS),
            "square": count * (steps + 1),
        }[self.attack.method]
        return gradients, count + (steps + 1 if self.wants_path else 0)

    def answer(self, gradient: Gradient, trace_many: TraceMany) -> "Attacked":
        """Change the image, and run the changed images."""
        zeros: list[float] = []

        def raised(images: Pixels, _which: NDArray[np.intp]) -> Slope:
            pixels = images.astype(np.float32)
            gap = self._gap(pixels, gradient)
            if not zeros:  # every method begins with the image itself
                zeros.append(float((gap.gradient[0] == 0).mean()))
            return gap

        if self.wants_path:
            (epsilon,) = self.epsilons
            way = followed(self.image, epsilon, self.attack, raised)
            images = way.images[way.strongest][None] if epsilon else self.image[None]
            of_path = trace_many(self._about(way.images))
            path = AttackPath(way.images, of_path, way.values, way.start)
        else:
            images = attacked(self.image[None], self.epsilons, self.attack, raised)[0]
            path = None
        traces = trace_many(self._about(images))
        return Attacked(images, traces, zeros[0] if zeros else None, path)

    def _gap(self, pixels: Array, gradient: Gradient) -> Slope:
        label, sign = (self.label, 1) if self.target is None else (self.target, -1)
        labels = [label] * len(pixels)
        slope = gradient(pixels, labels, of=self.of, through=self.through)
        return Slope(sign * slope.values, sign * slope.gradient)

    def _about(self, images: Pixels) -> list[Question]:
        """Return the questions about changed images."""
        return [
            Question(image, self.options, self.names)
            for image in images.astype(np.float32)
        ]


@dataclass(frozen=True, slots=True)
class AttackPath:
    """The steps of an attack.

    Attributes:
        images: (steps + 1, channels, rows, columns), the start first.
        traces: of each.
        values: what the attack raises, of each: (steps + 1,).
        start: 0 for the image itself, and of `pgd` FGSM's; above, a random one.
    """

    images: Pixels
    traces: list[Trace]
    values: Pixels
    start: int


@dataclass(frozen=True, slots=True)
class Attacked:
    """The changed images, and what the model makes of them.

    Attributes:
        images: (epsilons, channels, rows, columns).
        traces: of each.
        zero_gradients: share of the pixels of the given image at which the gradient is
            exactly 0; None if none was computed.
        path: the steps, if they were asked for.
    """

    images: Pixels
    traces: list[Trace]
    zero_gradients: float | None = None
    path: AttackPath | None = None


class Engine(Protocol):
    """A loaded network. Every method may be called from several threads at once."""

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        ...

    def options(self, choices: Mapping[str, Any]) -> Options:
        """Check what a request asks beyond its image.

        Args:
            choices: options by the names they have in requests; those left to the model
                are not among them.

        Raises:
            InvalidRequest: this model cannot take an option, or not that value.
        """
        ...

    def weights(self, names: Sequence[str]) -> Mapping[str, Numbers]:
        """Return trained weights by name; more than `info.weights` may be known.

        Measured tensors have the prefix `measured.`, such as `measured.poses.mean`.

        Raises:
            KeyError: there are none of that name.
        """
        ...

    def trace(self, question: Question) -> Trace:
        """Run one forward pass and return the tensors that are asked for."""
        ...

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer several questions at once, which costs less than one by one.

        Options and names may differ from question to question.

        Returns:
            One trace for each question, in their order.
        """
        ...

    def reconstruct(self, label: int, poses: Array) -> Array:
        """Decode edited poses of one class; for models that can reconstruct.

        Args:
            label: the class, in 0..classes - 1.
            poses: (count, numbers).

        Returns:
            (count, channels, rows, columns), each value in [0, 1].
        """
        ...

    def gradient(
        self,
        images: Array,
        labels: Sequence[int],
        *,
        of: Loss = "gap",
        through: GradientThrough = "full",
    ) -> Slope:
        """Return what an attack raises, and its gradient; for models that can.

        It goes through the readable network, which is loaded when first asked for.

        Args:
            images: (count, channels, rows, columns).
            labels: one class for each image.
            of: the loss.
            through: `full`, every iteration of routing, as the slope of the score is;
                `last`, the last iteration alone, its couplings held constant.

        Returns:
            Each image's own value and gradient.
        """
        ...

    def attack(self, question: AttackQuestion) -> Attacked:
        """Change an image so that it is misread; for models that have a gradient."""
        ...


class LacksOperator(ValueError):
    """A network cannot be given to browsers.

    Attributes:
        operator: that ONNX lacks, such as `digamma (in head)`.
    """

    def __init__(self, message: str, operator: str) -> None:
        super().__init__(message)
        self.operator = operator


class ExportableEngine(Engine, Protocol):
    """An engine whose network can be given to browsers."""

    def exported(self, *, half: bool = False) -> Mapping[str, bytes]:
        """Return the network as files that a browser runs, by their names.

        With `half`, their weights are rounded to half precision.

        `<id>.reading.onnx`, from an image to a trace; `<id>.drawing.onnx`, for models
        that can reconstruct; `<id>.safetensors`, their weights; and
        `<id>.reading.fed.onnx` and `<id>.drawing.fed.onnx`, the same with an input
        `weights/NAME` for each.

        Raises:
            ImportError: a package is missing that servers need not have.
            LacksOperator: ONNX has no operator that the network needs.
        """
        ...

    def exported_gradient(
        self, stored: bytes, *, half: bool = False
    ) -> Mapping[str, bytes]:
        """Return what attacks follow: `<id>.gradient.onnx`, `<id>.gradient.fed.onnx`.

        Args:
            stored: the file `<id>.safetensors` of `exported`, which the former reads.
            half: whether that one's weights are rounded to half precision.

        Raises:
            ImportError: a package is missing that servers need not have.
            ValueError: the gradient cannot be written as a graph; the message says why.
        """
        ...
