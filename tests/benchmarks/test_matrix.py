"""The expanded form that training is compared with computes the same network."""

import torch
from torch.testing import assert_close

from benchmarks.matrix import route_expanded
from capsnet_explorer.model.matrix import layers
from capsnet_explorer.model.matrix.network import MatrixNetwork


@torch.no_grad()
def test_the_expanded_form_routes_as_the_readable_loop_does(monkeypatch):
    torch.manual_seed(0)
    network, images = MatrixNetwork(), torch.rand(2, 1, 28, 28)
    expected = network(images)
    route_expanded(network)
    monkeypatch.setattr(layers, "em_routing", None)  # the readable loop takes no part
    found = network(images)
    assert_close(found.logits, expected.logits, rtol=1e-3, atol=1e-4)
    assert_close(found.poses, expected.poses, rtol=1e-3, atol=1e-4)
