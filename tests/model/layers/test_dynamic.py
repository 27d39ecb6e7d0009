"""Routing by agreement, against Procedure 1 written as slow loops."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.dynamic import Votes, routing_steps
from capsnet_explorer.model.layers.squash import squash
from tests.model.layers.paper import procedure_1

BATCH, IN_CAPS, OUT_CAPS = 2, 6, 3

pytestmark = pytest.mark.usefixtures("way_of_voting")


@pytest.fixture
def votes():
    """Votes in double precision whose factors ask for gradients."""
    primary = torch.randn(BATCH, IN_CAPS, 4, dtype=torch.float64, requires_grad=True)
    transforms = torch.randn(
        IN_CAPS, OUT_CAPS, 5, 4, dtype=torch.float64, requires_grad=True
    )
    return Votes(primary, transforms)


def gradients(capsules, votes, pull):
    return torch.autograd.grad(
        capsules, (votes.primary, votes.transforms), pull, retain_graph=True
    )


@pytest.mark.parametrize("iterations", [1, 2, 3, 10])
def test_every_iteration_equals_the_papers_procedure(votes, iterations):
    steps = list(routing_steps(votes, iterations))
    for image, formed in enumerate(votes.formed.detach()):
        expected = procedure_1(formed, iterations)
        for step, (b, c, v, agreement) in zip(steps, expected, strict=True):
            assert_close(step.logits[image], b)
            assert_close(step.couplings[image].detach(), c)
            assert_close(step.capsules[image].detach(), v)
            assert_close(step.agreement[image].detach(), agreement)


@pytest.mark.parametrize("iterations", [0, -1])
def test_less_than_one_iteration_is_refused(votes, iterations):
    with pytest.raises(ValueError, match=f"at least 1, got {iterations}"):
        list(routing_steps(votes, iterations))


def test_gradients_flow_through_the_last_iteration_only(votes):
    *earlier, last = routing_steps(votes, 3)
    for step in earlier:  # they keep no graph
        assert not step.capsules.requires_grad
        assert not step.couplings.requires_grad
    assert not last.couplings.requires_grad
    pull = torch.randn_like(last.capsules)
    of_last = gradients(last.capsules, votes, pull)

    formed = votes.formed
    constant = [procedure_1(image.detach(), 3)[-1][1] for image in formed]
    couplings = torch.stack(constant)
    through_last = squash((couplings[..., None] * formed).sum(dim=1))
    assert_close(of_last, gradients(through_last, votes, pull))

    through_all = torch.stack([procedure_1(image, 3)[-1][2] for image in formed])
    assert_close(through_all, last.capsules)
    for a, b in zip(of_last, gradients(through_all, votes, pull), strict=True):
        assert (a - b).abs().max() > 1e-3
