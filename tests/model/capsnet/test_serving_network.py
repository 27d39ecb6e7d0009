"""A packed network answers as the one it was made of."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.serving.network import answer_alike, pack
from capsnet_explorer.model.layers.surgery import Surgery
from tests.tiny import SIZES, square

CONFIGS = [
    CapsNetConfig(conv1_kernels=16, primary_types=3, decoder_hidden=(8, 8)),
    SIZES,
    replace(SIZES, primary_stride=1),
    replace(SIZES, primary_stride=3, **square(13)),
    replace(SIZES, kernel_size=1, classes=1, primary_types=1),
]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.usefixtures("products")
def test_every_tensor_of_a_trace_is_the_same(config, batch):
    network = CapsNet(config).eval()
    images = torch.rand(batch, *config.image_shape)
    with torch.inference_mode():
        expected, trace = network(images), pack(network)(images)
    for name in (
        "conv1_pre",
        "conv1_relu",
        "primary_pre",
        "primary_capsules",
        "capsules",
        "lengths",
        "reconstruction",
    ):
        assert_close(getattr(trace, name), getattr(expected, name))
    assert_close(trace.votes.formed, expected.votes.formed)
    assert len(trace.steps) == len(expected.steps)
    for step, same in zip(trace.steps, expected.steps, strict=True):
        for name in ("logits", "couplings", "capsules", "agreement"):
            assert_close(getattr(step, name), getattr(same, name))


@pytest.mark.parametrize("none", ["no", "yes"])
def test_surgery_and_iterations_are_the_same(none):
    network = CapsNet(replace(SIZES, none_of_the_above=none)).eval()
    surgery = Surgery(
        silenced=torch.rand(2, 32) > 0.8,
        uniform=torch.tensor([False, True]),
        held=torch.full((2, 32, 3), torch.nan),
    )
    surgery.held[:, 7, 1] = 0.75
    images = torch.rand(2, 1, 12, 12)
    with torch.inference_mode():
        expected = network(images, iterations=5, surgery=surgery)
        trace = pack(network)(images, iterations=5, surgery=surgery)
    assert_close(trace.steps[-1].couplings, expected.steps[-1].couplings)
    assert_close(trace.capsules, expected.capsules)


def test_packing_leaves_the_network_as_it_was(network):
    images = torch.rand(1, 1, 12, 12)
    before = network(images).capsules
    fast = pack(network)
    with torch.inference_mode():
        fast.digits.transforms.zero_()
        fast.conv1.weight.zero_()
    assert torch.equal(network(images).capsules, before)
    assert network.digits.transforms.requires_grad


def other_votes(network, _fast):
    network.digits.transforms[3, 1] *= 1.01


def other_picture_of_one(_network, fast):
    right = fast.decoder.draw_one
    fast.decoder.draw_one = lambda digit, pose: 1.01 * right(digit, pose)


def other_pictures_of_several(_network, fast):
    right = fast.decoder.products[-1]
    fast.decoder.products[-1] = lambda rows: right(rows) + 0.01


def kernel(value):
    def spoil(network, _fast):
        network.primary.convolution.weight[1, 2, 0, 1] = value

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        *(other_votes, other_picture_of_one, other_pictures_of_several),
        *(kernel(value) for value in (torch.nan, torch.inf, 0.5)),
    ],
)
def test_what_answers_otherwise_is_found(network, spoil):
    fast = pack(network)
    assert answer_alike(fast, network)
    with torch.no_grad():
        spoil(network, fast)
    assert not answer_alike(fast, network)
