"""The network, wired: its sizes, a pass told again in NumPy."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch.testing import assert_close

from capsnet_explorer.model.cnn.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.cnn.network import Cnn
from tests.model.cnn.plain import plain_trace
from tests.tiny import square


def test_the_default_network_has_582_026_parameters():
    conv1, conv2 = 32 * 25 + 32, 64 * 32 * 25 + 64
    hidden, logits = 1024 * 512 + 512, 512 * 10 + 10
    assert conv1 + conv2 + hidden + logits == 582_026
    assert Cnn().parameter_count == 582_026


@pytest.mark.parametrize(
    "changes", [{}, {**square(28), "kernel_size": 5}, {**square(21)}]
)
def test_a_trace_is_what_numpy_computes_from_the_weight_file(tmp_path, sizes, changes):
    config = replace(sizes, **changes)
    network = Cnn(config).eval().half().float()  # as weight files keep it
    file = tmp_path / "some.safetensors"
    save_file({name: w.half() for name, w in network.state_dict().items()}, file)
    assert_same_trace(network, file, torch.rand(2, *config.image_shape))


def assert_same_trace(network, file, images):
    with torch.no_grad():
        trace = network(images)
    tensors = ARCHITECTURE.tensors(network.config)
    for image, pixels in enumerate(images.numpy()):
        for name, expected in plain_trace(file, pixels).items():
            values = tensors[name].read(trace, image).numpy()
            assert values.shape == expected.shape, name
            np.testing.assert_allclose(values, expected, atol=1e-5, err_msg=name)


def test_a_forward_pass_does_not_look_for_winners(network):
    trace = network(torch.rand(1, 1, 12, 12))
    assert "pool1_winners" not in vars(trace)
    assert trace.pool1_winners is trace.pool1_winners  # found once


def test_training_alone_drops_hidden_units_and_keeps_their_sum(sizes):
    network = Cnn(CnnConfig(hidden_units=4000, dropout=0.25)).train()
    with torch.no_grad():
        network.hidden.weight.zero_()
        network.hidden.bias.fill_(1)
        network.logits.weight.fill_(1)
        network.logits.bias.zero_()
        trace = network(torch.rand(2, 1, 28, 28))
    assert (trace.hidden == 1).all()  # the units themselves, before dropout
    first, second = trace.logits[:, 0].tolist()
    assert first != second
    # 3000 units of 4/3 in the mean, with a standard deviation of 27.4 units.
    assert abs(first - 4000) < 6 * 27.4 * 4 / 3
    with torch.no_grad():
        assert (network.eval()(torch.rand(2, 1, 28, 28)).logits == 4000).all()


@pytest.mark.parametrize("probabilities", ["softmax", "sigmoid"])
def test_contributions_add_up_to_the_logits(sizes, probabilities):
    """Each value of Pool2 is taken away by itself, the open units held open."""
    network = Cnn(replace(sizes, probabilities=probabilities)).eval()
    with torch.no_grad():
        trace = network(torch.rand(2, 1, 12, 12))
    named = ARCHITECTURE.tensors(network.config)["hidden.contributions"]
    parts = named.read(trace, 1)
    assert parts.shape == named.shape
    is_open = trace.hidden[1] > 0

    def logits_of(pooled):
        units = network.hidden(pooled.flatten()) * is_open
        logits = network.logits(units)
        return logits - logits.mean() if probabilities == "softmax" else logits

    pooled = trace.pool2[1]
    with torch.no_grad():
        whole, nothing = logits_of(pooled), logits_of(torch.zeros_like(pooled))
        assert_close(parts.sum(dim=(0, 1, 2)), whole - nothing, rtol=1e-4, atol=1e-5)
        for index in np.ndindex(*pooled.shape):
            without = pooled.clone()
            without[index] = 0
            expected = whole - logits_of(without)
            assert_close(parts[index], expected, rtol=1e-3, atol=1e-5)
