"""Checkpoints: everything that decides the next step, and the settings it fits."""

from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.training.checkpoint import (
    CheckpointError,
    Progress,
    load_checkpoint,
    save_checkpoint,
)

SETTINGS = {"seed": 3, "schedule": "cosine", "decoder_hidden": (8, 8)}


def make(sizes):
    network = CapsNet(sizes)
    return network, torch.optim.Adam(network.parameters(), fused=True)


def step(network, optimizer):
    generator = torch.Generator().manual_seed(0)
    trace = network(torch.rand(2, 1, 12, 12, generator=generator))
    optimizer.zero_grad()
    (trace.lengths.sum() + trace.reconstruction.sum()).backward()
    optimizer.step()


@pytest.fixture
def save(tmp_path):
    """Save a checkpoint; return its path."""

    def save(network, optimizer):
        path = tmp_path / "checkpoint.safetensors"
        progress = Progress(1, 2, 3.5)
        save_checkpoint(path, {"network": network}, optimizer, progress, SETTINGS)
        return path

    return save


@pytest.fixture
def saved(save, sizes):
    """A checkpoint after a step."""
    network, optimizer = make(sizes)
    step(network, optimizer)
    return save(network, optimizer)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 4}, "was made with seed 3, not 4"),
        ({"schedule": "exponential"}, "made with schedule cosine, not exponential"),
        ({"decoder_hidden": (8, 9)}, r"decoder_hidden \[8, 8\], not \[8, 9\]"),
        ({"shift": 2}, "made with shift None, not 2"),
        (
            {"epochs": 3},
            "not 3. A run goes on .* another run with --start",
        ),
    ],
)
def test_other_settings_are_refused_by_name(saved, sizes, changes, message):
    network, optimizer = make(sizes)
    before = network.conv1.weight.clone()
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(saved, {"network": network}, optimizer, SETTINGS | changes, {})
    assert torch.equal(network.conv1.weight, before)
    assert not optimizer.state


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.unlink(), "there is no checkpoint"),
        (
            lambda path: path.write_bytes(path.read_bytes()[:-1]),
            "cannot read the checkpoint",
        ),
        (
            lambda path: save_file({"conv1.bias": torch.zeros(4)}, path),
            "is not the checkpoint of a training",
        ),
    ],
    ids=["missing", "truncated", "another file"],
)
def test_a_file_that_is_no_checkpoint_is_refused(saved, sizes, spoil, message):
    spoil(saved)
    network, optimizer = make(sizes)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(saved, {"network": network}, optimizer, SETTINGS, {})


def test_the_optimizers_memory_keeps_the_order_of_its_parameter(save, sizes):
    """A fused step would otherwise pair numbers of different places."""

    def channels_last():
        network, optimizer = make(sizes)
        moved: Any = network
        return moved.to(memory_format=torch.channels_last), optimizer

    network, optimizer = channels_last()
    step(network, optimizer)
    resumed, adam = channels_last()
    load_checkpoint(save(network, optimizer), {"network": resumed}, adam, SETTINGS, {})
    weight = resumed.primary.convolution.weight
    assert adam.state[weight]["exp_avg"].stride() == weight.stride()


@pytest.mark.parametrize(
    "metadata",
    [
        {"settings": "[" * 50_000, "progress": "{}"},
        {"settings": "[]", "progress": "{}"},
        {"settings": "null", "progress": "{}"},
        {"settings": "{", "progress": "{}"},
        {"settings": "{}", "progress": "[]"},
        {"settings": "{}", "progress": '{"epoch": "soon"}'},
        {"settings": "{}", "progress": '{"epoch": {}}'},
        {"settings": "{}"},
    ],
)
def test_metadata_of_a_wrong_shape_is_refused(saved, sizes, metadata):
    save_file({"network.x": torch.zeros(1)}, saved, metadata)
    network, optimizer = make(sizes)
    with pytest.raises(CheckpointError, match="is not the checkpoint of a training"):
        load_checkpoint(saved, {"network": network}, optimizer, SETTINGS, {})


@pytest.mark.parametrize(
    "name", ["network.conv1.weight", "optimizer.x.exp_avg", "optimizer"]
)
def test_other_tensors_are_refused(saved, sizes, name):
    with safe_open(saved, "pt") as file:
        metadata = file.metadata()
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    tensors[name] = torch.zeros(3)
    if name == "optimizer":
        del tensors["network.conv1.weight"]
    save_file(tensors, saved, metadata)
    network, optimizer = make(sizes)
    with pytest.raises(CheckpointError, match="is damaged"):
        load_checkpoint(saved, {"network": network}, optimizer, SETTINGS, {})
