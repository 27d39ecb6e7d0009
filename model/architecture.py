"""The interface that every architecture implements.

Each architecture is one package: `config.py` defines `SETTINGS` and does not import
torch; `architecture.py` defines `ARCHITECTURE`. Nothing outside the package knows the
names of its layers, their number, or the size of a capsule.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Protocol

import torch
from torch import Tensor, nn

from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.layers.description import Layer, check_layers
from capsnet_explorer.model.layers.reading import layers_from
from capsnet_explorer.model.layers.tensors import NamedTensor
from capsnet_explorer.model.layers.views import choose_views
from capsnet_explorer.model.margin_loss import reconstruction_loss
from capsnet_explorer.model.pose_decoder import PoseDecoder
from capsnet_explorer.model.settings import ImageSizes, Settings

Scores = Literal["length", "probability", "activation", "score"]
Weights = Mapping[str, Callable[[], Tensor]]


class OptionsError(ValueError):
    """An option that this network does not accept.

    Args:
        message: what is needed, then what was given.
        field: dotted path of the option at fault, such as `pin.0.digit`.
    """

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a network can do besides scoring each class.

    Attributes:
        reconstruct: decode an image from the pose of a class.
        route: run a given number of routing iterations, with surgery on request.
        gradient: differentiate a score with respect to each pixel.
    """

    reconstruct: bool
    route: bool
    gradient: bool


class Trace(Protocol):
    """The results of one forward pass, to which architectures add. Batch first."""

    @property
    def scores(self) -> Tensor:
        """The score of each class: (batch, classes)."""
        ...

    @property
    def poses(self) -> Tensor | None:
        """The pose of each class: (batch, classes, numbers); None if it has none."""
        ...

    @property
    def reconstruction(self) -> Tensor | None:
        """Decoded images, of the shape of the network's; None without a decoder."""
        ...


class Options(Hashable, Protocol):
    """The options of a forward pass besides its image; frozen and hashable."""

    @property
    def in_response(self) -> Mapping[str, object]:
        """The options that a response repeats, such as `iterations`."""
        ...


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The options of a network without any."""

    @property
    def in_response(self) -> Mapping[str, object]:
        """Repeat nothing."""
        return {}


class Network(nn.Module, ABC):
    """A network of some architecture.

    Attributes:
        config: every size; extends `model.settings.ImageSizes`.
        decoder: decodes the pose of a class; absent if there is none.
    """

    config: Any
    decoder: Decoder

    @abstractmethod
    def forward(self, images: Tensor, *, keep: Tensor | None = None) -> Trace:
        """Run the network and keep every layer's output.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            keep: (batch,) int64, the class to reconstruct from, or (batch, classes),
                1 for each of several and 0 for the others, or (batch, pictures,
                classes) for several reconstructions; None takes the class with the
                highest score. Networks without a decoder ignore it.
        """

    @property
    def parameter_count(self) -> int:
        """Count the trained parameters, including a decoder's."""
        return sum(parameter.numel() for parameter in self.parameters())

    def derived(self) -> Mapping[str, Tensor]:
        """Return what layers are shown with and weights decide alone, by name."""
        return {}

    def require_size(self, images: Tensor) -> None:
        """Refuse images of another size than the network's.

        Raises:
            ValueError: they are not (batch, channels, rows, columns) of its sizes.
        """
        shape = self.config.image_shape
        if images.ndim != 4 or images.shape[1:] != shape:
            needed = ", ".join(map(str, ("batch", *shape)))
            raise ValueError(f"images must be ({needed}), got {tuple(images.shape)}")

    def decode(self, label: int, poses: Tensor) -> Tensor:
        """Decode poses of one class, all others masked to zero.

        Args:
            label: the class.
            poses: (count, numbers).

        Returns:
            (count, channels, rows, columns), each pixel in [0, 1].

        Raises:
            NotImplementedError: the network has no decoder.
        """
        if not hasattr(self, "decoder"):
            raise NotImplementedError(f"{type(self).__name__} has no decoder")
        count, dim = poses.shape
        capsules = poses.new_zeros(count, self.config.classes, dim)
        capsules[:, label] = poses
        return self.decoder(capsules, torch.full((count,), label, device=poses.device))


class Serving:
    """A network prepared for fast inference, without gradients.

    The default runs the readable network itself.

    Args:
        network: in evaluation mode.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        decoder = getattr(network, "decoder", None)
        self._pose_decoder = decoder and PoseDecoder(decoder, network.config.classes)

    def run(self, images: Tensor, options: Sequence[Any]) -> Trace:
        """Run one forward pass.

        Args:
            images: (batch, channels, rows, columns).
            options: one for each image; all have the same `Architecture.pass_key`.
        """
        return self.network(images)

    def reconstruct(self, label: int, poses: Tensor) -> Tensor:
        """Decode poses of one class to (count, channels, rows, columns).

        NumPy decodes a single pose, such as a slider's step, on the calling thread, so
        that it can run beside a forward pass.

        Args:
            label: the class.
            poses: (count, numbers).
        """
        if self._pose_decoder and len(poses) == 1:
            drawn = self._pose_decoder.draw(label, poses[0].numpy())
            return torch.from_numpy(drawn)[None]
        return self.network.decode(label, poses)

    def weights(self) -> Weights:
        """Return frequently read weights by name, in addition to the layers' own."""
        return {}


