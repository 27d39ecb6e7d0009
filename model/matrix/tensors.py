"""The named tensors of a trace: title, shape, and how to read each."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from capsnet_explorer.model.layers.maps import answer_tensors, map_tensors
from capsnet_explorer.model.layers.tensors import NamedTensor
from capsnet_explorer.model.matrix.config import POSE, MatrixConfig
from capsnet_explorer.model.matrix.flow import LEAST
from capsnet_explorer.model.matrix.layers import SIDE, Capsules, Routed
from capsnet_explorer.model.matrix.network import Trace

CapsulesOf = Callable[[Trace], Capsules]


def named_tensors(config: MatrixConfig) -> dict[str, NamedTensor]:
    """Return every tensor that a trace of such a network offers."""
    primary, caps1, caps2 = config.primary_grid, config.caps1_grid, config.caps2_grid
    steps, window = config.routing_iterations, config.capsule_kernel
    return {
        **map_tensors("conv1", "Conv1", config.conv1_maps),
        **_of_capsules("primary", "primary", primary, lambda t: t.primary),
        **_of_capsules("caps1", "Caps1", caps1, lambda t: t.caps1.capsules),
        **_of_capsules("caps2", "Caps2", caps2, lambda t: t.caps2.capsules),
        "votes": NamedTensor(
            "votes of each Caps2 capsule for each class, coordinates added",
            (*caps2, config.classes, POSE),
            _class_votes,
        ),
        **_of_class_routing(steps, caps2, config.classes),
        "classes.poses": NamedTensor(
            "poses of the class capsules",
            (config.classes, SIDE, SIDE),
            lambda t, k: t.poses[k].unflatten(1, (SIDE, SIDE)),
            is_large=False,
        ),
        **answer_tensors(
            config, "the activation of its capsule", "most active class capsule"
        ),
        **_of_routing("caps1", steps, primary, caps1, window),
        **_of_routing("caps2", steps, caps1, caps2, window),
        **_of_flow(config),
    }


def _of_flow(config: MatrixConfig) -> dict[str, NamedTensor]:
    """Name what flows to the classes: between the layers, and from each place."""
    steps, classes = config.routing_iterations, config.classes
    types = (config.primary_types, config.caps1_types, config.caps2_types)
    words = (
        "what capsules of each type give to those of each type above of what these "
        "pass on to each class: shares of R times activation"
    )

    def between(at: int, *above: int) -> NamedTensor:
        return NamedTensor(
            words,
            (steps, types[at], *above, classes),
            lambda t, k: t.flow.layers[at][k],
            is_large=False,
            is_optional=True,
        )

    return {
        "caps1.routing.flow": between(0, types[1]),
        "caps2.routing.flow": between(1, types[2]),
        "routing.flow": NamedTensor(
            "what capsules of each type of Caps2 give of each class's activation",
            (steps, types[2], classes),
            lambda t, k: t.flow.layers[2][k].diagonal(dim1=2, dim2=3),
            is_large=False,
            is_optional=True,
        ),
        "routing.given": NamedTensor(
            "mean of the votes of each type of Caps2 for each class, weighted by R "
            "times activation; zeros where none counts",
            (steps, types[2], classes, POSE),
            _mean_votes,
            is_optional=True,
        ),
        "primary.flow": NamedTensor(
            "what each primary capsule gives of each class's activation",
            (steps, *config.primary_grid, classes),
            lambda t, k: t.flow.places[k],
            is_optional=True,
        ),
    }


def _of_capsules(
    name: str, title: str, grid: tuple[int, ...], of: CapsulesOf
) -> dict[str, NamedTensor]:
    return {
        f"{name}.poses": NamedTensor(
            f"pose matrices of the {title} capsules",
            (*grid, SIDE, SIDE),
            lambda t, k: of(t).poses[k].unflatten(3, (SIDE, SIDE)),
        ),
        f"{name}.activations": NamedTensor(
            f"activations of the {title} capsules",
            grid,
            lambda t, k: of(t).activations[k],
            is_large=False,
        ),
    }


def _of_class_routing(
    steps: int, below: tuple[int, ...], classes: int
) -> dict[str, NamedTensor]:
    """Name the tensors of routing to the classes, which have one position."""

    def read(trace: Trace, image: int, figure: str) -> Tensor:
        return _over_iterations(trace.class_capsules, figure)[:, image, 0]

    return {
        "routing.assignments": NamedTensor(
            "assignments R as each M-step used them; they sum to 1 over the classes",
            (steps, *below, classes),
            _class_assignments,
        ),
        **_figures("routing", "class", (steps, classes), read),
    }


def _of_routing(
    name: str,
    steps: int,
    below: tuple[int, ...],
    above: tuple[int, ...],
    window: int,
) -> dict[str, NamedTensor]:
    """Name the tensors of routing to a convolutional layer, sent only on request."""
    title = name.capitalize()

    def read(trace: Trace, image: int, figure: str) -> Tensor:
        routed = getattr(trace, name)
        return routed.on_grid(_over_iterations(routed, figure)[:, image])

    return {
        f"{name}.votes": NamedTensor(
            f"votes for each {title} capsule of the capsules in its window",
            (*above, below[0], window, window, POSE),
            lambda t, k: _window_votes(getattr(t, name), k),
            is_optional=True,
        ),
        f"{name}.routing.assignments": NamedTensor(
            f"assignments R to each {title} capsule as each M-step used them; they sum "
            "to 1 over the capsules above, 0 where one does not see the capsule below",
            (steps, *below, *above),
            lambda t, k: _assignments(getattr(t, name), k),
            is_optional=True,
        ),
        **_figures(
            f"{name}.routing",
            f"{title} capsule",
            (steps, *above),
            read,
            is_optional=True,
        ),
    }


def _figures(
    name: str,
    capsule: str,
    shape: tuple[int, ...],
    read: Callable[..., Tensor],
    *,
    is_optional: bool = False,
) -> dict[str, NamedTensor]:
    """Name what each iteration has computed of the capsules above.

    Args:
        name: of the routing.
        capsule: what one of them is called, for people.
        shape: of one figure, the iterations first; means and deviations have another
            axis, for the numbers of a pose.
        read: returns a figure of an image's routing, of trace, image and its name.
        is_optional: whether only requests that name them get them.
    """
    titles = {
        "means": f"means of the votes for each {capsule} after each iteration",
        "deviations": f"standard deviations of the votes for each {capsule}, floor "
        "included",
        "activations": f"activation of each {capsule} after each iteration",
        "costs": f"cost of each {capsule} after each iteration",
    }
    return {
        f"{name}.{figure}": NamedTensor(
            title,
            (*shape, POSE) if figure in ("means", "deviations") else shape,
            partial(read, figure=figure),
            is_large=False,
            is_optional=is_optional,
        )
        for figure, title in titles.items()
    }


def _over_iterations(routed: Routed, figure: str) -> Tensor:
    """Stack one figure over the iterations, which come first; then as in its step."""
    return torch.stack([getattr(step, figure) for step in routed.steps])


def _class_votes(trace: Trace, image: int) -> Tensor:
    routed = trace.class_capsules
    votes = routed.votes[image, 0].transpose(0, 1)
    return votes.unflatten(0, routed.layer.windows.grid)


def _class_assignments(trace: Trace, image: int) -> Tensor:
    routed = trace.class_capsules
    steps = torch.stack([step.assignments[image, 0] for step in routed.steps])
    return steps.mT.unflatten(1, routed.layer.windows.grid)


def _mean_votes(trace: Trace, image: int) -> Tensor:
    """Return what each type says of each class: (iterations, types, classes, 16)."""
    routed = trace.class_capsules
    activations = trace.caps2.capsules.activations[image].flatten()
    presence = activations[routed.layer.members[0]]
    assigned = torch.stack([step.assignments[image, 0] for step in routed.steps])
    types = routed.layer.windows.grid[0]
    # Slots run over the types below, and for each over the places of a window.
    weights = (assigned * presence).unflatten(2, (types, -1))
    votes = routed.votes[image, 0].unflatten(1, (types, -1))
    total = torch.einsum("sjtp,jtpd->stjd", weights, votes)
    mass = weights.sum(dim=3).transpose(1, 2).unsqueeze(3)
    return total / mass.clamp(min=LEAST)


def _window_votes(routed: Routed, image: int) -> Tensor:
    """Return (types, rows, columns, types below, window rows, window columns, 16)."""
    windows = routed.layer.windows
    votes = routed.votes[image].unflatten(0, windows.above).movedim(2, 0)
    return votes.unflatten(3, (windows.grid[0], *windows.kernel))


def _assignments(routed: Routed, image: int) -> Tensor:
    """Return R as a full matrix: (iterations, *grid below, *grid above)."""
    layer = routed.layer
    windows, slots = layer.windows, layer.members
    steps = torch.stack([step.assignments[image] for step in routed.steps])
    full = steps.new_zeros(
        len(steps), windows.children, steps.shape[2], windows.positions
    )
    positions = torch.arange(windows.positions, device=slots.device)[:, None]
    # Indexed axes come first: (positions, slots, iterations, types).
    full[:, slots, :, positions] = steps.permute(1, 3, 0, 2)
    return full.unflatten(3, windows.above).unflatten(1, windows.grid)
