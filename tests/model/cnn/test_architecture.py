"""What the CNN offers: its tensors, its evidence, its weights."""

import copy

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.architecture import OptionsError
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.config import CnnConfig, LossConfig
from capsnet_explorer.model.presence import multi_hot


@pytest.mark.parametrize("stage", [1, 2])
def test_glimpses_before_and_after_pooling_are_of_the_same_maps(stage):
    tensors = ARCHITECTURE.tensors(CnnConfig())
    network = ARCHITECTURE.build(CnnConfig()).eval()
    # In many images: in one, pooled maps alone would often give the same choice.
    with torch.no_grad():
        trace = network(torch.rand(30, 1, 28, 28))
    for image in range(30):
        values = {
            name: tensors[name].read(trace, image)
            for name in tensors
            if name.startswith((f"conv{stage}", f"pool{stage}"))
        }
        maps = values[f"conv{stage}.relu"]
        energy = maps.square().sum(dim=(1, 2))
        chosen = energy >= energy.sort(descending=True).values[15]
        assert chosen.sum() == 16
        assert torch.equal(values[f"conv{stage}.glimpse"], maps[chosen])
        pooled = values[f"pool{stage}"]
        assert torch.equal(values[f"pool{stage}.glimpse"], pooled[chosen])


def test_evidence_is_the_logits_whose_gradient_does_not_vanish(network):
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(50)  # so sure of itself that softmax is 0 or 1
    images = torch.rand(1, 1, 12, 12, requires_grad=True)
    trace = network(images)
    assert trace.scores.max() == 1
    evidence = ARCHITECTURE.evidence(trace)
    highest, second = evidence[0].topk(2).values
    (highest - second).backward()
    assert images.grad.abs().max() > 1


def test_the_loss_of_each_image_is_that_of_its_class(network):
    images, labels = torch.rand(4, 1, 12, 12), torch.tensor([2, 0, 1, 1])
    trace = network(images)
    losses = ARCHITECTURE.class_loss(trace, multi_hot(labels, 3), LossConfig())
    assert_close(losses, -trace.scores[torch.arange(4), labels].log())


def test_a_silent_map_is_one_whose_kernel_and_bias_are_zero(network):
    """Each image of a batch has its own; of no others does anything change."""
    images, sizes = torch.rand(3, 1, 12, 12), network.config
    queries = [{"silence": [4, 1]}, {}, {"silence": [0]}]
    options = [ARCHITECTURE.options(sizes, query) for query in queries]
    with torch.no_grad():
        trace = ARCHITECTURE.serving(network).run(images, options)
        for image, query in enumerate(queries):
            by_hand = copy.deepcopy(network)
            by_hand.conv2.weight[query.get("silence", [])] = 0
            by_hand.conv2.bias[query.get("silence", [])] = 0
            wanted = by_hand(images[image : image + 1])
            for tensor in ARCHITECTURE.tensors(sizes).values():
                assert_close(tensor.read(trace, image), tensor.read(wanted, 0))
    assert trace.scores[0].sub(network(images).scores[0]).abs().max() > 1e-4


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"silence": [0, 6]}, "silence.1", r"must be a map 0\.\.5, got 6"),
        ({"silence": [2, 2]}, "silence.1", "must not repeat a map, got 2 again"),
        ({"silence": [2], "iterations": 3}, "iterations", "does not route"),
        ({"routing": "uniform"}, "routing", "does not route"),
    ],
)
def test_what_cannot_be_silenced_is_refused(network, query, field, message):
    with pytest.raises(OptionsError, match=message) as caught:
        ARCHITECTURE.options(network.config, query)
    assert caught.value.field == field


def test_serving_tells_kernels_as_copies(network):
    weights = ARCHITECTURE.serving(network).weights()
    assert set(weights) == {
        *("conv1.kernels", "conv1.bias"),
        *(f"conv2.kernels.{number}" for number in range(6)),
    }
    kernels = weights["conv1.kernels"]()
    assert_close(kernels, network.conv1.weight[:, 0].detach())
    assert_close(weights["conv1.bias"](), network.conv1.bias.detach())
    assert_close(weights["conv2.kernels.5"](), network.conv2.weight[5].detach())
    assert all(read().is_contiguous() for read in weights.values())
    kernels.zero_()
    assert weights["conv1.kernels"]().abs().sum() > 0


def test_another_architectures_network_is_refused():
    from capsnet_explorer.model.capsnet.network import CapsNet

    with pytest.raises(TypeError, match="network must be a Cnn, got a CapsNet"):
        ARCHITECTURE.serving(CapsNet())
