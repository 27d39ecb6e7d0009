"""How often a network errs with more and fewer iterations of routing."""

from types import SimpleNamespace

import pytest
import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.iterations import iteration_figures

READ = {  # what three images are read as, by the number of iterations
    1: [0, 0, 2],
    2: [0, 1, 1],
    3: [0, 1, 1],
    4: [2, 2, 0],
    5: [0, 1, 2],
}


class Routing:
    """An architecture, its serving form and a network, all that is asked of them."""

    def __init__(self, reads, most):
        self.reads, self.most, self.config = reads, most, None

    def details(self, _config):
        usual = 3 if self.most > 1 else 1
        return {"routing_iterations": usual, "max_routing_iterations": self.most}

    def options(self, _config, query):
        return next(iter(query.values()), "agreement")

    def serving(self, _network):
        return self

    def run(self, images, options):
        read = torch.tensor(self.reads[options[0]])
        read = read[images.flatten(1)[:, 0].mul(255).long()]
        return SimpleNamespace(scores=torch.eye(3)[read])


def figures(reads, most, labels=None):
    """Measure on three images, whose first pixel is their place."""
    routing = Routing(reads, most)
    images = torch.arange(3, dtype=torch.uint8).reshape(3, 1, 1, 1)
    labels = torch.arange(3) if labels is None else labels
    return iteration_figures(
        SimpleNamespace(architecture=routing, network=routing),
        LabelledImages(images, labels),
    )


def test_what_routing_saves_and_spoils_is_counted():
    """Image 1 is saved, image 2 is spoiled."""
    entry = figures(READ, most=10)
    assert entry["errors_by_iterations"] == pytest.approx(
        {"1": 1 / 3, "2": 1 / 3, "3": 1 / 3, "4": 1.0, "5": 0.0}
    )
    assert (entry["saved_by_routing"], entry["spoiled_by_routing"]) == (1, 1)


def test_routing_without_iterations_is_compared_with_even_couplings():
    entry = figures({"agreement": [0, 1, 1], "uniform": [2, 0, 2]}, most=1)
    assert entry == {
        "error_without_agreement": pytest.approx(2 / 3),
        "saved_by_routing": 2,
        "spoiled_by_routing": 1,
    }


def test_of_several_classes_all_must_have_the_highest_scores():
    """With scores of 0 and 1, one class can outrank the others, and two cannot."""
    labels = torch.tensor([[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    entry = figures(READ, most=10, labels=labels)
    assert entry["errors_by_iterations"]["1"] == pytest.approx(2 / 3)
    assert entry["errors_by_iterations"]["3"] == pytest.approx(1 / 3)
    assert (entry["saved_by_routing"], entry["spoiled_by_routing"]) == (1, 0)
