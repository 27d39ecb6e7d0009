"""Curves over test images, against a network whose answers are known."""

from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
import torch

from capsnet_explorer.cli import main
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory import batches, measurement
from capsnet_explorer.model.measuring.laboratory.experiments import EXPERIMENTS, Subject
from capsnet_explorer.model.measuring.laboratory.measurement import (
    choose_images,
    measure_experiment,
    passing_score,
)
from capsnet_explorer.model.weights import card_path, load_weights
from tests.tiny import square


def reads_the_ink(images):
    """Score class 1 by the mean of the pixels, class 0 by 0.5."""
    return against(0.5, images)


def against(other, pixels):
    """Score class 1 by the mean of the pixels that are seen, class 0 by a number."""
    ink = pixels.mean((1, 2, 3))
    scores = torch.stack([torch.full_like(ink, other), ink], dim=1)
    return SimpleNamespace(scores=scores)


def last(entries):
    """Return the whole measurement."""
    return [*entries][-1]


SUBJECT = Subject(ARCHITECTURE, reads_the_ink, torch.device("cpu"))
GREYS = (51, 102, 153, 204)  # 0.2, 0.4, 0.6, 0.8


@pytest.fixture
def greys():
    images = torch.tensor(GREYS, dtype=torch.uint8)[:, None, None, None].expand(
        4, 1, 6, 6
    )
    return LabelledImages(images, torch.tensor([0, 1, 1, 1]))


def at(entry, value):
    index = entry["values"].index(value)
    return [entry[name][index] for name in ("accuracy", "true_score", "winner_score")]


@pytest.mark.parametrize("batch", [1, 3, 50])
def test_a_curve_by_hand(greys, monkeypatch, batch):
    monkeypatch.setattr(batches, "ON_CPU", batch)
    entry = last(measure_experiment("ground", SUBJECT, greys))
    assert entry["values"] == list(EXPERIMENTS["ground"].values)
    assert at(entry, 0.0) == pytest.approx(
        [3 / 4, (0.5 + 0.4 + 0.6 + 0.8) / 4, (0.5 + 0.5 + 0.6 + 0.8) / 4]
    )
    assert at(entry, 0.4) == pytest.approx(
        [3 / 4, (0.5 + 0.8 + 1 + 1) / 4, (0.6 + 0.8 + 1 + 1) / 4], abs=1e-5
    )
    assert entry["images"] == 4
    assert entry["date"] == date.today().isoformat()
    assert entry["knob"]


def test_winners_are_held_against_those_of_clean_images(greys, monkeypatch):
    darker = replace(EXPERIMENTS["ground"], values=(0.0, -0.1), clean=0.0)
    monkeypatch.setitem(EXPERIMENTS, "ground", darker)
    subject = replace(SUBJECT, network=lambda images: against(0, images))
    entry = last(measure_experiment("ground", subject, greys))
    assert entry["passing_share"] == 0.95
    assert entry["passing_score"] == pytest.approx(0.2)  # four images: all must pass
    assert entry["passing"] == [1, 3 / 4]  # of 0.1, 0.3, 0.5, 0.7
    # Pairs of a clean and a changed image in which the clean one has more.
    assert entry["roc_area"] == [0.5, (1 + 2 + 3 + 4) / 16]


def test_alarms_are_counted_and_what_goes_unseen(greys, monkeypatch):
    """A decoder that draws nothing: errors are the squares of 0.2, 0.4, 0.6 and 0.8."""

    def draws_nothing(images):
        trace = reads_the_ink(images)
        trace.reconstruction = torch.zeros_like(images)
        return trace

    still = replace(EXPERIMENTS["noise"], values=(0.0,))
    monkeypatch.setitem(EXPERIMENTS, "noise", still)
    subject = replace(SUBJECT, network=draws_nothing, alarm=0.3)
    entry = last(measure_experiment("noise", subject, greys))
    assert entry["alarm_above"] == 0.3
    assert entry["alarms"] == [2 / 4]
    assert entry["accuracy"] == [3 / 4]  # the 0.4 is misread, and raises none
    assert entry["unseen"] == [1 / 4]
    assert "alarms" not in last(measure_experiment("ground", subject, greys))


