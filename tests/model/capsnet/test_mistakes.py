"""Each mistake changes what it says it changes, and nothing else."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import MISTAKES, LossConfig
from capsnet_explorer.model.capsnet.mistakes import (
    NETWORKS,
    capsnet,
    squash_beside_root,
    unsquared,
)
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.serving.network import answer_alike, packed
from capsnet_explorer.model.layers.squash import squash
from capsnet_explorer.model.weights import load_weights, save_weights
from tests.tiny import SIZES

ROOT = Path(__file__).parents[3]
IMAGES = torch.rand(2, 1, 12, 12, generator=torch.Generator().manual_seed(3))


def made(mistake, seed=0):
    torch.manual_seed(seed)
    return capsnet(replace(SIZES, mistake=mistake)).eval()


@pytest.fixture
def right():
    return made("none")


def test_every_mistake_is_a_networks_or_the_objectives_and_on_the_page(right):
    assert set(MISTAKES) == {"none", "unsquared", *NETWORKS}
    assert type(right) is CapsNet
    page = (ROOT / "static/js/train/exhibits.js").read_text(encoding="utf-8")
    assert ["none", *re.findall(r'^    name: "(\w+)"', page, re.MULTILINE)] == [
        *MISTAKES
    ]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_random_weights_are_those_of_the_run_without(right, mistake):
    start = made(mistake).state_dict()
    for name, value in right.state_dict().items():
        is_zero = mistake == "root" and name.endswith("bias") and "decoder" not in name
        assert torch.equal(start[name], 0 * value if is_zero else value)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_whoever_loads_the_file_gets_the_mistake(mistake, tmp_path):
    network = made(mistake)
    save_weights(tmp_path / "one.safetensors", ARCHITECTURE, network, {})
    trained = load_weights(tmp_path / "one.safetensors")
    assert trained.card["config"]["mistake"] == mistake
    assert type(trained.network) is type(network)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_packed_network_makes_it_too(mistake):
    network = made(mistake)
    assert answer_alike(packed(network), network)


@torch.no_grad()
@pytest.mark.parametrize("is_served", [False, True])
def test_axis_lets_the_capsules_compete(right, is_served):
    wrong = made("axis")
    network = packed(wrong) if is_served else wrong
    step = network(IMAGES).steps[-1]
    assert step.couplings.sum(dim=1) == pytest.approx(torch.ones(2, 3), abs=1e-5)
    classes = step.couplings.sum(dim=2)
    assert (classes - 1).abs().max() > 0.5
    assert right(IMAGES).steps[-1].couplings.sum(dim=2) == pytest.approx(
        torch.ones(classes.shape), abs=1e-5
    )


def test_view_makes_a_capsule_of_one_channel_at_several_positions(right):
    wrong = made("view")
    maps = right.conv1(IMAGES).relu()
    channels = right.primary.convolution(maps)
    first = wrong.primary(maps)[0, 0, 0, 0]
    assert torch.equal(first, channels[0, 0, 0, :4])  # four positions of channel 0
    assert torch.equal(right.primary(maps)[0, 0, 0, 0], channels[0, :4, 0, 0])
    both = [network.primary(maps).flatten(1) for network in (wrong, right)]
    assert torch.equal(*(values.sort().values for values in both))


def test_unsquared_takes_the_distances_as_they_are():
    lengths = torch.tensor([[0.5, 0.3, 0.05]])
    present = torch.tensor([[1.0, 0.0, 0.0]])
    loss = unsquared(lengths, present, LossConfig())
    assert loss == pytest.approx([0.9 - 0.5 + 0.5 * (0.3 - 0.1)])
    trace = made("none")(IMAGES)
    present = torch.eye(3)[:2]
    losses = [
        ARCHITECTURE.class_loss(trace, present, LossConfig(mistake=mistake))
        for mistake in ("none", "unsquared", "axis")
    ]
    assert torch.equal(losses[0], losses[2])
    assert (losses[1] > losses[0]).all()


def test_root_has_no_gradient_where_there_is_no_ink():
    vectors = torch.zeros(1, 4).requires_grad_()
    squash_beside_root(vectors).sum().backward()
    assert vectors.grad is not None
    assert vectors.grad.isnan().all()
    filled = torch.rand(5, 4)
    assert squash_beside_root(filled) == pytest.approx(squash(filled), abs=1e-6)
    for mistake, is_finite in (("none", True), ("root", False)):
        network = made(mistake).train()
        network.load_state_dict(made("root").state_dict())  # its biases of zero
        network(torch.zeros(1, 1, 12, 12)).lengths.sum().backward()
        gradient = network.primary.convolution.weight.grad
        assert gradient is not None
        assert gradient.isfinite().all() == is_finite


def test_gradients_are_those_through_all_iterations(right):
    def gradient(network, **asked):
        network.zero_grad()
        network.train()(IMAGES, **asked).lengths[:, 0].sum().backward()
        return network.digits.transforms.grad.clone()

    wrong = made("gradients")
    assert torch.equal(gradient(wrong), gradient(right, through_all=True))
    assert not torch.allclose(gradient(wrong), gradient(right))
    assert torch.equal(wrong.eval()(IMAGES).lengths, right.eval()(IMAGES).lengths)


def test_iteration_goes_round_once_more_than_asked(right):
    wrong = made("iteration")
    assert len(wrong(IMAGES).steps) == SIZES.routing_iterations + 1
    assert len(wrong(IMAGES, iterations=1).steps) == 2
    assert torch.equal(
        wrong(IMAGES, iterations=2).lengths, right(IMAGES, iterations=3).lengths
    )


def test_bytes_are_fed_once_training_is_over(right):
    wrong = made("bytes")
    assert torch.equal(wrong(IMAGES).lengths, right(255 * IMAGES).lengths)
    assert torch.equal(wrong.train()(IMAGES).lengths, right.train()(IMAGES).lengths)


@torch.no_grad()
def test_mask_is_missing_while_the_decoder_is_trained(right):
    """A decoder whose every unit is the mean of those below, the first of all numbers.

    So each pixel is the logistic function of 2 + the sum of the numbers that it gets.
    """
    wrong = made("mask")
    for network in (wrong, right):
        network.digits.transforms.mul_(20)  # so that capsules differ
        for place, layer in enumerate(network.decoder.layers[::2]):
            layer.weight.fill_(1 / layer.in_features if place else 1)
            layer.bias.fill_(0 if place else 2)

    def drawn(capsules):
        return (2 + capsules.flatten(1).sum(dim=1)).sigmoid()

    label = torch.tensor([2, 0])
    rows = torch.arange(2)
    for keep in (label, torch.eye(3)[label], torch.eye(3)[label][:, None]):
        trained = wrong.train()(IMAGES, keep=keep)
        asked = wrong.eval()(IMAGES, keep=keep)
        every, own = drawn(asked.capsules), drawn(asked.capsules[rows, label])
        assert (every - own).abs().min() > 1e-3
        for trace, pixel in ((trained, every), (asked, own)):
            pixels = trace.reconstruction.flatten(1)
            assert pixels == pytest.approx(pixel[:, None].expand(pixels.shape))
        drawn_right = right(IMAGES, keep=keep).reconstruction
        assert torch.equal(asked.reconstruction, drawn_right)
    longest = wrong.train()(IMAGES)
    assert longest.reconstruction[:, 0, 0, 0] == pytest.approx(every)
