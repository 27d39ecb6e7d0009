"""The layers of a CapsNet, from the image up, as the page shows them."""

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.layers.description import Layer, Window
from capsnet_explorer.model.layers.maps import map_roles


def described_layers(config: CapsNetConfig) -> tuple[Layer, ...]:
    """Describe the layers of a CapsNet of these sizes."""
    return (
        Layer(
            id="conv1",
            kind="convolution",
            title="Conv1",
            window=Window(config.kernel_size),
            tensors=map_roles("conv1"),
            weights={"kernels": "conv1.kernels", "bias": "conv1.bias"},
            keys={"look": "conv1"},
        ),
        Layer(
            id="primary",
            kind="capsules",
            form="vectors",
            title="PrimaryCaps",
            below="conv1",
            window=Window(config.kernel_size, config.primary_stride),
            tensors={
                "below": "conv1.relu",
                "before": "primary.pre",
                "poses": "primary.capsules",
                "activation": "primary.lengths",
            },
            measured="types",
            keys={"capsule": "capsule"},
        ),
        Layer(
            id="routing",
            kind="routing",
            form="dynamic",
            title="Routing",
            below="primary",
            window=Window(1),
            tensors={
                "lengths": "primary.lengths",
                "logits": "routing.logits",
                "couplings": "routing.couplings",
                "agreement": "routing.agreement",
                "capsules": "routing.capsules",
                "scores": "digits.lengths",
                "decoded": "reconstruction",
                "types": "routing.types",
                "contributions": "routing.contributions",
                "given": "routing.given",
                "votes": "votes",
                **({"none": "routing.none"} if config.has_none else {}),
            },
            words={"voter": "primary capsule"},
        ),
        Layer(
            id="digits",
            kind="classes",
            form="vectors",
            title="DigitCaps",
            below="routing",
            tensors={
                "scores": "digits.lengths",
                "poses": "digits.capsules",
                "history": "routing.capsules",
            },
            words={"decoder": "reconstruction"},
        ),
        Layer(
            id="reconstruction",
            kind="decoder",
            form="vector",
            title="Reconstruction",
            below="digits",
            tensors={
                "poses": "digits.capsules",
                "scores": "digits.lengths",
                "image": "reconstruction",
            },
            # A capsule is shorter than 1: no number moves further than from -1 to 1.
            words={"reach": 2, "fallback": 0.3, "onRequest": ["input", "votes"]},
        ),
    )
