"""The sizes of a CapsNet and the settings of its loss; defaults are the paper's.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules",
arXiv 1710.09829.
"""

import math
from dataclasses import dataclass

from capsnet_explorer.model.margin_loss import HEAVIEST, MarginLoss
from capsnet_explorer.model.recipe import PRESETS, TrainingConfig
from capsnet_explorer.model.setting import check_fields, setting
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape, decoder


@dataclass(frozen=True, slots=True)
class CapsNetConfig(ImageSizes):
    """Sizes of a CapsNet (section 4, figures 1 and 2).

    Conv1 has stride 1. The class none of the above takes what no class claims, and has
    no capsule (section 7).
    """

    conv1_kernels: int = setting(
        256,
        "number of Conv1 kernels",
        1,
        most=512,
        title="kernels of the first layer",
        is_first=True,
    )
    kernel_size: int = setting(
        9, "side of the square kernels in both convolutions", 1, most=13
    )
    primary_types: int = setting(
        32,
        "number of primary capsule types",
        1,
        most=64,
        title="types of primary capsules",
        is_first=True,
    )
    primary_dim: int = setting(8, "dimensions of a primary capsule", 1, most=32)
    primary_stride: int = setting(2, "stride of the PrimaryCaps convolution", 1, most=4)
    digit_dim: int = setting(16, "dimensions of a digit capsule", 1, most=64)
    routing_iterations: int = setting(
        3, "number of routing iterations", 1, most=10, is_first=True
    )
    decoder_hidden: tuple[int, int] = decoder(512, 1024)
    none_of_the_above: str = setting(
        "no",
        "whether routing has one more class, which takes what no class claims: no or "
        "yes",
        choices=("no", "yes"),
    )
    mistake: str = setting(
        "none",
        "what some networks from elsewhere do otherwise: axis, softmax over the "
        "capsules, not over the classes; view, reshaping without reordering the axes",
        choices=("none", "axis", "view"),
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.has_none and self.mistake == "axis":
            raise ValueError(
                "mistake axis lets capsules compete, and none_of_the_above is one of "
                "the classes: choose one of the two"
            )
        least = 2 * self.kernel_size - 1
        self.require_image(
            least,
            f"two convolutions of {self.kernel_size}x{self.kernel_size}",
            "--kernel-size",
            (self.shorter_side + 1) // 2,
        )

    @property
    def has_none(self) -> bool:
        """Whether routing has the class none of the above."""
        return self.none_of_the_above == "yes"

    @property
    def conv1_maps(self) -> Shape:
        """Conv1's maps, their rows and columns: 256 x 20 x 20 in the paper."""
        lost = self.kernel_size - 1
        return self.conv1_kernels, self.image_rows - lost, self.image_columns - lost

    @property
    def primary_grid(self) -> Shape:
        """Types of primary capsules, rows and columns: 32 x 6 x 6 in the paper."""
        rows, columns = (
            (length - self.kernel_size) // self.primary_stride + 1
            for length in self.conv1_maps[1:]
        )
        return self.primary_types, rows, columns

    @property
    def primary_capsules(self) -> int:
        """Number of primary capsules: 32 types x 6 x 6 = 1152 in the paper."""
        return math.prod(self.primary_grid)

    @property
    def routed_capsules(self) -> int:
        """Number of capsules that route to the classes: all of PrimaryCaps."""
        return self.primary_capsules


@dataclass(frozen=True, slots=True)
class LossConfig(MarginLoss):
    """Margin and reconstruction loss, and terms that keep a network legible.

    The paper has none of these, see `model.capsnet.legible_loss`.

    An image's voters are the effective number of primary capsules that share in its
    digit; the weight is on the log of what it lacks of the least, or has beyond most.
    """

    voters: float = setting(
        25.0,
        "effective number of primary capsules that should share in a digit",
        1,
        most=2000,
    )
    voters_most: float = setting(
        0.0, "effective number above which more voters cost; 0: no limit", most=2000
    )
    voters_weight: float = setting(
        0.0, "weight of what images lack of voters, or have beyond most", most=HEAVIEST
    )
    saturation_weight: float = setting(
        0.0,
        "weight of the primary capsules' mean log(1 + ‖p‖²) before squash",
        most=HEAVIEST,
    )
    blank_weight: float = setting(
        0.0, "weight of the same for an empty image", most=HEAVIEST
    )
    dark_weight: float = setting(
        0.0, "weight of what Conv1's maps lack of being bright", most=HEAVIEST
    )
    anything: float = setting(
        0.25,
        "how long a type's capsules should be on average at most, as a share of its "
        "longest",
        0.01,
        1,
    )
    anything_weight: float = setting(
        0.0, "weight of types that are longer, which answer to anything", most=HEAVIEST
    )

    def __post_init__(self) -> None:
        MarginLoss.__post_init__(self)
        if not (self.voters_most == 0 or self.voters <= self.voters_most):
            raise ValueError(
                f"voters_most must be 0 or at least voters, {self.voters}, "
                f"got {self.voters_most}"
            )


# The loss of the preset that keeps a network legible; validation chose the weights, see
# docs/trials.md.
LEGIBLE = {
    "present_margin": 0.97,
    "reconstruction_weight": 0.003,
    "voters": 28.0,
    "voters_most": 30.0,
    "voters_weight": 0.03,
    "saturation_weight": 0.03,
    "blank_weight": 0.01,
    "dark_weight": 0.002,
}

# Of each digit, where images show two.
OVERLAPPING = {"reconstruction_weight": 0.001}

SETTINGS = Settings(
    title="CapsNet",
    sizes=CapsNetConfig,
    loss=LossConfig,
    presets={
        **PRESETS,
        "live": TrainingConfig(
            epochs=3,
            batch_size=64,
            learning_rate=0.002,
            schedule="cosine",
            warmup_steps=50,
            shift=1,
        ),
        "overlapping-slim": PRESETS["overlapping"],
    },
    preset_losses={
        "legible": LEGIBLE,
        "overlapping": OVERLAPPING,
        "overlapping-slim": OVERLAPPING,
    },
    preset_sizes={
        # A fourteenth of the paper's products: a laptop trains it while one watches.
        "live": {
            "conv1_kernels": 64,
            "primary_types": 8,
            "decoder_hidden": (256, 512),
        },
        # On 36 x 36 pixels the paper's sizes come to 23 MB; these to 10.
        "overlapping-slim": {
            "conv1_kernels": 128,
            "primary_types": 16,
            "decoder_hidden": (512, 768),
        },
    },
)
