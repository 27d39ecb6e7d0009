"""The classes that an image shows: by an answer's scores, and as training's target."""

import pytest
import torch

from capsnet_explorer.model.presence import Presence, multi_hot, outrank

SCORES = torch.tensor([[0.5, 0.5, 0.8, 0.1], [0.1, 0.2, 0.3, 0.6]])


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Presence(), [(2,), (3,)]),
        (Presence(at_most=2), [(2, 0), (3, 2)]),
        (Presence(at_most=9), [(2, 0, 1, 3), (3, 2, 1, 0)]),
        (Presence(at_most=4, threshold=0.5), [(2, 0, 1), (3,)]),
        (Presence(at_most=1, threshold=0.7), [(2,), ()]),
    ],
)
def test_the_best_that_reach_the_threshold_are_present(rule, expected):
    """Of equal scores the first class is better."""
    assert rule.named(SCORES) == expected
    among = rule.among(SCORES)
    assert [tuple(row.nonzero()[:, 0].tolist()) for row in among] == [
        tuple(sorted(classes)) for classes in expected
    ]


@pytest.mark.parametrize("wrong", [{"at_most": 0}, {"at_most": 1.5}, {"threshold": ""}])
def test_a_rule_that_cannot_be_used_is_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        Presence(**wrong)


def test_the_target_is_1_for_each_class_present():
    assert multi_hot(torch.tensor([2, 0]), 3).tolist() == [[0, 0, 1], [1, 0, 0]]
    several = torch.tensor([[1, 1], [0, 0]])
    assert multi_hot(several, 3).tolist() == [[1, 1, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match="at most 1 classes, got 2"):
        multi_hot(several, 1)


def test_the_classes_present_must_outrank_all_others():
    scores = torch.tensor([[0.9, 0.2, 0.5], [0.9, 0.2, 0.5], [0.9, 0.2, 0.2]])
    present = torch.tensor([[1, 0, 1], [0, 0, 1], [1, 1, 0]])
    assert outrank(scores, present).tolist() == [True, False, False]
    none, every = torch.zeros(3, 3), torch.ones(3, 3)
    assert outrank(scores, none).all()
    assert outrank(scores, every).all()
