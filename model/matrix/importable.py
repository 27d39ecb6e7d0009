"""The tensors of matrix capsules, for weights that others have trained."""

from collections.abc import Iterator

from capsnet_explorer.model.importable import (
    Importable,
    Sizes,
    decoder_listings,
    decoder_patterns,
    of_image,
)
from capsnet_explorer.model.matrix.config import MatrixConfig
from capsnet_explorer.model.settings import Shape

SIDE = 4  # of a pose matrix


def _configs(sizes: Sizes, image: Shape, classes: int) -> Iterator[MatrixConfig]:
    if sizes["side"] != SIDE or sizes["given"] != classes * SIDE * SIDE:
        return
    yield MatrixConfig(
        **of_image(image, classes),
        kernel_size=sizes["kernel"],
        conv1_kernels=sizes["maps"],
        primary_types=sizes["types"],
        caps1_types=sizes["types1"],
        caps2_types=sizes["types2"],
        capsule_kernel=sizes["window"],
        decoder_hidden=(sizes["hidden1"], sizes["hidden2"]),
    )


IMPORTABLE = Importable(
    patterns={
        "conv1.weight": "maps channels kernel kernel",
        "primary.activations.weight": "types maps",
        "caps1.transforms": "types window window types1 side side",
        "caps2.transforms": "types1 window window types2 side side",
        "classes.transforms": "types2 classes side side",
        **decoder_patterns("given"),
    },
    configs=_configs,
    listings=lambda config: decoder_listings(config, SIDE * SIDE),
    iterations=(1, 2, 3, 4, 5),
)
