"""The sizes of an Efficient-CapsNet; defaults are the paper's for MNIST.

Paper: Mazzia, Salvetti & Chiaberge 2021, "Efficient-CapsNet: capsule network with
self-attention routing", arXiv 2101.12491.
"""

from dataclasses import dataclass

from capsnet_explorer.model.margin_loss import MarginLoss
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.setting import check_fields, setting
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape, decoder

LAST_STRIDE = 2  # of the last convolution; the others have 1


@dataclass(frozen=True, slots=True)
class EfficientConfig(ImageSizes):
    """Sizes of an Efficient-CapsNet (section 3.1, figure 1).

    Convolutions are listed from the image up. The last one's maps, taken in
    `primary_dim`, make one primary capsule each.
    """

    kernels: tuple[int, int, int, int] = setting(
        (32, 64, 64, 128),
        "number of kernels of each of the four convolutions",
        1,
        most=512,
    )
    kernel_sizes: tuple[int, int, int, int] = setting(
        (5, 3, 3, 3), "side of the square kernels of each convolution", 1, most=13
    )
    primary_dim: int = setting(8, "numbers of a primary capsule", 1, most=32)
    class_dim: int = setting(16, "numbers of a class capsule", 1, most=64)
    decoder_hidden: tuple[int, int] = decoder(512, 1024)

    def __post_init__(self) -> None:
        check_fields(self)
        if self.kernels[-1] % self.primary_dim:
            raise ValueError(
                "the last convolution's kernels must be a multiple of primary_dim, "
                f"{self.primary_dim}, got {self.kernels[-1]}"
            )
        least = sum(self.kernel_sizes) - 3
        self.require_image(
            least,
            "convolutions of "
            + ", ".join(f"{side}x{side}" for side in self.kernel_sizes),
            "the sum of --kernel-sizes",
            self.shorter_side + 3,
        )

    @property
    def maps(self) -> tuple[Shape, ...]:
        """The maps of each convolution, their rows and columns.

        By default 32 x 24 x 24, 64 x 22 x 22, 64 x 20 x 20 and 128 x 9 x 9.
        """
        rows, columns = self.image_rows, self.image_columns
        shapes: list[Shape] = []
        last = len(self.kernels) - 1
        for layer, (count, side) in enumerate(
            zip(self.kernels, self.kernel_sizes, strict=True)
        ):
            stride = LAST_STRIDE if layer == last else 1
            rows = (rows - side) // stride + 1
            columns = (columns - side) // stride + 1
            shapes.append((count, rows, columns))
        return tuple(shapes)

    @property
    def primary_capsules(self) -> int:
        """Number of primary capsules: 128 / 8 = 16 in the paper."""
        return self.kernels[-1] // self.primary_dim

    @property
    def routed_capsules(self) -> int:
        """Number of capsules that route to the classes: all primary ones."""
        return self.primary_capsules

    @property
    def routing_iterations(self) -> int:
        """One: attention compares all votes at once, and is not repeated."""
        return 1


SETTINGS = Settings(
    title="Efficient-CapsNet",
    sizes=EfficientConfig,
    loss=MarginLoss,
    presets={
        "quick": TrainingConfig(
            epochs=1, batch_size=64, schedule="cosine", warmup_steps=100
        ),
        "laptop": TrainingConfig(
            epochs=30, batch_size=64, schedule="cosine", averaging=0.999
        ),
        "live": TrainingConfig(
            epochs=3, batch_size=64, schedule="cosine", warmup_steps=50, shift=1
        ),
    },
)
