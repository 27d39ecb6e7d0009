"""The matrix capsule network, and the trace of one forward pass through it."""

from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.batch_norm import BatchNorm
from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.layers.maps import pictured
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.layers.windows import Windows
from capsnet_explorer.model.matrix.config import (
    CAPS1_STRIDE,
    CAPS2_STRIDE,
    CONV1_STRIDE,
    POSE,
    MatrixConfig,
)
from capsnet_explorer.model.matrix.flow import Flow, flow_to_classes
from capsnet_explorer.model.matrix.layers import (
    Capsules,
    MatrixCapsules,
    PrimaryCapsules,
    Routed,
)


@dataclass(frozen=True)
class Trace:
    """Everything one forward pass computed. Batch first.

    Attributes:
        conv1_pre: (batch, maps, rows, columns), after batch norm and before ReLU.
        conv1_relu: the same after ReLU.
        primary: the primary capsules.
        caps1: the first convolutional capsules, with their routing.
        caps2: the second.
        class_capsules: the class capsules, at one position; each class is a type.
        reconstruction: (batch, channels, rows, columns) in [0, 1].
        silenced: capsules of Caps2 that surgery silences, (batch, capsules) bool.
    """

    conv1_pre: Tensor
    conv1_relu: Tensor
    primary: Capsules
    caps1: Routed
    caps2: Routed
    class_capsules: Routed
    reconstruction: Tensor
    silenced: Tensor | None = None

    @property
    def logits(self) -> Tensor:
        """The last λ (β_a - cost) of each class: (batch, classes)."""
        return self.class_capsules.steps[-1].logits[:, 0]

    @property
    def scores(self) -> Tensor:
        """The activation of each class: (batch, classes). They do not sum to one."""
        return self.logits.sigmoid()

    @property
    def poses(self) -> Tensor:
        """The pose of each class, row by row: (batch, classes, 16)."""
        return self.class_capsules.steps[-1].means[:, 0]

    @cached_property
    def flow(self) -> Flow:
        """Who supplies what the classes get, computed when first read."""
        heard = self.caps2.capsules
        if self.silenced is not None:
            silenced = self.silenced.view_as(heard.activations)
            activations = heard.activations.masked_fill(silenced, 0.0)
            heard = replace(heard, activations=activations)
        return flow_to_classes(
            (self.primary, self.caps1.capsules, heard),
            (self.caps1, self.caps2, self.class_capsules),
        )


class MatrixNetwork(Network):
    """Convolution, primary capsules, two layers of convolutional ones, and classes."""

    config: MatrixConfig

    def __init__(self, config: MatrixConfig | None = None) -> None:
        super().__init__()
        self.config = sizes = config or MatrixConfig()
        self.conv1 = nn.Conv2d(
            sizes.image_channels,
            sizes.conv1_kernels,
            sizes.kernel_size,
            stride=CONV1_STRIDE,
            bias=False,  # batch norm has one
        )
        self.norm = BatchNorm(sizes.conv1_kernels)
        self.primary = PrimaryCapsules(sizes.conv1_kernels, sizes.primary_types)
        routing = {
            "iterations": sizes.routing_iterations,
            "variance_floor": sizes.variance_floor,
        }
        kernel = (sizes.capsule_kernel, sizes.capsule_kernel)
        self.caps1 = MatrixCapsules(
            Windows(sizes.primary_grid, kernel, CAPS1_STRIDE),
            sizes.caps1_types,
            **routing,
        )
        self.caps2 = MatrixCapsules(
            Windows(sizes.caps1_grid, kernel, CAPS2_STRIDE),
            sizes.caps2_types,
            **routing,
        )
        self.classes = MatrixCapsules(
            Windows(sizes.caps2_grid, sizes.caps2_grid[1:], 1),
            sizes.classes,
            **routing,
            coordinates=True,
        )
        self.decoder = Decoder(
            classes=sizes.classes,
            dim=POSE,
            hidden=sizes.decoder_hidden,
            image_shape=sizes.image_shape,
            gain=sizes.decoder_gain,
        )

    @property
    def routed_layers(self) -> tuple[MatrixCapsules, ...]:
        """The layers that route, from the bottom up."""
        return self.caps1, self.caps2, self.classes

    def forward(
        self,
        images: Tensor,
        *,
        iterations: int | None = None,
        keep: Tensor | None = None,
        surgery: Surgery | None = None,
        through_all: bool = True,
    ) -> Trace:
        """Run the network and keep every layer's output.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            iterations: of routing, in every layer; None takes the config's number.
            keep: (batch,) int64, the class to reconstruct from, or (batch, classes),
                1 for each of several and 0 for the others; None takes the most active
                one.
            surgery: interventions in routing between Caps2 and the classes.
            through_all: whether gradients flow through every iteration of routing.

        Raises:
            ValueError: the images have another size, or iterations are below 1.
        """
        conv1_pre = self._conv1(images)
        conv1_relu = conv1_pre.relu()
        primary = self.primary(conv1_relu)
        # Differences of moments need float32, under autocast as well.
        with torch.autocast(images.device.type, enabled=False):
            routing = {"iterations": iterations, "through_all": through_all}
            caps1 = self.caps1(primary, **routing)
            caps2 = self.caps2(caps1.capsules, **routing)
            classes = self.classes(caps2.capsules, surgery=surgery, **routing)
        last = classes.steps[-1]
        if keep is None:
            keep = last.logits[:, 0].argmax(dim=1)
        return Trace(
            conv1_pre=conv1_pre,
            conv1_relu=conv1_relu,
            primary=primary,
            caps1=caps1,
            caps2=caps2,
            class_capsules=classes,
            reconstruction=self.decoder(last.means[:, 0], keep).float(),
            silenced=None if surgery is None else surgery.silenced,
        )

    def _conv1(self, images: Tensor) -> Tensor:
        """Return Conv1's maps before ReLU: (batch, maps, rows, columns)."""
        self.require_size(images)
        rows, columns = self.config.read
        return self.norm(self.conv1(images[:, :, rows, columns]))

    @torch.no_grad()
    def folded_conv1(self) -> tuple[Tensor, Tensor]:
        """Return Conv1's kernels and biases with batch norm's figures folded in.

        Returns:
            Kernels (maps, channels, rows, columns) and biases (maps,).
        """
        return self.norm.folded(self.conv1.weight)

    def derived(self) -> dict[str, Tensor]:
        """Return Conv1's kernels and biases as they act: see `folded_conv1`."""
        kernels, bias = self.folded_conv1()
        return {"conv1.kernels": pictured(kernels), "conv1.bias": bias}

    @torch.no_grad()
    def fit(self, images: Tensor) -> None:
        """Set each layer's first W, β and λ by its input, from the bottom up.

        Args:
            images: (batch, channels, rows, columns), a few dozen training images.
        """
        kept = deepcopy(self.norm.state_dict())
        was_training = self.training
        self.train()  # batch norm by these images: its running figures know none yet
        primary = self.primary(self._conv1(images).relu())
        self.train(was_training)
        self.norm.load_state_dict(kept)
        caps1 = self.caps1.fit(primary)
        caps2 = self.caps2.fit(caps1.capsules)
        self.classes.fit(caps2.capsules)
