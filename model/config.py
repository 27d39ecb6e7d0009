"""Every number that shapes the network and its training. Defaults are the paper's.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules",
arXiv 1710.09829.
"""

import math
from dataclasses import dataclass

DISTORTIONS = ("rotation", "scale", "shear", "bend", "thickness")


@dataclass(frozen=True, slots=True)
class CapsNetConfig:
    """Sizes of a CapsNet (section 4, figures 1 and 2).

    Attributes:
        image_size: rows, and columns, of the one-channel input.
        kernel_size: rows, and columns, of both convolutions' kernels.
        conv1_kernels: kernels of Conv1, stride 1.
        primary_types: capsule types of PrimaryCaps, a convolution of stride 2.
        primary_dim: numbers in one primary capsule.
        primary_stride: stride of the PrimaryCaps convolution.
        classes: digit capsules.
        digit_dim: numbers in one digit capsule.
        routing_iterations: how often couplings are refined (Procedure 1's r).
        decoder_hidden: sizes of the decoder's two hidden layers.
    """

    image_size: int = 28
    kernel_size: int = 9
    conv1_kernels: int = 256
    primary_types: int = 32
    primary_dim: int = 8
    primary_stride: int = 2
    classes: int = 10
    digit_dim: int = 16
    routing_iterations: int = 3
    decoder_hidden: tuple[int, int] = (512, 1024)

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if not isinstance(number, int):
                    raise ValueError(f"{name} must be a whole number, got {number!r}")
                if number < 1:
                    raise ValueError(f"{name} must be at least 1, got {number}")
        if not isinstance(self.decoder_hidden, tuple) or len(self.decoder_hidden) != 2:
            raise ValueError(
                f"decoder_hidden must be two sizes, got {self.decoder_hidden}"
            )
        if self.primary_size < 1:
            raise ValueError(
                f"image_size {self.image_size} leaves no room for two convolutions "
                f"of {self.kernel_size}x{self.kernel_size}"
            )

    @property
    def conv1_size(self) -> int:
        """Rows, and columns, of a Conv1 feature map: 20 in the paper."""
        return self.image_size - self.kernel_size + 1

    @property
    def primary_size(self) -> int:
        """Rows, and columns, of the PrimaryCaps grid: 6 in the paper."""
        return (self.conv1_size - self.kernel_size) // self.primary_stride + 1

    @property
    def primary_capsules(self) -> int:
        """Capsules below the routing: 32 types x 6 x 6 = 1152 in the paper."""
        return self.primary_types * self.primary_size**2


@dataclass(frozen=True, slots=True)
class LossConfig:
    """What training minimises: margin loss (eq. 4) plus reconstruction (section 4.1).

    Attributes:
        present_margin: m+; a present class costs nothing above this length.
        absent_margin: m-; an absent class costs nothing below this length.
        absent_weight: lambda; keeps early training from shrinking every capsule.
        reconstruction_weight: times the *sum* of squared pixel differences.
    """

    present_margin: float = 0.9
    absent_margin: float = 0.1
    absent_weight: float = 0.5
    reconstruction_weight: float = 0.0005

    def __post_init__(self) -> None:
        if not 0 <= self.absent_margin < self.present_margin <= 1:
            raise ValueError(
                "margins must be 0 <= absent_margin < present_margin <= 1, "
                f"got {self.absent_margin} and {self.present_margin}"
            )
        for name in ("absent_weight", "reconstruction_weight"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """One training run. Everything that decides its outcome is here.

    Attributes:
        epochs: passes over the training images. The paper gives no figure.
        batch_size: images a step.
        learning_rate: Adam's, at its highest.
        schedule: `exponential` is the paper's, falling by `decay` every `decay_steps`;
            `cosine` warms up over `warmup_steps`, then falls to zero along half a
            cosine.
        warmup_steps: steps in which the learning rate rises, `cosine` only.
        decay: factor of `exponential`. The paper gives no figure; 0.96 every 2000
            steps is what reproductions that came close used.
        decay_steps: steps between two decays.
        shift: augmentation, pixels in each direction at most (section 5). The paper's
            only one: without the five that follow, images move by whole pixels.
        rotation: degrees either way.
        scale: share by which width and height grow or shrink, each by itself.
        shear: pixels that a row leans for each row above or below the middle.
        bend: pixels, standard deviation of the moves of a coarse grid's knots.
        thickness: share of the way that strokes go to the most, or the least, ink
            around each pixel.
        flags: share of each epoch's images in whose place a drawn 1 with a flag comes.
        averaging: share of itself that the running mean of the weights keeps in a
            step, less at first; the mean is what is kept in the end. 0 keeps the last
            weights.
        start_share: of the weights that a run began with, if it began with another
            network's: what is kept in the end lies that far back towards them
            (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
        validation: images at the end of the training set that are held out.
        seed: decides initial weights, order and augmentation.
    """

    epochs: int = 100
    batch_size: int = 128
    learning_rate: float = 0.001
    schedule: str = "exponential"
    warmup_steps: int = 200
    decay: float = 0.96
    decay_steps: int = 2000
    shift: int = 2
    rotation: float = 0.0
    scale: float = 0.0
    shear: float = 0.0
    bend: float = 0.0
    thickness: float = 0.0
    flags: float = 0.0
    averaging: float = 0.0
    start_share: float = 0.0
    validation: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.schedule not in ("cosine", "exponential"):
            raise ValueError(
                f"schedule must be cosine or exponential, got {self.schedule}"
            )
        for name in ("epochs", "batch_size", "warmup_steps", "decay_steps"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name} must be at least 1, got {getattr(self, name)}"
                )
        for name in (
            *("shift", *DISTORTIONS, "flags"),
            *("averaging", "start_share", "validation"),
        ):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative")
        if self.thickness > 1:
            raise ValueError(f"thickness must be at most 1, got {self.thickness}")
        if self.flags >= 1:
            raise ValueError(f"flags must be below 1, got {self.flags}")
        if self.start_share >= 1:
            raise ValueError(f"start_share must be below 1, got {self.start_share}")
        if self.averaging >= 1:
            raise ValueError(f"averaging must be below 1, got {self.averaging}")
        if self.learning_rate <= 0:
            raise ValueError(f"learning_rate must be above 0, got {self.learning_rate}")

    @property
    def only_shifts(self) -> bool:
        """Whether images move by whole pixels and change in nothing else."""
        return not any(getattr(self, name) for name in DISTORTIONS)


# Recipes to start from. `paper` does what the paper did and nothing else.
PRESETS = {
    "quick": TrainingConfig(epochs=1, schedule="cosine", warmup_steps=100),
    "laptop": TrainingConfig(epochs=8, schedule="cosine", averaging=0.999),
    "paper": TrainingConfig(),
}
