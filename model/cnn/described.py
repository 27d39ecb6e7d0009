"""The layers of the CNN, from the image up, as the page shows them."""

from capsnet_explorer.model.cnn.config import POOL, CnnConfig
from capsnet_explorer.model.layers.description import Layer, Window
from capsnet_explorer.model.layers.maps import map_roles


def described_layers(config: CnnConfig) -> tuple[Layer, ...]:
    """Describe the layers of a CNN of these sizes."""
    kernel, pool = Window(config.kernel_size), Window(POOL, POOL)
    return (
        Layer(
            id="conv1",
            kind="convolution",
            title="Conv1",
            window=kernel,
            tensors=map_roles("conv1"),
            weights={"kernels": "conv1.kernels", "bias": "conv1.bias"},
            keys={"look": "conv1"},
        ),
        Layer(
            id="pool1",
            kind="pooling",
            title="Pool1",
            below="conv1",
            window=pool,
            tensors=_name_pooling("conv1", "pool1"),
            keys={"look": "pooling"},
        ),
        Layer(
            id="conv2",
            kind="convolution",
            title="Conv2",
            below="pool1",
            window=kernel,
            tensors=map_roles("conv2"),
            weights={"kernels": "conv2.weight", "bias": "conv2.bias"},
            keys={"map": "map2", "pixel": "pixel2", "look": "conv2"},
            links={
                **{"map": "map2", "pixel": "pixel2"},
                **{"maps": "maps2", "order": "order2", "scale": "scale2"},
            },
        ),
        Layer(
            id="pool2",
            kind="pooling",
            title="Pool2",
            below="conv2",
            window=pool,
            tensors=_name_pooling("conv2", "pool2"),
            measured="types",
            keys={"map": "map2", "pixel": "pixel2", "look": "pooling"},
        ),
        Layer(
            id="hidden",
            kind="dense",
            title="Hidden layer",
            below="pool2",
            tensors={
                "below": "pool2",
                "values": "hidden",
                "contributions": "hidden.contributions",
            },
            weights={
                "kernels": "hidden.weight",
                "bias": "hidden.bias",
                "output": "logits.weight",
                "outputBias": "logits.bias",
            },
            keys={"look": "units"},
        ),
        Layer(
            id="probabilities",
            kind="classes",
            form="probabilities",
            title="Probabilities",
            below="hidden",
            tensors={"scores": "scores", "logits": "logits", "below": "hidden"},
            weights={"weights": "logits.weight", "bias": "logits.bias"},
            words={"units": "hidden"},
        ),
    )


def _name_pooling(below: str, id: str) -> dict[str, str]:
    return {
        "below": f"{below}.relu",
        "values": id,
        "winners": f"{id}.winners",
        "glimpse": f"{id}.glimpse",
        "scores": "scores",
    }
