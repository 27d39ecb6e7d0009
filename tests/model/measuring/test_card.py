"""The card: the figures of the network as it is stored."""

from dataclasses import asdict

import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.measuring.card import _lineage, measure, provenance
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.weights import half_precision
from tests.tiny import CNN_SIZES

CPU = torch.device("cpu")


@pytest.fixture
def measured(network, digits):
    return measure(ARCHITECTURE, network, digits, CPU, "test")


def test_figures_are_those_of_the_stored_network(measured, network, digits):
    stored = CapsNet(network.config).eval()
    stored.load_state_dict(half_precision(network))
    evaluation, card = measured
    meter = ARCHITECTURE.legibility_meter(stored)
    expected = evaluate(stored, digits, CPU, [meter])
    assert torch.equal(evaluation.predictions, expected.predictions)
    assert card["test_error"] == expected.error
    assert card["test_images"] == 17
    for name in ("class_errors", "reconstruction_mse"):
        assert card[name] == pytest.approx(getattr(expected, name), abs=1e-6)
    assert card["legibility"] == pytest.approx(asdict(meter.figures), abs=5e-5)
    assert [tuple(mistake.values()) for mistake in card["mistakes"]] == [
        (index, int(digits.labels[index]), int(expected.predictions[index]))
        for index in expected.mistakes.tolist()
    ]
    before = evaluate(network, digits, CPU)
    assert card["half_precision"] == {
        "mistakes_float32": len(before.mistakes),
        "mistakes_float16": len(expected.mistakes),
        "predictions_changed": int((before.predictions != expected.predictions).sum()),
    }


def test_a_network_without_voters_has_no_entry_on_them(digits):
    network = CNN.build(CNN_SIZES).eval()
    assert "legibility" not in measure(CNN, network, digits, CPU, "test")[1]


def test_provenance_tells_how_the_weights_were_made():
    known = {"command": "python -m capsnet_explorer train", "class_names": ["o", "ki"]}
    entries = provenance(
        **known,
        computing=Computing(CPU, bfloat16=True),
        seconds=12.345,
        training=TrainingConfig(epochs=3),
        loss=LossConfig(),
    )
    assert {name: entries[name] for name in known} == known
    assert entries["training_time_s"] == 12.3
    assert entries["epochs"] == entries["training"]["epochs"] == 3
    assert entries["loss"]["reconstruction_weight"] == 0.0005
    assert (entries["device"], entries["bfloat16"]) == ("cpu", True)


def test_what_was_measured_on_held_out_images_is_no_test_error(network, digits):
    evaluation, card = measure(ARCHITECTURE, network, digits, CPU, "validation")
    assert card["measured_on"] == "validation"
    assert card["validation_error"] == evaluation.error
    assert card["validation_images"] == 17
    # The explorer would look its mistakes up in the test set.
    assert not {"test_error", "test_images", "mistakes"} & card.keys()


def test_a_lineage_adds_up_the_runs_before():
    first = _lineage(8, 60.0, None)
    assert first == {"runs": 1, "epochs": 8, "training_time_s": 60.0}
    second = _lineage(2, 30.5, {"lineage": first})
    assert second == {"runs": 2, "epochs": 10, "training_time_s": 90.5}
