"""An Efficient-CapsNet's tensors, for weights that others have trained."""

from collections.abc import Iterator
from typing import Any

from capsnet_explorer.model.efficient.config import EfficientConfig
from capsnet_explorer.model.importable import (
    Importable,
    Listing,
    Sizes,
    decoder_listings,
    decoder_patterns,
    of_image,
)
from capsnet_explorer.model.settings import Shape

LAYERS = (1, 2, 3, 4)
OF_NORM = ("weight", "bias", "running_mean", "running_variance")
LAST = (
    *("convolution.weight", "convolution.bias"),
    *(f"norm.{name}" for name in OF_NORM),
)


def _configs(sizes: Sizes, image: Shape, classes: int) -> Iterator[EfficientConfig]:
    given = classes * sizes["pose"]  # to the decoder
    if sizes.get("given", given) != given or sizes["maps4"] % sizes["dim"]:
        return
    kernels: Any = tuple(sizes[f"maps{layer}"] for layer in LAYERS)
    sides: Any = tuple(sizes[f"kernel{layer}"] for layer in LAYERS)
    config = EfficientConfig(
        **of_image(image, classes),
        kernels=kernels,
        kernel_sizes=sides,
        primary_dim=sizes["dim"],
        class_dim=sizes["pose"],
        decoder_hidden=(sizes["hidden1"], sizes["hidden2"]),
    )
    _, rows, columns = config.maps[-1]
    found = (sizes["rows"], sizes["columns"], sizes["capsules"])
    if found == (rows, columns, config.primary_capsules):
        yield config


def _listings(config: EfficientConfig) -> tuple[Listing, ...]:
    names = [f"conv4.{name}" for name in LAST] + ["primary.kernels", "primary.bias"]
    parts = {"capsules": config.primary_capsules, "numbers": config.primary_dim}
    return (
        Listing("maps of the capsules", tuple((name, 0) for name in names), parts),
        *decoder_listings(config, config.class_dim),
    )


IMPORTABLE = Importable(
    patterns={
        "conv1.convolution.weight": "maps1 channels kernel1 kernel1",
        "conv2.convolution.weight": "maps2 maps1 kernel2 kernel2",
        "conv3.convolution.weight": "maps3 maps2 kernel3 kernel3",
        "conv4.convolution.weight": "maps4 maps3 kernel4 kernel4",
        "primary.kernels": "maps4 rows columns",
        "classes.transforms": "capsules classes pose dim",
        **decoder_patterns("given"),
    },
    configs=_configs,
    listings=_listings,
)
