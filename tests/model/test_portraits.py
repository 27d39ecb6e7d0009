"""Portraits of types: a network that looks for known things is found to do so."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from capsnet_explorer.model import portraits as portraits_module
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.voters import PrimaryVoters
from capsnet_explorer.model.cnn import architecture as cnn
from capsnet_explorer.model.cnn.network import Cnn
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measured import load_measured
from capsnet_explorer.model.portraits import (
    Windows,
    of_anything,
    readings,
    support_of_classes,
)
from capsnet_explorer.model.weights import load_weights
from tests.tiny import CNN_SIZES, SIZES

ROOT = Path(__file__).parents[2]
SIDE = 5  # 3 x 3 on 3 x 3
WINDOWS = Windows(SIDE, SIDE, step=2)
SMALL_CNN = replace(CNN_SIZES, conv2_kernels=3)
portraits = ARCHITECTURE.portraits


@pytest.fixture
def line_network():
    """A network whose type 0 looks for upright lines, and type 1 for level ones."""
    network = CapsNet(SIZES).eval()
    with torch.no_grad():
        network.conv1.weight.zero_()
        network.conv1.bias.zero_()
        network.conv1.weight[0, 0, 1, 1] = 1  # map 0 is the image
        primary = network.primary.convolution
        primary.weight.zero_()
        primary.bias.zero_()
        line = torch.tensor([0.0, 1, 0])
        primary.weight[0, 0] = line.expand(3, 3)
        primary.weight[SIZES.primary_dim, 0] = line[:, None].expand(3, 3)
    return network


@pytest.fixture
def lines():
    """Thirty images with an upright line (class 0) or a level one (class 1)."""
    images = torch.zeros(30, 1, 12, 12, dtype=torch.uint8)
    labels = torch.arange(30) % 2
    for place, label in enumerate(labels.tolist()):
        at = 2 + place // 2 % 8
        if label:
            images[place, 0, at] = 255
        else:
            images[place, 0, :, at] = 255
    return LabelledImages(images, labels)


@pytest.fixture
def few(monkeypatch):
    """Means over few capsules, as there are few images."""
    monkeypatch.setattr(portraits_module, "LONGEST", 20)
    monkeypatch.setattr(portraits_module, "ENDS", 5)


@pytest.mark.usefixtures("few")
def test_a_type_is_portrayed_by_what_it_looks_for(line_network, lines):
    mean = portraits(line_network, lines)["types.mean"].float()
    line = torch.zeros(SIDE, SIDE)
    line[:, 2] = 1
    torch.testing.assert_close(mean[0], line, atol=1e-3, rtol=0)
    torch.testing.assert_close(mean[1], line.T, atol=1e-3, rtol=0)


@pytest.mark.usefixtures("few")
def test_its_best_patches_show_it_too(line_network, lines):
    tensors = portraits(line_network, lines)
    for type, label in ((0, 0), (1, 1)):
        indices = tensors["types.best"][type, :, 0].long()
        assert len(set(indices.tolist())) == len(indices)
        assert (lines.labels[indices] == label).all()
        for index, row, column in tensors["types.best"][type].long().tolist():
            patch = lines.images[index, 0, 2 * row :, 2 * column :][:SIDE, :SIDE] / 255
            line = patch[:, 2] if type == 0 else patch[2]
            assert line.eq(1).all()


@pytest.mark.usefixtures("few")
def test_shapes_are_those_of_the_network(line_network, lines):
    shapes = {
        name: tuple(tensor.shape)
        for name, tensor in portraits(line_network, lines).items()
    }
    assert shapes == {
        "types.mean": (2, 5, 5),
        "types.ends": (2, 2, 5, 5),
        "types.patch": (5, 5),
        "types.lengths": (2, 2),
        "types.best": (2, 6, 3),
        "types.decoded": (2, 6, 5, 5),
        "types.support": (2, 3),
    }
    again = portraits(line_network, lines)
    assert all(
        torch.equal(tensor, again[name])
        for name, tensor in portraits(line_network, lines).items()
    )


def test_two_appearances_come_apart(monkeypatch, line_network, lines):
    """Number 1 of type 0 answers to lines in the middle, number 2 to those beside."""
    monkeypatch.setattr(portraits_module, "LONGEST", 40)
    monkeypatch.setattr(portraits_module, "ENDS", 5)
    with torch.no_grad():
        weight = line_network.primary.convolution.weight
        weight[1, 0] = torch.tensor([1.0, 0, 0]).expand(3, 3)
    ends = portraits(line_network, lines)["types.ends"][0].float()
    columns = {int(picture.mean(dim=0).argmax()) for picture in ends}
    assert columns == {1, 2}


def test_a_window_is_what_a_capsule_sees():
    image = torch.arange(144.0).unflatten(0, (12, 12))
    patches = WINDOWS.of(image[None, None])
    grid = patches.unflatten(1, (4, 4)).unflatten(3, (SIDE, SIDE))
    torch.testing.assert_close(grid[0, 1, 3], image[2:7, 6:11])


def test_support_is_the_mean_over_a_classs_images(network, digits):
    read = readings(network, digits, PrimaryVoters(), WINDOWS)
    support = support_of_classes(read, 4)
    of_class = read.support[read.labels == 2]
    torch.testing.assert_close(support[:, 2], of_class.mean(dim=0))
    assert support[:, 3].eq(0).all()


def test_a_type_that_is_long_everywhere_answers_to_anything():
    """Of two types, the first gives 3 of 4 to class 0, and all to class 1."""
    entry = of_anything(
        {
            "types.lengths": torch.tensor([[0.5, 1.0], [0.39, 1.0]]),
            "types.support": torch.tensor([[3.0, 2.0], [1.0, -1.0]]),
        }
    )
    assert entry == {"ratio": 0.4, "types": [0], "share": 0.875}


def test_a_map_is_portrayed_by_the_mean_of_its_strongest_patches(lines, monkeypatch):
    monkeypatch.setattr(portraits_module, "STRONGEST", 5)
    network = Cnn(SMALL_CNN).eval()
    line = torch.tensor([0.0, 1, 0]).expand(3, 3)
    with torch.no_grad():
        for layer in (network.conv1, network.conv2):
            layer.weight.zero_()
            layer.bias.zero_()
        network.conv1.weight[0, 0, 1, 1] = 1  # map 0 is the image
        network.conv2.weight[0, 0], network.conv2.weight[1, 0] = line, line.T
        trace = network(to_network(lines.images))
    tensors = cnn.ARCHITECTURE.portraits(network, lines)
    upright, level, dead = tensors["types.strongest"].float()[:, 0]
    assert (upright == upright[0]).all()
    assert (level == level[:, :1]).all()
    assert min(upright.max(), level.max()) > 0.5
    assert dead.eq(0).all()

    # Slowly: five images, and in each where the map is largest.
    kept = trace.conv2_relu[:, 0]
    best = sorted(range(30), key=lambda i: -float(kept[i].max()))[:5]
    patches = []
    for image in best:
        row, column = divmod(int(kept[image].argmax()), kept.shape[2])
        whole = lines.images[image, 0] / 255
        patches.append(whole[2 * row :][:8, 2 * column :][:, :8])
    torch.testing.assert_close(upright, torch.stack(patches).mean(dim=0).half().float())
    assert tensors["types.support"].shape == (3, 3)


@pytest.mark.parametrize("name", ["capsnet-mnist", "efficient-mnist", "cnn-mnist"])
def test_cards_say_which_types_answer_to_anything(name):
    path = ROOT / "weights" / f"{name}.safetensors"
    card = load_weights(path).card
    measured = {
        key: torch.as_tensor(value)
        for key, value in load_measured(path, card["sha256"]).items()
    }
    assert card["anything"] == of_anything(measured)
