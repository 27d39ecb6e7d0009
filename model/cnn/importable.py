"""The CNN's tensors, for weights that others have trained."""

from collections.abc import Iterator

from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.importable import Importable, Listing, Sizes, of_image
from capsnet_explorer.model.settings import Shape


def _configs(sizes: Sizes, image: Shape, classes: int) -> Iterator[CnnConfig]:
    config = CnnConfig(
        **of_image(image, classes),
        kernel_size=sizes["kernel"],
        conv1_kernels=sizes["maps1"],
        conv2_kernels=sizes["maps2"],
        hidden_units=sizes["hidden"],
    )
    if config.features == sizes["features"]:
        yield config


def _listings(config: CnnConfig) -> tuple[Listing, ...]:
    maps, rows, columns = config.pool2_maps
    parts = {"maps": maps, "rows": rows, "columns": columns}
    return (
        Listing("values that the hidden layer reads", (("hidden.weight", 1),), parts),
    )


IMPORTABLE = Importable(
    patterns={
        "conv1.weight": "maps1 channels kernel kernel",
        "conv2.weight": "maps2 maps1 kernel kernel",
        "logits.weight": "classes hidden",
        "hidden.weight": "hidden features",
    },
    configs=_configs,
    listings=_listings,
)
