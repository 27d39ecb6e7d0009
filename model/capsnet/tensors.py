"""The named tensors of a trace: title, shape, and how to read each."""

from functools import partial

import torch
from torch import Tensor

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.network import Trace
from capsnet_explorer.model.layers.maps import (
    answer_tensors,
    map_tensors,
    primary_tensors,
)
from capsnet_explorer.model.layers.tensors import NamedTensor

SHORTEST = 1e-12  # a capsule of zeros has no direction; then nothing adds to it


def named_tensors(config: CapsNetConfig) -> dict[str, NamedTensor]:
    """Return every tensor that a trace of such a network offers."""
    return {
        **map_tensors("conv1", "Conv1", config.conv1_maps),
        **primary_tensors(config.primary_grid, config.primary_dim),
        **_of_routing(config),
        **_of_classes(config),
        **_of_votes(config),
    }


def _of_routing(config: CapsNetConfig) -> dict[str, NamedTensor]:
    routing = (config.routing_iterations, *config.primary_grid, config.classes)
    summing = "with those to none of the above they" if config.has_none else "they"
    none = {
        "routing.none": NamedTensor(
            "couplings with none of the above, what no class gets",
            routing[:-1],
            lambda t, k: 1 - _over_iterations(t, k, name="couplings").sum(dim=-1),
        )
    }
    titles = {
        "logits": "logits b at the start of each iteration",
        "couplings": f"couplings c; {summing} sum to 1 over the digits",
        "agreement": "agreement û·v after each iteration",
    }
    return {
        **{
            f"routing.{name}": NamedTensor(
                title, routing, partial(_over_iterations, name=name)
            )
            for name, title in titles.items()
        },
        "routing.capsules": NamedTensor(
            "digit capsules v after each iteration",
            (config.routing_iterations, config.classes, config.digit_dim),
            lambda t, k: torch.stack([step.capsules[k] for step in t.steps]),
            is_large=False,
        ),
        "routing.contributions": NamedTensor(
            "what each primary capsule adds to the length of the weighted sum s of "
            "each digit: coupling times the vote along s",
            routing,
            _contributions,
            is_optional=True,
        ),
        "routing.given": NamedTensor(
            "what each capsule type adds to the weighted sum s of each digit: its "
            "votes û, each times its coupling",
            (
                config.routing_iterations,
                config.primary_types,
                config.classes,
                config.digit_dim,
            ),
            _weigh_votes,
            is_optional=True,
        ),
        "routing.types": NamedTensor(
            "mean coupling of each capsule type in the last iteration",
            (config.primary_types, config.classes),
            lambda t, k: _over_iterations(t, k, name="couplings")[-1].mean(dim=(1, 2)),
            is_large=False,
            is_optional=True,
        ),
        **(none if config.has_none else {}),
    }


def _of_classes(config: CapsNetConfig) -> dict[str, NamedTensor]:
    return {
        "digits.capsules": NamedTensor(
            "digit capsules v, the output",
            (config.classes, config.digit_dim),
            lambda t, k: t.capsules[k],
            is_large=False,
        ),
        "digits.lengths": NamedTensor(
            "lengths of the digit capsules: presence of each class",
            (config.classes,),
            lambda t, k: t.lengths[k],
            is_large=False,
        ),
        **answer_tensors(config, "the length of its capsule", "longest digit capsule"),
    }


def _of_votes(config: CapsNetConfig) -> dict[str, NamedTensor]:
    grid = config.primary_grid
    return {
        "votes": NamedTensor(
            "votes û of each primary capsule for each digit capsule",
            (*grid, config.classes, config.digit_dim),
            _votes,
            is_optional=True,
        ),
        **{
            f"votes.{digit}": NamedTensor(
                f"votes û of each primary capsule for digit capsule {digit}",
                (*grid, config.digit_dim),
                partial(_votes_for, digit=digit),
                is_optional=True,
            )
            for digit in range(config.classes)
        },
    }


def _over_iterations(trace: Trace, image: int, *, name: str) -> Tensor:
    """Stack one routing array over the iterations, on the primary capsules' grid.

    Primary capsule i has the [type, row, column] that it had before the grid was
    flattened for routing.
    """
    grid = trace.primary_capsules.shape[1:4]
    # Stacked in memory order, with the output capsules outermost.
    steps = [getattr(step, name)[image].mT for step in trace.steps]
    return torch.stack(steps).mT.unflatten(1, grid)


def _contributions(trace: Trace, image: int) -> Tensor:
    """Return c û·s/‖s‖ of each iteration, which adds up to ‖s‖ over the capsules.

    A digit capsule v points where its s does, so the vote along s is the agreement û·v
    over the length of v.
    """
    agreement = _over_iterations(trace, image, name="agreement")
    couplings = _over_iterations(trace, image, name="couplings")
    poses = torch.stack([step.capsules[image] for step in trace.steps])
    lengths = torch.linalg.vector_norm(poses, dim=-1).clamp(min=SHORTEST)
    return couplings * agreement / lengths[:, None, None, None]


def _weigh_votes(trace: Trace, image: int) -> Tensor:
    """Return Σ c û over the places of each type, which adds up to s over the types."""
    couplings = _over_iterations(trace, image, name="couplings")
    return torch.einsum("stxyj,txyjd->stjd", couplings, _votes(trace, image))


def _votes(trace: Trace, image: int) -> Tensor:
    return trace.votes.formed[image].unflatten(0, trace.primary_capsules.shape[1:4])


def _votes_for(trace: Trace, image: int, *, digit: int) -> Tensor:
    return _votes(trace, image)[..., digit, :]
