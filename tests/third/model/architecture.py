"""A linear classifier: the smallest network that can be explored."""

from dataclasses import dataclass
from math import prod

import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
)

from .config import SETTINGS, LinearConfig


@dataclass(frozen=True, slots=True)
class Trace:
    """What a forward pass computed."""

    pixels: Tensor
    logits: Tensor
    scores: Tensor
    poses: None = None
    reconstruction: None = None


class Linear(Network):
    """One layer from pixels to classes, and softmax."""

    def __init__(self, config: LinearConfig) -> None:
        super().__init__()
        self.config = config
        self.layer = nn.Linear(prod(config.image_shape), config.classes)

    def forward(self, images: Tensor, *, keep: Tensor | None = None) -> Trace:
        """Run the network."""
        self.require_size(images)
        pixels = images.flatten(1)
        logits = self.layer(pixels)
        return Trace(pixels, logits, logits.softmax(dim=1))


class LinearArchitecture(Architecture):
    """A linear classifier."""

    name = "linear"
    title = "Linear classifier"
    scores = "probability"
    can = Abilities(reconstruct=False, route=False, gradient=True)
    settings = SETTINGS

    def build(self, config):
        """Return a network with random weights."""
        return Linear(config)

    def tensors(self, config):
        """Return the pixels, the logits and the scores."""
        sizes = {
            "pixels": prod(config.image_shape),
            "logits": config.classes,
            "scores": config.classes,
        }
        return {
            name: NamedTensor(
                name,
                (size,),
                lambda trace, place, name=name: getattr(trace, name)[place],
                is_large=False,
            )
            for name, size in sizes.items()
        }

    def layers(self, config):
        """Describe its one layer."""
        return [
            {
                **{"id": "scores", "kind": "classes", "title": "Scores"},
                "tensors": {"scores": "scores", "logits": "logits", "below": "pixels"},
                "weights": {"weights": "layer.weight", "bias": "layer.bias"},
            }
        ]

    def class_loss(self, trace, present, loss):
        """Return the cross entropy of each image."""
        return F.cross_entropy(trace.logits, present, reduction="none")

    def evidence(self, trace):
        """Return the logits: probabilities saturate."""
        return trace.logits


ARCHITECTURE = LinearArchitecture()
