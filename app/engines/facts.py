"""What a model says of itself, stated once: for routes and clients."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from capsnet_explorer.model.layers.description import Layer

Scores = Literal["length", "probability", "activation", "score"]
Shape = tuple[int, int, int]  # of an image: channels, rows, columns


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One tensor that a trace can contain."""

    name: str
    """The key in answers, such as `conv1.relu`."""
    shape: tuple[int, ...]
    """Its sizes; those of routing tensors at the model's own iterations."""
    title: str
    """One line for people."""
    precision: Literal["f16", "f32"]
    """In a safetensors response; large tensors travel in half precision."""
    on_request: bool = False
    """Sent only when the request names it, because it is very large."""


@dataclass(frozen=True, slots=True)
class WeightInfo:
    """One tensor of trained weights, or one that was measured on them."""

    name: str
    """As the network's layers call it, such as `conv1.weight`."""
    shape: tuple[int, ...]
    """Its sizes."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a model can do besides scoring classes."""

    reconstruct: bool
    """Draw an image from the pose of a class."""
    route: bool
    """Run a chosen number of routing `iterations`, with surgery if asked."""
    gradient: bool
    """Differentiate a score with respect to each pixel."""


@dataclass(frozen=True, slots=True)
class Presence:
    """The rule for the classes that an answer names in `present`."""

    at_most: int = 1
    """How many classes an answer can name."""
    threshold: float | None = None
    """The score from which on a class counts; null counts every class."""


class Brief(BaseModel):
    """What a client must know of a model to choose it."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Names the model in addresses: the weight file's stem."""
    title: str
    """For people."""
    architecture: str
    """Its kind, such as `capsnet` or `cnn`."""
    version: str
    """Changes whenever the weights do: the start of the weight file's SHA-256."""
    scores: Scores
    """The kind of values in the tensor `scores` of a trace."""
    can: Abilities
    classes: int
    """How many there are."""
    class_names: tuple[str, ...]
    """What each class is called."""
    input_shape: Shape
    """Channels, rows and columns of an image."""
    present: Presence = Presence()
    parameters: int
    """Trained numbers, a decoder's included."""
    card: Mapping[str, Any]
    """The weight file's card, as it stands beside it: test error, data, training."""
    paper: str | None = None
    """Where the network is described: authors, title, year."""


class Facts(Brief):
    """What a client must know of a model before it uses it."""

    tensors: tuple[TensorInfo, ...]
    """What a trace can answer with."""
    weights: tuple[WeightInfo, ...]
    """What the model has learned, by the layers' own names."""
    layers: tuple[Layer, ...] = ()
    """Its layers from the image up, of which the page makes its views."""
    kernels: tuple[str, ...] = ()
    """Names of the first layer's kernels and biases, of the route `kernels`."""
    measured: tuple[WeightInfo, ...] = ()
    """Tensors measured on the model, such as `poses.mean`; names begin with a part."""
    measured_version: str = ""
    """Changes whenever these do."""


class ModelInfo(Facts):
    """The facts about a model as its engine has them."""

    details: Mapping[str, int | None]
    """Those of this architecture alone, by name, such as the iterations of routing."""
