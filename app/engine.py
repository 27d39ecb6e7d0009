"""The narrow door between the web app and a network: what routes may ask of it.

Routes speak NumPy and this protocol only, so they are tested without torch and any
network that can answer these questions can be shown.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Numbers = NDArray[np.floating[Any]]  # float32, or float16 where asked for
Routing = Literal["agreement", "uniform"]


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One tensor that a trace can answer with.

    Attributes:
        name: the key in answers, such as `conv1.relu`.
        shape: its sizes; those of routing tensors at the model's own iterations.
        title: one line for people.
        precision: how a binary answer stores it; half precision for large tensors.
        on_request: sent only when the request names it, because it is very large.
    """

    name: str
    shape: tuple[int, ...]
    title: str
    precision: Literal["f16", "f32"]
    on_request: bool = False


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What the page and scripts must know about a model before they use it.

    Attributes:
        id: names the model in addresses; the weight file's stem.
        title: for people.
        architecture: such as `CapsNet`.
        version: changes whenever the weights do; the first 16 hex digits of the
            weight file's SHA-256.
        classes: how many classes, and so digit capsules, there are.
        class_names: what each class is called, `classes` of them.
        input_shape: (rows, columns) of an image.
        primary_capsules: how many capsules vote; capsule i of type t at a row and
            column has i = (t * rows + row) * columns + column.
        pose_dim: numbers in one digit capsule.
        parameters: trained numbers, decoder included.
        routing_iterations: how many the network was trained with.
        max_routing_iterations: the most a trace may ask for.
        tensors: what a trace can answer with.
        card: the weight file's card, as it stands beside it: figures and origin.
    """

    id: str
    title: str
    architecture: str
    version: str
    classes: int
    class_names: tuple[str, ...]
    input_shape: tuple[int, int]
    primary_capsules: int
    pose_dim: int
    parameters: int
    routing_iterations: int
    max_routing_iterations: int
    tensors: tuple[TensorInfo, ...]
    card: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pin:
    """One coupling held where it is put.

    Attributes:
        capsule: the primary capsule's number i.
        digit: the digit capsule's number j.
        coupling: what c_ij is in every iteration, in [0, 1].
    """

    capsule: int
    digit: int
    coupling: float


@dataclass(frozen=True, slots=True)
class Surgery:
    """Interventions in the routing of one image; equal ones are equal keys.

    Attributes:
        silenced: primary capsules whose votes count as zero.
        routing: `uniform` keeps the couplings as they start, whatever agrees.
        pins: couplings held, at most one for each primary capsule; its others share
            the rest in the proportions of their softmax.
    """

    silenced: frozenset[int] = frozenset()
    routing: Routing = "agreement"
    pins: frozenset[Pin] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether anything is changed at all."""
        return bool(self.silenced or self.pins or self.routing != "agreement")


NO_SURGERY = Surgery()


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What a trace is asked.

    Attributes:
        image: (rows, columns), ink in [0, 1].
        iterations: routing iterations, 1..max_routing_iterations.
        names: which of `info.tensors` to answer with.
        surgery: interventions in routing.
        half: whether tensors whose precision is `f16` are answered as float16, unless
            they hold values too large for it.
    """

    image: Array
    iterations: int
    names: tuple[str, ...]
    surgery: Surgery = NO_SURGERY
    half: bool = False

    @property
    def key(self) -> Hashable:
        """What decides the forward pass: equal keys of one model, equal tensors.

        Neither `names` nor `half` is part of it: they only choose what to answer with.
        """
        return (self.image.shape, self.image.tobytes(), self.iterations, self.surgery)


@dataclass(frozen=True, slots=True)
class Trace:
    """What one forward pass did: the class it chose and the tensors asked for."""

    prediction: int
    tensors: Mapping[str, Numbers]


class Engine(Protocol):
    """A loaded network. Every method may be called from several threads at once."""

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        ...

    def kernels(self) -> Mapping[str, Array]:
        """Return `conv1.kernels` (kernels, rows, columns), `conv1.bias` (kernels)."""
        ...

    def primary_kernels(self, type: int) -> Mapping[str, Numbers]:
        """Return what reads Conv1's maps into the primary capsules of one type.

        Returns:
            `primary.kernels` (numbers in a capsule, maps, rows, columns), in half
            precision, and `primary.bias` (numbers in a capsule).

        Raises:
            IndexError: there is no such type.
        """
        ...

    def trace(self, question: Question) -> Trace:
        """Run one forward pass and return the tensors that are asked for."""
        ...

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer several questions at once, which costs less than one by one.

        Iterations, surgery and names may differ from question to question.

        Returns:
            One trace for each question, in their order.
        """
        ...

    def reconstruct(self, digit: int, poses: Array) -> Array:
        """Decode edited capsules of one class, all other classes masked to zero.

        Args:
            digit: the class kept, in 0..classes - 1.
            poses: (count, pose_dim).

        Returns:
            (count, rows, columns), each value in [0, 1].
        """
        ...
