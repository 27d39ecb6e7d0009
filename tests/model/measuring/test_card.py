"""The card: the figures of the network as it is stored."""

from dataclasses import asdict

import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.measuring.card import _lineage, measure, provenance
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.weights import half_precision
from tests.tiny import square

CPU = torch.device("cpu")


@pytest.fixture
def measured(network, digits):
    return measure(ARCHITECTURE, network, digits, CPU, "test")


@pytest.fixture
def stored(network):
    stored = CapsNet(network.config).eval()
    stored.load_state_dict(half_precision(network))
    return stored


def test_figures_are_those_of_the_stored_network(measured, stored, digits):
    evaluation, card = measured
    expected = evaluate(stored, digits, CPU)
    assert torch.equal(evaluation.predictions, expected.predictions)
    assert card["test_error"] == expected.error
    assert card["test_images"] == 17
    assert card["class_errors"] == pytest.approx(expected.class_errors, abs=1e-6)
    assert card["reconstruction_mse"] == pytest.approx(
        expected.reconstruction_mse, abs=1e-6
    )


def test_legibility_is_that_of_the_stored_network(measured, stored, digits):
    meter = ARCHITECTURE.legibility_meter(stored)
    evaluate(stored, digits, CPU, [meter])
    found = measured[1]["legibility"]
    assert found == pytest.approx(asdict(meter.figures), abs=5e-5)


def test_a_network_without_voters_has_no_entry_on_them(digits):
    sizes = CnnConfig(**square(12), kernel_size=3, conv1_kernels=2, conv2_kernels=2)
    network = CNN.build(sizes).eval()
    assert "legibility" not in measure(CNN, network, digits, CPU, "test")[1]


def test_every_mistake_is_listed(measured, digits):
    evaluation, card = measured
    assert card["mistakes"]
    assert len(card["mistakes"]) == len(evaluation.mistakes)
    for mistake in card["mistakes"]:
        assert mistake["label"] == digits.labels[mistake["index"]]
        assert mistake["prediction"] == evaluation.predictions[mistake["index"]]
        assert mistake["label"] != mistake["prediction"]


def test_pose_ranges_are_a_low_and_a_high_for_each_number(measured, sizes):
    _, card = measured
    assert len(card["pose_ranges"]) == sizes.classes
    for dimensions in card["pose_ranges"]:
        assert len(dimensions) == sizes.digit_dim
        assert all(low <= high for low, high in dimensions)


def test_what_half_precision_changes_is_counted(measured, network, digits, stored):
    _, card = measured
    before = evaluate(network, digits, CPU)
    after = evaluate(stored, digits, CPU)
    changed = int((before.predictions != after.predictions).sum())
    assert card["half_precision"] == {
        "mistakes_float32": len(before.mistakes),
        "mistakes_float16": len(after.mistakes),
        "predictions_changed": changed,
    }


def test_provenance_tells_how_the_weights_were_made():
    words = provenance(
        command="python -m model train --epochs 3",
        dataset="kmnist",
        title="CapsNet on Kuzushiji-MNIST",
        source="Kuzushiji-MNIST (CODH)",
        class_names=["o", "ki"],
        preset="quick",
        computing=Computing(CPU, bfloat16=True),
        seconds=12.345,
        training_images=60000,
        training=TrainingConfig(epochs=3),
        loss=LossConfig(),
    )
    assert words["command"] == "python -m model train --epochs 3"
    assert words["training_time_s"] == 12.3
    assert words["training_images"] == 60000
    assert words["epochs"] == words["training"]["epochs"] == 3
    assert words["loss"]["reconstruction_weight"] == 0.0005
    assert words["title"] == "CapsNet on Kuzushiji-MNIST"
    assert (words["dataset"], words["class_names"]) == ("kmnist", ["o", "ki"])
    assert (words["preset"], words["training"]["batch_size"]) == ("quick", 128)
    assert (words["device"], words["bfloat16"]) == ("cpu", True)


def test_what_was_measured_on_held_out_images_is_no_test_error(network, digits):
    evaluation, card = measure(ARCHITECTURE, network, digits, CPU, "validation")
    assert card["measured_on"] == "validation"
    assert card["validation_error"] == evaluation.error
    assert card["validation_images"] == 17
    # The explorer would look its mistakes up in the test set.
    assert not {"test_error", "test_images", "mistakes"} & card.keys()


def test_a_lineage_adds_up_the_runs_before():
    own = _lineage(8, 60.0, None)
    assert own == {"runs": 1, "epochs": 8, "training_time_s": 60.0}
    second = _lineage(2, 30.5, {"lineage": own})
    assert second == {"runs": 2, "epochs": 10, "training_time_s": 90.5}
    # Cards of old tell of their own run alone.
    assert _lineage(1, 10, {"epochs": 4, "training_time_s": 5.5}) == {
        "runs": 2,
        "epochs": 5,
        "training_time_s": 15.5,
    }
