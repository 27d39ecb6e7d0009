"""A tiny network as the laboratory measures it, and a few images."""

import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.experiments import Subject
from capsnet_explorer.model.weights import save_weights

ALARM = 0.08  # of the reconstruction's error


@pytest.fixture
def subject(network):
    network.requires_grad_(False)
    return Subject(ARCHITECTURE, network, torch.device("cpu"), alarm=ALARM)


@pytest.fixture
def five():
    """Five images of noise."""
    generator = torch.Generator().manual_seed(4)
    images = torch.randint(256, (5, 1, 12, 12), generator=generator, dtype=torch.uint8)
    return LabelledImages(images, torch.tensor([0, 1, 2, 0, 1]))


@pytest.fixture
def stored(tmp_path, network):
    """Store a network with words on its card; return the path of the file."""

    def store(name="tiny", of=network, **card):
        path = tmp_path / f"{name}.safetensors"
        save_weights(path, ARCHITECTURE, of, card)
        return path

    return store
