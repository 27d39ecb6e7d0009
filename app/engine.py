"""The narrow door between the web app and a network: what routes may ask of it.

Routes speak NumPy and this protocol only, so they are tested without torch and any
network that can answer these questions can be shown.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


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
    pose_dim: int
    parameters: int
    routing_iterations: int
    max_routing_iterations: int
    tensors: tuple[TensorInfo, ...]
    card: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trace:
    """What one forward pass did: the class it chose and the tensors asked for."""

    prediction: int
    tensors: Mapping[str, Array]


class Engine(Protocol):
    """A loaded network. Every method may be called from several threads at once."""

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        ...

    def kernels(self) -> Mapping[str, Array]:
        """Return `conv1.kernels` (kernels, rows, columns), `conv1.bias` (kernels)."""
        ...

    def trace(self, image: Array, iterations: int, names: Collection[str]) -> Trace:
        """Run one forward pass and return the tensors in `names`.

        Args:
            image: (rows, columns), ink in [0, 1].
            iterations: routing iterations, 1..max_routing_iterations.
            names: each one of `info.tensors`.
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
