"""Outliers: measures worked by hand, areas counted pair by pair, pictures as told."""

from itertools import product

import pytest
import torch

from capsnet_explorer.model.measuring.outliers import measurement
from capsnet_explorer.model.measuring.outliers.measurement import (
    ALARMS,
    MAKERS,
    SHUFFLED,
    made_pictures,
    measure_outliers,
)
from capsnet_explorer.model.measuring.outliers.measures import (
    OF_RECONSTRUCTION,
    OF_SCORES,
    roc_area,
)
from capsnet_explorer.model.measuring.outliers.shapes import DERANGEMENTS, shuffled
from capsnet_explorer.model.measuring.report import outlier_report

CPU = torch.device("cpu")

PIXELS = torch.tensor([[[[1.0, 1.0], [0.0, 0.0]]]])
RECONSTRUCTIONS = torch.tensor([[[[0.5, 1.0], [0.5, 0.0]]]])
SCORES = torch.tensor([[0.2, 0.9, 0.6]])


# tests/static/lib/statistics.test.js has the same numbers.
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("error", 0.125),  # (0.25 + 0 + 0.25 + 0) / 4
        ("relative", 0.25),  # 0.5 / 2
        ("angle", 0.1339746),  # 1 - 1.5 / sqrt(2 * 1.5)
        ("score", 0.1),
        ("gap", 0.7),
    ],
)
def test_a_measure_is_what_it_says(name, value):
    measure = (OF_RECONSTRUCTION | OF_SCORES)[name]
    found = measure(PIXELS, RECONSTRUCTIONS, SCORES)
    assert found.shape == (1,)
    assert found.item() == pytest.approx(value)


def test_an_empty_picture_measures_a_finite_number():
    nothing = torch.zeros_like(PIXELS)
    assert OF_RECONSTRUCTION["relative"](nothing, RECONSTRUCTIONS, SCORES) == 1.5
    assert OF_RECONSTRUCTION["angle"](nothing, nothing, SCORES) == 1


def test_an_area_is_the_share_of_pairs_in_the_right_order():
    digits = torch.tensor([0.1, 0.4, 0.4, 0.9])
    others = torch.tensor([0.4, 0.5, 0.05])
    pairs = list(product(digits.tolist(), others.tolist()))
    slow = sum((o > d) + (o == d) / 2 for d, o in pairs) / len(pairs)
    assert roc_area(digits, others) == pytest.approx(slow)
    assert roc_area(digits, digits) == 0.5
    assert roc_area(digits, digits + 1) == 1


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(measurement, "MADE", 20)


def test_pictures_have_the_digits_form(few, digits):
    made = made_pictures(digits.images, seed=1)
    assert set(made.others) == {*MAKERS, SHUFFLED}
    for kind, images in made.others.items():
        count = min(20, len(digits)) if kind == SHUFFLED else 20
        assert images.shape == (count, 1, 12, 12)
        assert images.dtype == torch.uint8
        assert len(images.flatten(1).unique(dim=0)) > 10  # each its own
        assert (images.amax((1, 2, 3)) > 40).all()  # none is empty


def test_a_seed_determines_the_pictures(few, digits):
    once, again = (made_pictures(digits.images, seed=3) for _ in range(2))
    other = made_pictures(digits.images, seed=4)
    for kind, images in once.others.items():
        assert images.equal(again.others[kind])
        assert not images.equal(other.others[kind])


def test_shuffling_moves_every_quarter_and_keeps_its_pixels():
    images = torch.arange(4 * 36, dtype=torch.uint8).reshape(4, 1, 6, 6)
    moved = shuffled(images, torch.Generator().manual_seed(0))
    for before, after in zip(images[:, 0], moved[:, 0], strict=True):
        assert sorted(before.flatten().tolist()) == sorted(after.flatten().tolist())
        for rows, columns in product((slice(0, 3), slice(3, 6)), repeat=2):
            assert not before[rows, columns].equal(after[rows, columns])
            quarters = [
                before[r, c] for r, c in product((slice(0, 3), slice(3, 6)), repeat=2)
            ]
            assert any(after[rows, columns].equal(quarter) for quarter in quarters)


def test_no_order_leaves_a_quarter_in_place():
    assert len(set(DERANGEMENTS)) == 9  # as many as there are
    assert all(at != order[at] for order in DERANGEMENTS for at in range(4))


@pytest.fixture
def figures(few, network, digits):
    return measure_outliers(network, digits, digits, CPU)


def test_a_threshold_leaves_the_promised_share_of_the_digits_held_apart(
    figures, network, digits
):
    pixels = digits.images.float() / 255
    trace = network(pixels)
    for name, measure in (OF_RECONSTRUCTION | OF_SCORES).items():
        found = measure(pixels, trace.reconstruction, trace.scores)
        quantile = found.quantile(1 - ALARMS).item()
        assert figures["measures"][name]["threshold"] == pytest.approx(
            quantile, rel=1e-4
        )


def test_the_chosen_measure_raises_most_alarms_of_those_of_the_decoder(figures):
    by_choice = {
        name: found["chosen_by"]
        for name, found in figures["measures"].items()
        if name in OF_RECONSTRUCTION
    }
    assert by_choice[figures["measure"]] == max(by_choice.values())
    chosen = figures["measures"][figures["measure"]]
    assert figures["threshold"] == chosen["threshold"]


def test_what_lies_beyond_is_counted_on_the_test_set(figures):
    beyond = figures["beyond"]
    assert beyond == sorted(beyond)
    assert all(value > figures["threshold"] for value in beyond)
    alarms = figures["measures"][figures["measure"]]["test_alarms"]
    assert alarms == pytest.approx(len(beyond) / figures["test_images"], abs=1e-6)


def test_a_report_names_every_measure_and_kind(figures):
    head, _, *rows = outlier_report(figures).splitlines()
    assert all(kind in head for kind in (*MAKERS, SHUFFLED))
    assert len(rows) == len(OF_RECONSTRUCTION | OF_SCORES)
    (bold,) = [row for row in rows if "**" in row]
    assert f"**{figures['measure']}**" in bold


def test_without_a_decoder_scores_are_measured(few, digits):
    class Scoring(torch.nn.Module):
        def forward(self, images):
            scores = images.flatten(1)[:, :3].softmax(1)
            return type("Trace", (), {"scores": scores, "reconstruction": None})

    found = measure_outliers(Scoring(), digits, digits, CPU)  # pyright: ignore
    assert set(found["measures"]) == set(OF_SCORES)
    assert found["measure"] in OF_SCORES