def test_one_clean_digit_in_twenty_may_fail():
    winners = torch.arange(40).flip(0)
    assert passing_score(winners) == 2
    assert (winners >= passing_score(winners)).double().mean() == 0.95
    assert passing_score(winners[:39]) == 2  # 0 is left out; 38 of 39 pass


@pytest.mark.parametrize("name", ["scale", "tiles"])
def test_an_interrupted_measurement_goes_on(greys, name, monkeypatch):
    entries = [*measure_experiment(name, SUBJECT, greys)]
    whole, usual = entries[-1], measurement._answers
    for count, entry in enumerate(entries, start=1):
        assert entry["values"] == whole["values"][:count]
        answers = Mock(wraps=usual)
        monkeypatch.setattr(measurement, "_answers", answers)
        rest = list(measure_experiment(name, SUBJECT, greys, entry))
        assert len(rest) == len(entries) - count
        # Tiles are held against clean images, which are read again.
        assert answers.call_count == len(rest) + (name == "tiles" and bool(rest))
        assert (rest or [entry])[-1] == whole


@pytest.mark.parametrize("changed", [{"images": 3}, {"seed": 1}, {"knob": "other"}])
def test_other_settings_begin_anew(greys, changed):
    whole = last(measure_experiment("tiles", SUBJECT, greys))
    assert len(list(measure_experiment("tiles", SUBJECT, greys, whole | changed))) == 4


def test_the_images_are_chosen_alike_for_every_network():
    greys = LabelledImages(torch.arange(500)[:, None, None, None], torch.arange(500))
    some = choose_images(greys, 100)
    assert len(some) == 100
    assert torch.equal(some.labels, choose_images(greys, 100).labels)
    assert len(some.labels.unique()) == 100
    assert torch.equal(some.images[:, 0, 0, 0], some.labels)
    assert np.corrcoef(some.labels, np.arange(100))[0, 1] > 0.98  # in order, spread
    assert choose_images(greys, 500) is greys


def measure(path, folder, *options):
    return main(["measure", str(path), "--data", str(folder), *options])


def test_the_command_fills_the_card_and_goes_on(
    capsys, stored, mnist_folder, monkeypatch
):
    path = stored(title="Tiny")
    options = ("--only", "tiles,fgsm", "noise", "--images", "9")
    assert measure(path, mnist_folder, *options) == 0
    card = load_weights(path).card
    assert card.keys() >= {"title", "measurements"}
    assert "forward" not in card
    entries = card["measurements"]
    assert entries.keys() == {"tiles", "noise", "fgsm"}
    for entry in entries.values():
        assert entry["images"] == 9
        for name in ("accuracy", "true_score", "winner_score"):
            assert len(entry[name]) == len(entry["values"])
            assert all(0 <= value <= 1 for value in entry[name])
    assert entries["fgsm"]["losses"] == ["gap", "entropy", "scores"]
    assert entries["noise"]["accuracy"][0] == entries["fgsm"]["accuracy"][0]
    assert "tiles, 9 images: 1: " in capsys.readouterr().out
    before = card_path(path).read_text(encoding="utf-8")
    monkeypatch.setattr(measurement, "_point", None)  # nothing is left to measure
    assert measure(path, mnist_folder, *options) == 0
    assert card_path(path).read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        (["--only", "turning"], "got 'turning'"),
        (["--only", "tiles,nothing"], "got 'nothing'"),
        (["--images", "0"], "at least 1, got '0'"),
        (["--images", "many"], "at least 1, got 'many'"),
    ],
)
def test_wrong_options_are_explained(options, needed, capsys, tmp_path):
    assert measure(tmp_path, tmp_path, *options) == 2
    assert needed in capsys.readouterr().err


def test_images_of_another_size_are_refused(capsys, stored, sizes, mnist_folder):
    path = stored(of=ARCHITECTURE.build(replace(sizes, **square(14))))
    assert measure(path, mnist_folder, "--only", "tiles") == 2
    assert "images must be (batch, 1, 14, 14)" in capsys.readouterr().err
