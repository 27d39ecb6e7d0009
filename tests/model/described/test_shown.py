"""What a part of a module shows of its capsules is known, however unusual it is."""

import pytest
import torch
from torch import nn

import capsnet_explorer as ce
from tests.model.described import published, styles, test_published
from tests.model.described.styles import shrunk


class Part(nn.Module):
    """Primary capsules, cut and squashed in a part of their own."""

    def __init__(self, cut):
        super().__init__()
        self.conv, self.cut = nn.Conv2d(8, 16, 5, stride=2), cut
        with torch.no_grad():
            self.conv.weight.mul_(4)

    def forward(self, x):
        return self.cut(self.conv(x))


class Net(nn.Module):
    def __init__(self, cut):
        super().__init__()
        torch.manual_seed(1)
        self.conv1, self.primary = nn.Conv2d(1, 8, 5), Part(cut)
        self.W = nn.Parameter(torch.randn(64, 3, 6, 4))

    def forward(self, x):
        u = self.primary(self.conv1(x).relu())
        votes = torch.einsum("ijdp,bip->bijd", self.W, u)
        return published.by_agreement(votes, 3).norm(dim=-1)


def layers_of(net):
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary.conv, 4, below="conv1"),
        ce.Routing("routing", lambda: net.W, "primary"),
        ce.Classes(),
    ]


def viewed(maps):
    return maps.view(len(maps), -1, 4)


def permuted(maps):
    return maps.unflatten(1, (4, 4)).permute(0, 1, 3, 4, 2).flatten(1, 3)


def by_number(vectors):
    return shrunk(vectors[..., None])[..., 0]


CUTS = {
    "view": (lambda m: shrunk(viewed(m)), {"order": "view"}),
    "squash of each number": (lambda m: by_number(permuted(m)), {"squash": "number"}),
    "squash over capsules": (
        lambda m: shrunk(permuted(m), axis=1),
        {"squash": "capsules"},
    ),
    "no squash": (permuted, {"curve": "none"}),
    "three at once": (
        lambda m: by_number(viewed(m.relu())),
        {"order": "view", "squash": "number", "before": "ReLU"},
    ),
}


@pytest.mark.parametrize("name", CUTS)
def test_capsules_that_a_part_shows_are_found_however_they_are_cut(name):
    cut, expected = CUTS[name]
    net = Net(cut).eval()
    report = ce.describe(net, layers_of(net), styles.images()).report
    assert expected.items() <= report["primary"].found.items()
    assert report["routing"].found["iterations"] == 3
    assert report.difference < 1e-5


class Among(nn.Module):
    """Capsules routed by a softmax over those below."""

    def __init__(self, count, size):
        super().__init__()
        self.W = nn.Parameter(1.5 * torch.randn(count, 6, size, size))

    def forward(self, u):
        votes = torch.einsum("ijdp,bip->bijd", self.W, u)
        return published.by_agreement(votes, 3, softmax=lambda b: b.softmax(dim=1))


class Twice(published.Twice):
    def build_routing(self):
        super().build_routing()
        self.middle = Among(self.count, self.size)


def test_a_softmax_that_a_part_shows_says_nothing_of_the_next():
    net = Twice().eval()
    layers = test_published.layers_of(net, shrunk)
    report = ce.describe(net, layers, styles.images()).report
    assert report["middle"].found["axis"] == "capsules"
    assert report["routing"].found["axis"] == "classes"


def test_logits_that_are_said_are_no_guess():
    net = styles.LearnedPrior().eval()
    layers = test_published.layers_of(net, shrunk, prior=lambda: net.b)
    report = ce.describe(net, layers, styles.images()).report
    assert report["routing"].found["prior"] == "given"
    assert report["routing"].found["iterations"] == 4
