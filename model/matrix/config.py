"""The sizes of a matrix capsule network, the settings of its loss, and its presets.

Paper: Hinton, Sabour & Frosst 2018, "Matrix capsules with EM routing", ICLR. The layout
is the paper's (figure 1). The sizes are smaller, so that a laptop can train it; the
paper's own are A = 64, B = 8, C = D = 16, or A = B = C = D = 32.
"""

import math
from dataclasses import dataclass, replace

from capsnet_explorer.model.margin_loss import HEAVIEST
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.setting import check_fields, setting
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape, decoder

POSE = 16  # numbers in a 4x4 pose matrix (section 2)
CONV1_STRIDE = 2
CAPS1_STRIDE = 2
CAPS2_STRIDE = 1


@dataclass(frozen=True, slots=True)
class MatrixConfig(ImageSizes):
    """Sizes of a matrix capsule network (section 4, figure 1).

    Conv1's kernels are the paper's A, the types of the three layers of capsules its B,
    C and D, the window its K; strides are 2 in Conv1 and Caps1, and 1 in Caps2. The
    paper's code has no floor that keeps assignments soft; without one, they are sharp
    before anything is learned. It has no decoder, either: this one is that of Sabour,
    Frosst & Hinton 2017, smaller.
    """

    kernel_size: int = setting(5, "side of Conv1's square kernels", 1, most=13)
    conv1_kernels: int = setting(
        64,
        "number of Conv1 kernels",
        1,
        most=512,
        title="kernels of the first layer",
        is_first=True,
    )
    primary_types: int = setting(
        8,
        "types of primary capsules",
        1,
        most=64,
        title="types of primary capsules",
        is_first=True,
    )
    caps1_types: int = setting(
        8, "types of capsules in the first convolutional layer", 1, most=64
    )
    caps2_types: int = setting(
        8, "types of capsules in the second convolutional layer", 1, most=64
    )
    capsule_kernel: int = setting(
        3, "side of the window of children below a capsule", 1, most=5
    )
    routing_iterations: int = setting(
        3, "iterations of EM routing", 1, most=10, is_first=True
    )
    variance_floor: float = setting(
        1.0, "added to every variance of a cluster of votes", 1e-6, most=10
    )
    decoder_gain: float = setting(
        5.0, "factor on a pose before the decoder", 0.01, most=100
    )
    decoder_hidden: tuple[int, int] = decoder(256, 512)

    def __post_init__(self) -> None:
        check_fields(self)
        least = self._read_for(self.capsule_kernel)
        missing = least - self.shorter_side
        stride = CONV1_STRIDE * (CAPS1_STRIDE + 1)  # pixels
        options = {
            "--kernel-size": self.kernel_size - missing,
            "--capsule-kernel": self.capsule_kernel - math.ceil(missing / stride),
            "--capsule-kernel be 1 and --kernel-size": self.shorter_side,
        }
        option = next((name for name, most in options.items() if most >= 1), "")
        self.require_image(
            least,
            f"a convolution of {self.kernel_size}x{self.kernel_size} and two layers of "
            f"capsules over {self.capsule_kernel}x{self.capsule_kernel}",
            option,
            options.get(option, 0),
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
            (span.stop - span.start - self.kernel_size) // CONV1_STRIDE + 1
            for span in self.read
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

    Section 3 gives the two margins.
    """

    first_margin: float = setting(0.2, "margin of the spread loss at the start", 0, 1)
    last_margin: float = setting(0.9, "margin of the spread loss at the end", 0, 1)
    margin_rise: float = setting(
        0.5, "share of the run in which the margin rises", 0.001, 1
    )
    reconstruction_weight: float = setting(
        0.015,
        "weight of the sum of squared pixel differences",
        most=HEAVIEST,
        is_first=True,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0 < self.first_margin <= self.last_margin <= 1:
            raise ValueError(
                "margins must be 0 < first_margin <= last_margin <= 1, "
                f"got {self.first_margin} and {self.last_margin}"
            )

    def at(self, progress: float) -> "LossConfig":
        """Return the loss after a share `progress` of the run, with the margin of then.

        Args:
            progress: in [0, 1].
        """
        risen = min(1.0, progress / self.margin_rise)
        margin = self.first_margin + risen * (self.last_margin - self.first_margin)
        return replace(self, last_margin=margin)


QUICK = TrainingConfig(
    epochs=1,
    batch_size=16,
    learning_rate=0.005,
    schedule="cosine",
    warmup_steps=100,
    clip=5.0,
)

SETTINGS = Settings(
    title="matrix capsules",
    sizes=MatrixConfig,
    loss=LossConfig,
    presets={
        "quick": QUICK,
        "laptop": replace(QUICK, epochs=8, averaging=0.999),
        "live": replace(QUICK, epochs=3, batch_size=32, shift=1),
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
