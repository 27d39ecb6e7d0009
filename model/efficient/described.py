"""The layers of an Efficient-CapsNet, from the image up, as the page shows them."""

from capsnet_explorer.model.efficient.config import LAST_STRIDE, EfficientConfig
from capsnet_explorer.model.layers.description import Layer, Window
from capsnet_explorer.model.layers.maps import map_roles


def described_layers(config: EfficientConfig) -> tuple[Layer, ...]:
    """Describe the layers of an Efficient-CapsNet of these sizes."""
    _, rows, columns = config.maps[-1]
    return (
        *(_convolution(config, index) for index in range(len(config.kernel_sizes))),
        Layer(
            id="primary",
            kind="capsules",
            form="alone",
            title="PrimaryCaps",
            below="conv4",
            # A kernel covers a whole map.
            window=Window(rows if rows == columns else (rows, columns)),
            tensors={
                "below": "conv4.out",
                "before": "primary.pre",
                "poses": "primary.capsules",
                "activation": "primary.lengths",
            },
            weights={"kernels": "primary.kernels"},
            measured="types",
            keys={"capsule": "capsule"},
            words={"squash": "exponential"},
        ),
        Layer(
            id="routing",
            kind="routing",
            form="attention",
            title="Routing",
            below="primary",
            tensors={
                "lengths": "primary.lengths",
                "poses": "primary.capsules",
                "votes": "votes",
                "agreement": "routing.agreement",
                "shares": "routing.shares",
                "couplings": "routing.couplings",
                "contributions": "routing.contributions",
                "given": "routing.given",
                "capsules": "classes.capsules",
                "scores": "scores",
                "decoded": "reconstruction",
            },
            weights={"transforms": "classes.transforms", "prior": "classes.prior"},
            words={"voter": "primary capsule"},
        ),
        Layer(
            id="classes",
            kind="classes",
            form="vectors",
            title="Classes",
            below="routing",
            tensors={"scores": "scores", "poses": "classes.capsules"},
            words={"decoder": "reconstruction"},
        ),
        Layer(
            id="reconstruction",
            kind="decoder",
            form="vector",
            title="Reconstruction",
            below="classes",
            tensors={
                "poses": "classes.capsules",
                "scores": "scores",
                "image": "reconstruction",
            },
            # A capsule is shorter than 1: no number moves further than from -1 to 1.
            words={"reach": 2, "fallback": 0.3, "onRequest": ["input"]},
        ),
    )


def _convolution(config: EfficientConfig, index: int) -> Layer:
    """Describe a convolution, which ends with batch norm; 0 reads the image."""
    number = index + 1
    id, below = f"conv{number}", f"conv{index}"
    is_first, is_last = index == 0, number == len(config.kernel_sizes)
    norm = {
        "gain": f"{id}.norm.weight",
        "shift": f"{id}.norm.bias",
        "mean": f"{id}.norm.running_mean",
        "deviation": f"{id}.norm.deviation",
    }
    if is_first:
        kernels, keys, links = "conv1.kernels", {"look": id}, {}
    else:
        kernels = f"{id}.convolution.weight"
        names = {"map": f"map{number}", "pixel": f"pixel{number}"}
        keys = names | {"look": id}
        links = names | {name: f"{name}{number}" for name in ("maps", "order", "scale")}
    return Layer(
        id=id,
        kind="convolution",
        title=f"Conv{number}",
        below=None if is_first else below,
        window=Window(config.kernel_sizes[index], LAST_STRIDE if is_last else 1),
        tensors=map_roles(id),
        weights={
            "kernels": kernels,
            "bias": "conv1.bias" if is_first else f"{id}.convolution.bias",
            **norm,
        },
        keys=keys,
        links=links,
    )
