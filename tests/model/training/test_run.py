"""One run from data to weights and card, and what stops it."""

import csv
import json
import signal
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.data.files import DataError
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.weights import load_weights, save_weights
from tests.model.training.conftest import RECIPE
from tests.tiny import CHOSEN, SIZES


def stop_at(monkeypatch, step, number):
    """Send this process a signal in the middle of a step."""
    whole_step = training_run.Trainer.step

    def interrupted(self, batch, rate):
        if self.steps_done + 1 == step:
            signal.raise_signal(number)
        return whole_step(self, batch, rate)

    monkeypatch.setattr(training_run.Trainer, "step", interrupted)


def wrong_answers(network, digits):
    with torch.no_grad():
        lengths = network(to_network(digits.images)).lengths
    return int((lengths.argmax(dim=1) != digits.labels).sum())


def test_a_run_ends_with_weights_card_log_and_report(run, digits, capsys):
    weights = run()
    trained = load_weights(weights)
    network, card = trained.network, trained.card
    wrong = wrong_answers(network, digits)
    assert card["test_error"] == wrong / 17
    assert card["command"] == "python -m capsnet_explorer train"
    assert card["training_images"] == 17
    assert (card["preset"], card["training"]["batch_size"]) == ("quick", 5)
    with (weights.parent / "log.csv").open(newline="") as file:
        assert [row["step"] for row in csv.DictReader(file)] == ["4", "8"]
    printed = capsys.readouterr().out
    assert f"({wrong} of 17 images)" in printed
    assert f"Wrote {weights} and {weights.with_suffix('.json')}" in printed
    # In a run's folder only the weights look like a network.
    assert list(weights.parent.glob("*.safetensors")) == [weights]


def test_classes_and_image_size_are_those_of_the_data_and_other_sizes_as_asked(
    run, idx_folder
):
    (idx_folder / "classes.txt").write_text("dark\nupper\nlower\n")
    loss = {"reconstruction_weight": 0.001}
    trained = load_weights(run(sizes={**CHOSEN, "digit_dim": 7}, loss=loss))
    config, card = trained.network.config, trained.card
    assert (config.classes, config.image_shape) == (3, (1, 12, 12))
    assert card["class_names"] == ["dark", "upper", "lower"]
    assert (card["title"], card["dataset"]) == ("CapsNet on halves", "idx")
    assert config.digit_dim == 7
    assert card["loss"]["reconstruction_weight"] == 0.001


def test_a_run_that_holds_images_out_never_reads_the_test_set(
    run, digits, idx_folder, capsys
):
    for path in idx_folder.glob("t10k-*"):
        path.write_bytes(b"not to be read")
    trained = load_weights(run(training=replace(RECIPE, validation=7)))
    network, card = trained.network, trained.card
    assert card["measured_on"] == "validation"
    assert card["validation_error"] == wrong_answers(network, digits.split(7)[1]) / 7
    assert card["training_images"] == 10
    assert "test_error" not in card
    assert "validation error" in capsys.readouterr().out


