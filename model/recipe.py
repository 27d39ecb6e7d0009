"""Every number that shapes a training run; defaults are the CapsNet paper's.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules",
arXiv 1710.09829.
"""

from dataclasses import dataclass

DISTORTIONS = ("rotation", "scale", "shear", "bend", "thickness")
TONES = ("contrast", "ground", "noise")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The recipe of a training run: everything that decides its outcome.

    Attributes:
        epochs: passes over the training images. The paper gives no figure.
        batch_size: images in a step.
        learning_rate: Adam's highest learning rate.
        schedule: `exponential` is the paper's and multiplies the rate by `decay` every
            `decay_steps`; `cosine` warms up over `warmup_steps`, then falls to zero
            along half a cosine.
        warmup_steps: steps in which the learning rate rises, `cosine` only.
        decay: factor of `exponential`. The paper gives no figure; the closest
            reproductions used 0.96 every 2000 steps.
        decay_steps: steps in which the rate falls by `decay`.
        shift: largest shift in each direction, in pixels (section 5). It is the paper's
            only augmentation; without the five that follow, shifts are whole pixels.
        rotation: largest rotation either way, in degrees.
        scale: largest share by which width and height grow or shrink, independently.
        shear: largest lean, in pixels of displacement for each row from the middle.
        bend: standard deviation of the moves of a coarse grid's knots, in pixels.
        mirror: share of the images that are mirrored, left to right: for pictures of
            things, not for digits.
        thickness: largest share of the way that a pixel moves towards the most, or the
            least, ink around it.
        contrast: largest share by which ink fades; it grows by up to half of that.
        ground: largest grey added to every pixel, in [0, 1]. A photograph's ground is
            never quite black, MNIST's always is.
        noise: largest amount by which noise moves a pixel, in [0, 1].
        toned: share of the images to which each of these three happens. The network
            then reconstructs the image without them.
        flags: share of each epoch's images replaced by a drawing of a flagged 1.
        clip: largest norm of a step's gradient; a longer one is shortened to it. 0
            leaves every gradient as it is.
        averaging: decay of the weights' running mean in a step, lower at first. The run
            keeps the mean; 0 keeps the last weights.
        start_share: weight of the initial network in the final weights, for a run that
            starts from another network (Wortsman et al. 2022, "Robust fine-tuning of
            zero-shot models").
        validation: images held out at the end of the training set.
        examples: training images to use, as many of each class, drawn by the seed; 0
            uses all.
        balance: how far rare classes are shown as often as common ones, in [0, 1]: 0
            shows each image once in an epoch, 1 every class equally often.
        seed: determines initial weights, order and augmentation.
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
    mirror: float = 0.0
    contrast: float = 0.0
    ground: float = 0.0
    noise: float = 0.0
    toned: float = 0.5
    flags: float = 0.0
    clip: float = 0.0
    averaging: float = 0.0
    start_share: float = 0.0
    validation: int = 0
    examples: int = 0
    balance: float = 0.0
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
            *("shift", *DISTORTIONS, "mirror", *TONES, "toned", "flags"),
            *("clip", "averaging", "start_share", "validation", "examples"),
            "balance",
        ):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative")
        for name in ("thickness", "mirror", *TONES, "toned", "balance"):
            if getattr(self, name) > 1:
                raise ValueError(f"{name} must be at most 1, got {getattr(self, name)}")
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
        """Whether images are moved by whole pixels only, and keep their shapes."""
        return not any(getattr(self, name) for name in DISTORTIONS)

    @property
    def changes_tones(self) -> bool:
        """Whether contrast, ground or noise change."""
        return any(getattr(self, name) for name in TONES)


# Recipes to start from; `paper` follows the paper exactly. `legible` continues
# a trained network. It and `overlapping`, for two digits on top of each other, also
# change the loss, see `model.capsnet.config`.
PRESETS = {
    "quick": TrainingConfig(epochs=1, schedule="cosine", warmup_steps=100),
    "laptop": TrainingConfig(epochs=8, schedule="cosine", averaging=0.999),
    "paper": TrainingConfig(),
    "legible": TrainingConfig(
        epochs=2,
        batch_size=64,
        learning_rate=0.0006,
        schedule="cosine",
        warmup_steps=50,
        averaging=0.995,
        contrast=0.4,
        ground=0.25,
        noise=0.15,
    ),
    "overlapping": TrainingConfig(
        epochs=40,
        batch_size=32,
        schedule="cosine",
        warmup_steps=100,
        averaging=0.999,
        shift=4,
    ),
}
