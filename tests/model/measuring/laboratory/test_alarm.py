"""The reconstruction error as an alarm, against networks whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from capsnet_explorer.model.__main__ import main
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory import alarm
from capsnet_explorer.model.measuring.laboratory.alarm import (
    ATTACKERS,
    COLUMNS,
    FALSE_ALARMS,
    alarm_threshold,
    measured_alarm,
    roc,
)
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.zeros import measured_zeros
from capsnet_explorer.model.weights import Trained, load_weights
from tests.model.measuring.laboratory.entries import by_way_of_the_card, last

CPU = torch.device("cpu")


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(alarm, "EPSILONS", (0.1, 0.3))
    monkeypatch.setattr(alarm, "STEPS", 2)


def test_a_roc_curve_by_hand():
    clean = torch.arange(1000.0).flip(0)
    found = torch.tensor([500.0, 899.5, 989.5, 998.5])
    # 5 in 1000 lie above 994, 10 above 989, 100 above 899, 500 above 499.
    expected = {0.005: 1 / 4, 0.01: 2 / 4, 0.1: 3 / 4, 0.5: 1}
    curve = dict(zip(FALSE_ALARMS, roc(clean, found), strict=True))
    for rate, share in expected.items():
        assert curve[rate] == share
    of_clean = roc(clean, clean)
    assert_allclose(of_clean, FALSE_ALARMS, atol=1e-6)


def test_figures_agree_with_each_image_looked_at_alone(subject, five, few):
    _, errors = subject.scores_and_errors(five.images.numpy() / 255)
    threshold = float(errors.median())
    entry = last(measured_alarm(subject, five, threshold))
    assert entry["clean"]["alarms"] == 2 / 5
    assert entry["attacks"].keys() == ATTACKERS.keys()
    (batch,) = batches(five, CPU)
    for name, attacker in ATTACKERS.items():
        found = entry["attacks"][name]
        assert found.keys() == {"values", *COLUMNS}
        assert found["values"] == [0.1, 0.3]
        for place, value in enumerate(found["values"]):
            images = attacker(subject, batch, value)
            assert np.abs(images - batch.pixels).max() <= value
            rows = []
            for image, label in zip(images, batch.labels.tolist(), strict=True):
                pixels = torch.tensor(image[None], dtype=torch.float32)
                trace = subject.network(pixels)
                error = float(((pixels - trace.reconstruction) ** 2).mean())
                is_right, is_alarm = trace.scores.argmax() == label, error > threshold
                rows.append((is_right, is_alarm, not (is_right or is_alarm), error))
            means = np.array(rows, float).mean(axis=0)
            told = [found[each][place] for each in ("accuracy", "alarms", "unseen")]
            assert told == pytest.approx(means[:3])
            assert found["error"][place] == pytest.approx(means[3], abs=1e-5)


def test_who_avoids_the_alarm_raises_a_smaller_error(subject, five, few, monkeypatch):
    aware = alarm._attacker(alarm.Attack("pgd", 2), 1000.0)
    monkeypatch.setitem(ATTACKERS, "aware", aware)
    attacks = last(measured_alarm(subject, five, 0.1))["attacks"]
    errors = (attacks[name]["error"] for name in ("pgd", "aware"))
    assert all(aware < careless for careless, aware in zip(*errors, strict=True))


def test_an_interrupted_measurement_goes_on(subject, five, few):
    entries = by_way_of_the_card(measured_alarm(subject, five, 0.1))
    assert len(entries) == len(ATTACKERS) * 2
    rest = list(measured_alarm(subject, five, 0.1, entries[2]))
    assert len(rest) == len(entries) - 3
    assert rest[-1] == entries[-1]
    assert not list(measured_alarm(subject, five, 0.1, entries[-1]))
    # With another threshold it begins anew.
    assert len(list(measured_alarm(subject, five, 0.2, entries[-1]))) == len(entries)


def test_a_threshold_is_needed(network):
    with pytest.raises(ValueError, match="measure `outliers` first"):
        alarm_threshold(Trained(ARCHITECTURE, network, {}))
    cnn = CNN.build(CNN.settings.sizes())
    with pytest.raises(ValueError, match=r"must reconstruct .*got a CNN"):
        alarm_threshold(Trained(CNN, cnn, {}))


def test_batches_hold_every_image_once():
    digits = LabelledImages(
        torch.arange(120, dtype=torch.uint8)[:, None, None, None], torch.arange(120)
    )
    found = list(batches(digits, CPU))
    assert [batch.first for batch in found] == [0, 50, 100]
    assert torch.equal(torch.cat([batch.labels for batch in found]), digits.labels)
    pixels = np.concatenate([batch.pixels for batch in found])
    assert_allclose(pixels[:, 0, 0, 0], np.arange(120) / 255, atol=1e-7)


def test_images_beyond_their_margin_have_no_gradient(subject, five):
    """Where every length is beyond the margin, the trained loss is 0 all around."""
    loss = ARCHITECTURE.settings.loss(
        present_margin=1e-6, absent_margin=0.0, absent_weight=0.0
    )
    found = measured_zeros(replace(subject, loss=loss), five)
    assert found["trained"] == {"images": 1.0, "pixels": 1.0}
    assert found["gap"]["images"] == 0
    assert found["images"] == 5
    assert measured_zeros(subject, five)["trained"]["images"] == 0


def test_the_command_writes_both_into_the_card(capsys, stored, mnist_folder, few):
    path = stored(outliers={"measures": {"error": {"threshold": 0.2}}})
    options = ("--data", str(mnist_folder), "--images", "4")
    assert main(["measure", str(path), "--only", "alarm,zero_gradients", *options]) == 0
    found = load_weights(path).card["measurements"]
    assert found.keys() == {"alarm", "zero_gradients"}
    assert found["alarm"]["threshold"] == 0.2
    assert found["zero_gradients"]["images"] == 4
    printed = capsys.readouterr().out
    assert "alarm above a reconstruction error of 0.2, 4 images" in printed
    assert "aware" in printed
