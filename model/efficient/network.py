"""The Efficient-CapsNet, and the trace of one forward pass through it."""

from dataclasses import dataclass

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.efficient.config import LAST_STRIDE, EfficientConfig
from capsnet_explorer.model.efficient.layers import (
    ClassCapsules,
    Convolution,
    Maps,
    PrimaryCapsules,
)
from capsnet_explorer.model.layers.attention import AttentionStep
from capsnet_explorer.model.layers.squash import squash_exponentially
from capsnet_explorer.model.layers.surgery import Surgery


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one forward pass computed. Batch first.

    Attributes:
        convolutions: the maps of each, from the image up.
        primary_pre: (batch, in_caps, primary_dim), before squash.
        primary_capsules: same shape, after squash; the paper's u.
        routing: votes, couplings and class capsules.
        scores: ‖v‖ (batch, classes) in [0, 1): presence, not a distribution.
        reconstruction: (batch, channels, rows, columns) in [0, 1].
    """

    convolutions: tuple[Maps, ...]
    primary_pre: Tensor
    primary_capsules: Tensor
    routing: AttentionStep
    scores: Tensor
    reconstruction: Tensor

    @property
    def poses(self) -> Tensor:
        """The class capsules v: (batch, classes, class_dim)."""
        return self.routing.capsules


class EfficientCapsNet(Network):
    """The network of Mazzia, Salvetti & Chiaberge 2021, section 3."""

    config: EfficientConfig

    def __init__(self, config: EfficientConfig | None = None) -> None:
        super().__init__()
        self.config = sizes = config or EfficientConfig()
        below = (sizes.image_channels, *sizes.kernels)
        last = len(sizes.kernels) - 1
        for layer, side in enumerate(sizes.kernel_sizes):
            stride = LAST_STRIDE if layer == last else 1
            self.add_module(
                f"conv{layer + 1}",
                Convolution(below[layer], below[layer + 1], side, stride),
            )
        self.primary = PrimaryCapsules(sizes.maps[-1], sizes.primary_dim)
        self.classes = ClassCapsules(sizes)
        self.decoder = Decoder(
            classes=sizes.classes,
            dim=sizes.class_dim,
            hidden=sizes.decoder_hidden,
            image_shape=sizes.image_shape,
        )

    @property
    def convolutions(self) -> tuple[Convolution, ...]:
        """The convolutions, from the image up."""
        return tuple(part for part in self.children() if isinstance(part, Convolution))

    def derived(self) -> dict[str, Tensor]:
        """Return by what each batch norm divides: (maps,)."""
        return {
            f"conv{number}.norm.deviation": layer.norm.deviation
            for number, layer in enumerate(self.convolutions, start=1)
        }

    def forward(
        self,
        images: Tensor,
        *,
        keep: Tensor | None = None,
        surgery: Surgery | None = None,
    ) -> Trace:
        """Run the network and keep every layer's output.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            keep: (batch,) int64, the class to reconstruct from, or (batch, classes),
                1 for each of several and 0 for the others; None takes the longest
                capsule's.
            surgery: interventions in routing.

        Raises:
            ValueError: the images have another size.
        """
        self.require_size(images)
        maps: list[Maps] = []
        below = images
        for convolution in self.convolutions:
            maps.append(convolution(below))
            below = maps[-1].out
        # Under autocast, capsules and their routing stay in float32.
        primary_pre = self.primary(below).float()
        primary_capsules = squash_exponentially(primary_pre)
        with torch.autocast(images.device.type, enabled=False):
            routing = self.classes(primary_capsules, surgery)
        scores = torch.linalg.vector_norm(routing.capsules, dim=2)
        if keep is None:
            keep = scores.argmax(dim=1)
        return Trace(
            convolutions=tuple(maps),
            primary_pre=primary_pre,
            primary_capsules=primary_capsules,
            routing=routing,
            scores=scores,
            reconstruction=self.decoder(routing.capsules, keep).float(),
        )
