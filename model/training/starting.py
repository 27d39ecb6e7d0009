"""The first weights of a run: those of a trained network, as far as they fit."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.weights import load_weights, weight_file

BY_DATA = ("classes", "image_rows", "image_columns")  # sizes that follow from the data


@dataclass(frozen=True, slots=True)
class Start:
    """A network that a run begins with.

    Attributes:
        network: of the run's sizes.
        card: of the trained network that gives its weights.
        taken: titles of the layers whose weights are those of the trained network.
        anew: titles of the layers of which some weights begin at random.
    """

    network: Network
    card: dict[str, Any]
    taken: tuple[str, ...]
    anew: tuple[str, ...] = ()


def start_from(weights: Path, architecture: Architecture, sizes: Any) -> Start:
    """Return the network that provides the initial weights.

    A network of other classes, or of images of another size, gives the layers whose
    weights do not depend on these.

    Args:
        weights: a weight file, a run's folder or the name of a network.
        architecture: of the run.
        sizes: of the network to train.

    Raises:
        ValueError: it cannot be used, or its weights do not fit.
    """
    trained = load_weights(weight_file(weights))
    network, card = trained.network, trained.card
    if trained.architecture.name != architecture.name:
        raise ValueError(
            f"--start must be a {architecture.title}, "
            f"{weights} is a {trained.architecture.title}"
        )
    if network.config.classes == sizes.classes:
        try:
            begun = architecture.begun_from(network, sizes)
        except ValueError as error:
            if not _differs_by_data(network.config, sizes):
                raise ValueError(f"--start {weights}: {error}") from None
        else:
            return Start(begun, card, _titles(architecture, begun, begun.state_dict()))
    return _transfer(weights, architecture, network, sizes, card)


def _differs_by_data(config: Any, sizes: Any) -> bool:
    """Tell whether two networks differ in nothing but what follows from their data."""
    names = [field.name for field in fields(config) if field.name not in BY_DATA]
    return all(getattr(config, name) == getattr(sizes, name) for name in names)


def _transfer(
    weights: Path,
    architecture: Architecture,
    start: Network,
    sizes: Any,
    card: dict[str, Any],
) -> Start:
    """Return a network for other data that begins with a trained one's lower layers.

    Weights whose shape depends on the data begin at random.
    """
    network = architecture.build(sizes)
    state = network.state_dict()
    kept = {
        name: value
        for name, value in start.state_dict().items()
        if name in state and state[name].shape == value.shape
    }
    new = [name for name in state if name not in kept]
    first = next(iter(state))
    if first in new:
        came = start.state_dict().get(first)
        raise ValueError(
            f"--start {weights}: for {sizes.classes} classes in place of "
            f"{start.config.classes}, it must have first layers of the same sizes: "
            f"{first} must be {_shape(state[first])}, got {_shape(came)}"
        )
    network.load_state_dict({**state, **kept})
    print(
        f"It begins with {len(kept)} of the {len(state)} tensors of {weights}; for "
        f"other data, these begin at random: {', '.join(new)}"
    )
    anew = _titles(architecture, network, new)
    every = _titles(architecture, network, state)
    taken = tuple(title for title in every if title not in anew)
    return Start(network, card, taken, anew)


def _shape(tensor: Any) -> str:
    return "nothing" if tensor is None else "x".join(map(str, tensor.shape))


def _titles(
    architecture: Architecture, network: Network, names: Iterable[str]
) -> tuple[str, ...]:
    """Return what the layers are called that tensors belong to, each once."""
    layers = [
        layer if isinstance(layer, Mapping) else asdict(layer)
        for layer in architecture.layers(network.config)
    ]
    titles = {layer["kind"]: layer["title"] for layer in layers}  # for the decoder
    titles |= {layer["id"]: layer["title"] for layer in layers}
    titles |= {
        name.partition(".")[0]: layer["title"]
        for layer in layers
        if layer["kind"] == "classes"
        for name in layer.get("weights", {}).values()
    }
    roots = dict.fromkeys(name.partition(".")[0] for name in names)
    return tuple(titles.get(root, root) for root in roots)
