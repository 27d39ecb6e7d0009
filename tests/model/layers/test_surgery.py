"""Interventions in routing, against the paper's loops with the change made by hand."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.layers.dynamic import Votes, routing_steps
from capsnet_explorer.model.layers.squash import squash
from capsnet_explorer.model.layers.surgery import Surgery
from tests.model.layers.paper import procedure_1

BATCH, IN_CAPS, OUT_CAPS, OUT_DIM, IN_DIM = 2, 6, 3, 5, 4

pytestmark = pytest.mark.usefixtures("way_of_voting")


@pytest.fixture
def primary():
    return torch.randn(BATCH, IN_CAPS, IN_DIM, dtype=torch.float64)


@pytest.fixture
def transforms():
    return torch.randn(IN_CAPS, OUT_CAPS, OUT_DIM, IN_DIM, dtype=torch.float64)


def surgery(*, silenced=(), uniform=(), held=()):
    """Make surgery: (image, capsule), image, ((image, capsule, digit), coupling)."""
    changes = Surgery(
        silenced=torch.zeros(BATCH, IN_CAPS, dtype=torch.bool),
        uniform=torch.zeros(BATCH, dtype=torch.bool),
        held=torch.full((BATCH, IN_CAPS, OUT_CAPS), torch.nan, dtype=torch.float64),
    )
    for index in silenced:
        changes.silenced[index] = True
    for image in uniform:
        changes.uniform[image] = True
    for index, coupling in dict(held).items():
        changes.held[index] = coupling
    return changes


def steps_of(primary, transforms, surgery, iterations=3):
    votes = Votes(surgery.silence(primary), transforms)
    return list(routing_steps(votes, iterations, surgery))


def assert_same(steps, image, history):
    assert len(steps) == len(history)
    for step, (b, c, v, agreement) in zip(steps, history, strict=True):
        assert_close(step.logits[image], b)
        assert_close(step.couplings[image], c)
        assert_close(step.capsules[image], v)
        assert_close(step.agreement[image], agreement)


def formed(primary, transforms):
    return torch.einsum("ijdp,bip->bijd", transforms, primary)


def test_silenced_capsules_are_as_if_they_had_not_voted(primary, transforms):
    steps = steps_of(primary, transforms, surgery(silenced=[(0, 1), (0, 4), (1, 2)]))
    votes = formed(primary, transforms)
    for image, (silent, voting) in enumerate(
        [([1, 4], [0, 2, 3, 5]), ([2], [0, 1, 3, 4, 5])]
    ):
        without = procedure_1(votes[image, voting], 3)
        for step, (b, c, v, agreement) in zip(steps, without, strict=True):
            assert_close(step.capsules[image], v)
            assert_close(step.logits[image, voting], b)
            assert_close(step.couplings[image, voting], c)
            assert_close(step.agreement[image, voting], agreement)
            assert (step.agreement[image, silent] == 0).all()
            assert (step.logits[image, silent] == 0).all()
            even = torch.full_like(step.couplings[image, silent], 1 / OUT_CAPS)
            assert_close(step.couplings[image, silent], even)


def test_uniform_couplings_make_each_capsule_the_squashed_mean_of_its_votes(
    primary, transforms
):
    steps = steps_of(primary, transforms, surgery(uniform=[0]))
    votes = formed(primary, transforms)
    mean = squash(votes[0].sum(dim=0) / OUT_CAPS)
    for step in steps:
        assert_close(step.capsules[0], mean)
        assert (step.logits[0] == 0).all()
    assert_same(steps, 0, procedure_1(votes[0], 3, is_uniform=True))
    assert_same(steps, 1, procedure_1(votes[1], 3))


HELD = {(0, 2): 0.9, (3, 0): 0.0, (4, 1): 1.0}


@pytest.mark.parametrize("is_uniform", [False, True])
def test_held_couplings_stay_and_the_others_share_the_rest(
    primary, transforms, is_uniform
):
    changes = surgery(
        held={(1, *index): coupling for index, coupling in HELD.items()},
        uniform=[1] if is_uniform else [],
    )
    steps = steps_of(primary, transforms, changes, iterations=4)
    votes = formed(primary, transforms)
    for step in steps:
        for (capsule, digit), coupling in HELD.items():
            assert step.couplings[1, capsule, digit] == coupling
    expected = procedure_1(votes[1], 4, held=HELD, is_uniform=is_uniform)
    assert_same(steps, 1, expected)
    assert_same(steps, 0, procedure_1(votes[0], 4))


def test_surgery_that_changes_nothing_leaves_every_bit(primary, transforms):
    changed = steps_of(primary, transforms, surgery())
    plain = list(routing_steps(Votes(primary, transforms), 3))
    for step, plain_step in zip(changed, plain, strict=True):
        for name in ("logits", "couplings", "capsules", "agreement"):
            assert torch.equal(getattr(step, name), getattr(plain_step, name))


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([[[0.5, 0.5, torch.nan]]], "at most one coupling a capsule, got two"),
        ([[[1.5, torch.nan, torch.nan]]], r"in \[0, 1\], got"),
        ([[[-0.5, torch.nan, torch.nan]]], r"in \[0, 1\], got"),
        ([[[0.5]]], "at least two output capsules, got 1"),
    ],
)
def test_couplings_that_cannot_be_held_are_refused(held, message):
    nobody = torch.zeros(1, 1, dtype=torch.bool)
    with pytest.raises(ValueError, match=message):
        Surgery(nobody, nobody[0], torch.tensor(held))
