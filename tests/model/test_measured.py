"""The measured file: it belongs to one weight file and survives nothing else."""

import torch

from capsnet_explorer.model.measured import (
    add_measured,
    load_measured,
    measured_path,
    version_of,
)

MEAN = {"poses.mean": torch.arange(4.0)}


def test_parts_measured_on_the_same_weights_come_back(tmp_path):
    weights = tmp_path / "net.safetensors"
    assert add_measured(weights, "abc", MEAN) == measured_path(weights)
    assert list(tmp_path.glob("*.safetensors")) == []  # it is not taken for weights
    add_measured(weights, "abc", {"types.mean": torch.ones(2)})
    tensors = load_measured(weights, "abc")
    assert tensors.keys() == {"poses.mean", "types.mean"}
    assert torch.equal(tensors["poses.mean"], MEAN["poses.mean"])


def test_what_was_measured_on_other_weights_is_gone(tmp_path):
    weights = tmp_path / "net.safetensors"
    add_measured(weights, "abc", MEAN)
    assert load_measured(weights, "def") == {}
    add_measured(weights, "def", {"types.mean": torch.ones(2)})
    assert set(load_measured(weights, "def")) == {"types.mean"}


def test_a_missing_or_damaged_file_holds_nothing(tmp_path):
    weights = tmp_path / "net.safetensors"
    assert load_measured(weights, "abc") == {}
    path = measured_path(weights)
    path.parent.mkdir()
    path.write_bytes(b"no tensors")
    assert load_measured(weights, "abc") == {}


def test_the_version_follows_the_content():
    assert version_of({}) == ""
    assert version_of(MEAN) == version_of({"poses.mean": torch.arange(4.0)})
    assert version_of(MEAN) != version_of({"poses.mean": torch.ones(4)})
