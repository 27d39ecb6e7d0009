"""The layers of a matrix capsule network, from the image up, as the page shows them."""

from capsnet_explorer.model.layers.description import Layer, Window
from capsnet_explorer.model.layers.maps import map_roles
from capsnet_explorer.model.matrix.config import (
    CAPS1_STRIDE,
    CAPS2_STRIDE,
    CONV1_STRIDE,
    MatrixConfig,
)

FIGURES = ("assignments", "means", "deviations", "activations", "costs", "flow")
LEARNED = {"betaU": "beta_u", "betaA": "beta_a", "lambda": "inverse_temperature"}


def described_layers(config: MatrixConfig) -> tuple[Layer, ...]:
    """Describe the layers of a matrix capsule network of these sizes."""
    side = config.capsule_kernel
    firsts = tuple(span.start for span in config.read)
    tensors, weights, routes = _routes(
        ("classes", "caps2"), ("caps2", "caps1"), ("caps1", "primary")
    )
    return (
        Layer(
            id="conv1",
            kind="convolution",
            title="Conv1",
            # Pixels that no window of Caps1 would reach are left out.
            window=Window(
                config.kernel_size,
                CONV1_STRIDE,
                firsts[0] if firsts[0] == firsts[1] else (firsts[0], firsts[1]),
            ),
            tensors=map_roles("conv1"),
            weights={"kernels": "conv1.kernels", "bias": "conv1.bias"},
            keys={"look": "conv1"},
        ),
        _grid(
            *("primary", "Primary", "conv1", "caps1"),
            Window(1),
            "At each place of Conv1’s maps, a linear map computes a pose, which is a "
            "4×4 matrix, and an activation for each type of capsule. No capsule has "
            "been compared with another yet.",
        ),
        _grid(
            *("caps1", "Caps1", "primary", "caps2"),
            Window(side, CAPS1_STRIDE),
            "Each capsule stands above a window of primary capsules. EM routing finds "
            "the votes that agree: their mean is the capsule’s pose, and how closely "
            "they agree is its activation.",
        ),
        _grid(
            *("caps2", "Caps2", "caps1", "classes"),
            Window(side, CAPS2_STRIDE),
            "Each capsule stands above a window of Caps1. Only a few places of the "
            "picture are left here. The capsules at each place vote for the classes.",
        ),
        Layer(
            id="routing",
            kind="routing",
            form="em",
            title="EM routing",
            below="caps2",
            tensors={
                **tensors,
                "spoken": "primary.flow",
                "given": "routing.given",
            },
            weights=weights,
            words={"routes": routes},
        ),
        Layer(
            id="classes",
            kind="classes",
            form="matrices",
            title="Classes",
            below="routing",
            tensors={
                "scores": "scores",
                "poses": "classes.poses",
                "history": "routing.activations",
                "means": "routing.means",
            },
        ),
        Layer(
            id="reconstruction",
            kind="decoder",
            form="matrix",
            title="Reconstruction",
            below="classes",
            tensors={
                "poses": "classes.poses",
                "scores": "scores",
                "image": "reconstruction",
            },
            # Poses are not bounded; no decoder needs a number moved further.
            words={"isMatrix": True, "reach": 20, "fallback": 2},
        ),
    )


def _grid(
    id: str,
    title: str,
    below: str,
    above: str,
    window: Window,
    text: str,
) -> Layer:
    """Describe a layer of capsules on a grid, which vote for the layer `above`."""
    poses = f"{id}.poses"
    return Layer(
        id=id,
        kind="capsules",
        form="matrices",
        title=title,
        below=below,
        window=window,
        tensors={
            "poses": poses,
            "activation": f"{id}.activations",
        },
        weights={"transforms": f"{above}.transforms"},
        keys={"capsule": id, "above": above},
        links={"capsule": id},
        words={"above": above, "text": text},
    )


def _routes(
    *pairs: tuple[str, str],
) -> tuple[dict[str, str], dict[str, str], list[dict[str, str]]]:
    """Return the tensors, the weights and the routes of a layer of EM routing.

    Args:
        pairs: to and from which layer; first those of the routing to the classes, whose
            tensors bear no layer's name.
    """
    tensors: dict[str, str] = {}
    weights: dict[str, str] = {}
    routes = []
    for index, (to, source) in enumerate(pairs):
        prefix = f"{to}." if index else ""
        tensors[f"{prefix}presence"] = f"{source}.activations"
        tensors[f"{prefix}votes"] = f"{prefix}votes"
        for figure in FIGURES:
            tensors[f"{prefix}{figure}"] = f"{prefix}routing.{figure}"
        for role, name in LEARNED.items():
            weights[f"{prefix}{role}"] = f"{to}.{name}"
        routes.append({"to": to, "from": source, "prefix": prefix})
    return tensors, weights, routes