def test_the_run_folder_records_what_was_asked_for_and_where(run):
    folder = run().parent
    record = json.loads((folder / "run.json").read_text())
    assert (record["preset"], record["dataset"]) == ("quick", "idx")
    assert record["training"]["batch_size"] == 5
    assert record["sizes"]["classes"] == 3
    assert record["loss"]["absent_weight"] == 0.5
    (sitting,) = record["sittings"]
    assert sitting["command"] == "python -m capsnet_explorer train"
    assert sitting["device"] == "cpu"
    assert sitting["torch"] == torch.__version__
    assert sitting["numpy"] == np.__version__
    run(resume=True)
    assert len(json.loads((folder / "run.json").read_text())["sittings"]) == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_told_to_stop_finishes_its_step_and_resumes_bit_for_bit(
    run, monkeypatch, tmp_path, number
):
    uninterrupted = run(run=tmp_path / "whole").read_bytes()
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with monkeypatch.context() as patch:
        stop_at(patch, 3, number)
        with pytest.raises(KeyboardInterrupt):
            run()
    assert handlers == [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    assert run(resume=True).read_bytes() == uninterrupted


def test_a_finished_run_that_is_resumed_only_measures_under_its_first_command(run):
    before = run().read_bytes()
    weights = run(resume=True, command="python -m capsnet_explorer train --resume")
    assert weights.read_bytes() == before
    assert load_weights(weights).card["command"] == "python -m capsnet_explorer train"


def test_a_run_that_exists_is_not_overwritten(run, tmp_path):
    before = run().read_bytes()
    with pytest.raises(ValueError, match="already holds a run; add --resume"):
        run()
    assert (tmp_path / "run" / "capsnet-idx.safetensors").read_bytes() == before


def test_a_second_signal_stops_at_once(run, monkeypatch):
    def stop_twice(self, batch, rate):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the step went on")

    monkeypatch.setattr(training_run.Trainer, "step", stop_twice)
    with pytest.raises(KeyboardInterrupt):
        run()


@pytest.mark.parametrize("name", ["mine.json", "mine", "mine.pt"])
def test_a_weight_file_whose_card_would_take_its_place_is_refused(run, tmp_path, name):
    with pytest.raises(ValueError, match=r"must end in \.safetensors, got .*mine"):
        run(output=tmp_path / name)
    assert not (tmp_path / "run").exists()


def test_a_place_that_cannot_be_written_is_refused_before_training(
    run, monkeypatch, tmp_path
):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(training_run.Trainer, "run", pytest.fail)
    with pytest.raises(OSError, match="file"):
        run(output=tmp_path / "file" / "mine.safetensors")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"t10k-images-idx3": np.zeros((4, 10, 12)), "t10k-labels-idx1": [0] * 4},
            "must match the training images",
        ),
        ({"t10k-labels-idx1": range(17)}, r"with 3 classes, got .* with 17"),
        ({"train-labels-idx1": [2] * 17}, "two classes or more, got 2 alone"),
    ],
)
def test_data_that_do_not_fit_are_refused(run, idx_folder, write, files, message):
    for name, content in files.items():
        write(idx_folder / f"{name}-ubyte", np.asarray(content))
    with pytest.raises(DataError, match=message):
        run()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"threads": -1}, "threads must not be negative, got -1"),
        ({"training": replace(RECIPE, flags=0.1)}, "it needs mnist, got idx"),
        (
            {"training": replace(RECIPE, start_share=0.5)},
            "--start-share needs initial weights",
        ),
    ],
)
def test_settings_that_cannot_work_are_refused(run, changes, message):
    with pytest.raises(ValueError, match=message):
        run(**changes)


def test_a_run_can_begin_with_another_networks_weights(run, tmp_path):
    first = run()
    known = load_weights(first).card
    still = replace(RECIPE, learning_rate=1e-12)
    second = run(run=tmp_path / "on", start=first, training=still)
    old, new = (load_weights(path).network.state_dict() for path in (first, second))
    for name, value in old.items():
        torch.testing.assert_close(new[name], value)
    card = load_weights(second).card
    assert card["start"]["sha256"] == known["sha256"]
    assert card["start"]["training"] == known["training"]


def test_a_start_of_other_sizes_is_refused_by_one_of_which_the_data_say_nothing(
    run, tmp_path
):
    sizes = {**CHOSEN, "digit_dim": 7}
    start = tmp_path / "start.safetensors"
    for config in (SIZES, replace(SIZES, image_rows=20)):
        save_weights(start, ARCHITECTURE, ARCHITECTURE.build(config), {})
        with pytest.raises(ValueError, match="a network with digit_dim 7, got 5"):
            run(run=tmp_path / "on", start=start, sizes=sizes)


def test_a_share_of_the_start_is_kept_in_the_end(run, tmp_path):
    first = run()
    paths = [first]
    for share in (0.0, 0.25):
        recipe = replace(RECIPE, start_share=share)
        paths.append(run(run=tmp_path / f"{share}", start=first, training=recipe))
    begun, learned, kept = (load_weights(path).network.state_dict() for path in paths)
    for name, value in begun.items():
        expected = 0.75 * learned[name] + 0.25 * value
        torch.testing.assert_close(kept[name], expected, atol=1e-3, rtol=1e-2)
    assert not torch.allclose(kept["digits.transforms"], learned["digits.transforms"])


def test_other_classes_begin_with_the_lower_layers_of_a_trained_network(
    run, tmp_path, idx_folder, digits, write, capsys
):
    first = run(run=tmp_path / "first")
    for part in ("train", "t10k"):
        labels = digits.labels.numpy() + 1  # class 0 is new, and none is like it
        write(idx_folder / f"{part}-labels-idx1-ubyte", labels)
    still = replace(RECIPE, epochs=1, learning_rate=1e-9)
    second: Any = load_weights(
        run(run=tmp_path / "on", start=tmp_path / "first", training=still)
    )
    words = capsys.readouterr().out
    assert "for other data, these begin at random: digits.transforms" in words
    known: Any = load_weights(first).network
    assert second.network.config.classes == known.config.classes + 1
    torch.testing.assert_close(
        second.network.conv1.weight, known.conv1.weight, atol=1e-3, rtol=0.01
    )
    assert second.card["start"]["taken"] == ["Conv1", "PrimaryCaps"]
    assert second.card["start"]["anew"] == ["DigitCaps", "Reconstruction"]
