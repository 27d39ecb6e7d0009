"""Votes held as two factors answer as if they had been formed."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.dynamic import Votes

pytestmark = pytest.mark.usefixtures("way_of_voting")

BATCH, IN_CAPS, OUT_CAPS, OUT_DIM, IN_DIM = 2, 5, 3, 4, 6


def factors():
    """Return primary capsules and transforms in double precision, with gradients."""
    primary = torch.randn(BATCH, IN_CAPS, IN_DIM, dtype=torch.float64)
    transforms = torch.randn(IN_CAPS, OUT_CAPS, OUT_DIM, IN_DIM, dtype=torch.float64)
    return primary.requires_grad_(), transforms.requires_grad_()


def formed_one_by_one(primary, transforms):
    """Equation 2: û_j|i = W_ij u_i, one product at a time."""
    votes = [
        transforms[i, j] @ image[i]
        for image in primary
        for i in range(IN_CAPS)
        for j in range(OUT_CAPS)
    ]
    return torch.stack(votes).view(BATCH, IN_CAPS, OUT_CAPS, OUT_DIM)


def weighted_sum_of(votes, couplings):
    """Equation 2: s_j = Σ_i c_ij û_j|i."""
    return (couplings[..., None] * votes).sum(dim=1)


def agreement_of(votes, capsules):
    return (votes * capsules[:, None]).sum(dim=-1)


def test_formed_votes_are_transforms_times_capsules():
    primary, transforms = factors()
    assert_close(
        Votes(primary, transforms).formed, formed_one_by_one(primary, transforms)
    )


@pytest.mark.parametrize(
    ("method", "slow", "question_shape"),
    [
        ("weighted_sum", weighted_sum_of, (BATCH, IN_CAPS, OUT_CAPS)),
        ("agreement", agreement_of, (BATCH, OUT_CAPS, OUT_DIM)),
    ],
)
def test_answers_and_gradients_equal_those_of_formed_votes(
    method, slow, question_shape
):
    primary, transforms = factors()
    question = torch.randn(question_shape, dtype=torch.float64, requires_grad=True)
    answer = getattr(Votes(primary, transforms), method)(question)
    expected = slow(formed_one_by_one(primary, transforms), question)
    assert_close(answer, expected)

    pull = torch.randn_like(answer)
    inputs = (primary, transforms, question)
    assert_close(
        torch.autograd.grad(answer, inputs, pull),
        torch.autograd.grad(expected, inputs, pull),
    )


def test_capsules_that_do_not_fit_the_transforms_are_refused():
    primary, transforms = factors()
    swapped = primary.transpose(1, 2)
    with pytest.raises(ValueError, match=r"must be \(batch, 5, 6\), got \(2, 6, 5\)"):
        Votes(swapped, transforms)
