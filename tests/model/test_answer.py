"""What a network says by its scores."""

import numpy as np
import pytest

from capsnet_explorer.model.answer import said_by, write_score
from capsnet_explorer.model.presence import ONE_CLASS, Presence

NAMES = ("a", "b", "c")
TWO = Presence(at_most=2, threshold=0.4)
NONE = ("none", "sees none of its classes")


@pytest.mark.parametrize(
    ("scores", "name", "rule", "answer", "reads"),
    [
        ([0.1, 0.9, 0.2], "length", ONE_CLASS, "b", "reads b"),
        ([0.1, 0.5, 0.2], "length", ONE_CLASS, "b", "reads b"),
        ([0.1, 0.49, 0.2], "length", ONE_CLASS, *NONE),
        ([0.1, 0.49, 0.2], "activation", ONE_CLASS, *NONE),
        (
            [0.7, 0.2, 0.7],
            "length",
            ONE_CLASS,
            "a or c?",
            "is undecided between a and c",
        ),
        ([0.2, 0.3, 0.5], "probability", ONE_CLASS, "c", "reads c"),
        ([4, 3, 2], "probability", ONE_CLASS, "a", "reads a"),
        ([0.8, 0.1, 0.9], "length", TWO, "c and a", "reads c and a"),
        ([0.9, 0.1, 0.9], "length", TWO, "a and c", "reads a and c"),
        ([0.1, 0.1, 0.45], "length", TWO, "c", "reads c"),
        ([0.1, 0.1, 0.3], "length", TWO, *NONE),
        ([-3, -2, -9], "score", ONE_CLASS, "b", "reads b"),
        ([0, 0, 0], "length", ONE_CLASS, *NONE),
    ],
)
def test_scores_say_one_thing(scores, name, rule, answer, reads):
    statement = said_by(np.float32(scores), name, rule, {"config": {}})
    assert statement.answer(NAMES) == answer
    assert statement.reads(NAMES) == reads


@pytest.mark.parametrize(
    ("probabilities", "state"), [("softmax", "undecided"), ("sigmoid", "none")]
)
def test_only_probabilities_that_are_no_shares_of_one_can_mean_none(
    probabilities, state
):
    card = {"config": {"probabilities": probabilities}}
    scores = np.float32([0.3, 0.2, 0.1])
    assert said_by(scores, "probability", ONE_CLASS, card).state == state


def test_short_lengths_of_a_described_network_mean_nothing_that_is_known():
    scores = np.float32([0.3, 0.2, 0.1])
    assert said_by(scores, "length", ONE_CLASS, {"described": {}}).state == "one"
    assert said_by(scores, "length", ONE_CLASS, {}).state == "none"


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.9821, "0.982"),
        (0.9997, "0.9997"),
        (1, "1.000"),
        (0, "0.000"),
        (0.0001, "0.0001"),
        (2e-9, "2.0e-09"),
    ],
)
def test_nothing_and_all_are_written_only_where_they_are_exact(score, text):
    assert write_score(score) == text
