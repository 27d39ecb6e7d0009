"""How often a network errs with more and fewer iterations of routing."""

from types import SimpleNamespace

import pytest
import torch

from model.data.images import LabelledImages
from model.measuring.iterations import iteration_figures

READ = {  # what three images are read as, by the number of iterations
    1: [0, 0, 2],
    2: [0, 1, 1],
    3: [0, 1, 1],
    4: [2, 2, 0],
    5: [0, 1, 2],
}


def network(images, *, iterations):
    read = torch.tensor(READ[iterations])[images.flatten(1)[:, 0].mul(255).long()]
    return SimpleNamespace(scores=torch.eye(3)[read])


def test_what_routing_saves_and_spoils_is_counted():
    """Each image's first pixel is its place; image 1 is saved, image 2 is spoiled."""
    images = torch.arange(3, dtype=torch.uint8).reshape(3, 1, 1, 1)
    found = iteration_figures(network, LabelledImages(images, torch.arange(3)), 3)
    assert found["errors_by_iterations"] == pytest.approx(
        {"1": 1 / 3, "2": 1 / 3, "3": 1 / 3, "4": 1.0, "5": 0.0}
    )
    assert (found["saved_by_routing"], found["spoiled_by_routing"]) == (1, 1)


def test_images_of_several_classes_are_left_out():
    images = torch.zeros(2, 1, 1, 1, dtype=torch.uint8)
    assert iteration_figures(network, LabelledImages(images, torch.eye(3)[:2]), 3) == {}
