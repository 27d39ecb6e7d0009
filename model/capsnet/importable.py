"""A CapsNet's tensors, for weights that others have trained."""

from collections.abc import Iterator
from dataclasses import replace

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.importable import (
    Importable,
    Listing,
    Sizes,
    decoder_listings,
    decoder_patterns,
    of_image,
)
from capsnet_explorer.model.settings import Shape

STRIDES = (1, 2, 3, 4)


def _configs(sizes: Sizes, image: Shape, classes: int) -> Iterator[CapsNetConfig]:
    given = classes * sizes["pose"]  # to the decoder
    if sizes["numbers"] % sizes["dim"] or sizes.get("given", given) != given:
        return
    for stride in STRIDES:
        config = CapsNetConfig(
            **of_image(image, classes),
            kernel_size=sizes["kernel"],
            conv1_kernels=sizes["maps"],
            primary_types=sizes["numbers"] // sizes["dim"],
            primary_dim=sizes["dim"],
            primary_stride=stride,
            digit_dim=sizes["pose"],
            decoder_hidden=(sizes["hidden1"], sizes["hidden2"]),
        )
        if config.primary_capsules == sizes["capsules"]:
            yield config


def _listings(config: CapsNetConfig) -> tuple[Listing, ...]:
    types, rows, columns = config.primary_grid
    return (
        Listing(
            "maps of the primary capsules",
            (("primary.convolution.weight", 0), ("primary.convolution.bias", 0)),
            {"types": types, "numbers": config.primary_dim},
        ),
        Listing(
            "primary capsules",
            (("digits.transforms", 0),),
            {"types": types, "rows": rows, "columns": columns},
        ),
        *decoder_listings(config, config.digit_dim),
    )


def _variants(config: CapsNetConfig) -> dict[str, CapsNetConfig]:
    return {
        "as in the paper": config,
        "capsules cut by view": replace(config, mistake="view"),
        "softmax over the capsules": replace(config, mistake="axis"),
    }


def _alike(config: CapsNetConfig) -> dict[str, CapsNetConfig]:
    none = replace(config, none_of_the_above="yes")
    return {"with a class none of the above in routing": none}


IMPORTABLE = Importable(
    patterns={
        "conv1.weight": "maps channels kernel kernel",
        "primary.convolution.weight": "numbers maps kernel kernel",
        "digits.transforms": "capsules classes pose dim",
        **decoder_patterns("given"),
    },
    configs=_configs,
    listings=_listings,
    variants=_variants,
    alike=_alike,
    iterations=(1, 2, 3, 4, 5),
)
