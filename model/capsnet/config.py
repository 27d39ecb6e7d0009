"""The sizes of a CapsNet and the settings of its loss; defaults are the paper's.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules",
arXiv 1710.09829.
"""

import math
from dataclasses import dataclass

from capsnet_explorer.model.margin_loss import CLASS_LOSSES, MARGIN_HELP, MarginLoss
from capsnet_explorer.model.recipe import PRESETS, TrainingConfig
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape, require_decoder

# The field's famous mistakes, see `model.capsnet.mistakes`, by what a run calls them.
MISTAKES = {
    "none": "none",
    "axis": "softmax over the capsules, not over the classes",
    "view": "reshaping without reordering the axes",
    "unsquared": "margin loss that is not squared",
    "root": "epsilon added outside the square root",
    "gradients": "gradients through all iterations of routing",
    "iteration": "one iteration of routing too many",
    "bytes": "trained on pixels from 0 to 1, fed with 0 to 255",
    "mask": "trained with a decoder that is given the capsules of all classes",
}

NONE = ("no", "yes")  # whether routing has the class none of the above


@dataclass(frozen=True, slots=True)
class CapsNetConfig(ImageSizes):
    """Sizes of a CapsNet (section 4, figures 1 and 2).

    Attributes:
        kernel_size: side of the square kernels in both convolutions.
        conv1_kernels: number of Conv1 kernels; its stride is 1.
        primary_types: number of capsule types in PrimaryCaps.
        primary_dim: dimensions of a primary capsule.
        primary_stride: stride of the PrimaryCaps convolution.
        digit_dim: dimensions of a digit capsule.
        routing_iterations: number of routing iterations (Procedure 1's r).
        decoder_hidden: sizes of the decoder's two hidden layers.
        none_of_the_above: whether routing has one more class, which takes what no class
            claims and has no capsule (section 7), of `NONE`.
        mistake: made on purpose, of `MISTAKES`.
    """

    kernel_size: int = 9
    conv1_kernels: int = 256
    primary_types: int = 32
    primary_dim: int = 8
    primary_stride: int = 2
    digit_dim: int = 16
    routing_iterations: int = 3
    decoder_hidden: tuple[int, int] = (512, 1024)
    none_of_the_above: str = "no"
    mistake: str = "none"

    def __post_init__(self) -> None:
        self.require_whole("none_of_the_above", "mistake")
        _require_mistake(self.mistake)
        if self.none_of_the_above not in NONE:
            raise ValueError(
                f"none_of_the_above must be {' or '.join(NONE)}, "
                f"got {self.none_of_the_above!r}"
            )
        if self.has_none and self.mistake == "axis":
            raise ValueError(
                "mistake axis lets capsules compete, and none_of_the_above is one of "
                "the classes: choose one of the two"
            )
        require_decoder(self.decoder_hidden)
        least = 2 * self.kernel_size - 1
        self.require_image(
            *(least, least),
            f"two convolutions of {self.kernel_size}x{self.kernel_size}",
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

    Attributes:
        voters: effective number of primary capsules that should share in a digit.
        voters_most: effective number above which more voters cost; 0 sets no limit.
        voters_weight: factor on the log of what an image lacks of the first number, or
            has beyond the second.
        saturation_weight: factor on the mean log(1 + ‖p‖²) of the primary capsules p
            before squash.
        blank_weight: factor on the same for an empty image.
        dark_weight: factor on what Conv1's maps lack of being bright.
        mistake: as in the sizes; the command line sets both.
    """

    voters: float = 25.0
    voters_most: float = 0.0
    voters_weight: float = 0.0
    saturation_weight: float = 0.0
    blank_weight: float = 0.0
    dark_weight: float = 0.0
    mistake: str = "none"

    def __post_init__(self) -> None:
        MarginLoss.__post_init__(self)
        _require_mistake(self.mistake)
        if self.mistake == "unsquared" and self.class_loss != "margin":
            raise ValueError(
                "mistake unsquared is one of the margin loss: class_loss must be "
                f"margin, got {self.class_loss}"
            )
        if not 1 <= self.voters < math.inf:
            raise ValueError(f"voters must be 1 or more, got {self.voters}")
        if not (self.voters_most == 0 or self.voters <= self.voters_most < math.inf):
            raise ValueError(
                f"voters_most must be 0 or at least voters, {self.voters}, "
                f"got {self.voters_most}"
            )
        for name in (
            "voters_weight",
            "saturation_weight",
            "blank_weight",
            "dark_weight",
        ):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")


def _require_mistake(mistake: str) -> None:
    if mistake not in MISTAKES:
        raise ValueError(
            f"mistake must be one of {', '.join(MISTAKES)}, got {mistake!r}"
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
    sizes_help={
        "conv1_kernels": "number of Conv1 kernels",
        "kernel_size": "side of the square kernels in both convolutions",
        "primary_types": "number of primary capsule types",
        "primary_dim": "dimensions of a primary capsule",
        "primary_stride": "stride of the PrimaryCaps convolution",
        "digit_dim": "dimensions of a digit capsule",
        "routing_iterations": "number of routing iterations",
        "decoder_hidden": "sizes of the decoder's two hidden layers",
        "none_of_the_above": "whether routing has one more class, which takes what no "
        "class claims: no or yes",
        "mistake": "a famous mistake to make on purpose: "
        + "; ".join(f"{name}, {words}" for name, words in [*MISTAKES.items()][1:]),
    },
    loss_help={
        **MARGIN_HELP,
        "voters": "effective number of primary capsules that should share in a digit",
        "voters_most": "effective number above which more voters cost; 0: no limit",
        "voters_weight": "weight of what images lack of voters, or have beyond most",
        "saturation_weight": "weight of the primary capsules' log length before squash",
        "blank_weight": "weight of the same for an empty image",
        "dark_weight": "weight of what Conv1's maps lack of being bright",
    },
    choices={
        "none_of_the_above": NONE,
        "mistake": tuple(MISTAKES),
        "class_loss": CLASS_LOSSES,
    },
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
