"""A network with padding, a layer of no known kind, and two routings."""

from dataclasses import dataclass
from math import prod

import torch.nn.functional as F
from torch import Tensor, linalg, nn, randn

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.layers.dynamic import RoutingStep, Votes, routing_steps
from capsnet_explorer.model.layers.squash import squash

from .config import RoutedConfig


@dataclass(frozen=True)
class Routed:
    """What one routing computed."""

    votes: Votes
    steps: tuple[RoutingStep, ...]

    @property
    def capsules(self) -> Tensor:
        """(batch, capsules, numbers), after the last iteration."""
        return self.steps[-1].capsules


@dataclass(frozen=True)
class Trace:
    """Everything that one forward pass computed. Batch first."""

    conv1_pre: Tensor
    conv1_relu: Tensor
    normalized: Tensor
    conv2_pre: Tensor
    conv2_relu: Tensor
    pool: Tensor
    primary_pre: Tensor
    primary_capsules: Tensor
    middle: Routed
    classes: Routed
    reconstruction: Tensor

    @property
    def poses(self) -> Tensor:
        """(batch, classes, numbers)."""
        return self.classes.capsules

    @property
    def scores(self) -> Tensor:
        """(batch, classes), the lengths of the classes' capsules."""
        return linalg.vector_norm(self.poses, dim=2)


class RoutedNetwork(Network):
    """Image → convolutions → primary capsules → a few others → those of the classes."""

    def __init__(self, config: RoutedConfig) -> None:
        super().__init__()
        self.config = config
        below = prod(config.primary)
        self.conv1 = nn.Conv2d(config.image_channels, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 8, (3, 5), stride=(1, 2), padding=(1, 2))
        self.primary = nn.Conv2d(8, config.types * config.dim, 3, stride=2, padding=1)
        # Larger than usual, so that capsules are long before anything is learnt.
        for layer in (self.conv1, self.conv2, self.primary):
            nn.init.normal_(layer.weight, std=2 / layer.weight[0].numel() ** 0.5)
        self.to_middle = nn.Parameter(
            0.4 * randn(below, config.middle, config.middle_dim, config.dim)
        )
        self.to_classes = nn.Parameter(
            1.5
            * randn(config.middle, config.classes, config.class_dim, config.middle_dim)
        )
        self.decoder = Decoder(
            classes=config.classes,
            dim=config.class_dim,
            hidden=config.decoder_hidden,
            image_shape=config.image_shape,
        )

    def forward(
        self, images: Tensor, *, keep: Tensor | None = None, through_all: bool = False
    ) -> Trace:
        """Run the network and keep every layer's output."""
        self.require_size(images)
        conv1_pre = self.conv1(images)
        conv1_relu = conv1_pre.relu()
        normalized = F.local_response_norm(conv1_relu, 3)
        conv2_pre = self.conv2(normalized)
        conv2_relu = conv2_pre.relu()
        pool = F.max_pool2d(conv2_relu, 2)
        primary_pre = self.cut(self.primary(pool))
        primary_capsules = squash(primary_pre)

        def routed(poses: Tensor, transforms: Tensor) -> Routed:
            votes = Votes(poses, transforms)
            iterations = self.config.iterations
            steps = routing_steps(votes, iterations, through_all=through_all)
            return Routed(votes, tuple(steps))

        middle = routed(primary_capsules.flatten(1, -2), self.to_middle)
        classes = routed(middle.capsules, self.to_classes)
        if keep is None:
            keep = linalg.vector_norm(classes.capsules, dim=2).argmax(dim=1)
        return Trace(
            conv1_pre=conv1_pre,
            conv1_relu=conv1_relu,
            normalized=normalized,
            conv2_pre=conv2_pre,
            conv2_relu=conv2_relu,
            pool=pool,
            primary_pre=primary_pre,
            primary_capsules=primary_capsules,
            middle=middle,
            classes=classes,
            reconstruction=self.decoder(classes.capsules, keep),
        )

    def cut(self, maps: Tensor) -> Tensor:
        """Cut maps (batch, maps, rows, columns) into capsules, not squashed yet."""
        if self.config.cut == "view":
            return maps.reshape(len(maps), -1, self.config.dim)
        grouped = maps.unflatten(1, (self.config.types, self.config.dim))
        return grouped.permute(0, 1, 3, 4, 2)
