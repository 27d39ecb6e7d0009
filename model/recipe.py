"""Every number that shapes a training run; defaults are the CapsNet paper's.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules",
arXiv 1710.09829.
"""

from dataclasses import dataclass

from capsnet_explorer.model.setting import check_fields, setting

DISTORTIONS = ("rotation", "scale", "shear", "bend", "thickness")
TONES = ("contrast", "ground", "noise")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The recipe of a training run: everything that decides its outcome.

    The paper gives no figure for epochs and decay; the closest reproductions used 0.96
    every 2000 steps. Its only augmentation are shifts (section 5), by whole pixels
    unless one of `DISTORTIONS` is asked for, too. A photograph's ground is never quite
    black, MNIST's always is; where `TONES` change, the network reconstructs the image
    without them. `start_share` follows Wortsman et al. 2022, "Robust fine-tuning of
    zero-shot models".
    """

    epochs: int = setting(
        100, "passes over the training images", 1, most=1000, is_first=True
    )
    batch_size: int = setting(128, "images in a step", 1, most=1024)
    learning_rate: float = setting(
        0.001, "Adam's highest learning rate", 1e-12, most=1e6, is_first=True
    )
    schedule: str = setting(
        "exponential",
        "of the learning rate: cosine, or the paper's exponential",
        choices=("cosine", "exponential"),
    )
    warmup_steps: int = setting(
        200, "steps in which the rate rises (cosine)", 1, most=100_000
    )
    decay: float = setting(
        0.96, "factor by which the rate falls (exponential)", 0.01, most=1
    )
    decay_steps: int = setting(
        2000,
        "steps in which the rate falls by that factor (exponential)",
        1,
        most=1_000_000,
    )
    shift: int = setting(
        2,
        "largest shift in each direction, in pixels",
        most=8,
        title="shift, pixels",
        is_first=True,
    )
    rotation: float = setting(
        0.0,
        "largest rotation either way, in degrees",
        most=180,
        title="rotation, degrees",
    )
    scale: float = setting(
        0.0, "largest share by which width and height grow or shrink", most=0.9
    )
    shear: float = setting(
        0.0, "largest lean, in pixels for each row from the middle", most=1
    )
    bend: float = setting(
        0.0, "standard deviation of a coarse grid's random moves, in pixels", most=4
    )
    thickness: float = setting(
        0.0, "largest share by which strokes thicken or thin, up to 1", 0, 1
    )
    mirror: float = setting(
        0.0, "share of the images that are mirrored, left to right", 0, 1
    )
    contrast: float = setting(
        0.0, "largest share by which ink fades, or by half of which it grows", 0, 1
    )
    ground: float = setting(0.0, "largest grey added to every pixel, up to 1", 0, 1)
    noise: float = setting(
        0.0, "largest amount by which noise moves a pixel, up to 1", 0, 1
    )
    toned: float = setting(
        0.5, "share of the images to which each of these three happens", 0, 1
    )
    flags: float = setting(
        0.0, "share of the images replaced by drawings of a 1 with an upstroke", 0, 0.99
    )
    clip: float = setting(
        0.0, "largest norm of a step's gradient; 0: no limit", most=1000
    )
    averaging: float = setting(
        0.0, "decay of the weights' running mean in a step; 0: no mean", 0, 0.9999
    )
    start_share: float = setting(
        0.0, "weight of the initial network in the final weights", 0, 0.99
    )
    validation: int = setting(
        0,
        "images held out at the end of the training set; the run is then measured on "
        "them and never reads the test set",
        is_for_page=False,  # where runs are watched on test images
    )
    examples: int = setting(
        0,
        "training images to use, as many of each class; 0: all",
        most=1_000_000,
        title="training images",
        is_first=True,
    )
    balance: float = setting(
        0.0,
        "how far rare classes are shown as often as common ones, up to 1; without a "
        "number, 1",
        0,
        1,
        alone=1.0,
    )
    seed: int = setting(
        0,
        "determines initial weights, order and augmentation",
        most=2**31 - 1,
        is_first=True,
    )

    def __post_init__(self) -> None:
        check_fields(self)

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
