"""The CNN, and the trace of one forward pass through it."""

from dataclasses import dataclass
from functools import cached_property

import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.cnn.config import POOL, CnnConfig
from capsnet_explorer.model.layers.pooling import winners


@dataclass(frozen=True)
class Trace:
    """Everything one forward pass computed. Batch first.

    Attributes:
        conv1_pre: (batch, maps, rows, columns) before ReLU.
        conv1_relu: the same after ReLU.
        pool1: (batch, maps, rows, columns), the largest of each 2x2 window.
        conv2_pre: (batch, maps, rows, columns) before ReLU.
        conv2_relu: the same after ReLU.
        pool2: (batch, maps, rows, columns), the largest of each 2x2 window.
        hidden: (batch, units) after ReLU; without dropout, also in training.
        logits: (batch, classes).
        scores: (batch, classes), softmax of the logits, so that each row sums to 1; or
            the sigmoid of each.
        probabilities: which of them, as in the config.
        dense: the layers that made `hidden` and `logits`.
    """

    conv1_pre: Tensor
    conv1_relu: Tensor
    pool1: Tensor
    conv2_pre: Tensor
    conv2_relu: Tensor
    pool2: Tensor
    hidden: Tensor
    logits: Tensor
    scores: Tensor
    probabilities: str = "softmax"
    dense: tuple[nn.Linear, nn.Linear] | None = None

    def contributions(self, image: int) -> Tensor:
        """Return what each value of `pool2` adds to each logit of an image.

        A value reaches a logit through the hidden units that are open, above 0. With
        these held open, a logit is the sum over the values and a constant. A softmax
        knows only differences between logits: what a value adds to all of them alike is
        taken off.

        Returns:
            (maps, rows, columns, classes).

        Raises:
            ValueError: the trace has no weights.
        """
        if self.dense is None:
            raise ValueError("contributions need the weights of the dense layers")
        hidden, logits = (layer.weight for layer in self.dense)
        ways = (logits * (self.hidden[image] > 0)) @ hidden  # (classes, values)
        if self.probabilities == "softmax":
            ways = ways - ways.mean(dim=0)
        values = self.pool2[image]
        return (ways * values.flatten()).mT.unflatten(0, values.shape)

    @cached_property
    def pool1_winners(self) -> Tensor:
        """The `winners` of `conv1_relu`: the pixel that pooling took in each window."""
        return winners(self.conv1_relu, POOL)

    @cached_property
    def pool2_winners(self) -> Tensor:
        """The `winners` of `conv2_relu`: the pixel that pooling took in each window."""
        return winners(self.conv2_relu, POOL)

    @property
    def poses(self) -> None:
        """A CNN has no poses."""

    @property
    def reconstruction(self) -> None:
        """A CNN has no decoder."""


class Cnn(Network):
    """Two convolutions with ReLU and max-pooling, a hidden and an output layer."""

    config: CnnConfig

    def __init__(self, config: CnnConfig | None = None) -> None:
        super().__init__()
        self.config = config or CnnConfig()
        maps1, maps2 = self.config.conv1_kernels, self.config.conv2_kernels
        self.conv1 = nn.Conv2d(
            self.config.image_channels, maps1, self.config.kernel_size
        )
        self.conv2 = nn.Conv2d(maps1, maps2, self.config.kernel_size)
        self.hidden = nn.Linear(self.config.features, self.config.hidden_units)
        self.logits = nn.Linear(self.config.hidden_units, self.config.classes)

    def forward(
        self,
        images: Tensor,
        *,
        keep: Tensor | None = None,
        silenced: Tensor | None = None,
    ) -> Trace:
        """Run the network and keep every layer's output.

        In training mode dropout is applied to the hidden units.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            keep: unused; a CNN has no decoder.
            silenced: (batch, maps) bool, maps of Conv2 that are 0, as if their kernels
                and biases were.

        Raises:
            ValueError: the images have another size.
        """
        self.require_size(images)
        conv1_pre = self.conv1(images)
        conv1_relu = conv1_pre.relu()
        pool1 = F.max_pool2d(conv1_relu, POOL)
        conv2_pre = self.conv2(pool1)
        if silenced is not None:
            conv2_pre = conv2_pre.masked_fill(silenced[:, :, None, None], 0.0)
        conv2_relu = conv2_pre.relu()
        pool2 = F.max_pool2d(conv2_relu, POOL)
        hidden = self.hidden(pool2.flatten(1)).relu()
        kept = F.dropout(hidden, self.config.dropout, self.training)
        # Under autocast, probabilities and cross entropy stay in float32.
        logits = self.logits(kept).float()
        is_softmax = self.config.probabilities == "softmax"
        return Trace(
            conv1_pre=conv1_pre,
            conv1_relu=conv1_relu,
            pool1=pool1,
            conv2_pre=conv2_pre,
            conv2_relu=conv2_relu,
            pool2=pool2,
            hidden=hidden,
            logits=logits,
            scores=logits.softmax(dim=1) if is_softmax else logits.sigmoid(),
            probabilities=self.config.probabilities,
            dense=(self.hidden, self.logits),
        )
