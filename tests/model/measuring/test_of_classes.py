"""Meanings of all classes, with tiny networks: what reaches the card."""

import pytest
import torch

from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring import of_classes
from capsnet_explorer.model.measuring.of_classes import measure_meanings, right_poses
from tests.tiny import CNN_SIZES, SIZES


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(of_classes, "LEAST", 2)
    monkeypatch.setattr(of_classes, "SWEPT", 4)


@pytest.fixture
def labelled(network):
    """Thirty noisy images whose labels are what the network reads."""
    images = torch.randint(0, 256, (30, 1, 12, 12), dtype=torch.uint8)
    with torch.no_grad():
        labels = network(images.float() / 255).scores.argmax(dim=1)
    return LabelledImages(images, labels)


def test_poses_are_those_of_the_first_images_read_right(network, labelled):
    labels = labelled.labels.clone()
    digit = int(labels.mode().values)
    indices = (labels == digit).nonzero()[:, 0]
    other = (digit + 1) % SIZES.classes
    labels[indices[0]] = other  # now this image is misread
    by_class = list(right_poses(network, LabelledImages(labelled.images, labels), 3))
    with torch.no_grad():
        poses = network(labelled.images.float() / 255).poses
    torch.testing.assert_close(
        torch.tensor(by_class[digit]), poses[indices[1:4], digit], atol=1e-5, rtol=1e-4
    )
    assert len(by_class[other]) <= 3


@pytest.mark.usefixtures("few")
def test_the_card_has_an_entry_for_each_class_and_number(network, labelled):
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    figures = measure_meanings(network, labelled, None)
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, before[name])
    entries = figures["meanings"]["classes"]
    assert len(entries) == SIZES.classes
    counts = [int((labelled.labels == digit).sum()) for digit in range(SIZES.classes)]
    for entry, count in zip(entries, counts, strict=True):
        assert (entry is None) == (count < 2)
        if entry is not None:
            assert len(entry["numbers"]) == SIZES.digit_dim
    assert measure_meanings(network, labelled, None) == figures


def test_a_network_without_poses_is_refused(labelled):
    with pytest.raises(ValueError, match="whose classes have poses"):
        measure_meanings(CNN.build(CNN_SIZES).eval(), labelled, None)
