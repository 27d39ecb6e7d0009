"""Figures are those of the network, and parts add up to what they are parts of."""

from dataclasses import replace

import pytest

from tests.words.figures import count_scores, full_lengths, torn_parts, wrong_scores


def test_no_length_is_said_to_be_whole(pages):
    found = [
        f"{page.visit.name}: {each}" for page in pages for each in full_lengths(page)
    ]
    assert not found, "\n".join(found)


def test_parts_add_up(pages):
    found = [
        f"{page.visit.name}: {each}" for page in pages for each in torn_parts(page)
    ]
    assert not found, "\n".join(found)


def test_scores_are_the_networks_own(pages, models):
    model = models[pages[0].visit.model]
    found = [
        f"{page.visit.name}: {each}"
        for page in pages
        for each in wrong_scores(page, model)
    ]
    assert not found, "\n".join(found)
    if model["scores"] != "probability":
        assert sum(count_scores(page, model) for page in pages) > 5


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (full_lengths, "the longest, 4: length 1.00"),
        (full_lengths, "‖s‖ 20.5 → ‖u‖ 1.000"),
        (
            torn_parts,
            "This plane holds 81\u202f% of all (77\u202f% across, 3\u202f% up)",
        ),
    ],
)
def test_what_breaks_a_rule_is_found(pages, rule, text):
    [page, *_] = pages
    assert list(rule(replace(page, said={"a view": [text]})))


def test_scores_and_shares_that_are_wrong_are_found(pages, models):
    [page, *_] = pages
    model = models[page.visit.model]
    name, score = model["class_names"][1], page.scores[1]
    told = [f"Then {name} with {(score + 0.5) % 1:.3f}."]
    assert list(wrong_scores(replace(page, said={"a view": told}), model))
    shares = ["they add up to 100\u202f%", "type 060.1\u202f%", "type 140.0\u202f%"]
    assert list(torn_parts(replace(page, said={"a view": shares})))
