"""The sizes of the CNN, the settings of its loss, and its presets.

The layout follows LeNet-5, which alternates convolution and subsampling before fully
connected layers: LeCun, Bottou, Bengio & Haffner 1998, "Gradient-Based Learning Applied
to Document Recognition", section II. ReLU and max-pooling replace its sigmoids and
averages, and dropout is added, as in Krizhevsky, Sutskever & Hinton 2012, "ImageNet
Classification with Deep Convolutional Neural Networks", sections 3.1, 3.4 and 4.2.
Their pooling windows overlap; those here do not.
"""

import math
from dataclasses import dataclass

from capsnet_explorer.model.margin_loss import CLASS_LOSSES
from capsnet_explorer.model.recipe import PRESETS, TrainingConfig
from capsnet_explorer.model.setting import check_fields, setting
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape

POOL = 2  # side of a pooling window, and its stride (LeCun 1998)


@dataclass(frozen=True, slots=True)
class CnnConfig(ImageSizes):
    """Sizes of the CNN.

    Convolutions have stride 1 and no padding. Pooling windows are 2x2 and do not
    overlap. No window covers the last of an odd number of rows, or of columns.

    LeNet-5 has 6 kernels in Conv1, 16 in Conv2, each over every map of Conv1, and 120
    hidden units, with 84 more in a second layer. Dropout follows Srivastava et al.
    2014, "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", appendix
    A.4.
    """

    kernel_size: int = setting(
        5, "side of the square kernels in both convolutions", 1, most=13
    )
    conv1_kernels: int = setting(
        32,
        "number of Conv1 kernels",
        1,
        most=512,
        title="kernels of the first layer",
        is_first=True,
    )
    conv2_kernels: int = setting(64, "number of Conv2 kernels", 1, most=512)
    hidden_units: int = setting(
        512,
        "units of the fully connected layer between pooling and output",
        1,
        most=4096,
    )
    dropout: float = setting(
        0.5, "share of the hidden units that a training step drops", 0, 0.95
    )
    probabilities: str = setting(
        "softmax",
        "softmax, for one class an image; or sigmoid, for each alone",
        choices=("softmax", "sigmoid"),
    )

    def __post_init__(self) -> None:
        check_fields(self)
        least = POOL * (POOL + self.kernel_size - 1) + self.kernel_size - 1
        self.require_image(
            least,
            f"two convolutions of {self.kernel_size}x{self.kernel_size}, each followed "
            "by 2x2 max-pooling",
            "--kernel-size",
            (self.shorter_side - 1) // 3,
        )

    @property
    def conv1_maps(self) -> Shape:
        """Conv1's maps, their rows and columns: 32 x 24 x 24 by default."""
        rows, columns = self.image_rows, self.image_columns
        return self._convolve(self.conv1_kernels, rows, columns)

    @property
    def pool1_maps(self) -> Shape:
        """The same after pooling: 32 x 12 x 12 by default."""
        return _pool(self.conv1_maps)

    @property
    def conv2_maps(self) -> Shape:
        """Conv2's maps, their rows and columns: 64 x 8 x 8 by default."""
        _, rows, columns = self.pool1_maps
        return self._convolve(self.conv2_kernels, rows, columns)

    @property
    def pool2_maps(self) -> Shape:
        """The same after pooling: 64 x 4 x 4 by default."""
        return _pool(self.conv2_maps)

    @property
    def features(self) -> int:
        """Inputs of the hidden layer: 64 x 4 x 4 = 1024 by default."""
        return math.prod(self.pool2_maps)

    def _convolve(self, kernels: int, rows: int, columns: int) -> Shape:
        lost = self.kernel_size - 1
        return kernels, rows - lost, columns - lost


def _pool(maps: Shape) -> Shape:
    kernels, rows, columns = maps
    return kernels, rows // POOL, columns // POOL


@dataclass(frozen=True, slots=True)
class LossConfig:
    """Settings of the loss.

    The margin loss is that of the probabilities, with a CapsNet's margins and weight.
    Label smoothing follows Szegedy et al. 2016, "Rethinking the Inception Architecture
    for Computer Vision", section 7.
    """

    class_loss: str = setting(
        "cross_entropy",
        "loss of the classes: cross_entropy, or a CapsNet's margin",
        choices=CLASS_LOSSES,
        is_first=True,
    )
    label_smoothing: float = setting(
        0.0, "share of the target spread evenly over all classes", 0, 0.99
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.label_smoothing and self.class_loss != "cross_entropy":
            raise ValueError(
                "label_smoothing is for class_loss cross_entropy, "
                f"got {self.label_smoothing} with {self.class_loss}"
            )


SETTINGS = Settings(
    title="CNN",
    sizes=CnnConfig,
    loss=LossConfig,
    presets={
        "quick": PRESETS["quick"],
        "laptop": TrainingConfig(epochs=20, schedule="cosine", averaging=0.999),
        "overlapping": PRESETS["overlapping"],
        "live": TrainingConfig(
            epochs=3, batch_size=64, schedule="cosine", warmup_steps=50, shift=1
        ),
    },
    preset_sizes={"overlapping": {"probabilities": "sigmoid"}},
)
