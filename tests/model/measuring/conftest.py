"""Pairs of digits, images of noise, and tiny networks that read them."""

from dataclasses import replace

import pytest
import torch

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import fixed_overlaps
from tests.model.varied import varied
from tests.tiny import CNN_SIZES, SIZES


@pytest.fixture
def overlaps(digits):
    return fixed_overlaps(digits, "test")


@pytest.fixture
def reader_of_pairs():
    """It reads the synthetic digits on their canvas."""
    return varied(CapsNet(replace(SIZES, image_rows=20, image_columns=20)).eval())


@pytest.fixture
def noise():
    """Sixty images of noise, twenty of each of three classes."""
    generator = torch.Generator().manual_seed(0)
    images = torch.randint(0, 256, (60, 1, 12, 12), generator=generator)
    return LabelledImages(images.to(torch.uint8), torch.arange(60) % 3)


@pytest.fixture
def built():
    """Build a tiny network of an architecture; return both."""

    def build(name, **changes):
        sizes = replace({"capsnet": SIZES, "cnn": CNN_SIZES}[name], **changes)
        torch.manual_seed(1)
        architecture = architecture_named(name)
        return architecture, architecture.build(sizes).eval()

    return build
