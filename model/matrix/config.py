"""The sizes of a matrix capsule network, the settings of its loss, and its presets.

Paper: Hinton, Sabour & Frosst 2018, "Matrix capsules with EM routing", ICLR. The layout
is the paper's (figure 1). The sizes are smaller, so that a laptop can train it; the
paper's own are A = 64, B = 8, C = D = 16, or A = B = C = D = 32.
"""

import math
from dataclasses import dataclass, replace

from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape, require_decoder

POSE = 16  # numbers in a 4x4 pose matrix (section 2)
CONV1_STRIDE = 2
CAPS1_STRIDE = 2
CAPS2_STRIDE = 1


@dataclass(frozen=True, slots=True)
class MatrixConfig(ImageSizes):
    """Sizes of a matrix capsule network (section 4, figure 1).

    Attributes:
        kernel_size: side of Conv1's square kernels; its stride is 2.
        conv1_kernels: number of Conv1 kernels, the paper's A.
        primary_types: types of primary capsules, the paper's B.
        caps1_types: types of the first convolutional capsules, the paper's C.
        caps2_types: types of the second convolutional capsules, the paper's D.
        capsule_kernel: side of the square window of children below a convolutional
            capsule, the paper's K; strides are 2 in Caps1 and 1 in Caps2.
        routing_iterations: iterations of EM routing.
        variance_floor: added to every variance of a cluster of votes. The paper's code
            has none that keeps assignments soft; without one, they are sharp before
            anything is learned.
        decoder_gain: factor on a pose before the decoder's first layer.
        decoder_hidden: sizes of the decoder's two hidden layers. The paper has no
            decoder; this one is that of Sabour, Frosst & Hinton 2017, smaller.
    """

    kernel_size: int = 5
    conv1_kernels: int = 64
    primary_types: int = 8
    caps1_types: int = 8
    caps2_types: int = 8
    capsule_kernel: int = 3
    routing_iterations: int = 3
    variance_floor: float = 1.0
    decoder_gain: float = 5.0
    decoder_hidden: tuple[int, int] = (256, 512)

    def __post_init__(self) -> None:
        factors = ("variance_floor", "decoder_gain")
        for name in factors:
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{name} must be above 0, got {value!r}")
        self.require_whole(*factors)
        require_decoder(self.decoder_hidden)
        least = self._read_for(self.capsule_kernel)
        self.require_image(
            *(least, least),
            f"a convolution of {self.kernel_size}x{self.kernel_size} and two layers of "
            f"capsules over {self.capsule_kernel}x{self.capsule_kernel}",
        )

    @property
    def read(self) -> tuple[slice, slice]:
        """The rows and the columns that Conv1 reads: 2 to 26 of 28 by default.

        Windows with strides cover an image only if its size fits. What is left over is
        divided between both sides, the odd pixel before the image: MNIST centres digits
        half a pixel below and to the right of the middle.
        """
        return self._read_of(self.image_rows), self._read_of(self.image_columns)

    def _read_of(self, pixels: int) -> slice:
        unread = (pixels - self._read_for(1)) % (CONV1_STRIDE * CAPS1_STRIDE)
        first = (unread + 1) // 2
        return slice(first, first + pixels - unread)

    @property
    def conv1_maps(self) -> Shape:
        """Conv1's maps, their rows and columns: 64 x 11 x 11 by default."""
        rows, columns = (
            (each.stop - each.start - self.kernel_size) // CONV1_STRIDE + 1
            for each in self.read
        )
        return self.conv1_kernels, rows, columns

    @property
    def primary_grid(self) -> Shape:
        """Types of primary capsules, rows and columns: 8 x 11 x 11 by default."""
        return self.primary_types, *self.conv1_maps[1:]

    @property
    def caps1_grid(self) -> Shape:
        """Types of Caps1, rows and columns: 8 x 5 x 5 by default."""
        return self.caps1_types, *self._above(self.primary_grid, CAPS1_STRIDE)

    @property
    def caps2_grid(self) -> Shape:
        """Types of Caps2, rows and columns: 8 x 3 x 3 by default."""
        return self.caps2_types, *self._above(self.caps1_grid, CAPS2_STRIDE)

    @property
    def routed_capsules(self) -> int:
        """Number of capsules that route to the classes: 8 x 3 x 3 = 72 by default."""
        return math.prod(self.caps2_grid)

    def _above(self, grid: Shape, stride: int) -> tuple[int, int]:
        _, rows, columns = grid
        return (
            (rows - self.capsule_kernel) // stride + 1,
            (columns - self.capsule_kernel) // stride + 1,
        )

    def _read_for(self, caps1_size: int) -> int:
        """Return the pixels along one side that a grid of Caps1 sees."""
        conv1_size = CAPS1_STRIDE * (caps1_size - 1) + self.capsule_kernel
        return CONV1_STRIDE * (conv1_size - 1) + self.kernel_size


