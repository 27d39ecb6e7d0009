"""The small networks that tests run: every test of them takes milliseconds."""

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.cnn.config import CnnConfig


def square(side: int) -> dict[str, int]:
    """Return the sizes of square images."""
    return {"image_rows": side, "image_columns": side}


# Of images with three channels, 20 x 24 pixels and five classes: nothing is square, and
# no two sizes of a grid are equal.
COLOUR = {
    "all": {"image_channels": 3, "image_rows": 20, "image_columns": 24, "classes": 5},
    "capsnet": {
        "kernel_size": 5,
        "conv1_kernels": 6,
        "primary_types": 3,
        "primary_dim": 4,
        "digit_dim": 7,
        "decoder_hidden": (8, 9),
    },
    "cnn": {
        "kernel_size": 3,
        "conv1_kernels": 6,
        "conv2_kernels": 7,
        "hidden_units": 33,
    },
    "matrix": {
        "conv1_kernels": 6,
        "primary_types": 3,
        "caps1_types": 4,
        "caps2_types": 2,
        "decoder_hidden": (8, 9),
    },
    "efficient": {
        "kernels": (4, 6, 5, 12),
        "primary_dim": 4,
        "class_dim": 7,
        "decoder_hidden": (8, 9),
    },
}

# Its CapsNet whose routing has none of the above.
WITH_NONE = {**COLOUR["capsnet"], "none_of_the_above": "yes"}

# 12 x 12 pixels -> 4 x 10 x 10 maps -> 2 x 4 x 4 capsules of 4 -> 3 of 5.
SIZES = CapsNetConfig(
    **square(12),
    kernel_size=3,
    conv1_kernels=4,
    primary_types=2,
    primary_dim=4,
    classes=3,
    digit_dim=5,
    decoder_hidden=(8, 8),
)

# Those of its sizes that a run is told; images and classes come with the data.
CHOSEN = {
    name: getattr(SIZES, name)
    for name in (
        *("kernel_size", "conv1_kernels", "primary_types", "primary_dim"),
        *("digit_dim", "decoder_hidden"),
    )
}

# 12 x 12 pixels -> 6 x 10 x 10 maps -> 3 x 4 x 4 capsules of 2 -> 5 of 7: no two of
# its sizes are equal, so that axes cannot be taken for each other.
UNLIKE_SIZES = CapsNetConfig(
    **square(12),
    kernel_size=3,
    conv1_kernels=6,
    primary_types=3,
    primary_dim=2,
    classes=5,
    digit_dim=7,
    decoder_hidden=(8, 9),
)

# The same images -> 2 x 10 x 10 maps -> 2 of 3 x 3 -> 8 units -> 3 classes.
CNN_SIZES = CnnConfig(
    **square(12),
    kernel_size=3,
    conv1_kernels=2,
    conv2_kernels=2,
    hidden_units=8,
    classes=3,
)