class Meter(Protocol):
    """Measures something of a network from the traces of an evaluation."""

    def add(self, trace: Any) -> None:
        """Measure one more batch."""
        ...

    @property
    def figures(self) -> Any:
        """The figures so far: a dataclass of numbers."""
        ...


class Architecture(ABC):
    """One kind of network.

    Attributes:
        name: on cards and in the registry, such as `capsnet`.
        title: for people, such as `CapsNet`.
        scores: the kind of its scores: capsule lengths, probabilities, activations, or
            scores as the network gives them, of any size and sign.
        can: what it can do.
        paper: where it is described, for the middle of a sentence; "" if nowhere.
        settings: its sizes, its loss and its training presets.
        kernels: names of the weights that show the first layer, as `Serving.weights`
            has them.
        embedding: name of the tensor whose distances say which images are alike to the
            network; "" for a network without an atlas.
        embedding_map: what maps of that tensor are called in addresses.
        logged: names of the figures that a training run logs besides losses and
            accuracy.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    scores: ClassVar[Scores]
    can: ClassVar[Abilities]
    settings: ClassVar[Settings]
    paper: ClassVar[str] = ""
    kernels: ClassVar[tuple[str, ...]] = ()
    embedding: ClassVar[str] = ""
    embedding_map: ClassVar[str] = "capsules"
    logged: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def build(self, config: Any) -> Network:
        """Return a network of these sizes with random weights."""

    @abstractmethod
    def tensors(self, config: Any) -> dict[str, NamedTensor]:
        """Return every tensor that a request can name; `scores` is one of them."""

    def layers(self, config: Any) -> Sequence[Layer | Mapping[str, Any]]:
        """Describe the layers from the image up, as the page shows them.

        The page makes the network of this description; it knows kinds of layers, and no
        network. It depends on the sizes alone. A mapping has the fields of a `Layer`.
        Without any, the page shows the image and the answer alone.
        """
        return ()

    def described(
        self, config: Any, weights: Collection[str] | None = None
    ) -> tuple[Layer, ...]:
        """Return `layers` with all that follows from them, checked.

        Args:
            config: the network's sizes.
            weights: names of all that it has learned; None leaves these unchecked.

        Raises:
            DescriptionError: the page could not show it; names network, layer and
                field.
        """
        shapes = {name: tensor.shape for name, tensor in self.tensors(config).items()}
        layers = layers_from(self.name, self.layers(config), shapes)
        check_layers(
            self.name,
            layers,
            image=config.image_shape,
            tensors=shapes,
            weights=weights,
        )
        return choose_views(layers, shapes)

    @abstractmethod
    def class_loss(self, trace: Any, present: Tensor, loss: Any) -> Tensor:
        """Return the classification loss of each image: (batch,).

        Args:
            trace: of a forward pass with gradients.
            present: (batch, classes), 1 for each class present, else 0.
            loss: an instance of `settings.loss`.
        """

    def reconstruction_loss(self, trace: Any, images: Tensor, loss: Any) -> Tensor:
        """Return the weighted reconstruction loss: a scalar, 0 without a decoder.

        It is the sum of squared pixel differences, as in the CapsNet paper (section
        4.1), times the loss's `reconstruction_weight`.

        Args:
            trace: of a forward pass with gradients.
            images: of the reconstruction's shape, each pixel in [0, 1]: the target.
            loss: an instance of `settings.loss`.
        """
        weight = getattr(loss, "reconstruction_weight", 0)
        if trace.reconstruction is None or not weight:
            return trace.scores.new_zeros(())
        return reconstruction_loss(trace.reconstruction, images, weight)

    def loss_at(self, loss: Any, progress: float) -> Any:
        """Return the settings of the loss at one moment of a run.

        Args:
            loss: an instance of `settings.loss`, as the run was started with.
            progress: share of the run that is done, in [0, 1].
        """
        return loss

    def logged_figures(self, trace: Any, present: Tensor) -> Tensor:
        """Return the means over a batch of the figures in `logged`: (figures,).

        Args:
            trace: of a forward pass.
            present: (batch, classes), 1 for each class present, else 0.
        """
        return trace.scores.new_zeros(0)

    def begun_from(self, start: Network, config: Any) -> Network:
        """Return a network of these sizes that begins with another's weights.

        Raises:
            ValueError: its weights do not fit; names the size at fault.
        """
        begun = self.build(config)
        shapes = [
            {name: tensor.shape for name, tensor in network.state_dict().items()}
            for network in (start, begun)
        ]
        if shapes[0] != shapes[1]:
            names = [field.name for field in fields(config)]
            of_data = len(fields(ImageSizes))  # named last: it may well differ
            for name in names[of_data:] + names[:of_data]:
                size, other = getattr(config, name), getattr(start.config, name)
                if size != other:
                    raise ValueError(
                        f"must be a network with {name} {size}, got {other}"
                    )
        begun.load_state_dict(start.state_dict())
        return begun

    def parameter_groups(self, network: Network) -> list[dict[str, Any]]:
        """Return the parameters to train, in groups as torch's optimizers take them.

        The learning rate of a group is the run's times its `factor`, 1 if absent.
        """
        return [{"params": list(network.parameters())}]

    def fit_start(  # noqa: B027  (most start from random weights alone)
        self, network: Network, images: Tensor
    ) -> None:
        """Adjust random weights in place to a few training images, before training.

        Args:
            network: with random weights, on the CPU.
            images: (batch, channels, rows, columns) in [0, 1], the first of the
                training images.
        """

    def further_loss(
        self, network: Network, trace: Any, present: Tensor, loss: Any
    ) -> Tensor:
        """Return the weighted further terms of the objective: a scalar, 0 without any.

        Args:
            network: that computed the trace, with gradients.
            trace: of a forward pass with gradients.
            present: (batch, classes), 1 for each class present, else 0.
            loss: an instance of `settings.loss`.
        """
        return trace.scores.new_zeros(())

    def trace_with_gradient(
        self, network: Network, images: Tensor, *, through_all: bool
    ) -> Trace:
        """Run a forward pass that can be differentiated with respect to its images.

        Args:
            network: the readable network.
            images: (batch, channels, rows, columns), with gradients.
            through_all: whether gradients flow through every routing iteration, which
                gives the exact derivative, or through the last alone, where couplings
                count as constants. Networks without routing ignore it.
        """
        return network(images)

    def evidence(self, trace: Any) -> Tensor:
        """Return what orders the classes as the scores do and does not saturate.

        An attack changes its differences. A network whose scores level off, such as
        probabilities or lengths, returns what they are computed from: where a score is
        nearly 1, its gradient tells little of what would change the answer.

        Returns:
            (batch, classes).
        """
        return trace.scores

    def legibility_meter(self, network: Network) -> Meter | None:
        """Return a meter of how legible the network is; None if that is undefined."""
        return None

    def serving(self, network: Network) -> Serving:
        """Return the network in its fastest form that gives the same results."""
        return Serving(network)

    def options(self, config: Any, query: Mapping[str, Any]) -> Options:
        """Check the options of a request.

        Args:
            config: the network's sizes.
            query: the options that the request sets, by name.

        Raises:
            OptionsError: this network does not accept an option, or its value.
        """
        for name in query:
            raise OptionsError(
                f"{name} must be absent: a {self.title} does not route", field=name
            )
        return NoOptions()

    def pass_key(self, options: Any) -> Hashable:
        """Return a key; images whose options have equal keys can share a pass.

        Those of different surgery can, if the iterations are as many.
        """
        return getattr(options, "iterations", None)

    def portraits(self, network: Network, labelled: Any) -> dict[str, Tensor]:
        """Return what the units of a layer look for, as tensors by name; {} if none.

        Args:
            network: on the CPU.
            labelled: the test images, `model.data.images.LabelledImages`.
        """
        return {}

    def title_of(self, config: Any) -> str:
        """Return what a network of these sizes is called, for people."""
        return self.title

    def voting(self, network: Network) -> Any:
        """Return how the capsules of a grid vote, and through which windows they look.

        Returns:
            A `model.legibility.Voters` and a `model.portraits.Windows`; None if there
            are no such capsules, or all of them see the same pixels.
        """
        return None

    def details(self, config: Any) -> dict[str, int | None]:
        """Return the facts about this architecture that clients need, by name.

        All have the size of a class's pose, the iterations of routing, and the most
        that a request can ask for; None where a network has no such thing.
        """
        return {
            "pose_dim": None,
            "routing_iterations": None,
            "max_routing_iterations": None,
        }

    def prepare_training(  # noqa: B027  (most have nothing to replace)
        self, network: Network, config: Any, computing: Computing
    ) -> None:
        """Replace layers in place with faster ones that share their parameters."""

    def chosen_computing(
        self,
        device: torch.device,
        config: Any,
        *,
        precision: str,
        convolution: str,
        compiled: bool,
    ) -> Computing:
        """Resolve `auto` in the options for training.

        Args:
            device: where to compute.
            config: the network's sizes.
            precision: `auto`, `float32` or `bfloat16`.
            convolution: `auto`, `direct` or `winograd`.
            compiled: whether to use torch.compile.
        """
        if convolution == "winograd":
            raise ValueError(
                f"--convolution winograd is for the CapsNet, not {self.name}"
            )
        return Computing(device, bfloat16=precision == "bfloat16", compiled=compiled)
