"""Runs that make a mistake on purpose."""

import pytest

from capsnet_explorer.dataset_files.idx import write_images
from capsnet_explorer.model.training.loop import TrainingError
from capsnet_explorer.model.weights import load_weights
from tests.tiny import CHOSEN


def test_a_run_fed_with_bytes_learns_the_weights_of_the_run_without(run, tmp_path):
    weights = [
        run(run=tmp_path / mistake, sizes=CHOSEN | {"mistake": mistake})
        for mistake in ("none", "bytes")
    ]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    networks = [load_weights(path).network for path in weights]
    assert type(networks[0]) is not type(networks[1])


def test_a_run_without_epsilon_fails_at_its_first_step(
    run, idx_folder, digits, tmp_path
):
    ground_is_black = digits.images.where(digits.images > 60, 0)
    write_images(idx_folder / "train-images-idx3-ubyte", ground_is_black.numpy())
    run(run=tmp_path / "right")
    with pytest.raises(TrainingError, match="no numbers, after step 1"):
        run(sizes=CHOSEN | {"mistake": "root"}, watched=0)
    assert (tmp_path / "run" / "watched" / "0.safetensors").exists()


@pytest.mark.parametrize("group", ["sizes", "loss"])
def test_an_unknown_mistake_is_refused(run, group):
    with pytest.raises(ValueError, match="mistake must be one of none, axis"):
        run(**{"sizes": CHOSEN, group: {"mistake": "spelling"}})
