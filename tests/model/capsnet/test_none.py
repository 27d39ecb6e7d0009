"""None of the above: it is as a class would be for which every vote is zero."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.layers.dynamic import (
    Votes,
    routing_steps,
    shares_beside_none,
)
from capsnet_explorer.model.layers.surgery import Surgery
from tests.model.layers.paper import procedure_1
from tests.tiny import SIZES

IN_CAPS, OUT_CAPS = 6, 3
WITH_NONE = replace(SIZES, none_of_the_above="yes")
IMAGES = torch.rand(2, 1, 12, 12, generator=torch.Generator().manual_seed(3))


def network_with(sizes=WITH_NONE):
    """Make a network whose votes are long enough for couplings to move."""
    torch.manual_seed(0)
    network = CapsNet(sizes).eval()
    with torch.no_grad():
        network.digits.transforms.mul_(20)
    return network


def test_shares_by_hand():
    # With its e^0 = 1: two terms of 1; of 1 and 2; of 3 and 4.
    logits = torch.tensor([[1.0, 1.0], [1.0, 2.0], [3.0, 4.0]]).log()
    assert_close(
        shares_beside_none(logits[None]),
        torch.tensor([[[1 / 3, 1 / 3], [1 / 4, 2 / 4], [3 / 8, 4 / 8]]]),
    )
    far = torch.tensor([[[1000.0, -1000.0], [-1000.0, -1000.0]]])
    assert shares_beside_none(far).tolist() == [[[1, 0], [0, 0]]]


HELD = {(2, 0): 0.9, (3, 1): 0.0, (4, 2): 1.0}


@pytest.mark.parametrize("held", [{}, HELD])
@pytest.mark.parametrize("is_uniform", [False, True])
@pytest.mark.usefixtures("way_of_voting")
def test_routing_is_that_with_a_class_that_nobody_votes_for(held, is_uniform):
    primary = torch.randn(1, IN_CAPS, 4, dtype=torch.float64)
    primary[:, 5] = 0  # silenced
    transforms = torch.randn(IN_CAPS, OUT_CAPS, 5, 4, dtype=torch.float64)
    surgery = Surgery(
        silenced=torch.arange(IN_CAPS)[None] == 5,
        uniform=torch.tensor([is_uniform]),
        held=torch.full((1, IN_CAPS, OUT_CAPS), torch.nan, dtype=torch.float64),
    )
    for index, coupling in held.items():
        surgery.held[0][index] = coupling
    votes = Votes(primary, transforms)
    steps = routing_steps(votes, 4, surgery, shares=shares_beside_none)
    with_none = torch.cat([votes.formed[0], torch.zeros(IN_CAPS, 1, 5)], dim=1)
    expected = procedure_1(with_none, 4, held=held, is_uniform=is_uniform)
    for step, (b, c, v, agreement) in zip(steps, expected, strict=True):
        assert_close(step.logits[0], b[:, :-1])
        assert_close(step.couplings[0], c[:, :-1])
        assert_close(1 - step.couplings[0].sum(dim=1), c[:, -1])
        assert_close(step.capsules[0], v[:-1])
        assert_close(step.agreement[0], agreement[:, :-1])
        even = torch.full((OUT_CAPS,), 1 / (OUT_CAPS + 1), dtype=torch.float64)
        assert_close(step.couplings[0, 5], even)


@torch.no_grad()
def test_what_no_class_gets_is_a_tensor_of_its_own():
    network = network_with()
    tensors = ARCHITECTURE.tensors(WITH_NONE)
    assert "routing.none" not in ARCHITECTURE.tensors(SIZES)
    assert tensors["routing.none"].shape == (3, 2, 4, 4)
    trace = network(IMAGES)
    couplings, none = (
        tensors[f"routing.{name}"].read(trace, 1) for name in ("couplings", "none")
    )
    assert_close(couplings.sum(dim=-1) + none, torch.ones(3, 2, 4, 4))
    assert_close(none[0], torch.full((2, 4, 4), 1 / 4))
    assert (none[2] - 1 / 4).abs().max() > 0.01  # else routing would have moved nothing
