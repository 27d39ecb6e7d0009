"""Figures that are wrong, and parts that do not add up, are found."""

import numpy as np
import pytest

from tests.words.figures import (
    full_lengths,
    more_than_all,
    torn_parts,
    written_unlike,
    wrong_scores,
)
from tests.words.reading import Page, Visit


def page_that_says(*texts: str) -> Page:
    visit = Visit("a network", "an image", np.zeros((1, 1, 1)))
    return Page(visit, {"a view": [*texts]}, {}, {}, [0.25, 0.75], "")


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        (full_lengths, ["the longest, 4: length 1.00"]),
        (full_lengths, ["‖s‖ 20.5 → ‖u‖ 1.000"]),
        (more_than_all, ["3 capsules give 103\u202f% of all that lengthens 4."]),
        (
            torn_parts,
            ["This plane holds 81\u202f% of all (77\u202f% across, 3\u202f% up)"],
        ),
        (
            written_unlike,
            ["Largest c to 4: 0.160", "the largest coupling is c = 0.16 as before"],
        ),
        (written_unlike, ["type 3 gives 0.41 to 9, 0.02 to 1", "type 3 → 9: 0.410"]),
        (
            written_unlike,
            ["the longest, 4, has 0.726", "4, length 0.7256"],
        ),
        (
            torn_parts,
            ["they add up to 100\u202f%", "type 060.1\u202f%", "type 140.0\u202f%"],
        ),
    ],
)
def test_what_breaks_a_rule_is_found(rule, texts):
    assert list(rule(page_that_says(*texts)))


def test_scores_that_are_wrong_are_found():
    model = {"class_names": ["4", "9"]}
    assert not list(wrong_scores(page_that_says("Then 9 with 0.750."), model))
    assert list(wrong_scores(page_that_says("Then 9 with 0.250."), model))