@dataclass(frozen=True, slots=True)
class LossConfig:
    """Settings of spread loss (eq. 3) plus reconstruction loss.

    Attributes:
        first_margin: the margin at the start of a run.
        last_margin: the margin at its end (section 3 gives 0.2 and 0.9).
        margin_rise: share of the run in which the margin rises.
        reconstruction_weight: factor on the sum of squared pixel differences.
    """

    first_margin: float = 0.2
    last_margin: float = 0.9
    margin_rise: float = 0.5
    reconstruction_weight: float = 0.015

    def __post_init__(self) -> None:
        if not 0 < self.first_margin <= self.last_margin <= 1:
            raise ValueError(
                "margins must be 0 < first_margin <= last_margin <= 1, "
                f"got {self.first_margin} and {self.last_margin}"
            )
        if not 0 < self.margin_rise <= 1:
            raise ValueError(
                f"margin_rise must be above 0 and at most 1, got {self.margin_rise}"
            )
        if not 0 <= self.reconstruction_weight < math.inf:
            raise ValueError(
                "reconstruction_weight must be 0 or more, "
                f"got {self.reconstruction_weight}"
            )

    def at(self, progress: float) -> "LossConfig":
        """Return the loss after a share `progress` of the run, with the margin of then.

        Args:
            progress: in [0, 1].
        """
        risen = min(1.0, progress / self.margin_rise)
        margin = self.first_margin + risen * (self.last_margin - self.first_margin)
        return replace(self, last_margin=margin)


SETTINGS = Settings(
    title="matrix capsules",
    sizes=MatrixConfig,
    loss=LossConfig,
    sizes_help={
        "kernel_size": "side of Conv1's square kernels",
        "conv1_kernels": "number of Conv1 kernels",
        "primary_types": "types of primary capsules",
        "caps1_types": "types of capsules in the first convolutional layer",
        "caps2_types": "types of capsules in the second convolutional layer",
        "capsule_kernel": "side of the window of children below a capsule",
        "routing_iterations": "iterations of EM routing",
        "variance_floor": "added to every variance",
        "decoder_gain": "factor on a pose before the decoder",
        "decoder_hidden": "sizes of the decoder's two hidden layers",
    },
    loss_help={
        "first_margin": "margin of the spread loss at the start",
        "last_margin": "margin of the spread loss at the end",
        "margin_rise": "share of the run in which the margin rises",
        "reconstruction_weight": "weight of the sum of squared pixel differences",
    },
    presets={
        "quick": TrainingConfig(
            epochs=1,
            batch_size=16,
            learning_rate=0.005,
            schedule="cosine",
            warmup_steps=100,
            clip=5.0,
        ),
        "laptop": TrainingConfig(
            epochs=8,
            batch_size=16,
            learning_rate=0.005,
            schedule="cosine",
            warmup_steps=100,
            clip=5.0,
            averaging=0.999,
        ),
        "live": TrainingConfig(
            epochs=3,
            batch_size=32,
            learning_rate=0.005,
            schedule="cosine",
            warmup_steps=100,
            shift=1,
            clip=5.0,
        ),
    },
    # Half of the kernels and types: an image takes less than half as long.
    preset_sizes={
        "live": {
            "conv1_kernels": 32,
            "primary_types": 4,
            "caps1_types": 4,
            "caps2_types": 4,
        },
    },
)
