"""What ONNX has no operator for is named, with the part that needs it."""

import pytest
import torch
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer.model.exporting.operators import operator_lacking


class Head(nn.Module):
    def forward(self, scores):
        return torch.digamma(scores.exp())


class Counting(nn.Module):
    def forward(self, scores):
        return torch.stack([row.histc(3) for row in scores])


class Net(nn.Module):
    def __init__(self, head):
        super().__init__()
        self.conv1, self.out = nn.Conv2d(1, 8, 5), nn.Linear(8 * 144, 3)
        self.head = head

    def forward(self, images):
        return self.head(self.out(self.conv1(images).relu().flatten(1)))


@pytest.mark.parametrize(
    ("head", "operator"),
    [
        (Head(), "digamma"),
        (Counting(), "histc of such shapes"),
    ],
)
def test_an_operator_that_onnx_lacks_is_named_with_its_part(head, operator, needs):
    needs("site")
    from capsnet_explorer.model.exporting.graphs import graphs_of

    torch.manual_seed(1)
    net = Net(head)
    layers = [ce.Convolution("conv1", net.conv1), ce.Classes()]
    mine = ce.describe(net, layers, torch.rand(2, 1, 16, 16))
    trained = mine.trained
    with pytest.raises(
        ValueError, match=rf"Net: ONNX has no operator {operator} \(in head"
    ):
        graphs_of(trained.architecture, trained.network, ["conv1.pre", "scores"])


def test_other_failures_of_the_exporter_name_no_operator():
    assert operator_lacking(RuntimeError("shapes differ"), Head(), lambda: None) == ""
