"""Checkpoints: everything that decides the next step, and the settings it fits."""

import pytest
import torch
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


def under_its_name(sizes):
    network, optimizer = make(sizes)
    return {"network": network}, optimizer


def step(network, optimizer):
    generator = torch.Generator().manual_seed(0)
    trace = network(torch.rand(2, 1, 12, 12, generator=generator))
    optimizer.zero_grad()
    (trace.lengths.sum() + trace.reconstruction.sum()).backward()
    optimizer.step()


@pytest.fixture
def saved(tmp_path, sizes):
    """A checkpoint after two steps, and what made it."""
    network, optimizer = make(sizes)
    step(network, optimizer)
    step(network, optimizer)
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(
        path, {"network": network}, optimizer, Progress(1, 2, 3.5), SETTINGS
    )
    return path, network, optimizer


def test_the_step_after_resuming_is_the_step_not_interrupted(saved, sizes):
    path, network, optimizer = saved
    resumed, resumed_optimizer = make(sizes)
    load_checkpoint(path, {"network": resumed}, resumed_optimizer, SETTINGS)
    for _ in range(2):
        step(network, optimizer)
        step(resumed, resumed_optimizer)
    for one, other in zip(network.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)


def test_progress_comes_back(saved, sizes):
    assert load_checkpoint(saved[0], *under_its_name(sizes), SETTINGS) == Progress(
        1, 2, 3.5
    )


def test_a_checkpoint_before_the_first_step_can_be_resumed(tmp_path, sizes):
    path = tmp_path / "checkpoint.safetensors"
    network, optimizer = make(sizes)
    save_checkpoint(path, {"network": network}, optimizer, Progress(), SETTINGS)
    resumed, resumed_optimizer = make(sizes)
    load_checkpoint(path, {"network": resumed}, resumed_optimizer, SETTINGS)
    step(network, optimizer)
    step(resumed, resumed_optimizer)
    assert torch.equal(network.conv1.weight, resumed.conv1.weight)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 4}, "was made with seed 3, not 4"),
        ({"schedule": "exponential"}, "made with schedule cosine, not exponential"),
        ({"decoder_hidden": (8, 9)}, r"decoder_hidden \[8, 8\], not \[8, 9\]"),
        ({"shift": 2}, "made with shift None, not 2"),
    ],
)
def test_other_settings_are_refused_by_name(saved, sizes, changes, message):
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(saved[0], *under_its_name(sizes), SETTINGS | changes)


def test_a_refused_checkpoint_leaves_the_network_alone(saved, sizes):
    network, optimizer = make(sizes)
    before = network.conv1.weight.clone()
    with pytest.raises(CheckpointError):
        load_checkpoint(
            saved[0], {"network": network}, optimizer, SETTINGS | {"seed": 4}
        )
    assert torch.equal(network.conv1.weight, before)
    assert not optimizer.state


def test_a_missing_checkpoint_is_refused(tmp_path, sizes):
    with pytest.raises(CheckpointError, match="cannot read the checkpoint"):
        load_checkpoint(tmp_path / "none.safetensors", *under_its_name(sizes), SETTINGS)


def test_a_truncated_checkpoint_is_refused(saved, sizes):
    path = saved[0]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match="cannot read the checkpoint"):
        load_checkpoint(path, *under_its_name(sizes), SETTINGS)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, sizes):
    path = tmp_path / "checkpoint.safetensors"
    save_file({"conv1.bias": torch.zeros(4)}, path)
    with pytest.raises(CheckpointError, match="is not the checkpoint of a training"):
        load_checkpoint(path, *under_its_name(sizes), SETTINGS)


def test_the_optimizers_memory_keeps_the_order_of_its_parameter(tmp_path, sizes):
    """A fused step would otherwise pair numbers of different places."""

    def channels_last():
        network, optimizer = make(sizes)
        return network.to(memory_format=torch.channels_last), optimizer

    network, optimizer = channels_last()
    step(network, optimizer)
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, {"network": network}, optimizer, Progress(), SETTINGS)
    resumed, resumed_optimizer = channels_last()
    load_checkpoint(path, {"network": resumed}, resumed_optimizer, SETTINGS)
    weight = resumed.primary.convolution.weight
    assert resumed_optimizer.state[weight]["exp_avg"].stride() == weight.stride()
