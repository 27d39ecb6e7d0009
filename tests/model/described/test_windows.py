"""Convolutional capsules: a W shared by all places, routed in each window."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer.model.described.routing.windows import Window
from tests.model.described import published, styles
from tests.model.described.styles import shrunk


def slowly(u, kernel, stride, padding, slots):
    """Return windows (batch, rows, columns, slots, size), one by one.

    Args:
        u: capsules (batch, types, rows, columns, size).
    """
    batch, types, rows, columns, size = u.shape
    padded = torch.zeros(batch, types, rows + 2 * padding, columns + 2 * padding, size)
    padded[:, :, padding : padding + rows, padding : padding + columns] = u
    padded = padded.to(u)
    count = (padded.shape[2] - kernel) // stride + 1
    windows = []
    for row in range(count):
        for column in range(count):
            top, left = row * stride, column * stride
            part = padded[:, :, top : top + kernel, left : left + kernel]
            part = part if slots == "types" else part.permute(0, 2, 3, 1, 4)
            windows.append(part.flatten(1, 3))
    return torch.stack(windows, dim=1).unflatten(1, (count, count))


def placed(u, first):
    """Return capsules (batch, types, rows, columns, size) in one list."""
    u = u if first == "types" else u.permute(0, 2, 3, 1, 4)
    return u.flatten(1, 3)


ORDERS = [
    (below, slots) for below in ("types", "places") for slots in ("types", "places")
]


@pytest.mark.parametrize("setting", [(2, 1, 0), (3, 2, 1), (4, 1, 0), (1, 3, 2)])
@pytest.mark.parametrize(("below", "slots"), ORDERS)
def test_windows_hold_what_they_hold_one_by_one(setting, below, slots):
    u = torch.arange(2 * 3 * 4 * 4 * 5.0).view(2, 3, 4, 4, 5) + 1
    window = Window(*setting, (3, 4, 4), below, slots, "places")
    expected = slowly(u, *setting, slots)
    assert window.places == expected.shape[1:3]
    assert window.slot_count == expected.shape[3]
    gathered = window.gathered(placed(u, below))
    assert torch.equal(gathered, expected.flatten(0, 2))
    capsules = gathered[:, :2]
    by_place = capsules.view(2, *window.places, 2, 5).permute(0, 3, 1, 2, 4)
    assert torch.equal(window.listed(capsules), placed(by_place, "places"))
    assert window.grid_above(window.listed(capsules).shape[1]) == (2, *window.places)


class Deep(nn.Module):
    """Two layers of convolutional capsules between primary ones and the classes."""

    def __init__(self, slots, first, gain=1.0):
        super().__init__()
        torch.manual_seed(1)
        self.slots, self.first, self.gain = slots, first, gain
        self.conv1, self.primary = nn.Conv2d(1, 8, 5), nn.Conv2d(8, 12, 5, stride=2)
        with torch.no_grad():
            self.primary.weight.mul_(4)
        self.W1 = nn.Parameter(1.5 * torch.randn(2 * 2 * 3, 5, 6, 4))
        self.W2 = nn.Parameter(torch.randn(3 * 3 * 5, 2, 7, 6))
        self.W3 = nn.Parameter(3 * torch.randn(2 * 2 * 2, 3, 8, 7))

    def forward(self, x):
        u = self.primary(self.conv1(x).relu()).unflatten(1, (3, 4))
        u = shrunk(u.permute(0, 1, 3, 4, 2))  # batch, types, 4, 4, numbers
        u = self.routed(self.W1, u, 2, 1, 0)  # 3×3 places
        u = self.routed(self.W2, u, 3, 2, 1)  # 2×2 places
        return self.by_agreement(self.W3, placed(u, self.first)).norm(dim=-1)

    def routed(self, weights, u, kernel, stride, padding):
        windows = slowly(u, kernel, stride, padding, self.slots)
        capsules = self.by_agreement(weights, windows.flatten(0, 2))
        return capsules.unflatten(0, windows.shape[:3]).permute(0, 3, 1, 2, 4)

    def by_agreement(self, weights, u):
        votes = torch.einsum("ijdp,bip->bijd", weights, u)
        return published.by_agreement(votes, 3, gain=self.gain)


def layers_of(net, three=None, form=None, **routing):
    options: dict = {"squash": shrunk}
    counted = {**options, "iterations": three}
    if form is not None:
        counted = {"squash": squashed, "form": form}
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary, 4, "conv1", **options),
        ce.Routing("first", lambda: net.W1, "primary", kernel=2, **counted),
        ce.Routing(
            *("second", lambda: net.W2, "first"),
            **{"kernel": 3, "stride": 2, "padding": 1, **counted, **routing},
        ),
        ce.Routing("routing", lambda: net.W3, "second", **counted),
        ce.Classes(),
    ]


@pytest.mark.parametrize(("slots", "first"), [("types", "places"), ("places", "types")])
def test_convolutional_capsules_are_found_in_a_row(slots, first):
    net = Deep(slots, first).eval()
    mine = ce.describe(net, layers_of(net), styles.images())
    report = mine.report
    assert report["first"].found["window"] == "2×2, step 1"
    assert report["second"].found["window"] == "3×3, step 2, padding 1"
    assert [report[id].found["iterations"] for id in ("first", "second")] == [3, 3]
    assert (report["first"].shape, report["second"].shape) == ((45, 6), (8, 7))
    assert report.difference < 1e-5
    image = styles.images()[:1]
    trace = mine.trace(image[0])
    with torch.no_grad():
        assert abs(trace.scores - net(image)[0].numpy()).max() < 1e-5
    assert trace["second.couplings"].shape == (2, 2, 45, 2)
    assert abs(trace["second.couplings"].sum(-1) - 1).max() < 1e-5
    layers = mine.trained.architecture.described(mine.trained.network.config)
    (layer,) = [layer for layer in layers if layer.id == "second"]
    assert layer.kind == "tensor"
    assert "row and column of the window" in layer.words["why"]


class Attending(Deep):
    """The same by attention, with a prior for the capsules of each window."""

    def __init__(self, slots, first):
        super().__init__(slots, first)
        with torch.no_grad():
            self.W1.mul_(2)
            self.W2.mul_(2)
        self.prior1 = nn.Parameter(torch.randn(12, 5))
        self.prior2, self.prior3 = nn.Parameter(torch.randn(45, 2)), None

    def by_agreement(self, weights, u):
        votes = torch.einsum("ijdp,bip->bijd", weights, u)
        shares = published.Attention.shares(SimpleNamespace(size=u.shape[2]), votes)
        for prior in (self.prior1, self.prior2):
            shares = shares + prior if prior.shape == shares.shape[1:] else shares
        return squashed(torch.einsum("bij,bijd->bjd", shares, votes))


def squashed(vectors):
    return published.Attention.squashed(None, vectors)


def test_attention_in_windows_is_found():
    net = Attending("places", "places").eval()
    mine = ce.describe(net, layers_of(net, form="attention"), styles.images())
    for id, window in (("first", "2×2, step 1"), ("second", "3×3, step 2, padding 1")):
        settings = mine.report[id].found
        assert (settings["form"], settings["window"]) == ("attention", window)
        assert not mine.report[id].is_assumed
        assert settings["scale"] == "√ in size"
    assert mine.report["first"].found["prior"] == "prior1"
    assert mine.report.difference < 1e-5
    assert mine.trace(styles.images()[0])["first.couplings"].shape == (3, 3, 12, 5)
    (layer,) = [
        layer
        for layer in mine.trained.architecture.described(mine.trained.network.config)
        if layer.id == "first"
    ]
    assert "iteration" not in layer.words["why"]
    with pytest.raises(ce.Different, match="routed in no way that was tried"):
        ce.describe(net, layers_of(net, form="dynamic"), styles.images())


class SelfRouting(nn.Module):
    """Self-routing in windows (Hahn, Pyeon & Kim 2019), listed place by place."""

    def __init__(self, types, out, size, out_size, kernel, stride, padding):
        super().__init__()
        self.sizes, self.window = (types, out, size), (kernel, stride, padding)
        slots = kernel**2 * types
        self.votes = nn.Parameter(torch.randn(slots, out * out_size, size))
        self.shares = nn.Parameter(torch.randn(slots, out, size))
        self.bias = nn.Parameter(torch.randn(1, 1, slots, out))

    def forward(self, active, poses):
        types, out, size = self.sizes
        batch = len(poses)
        poses = torch.cat([poses.unflatten(1, (types, size)), active[:, :, None]], 2)
        read = slowly(poses.permute(0, 1, 3, 4, 2), *self.window, "places")
        side, read = read.shape[1], read.flatten(1, 2)
        logits = (self.shares @ read[..., :size, None])[..., 0] + self.bias
        heard = read[..., size:] * logits.softmax(dim=3)
        sums = heard.sum(dim=2)
        votes = (self.votes @ read[..., :size, None])[..., 0].unflatten(3, (out, -1))
        poses_above = (heard[..., None] * votes).sum(dim=2) / sums[..., None]
        active = sums / read[..., size:].sum(dim=2)
        shape = (batch, -1, side, side)
        return active.mT.reshape(shape), poses_above.flatten(2).mT.reshape(shape)


class SelfRouted(nn.Module):
    """Poses and activations of two convolutions, one or two layers, and the classes."""

    def __init__(self, is_normed):
        super().__init__()
        torch.manual_seed(1)
        self.conv1 = nn.Conv2d(1, 8, 5)
        self.pose, self.active = (nn.Conv2d(8, n, 5, stride=2) for n in (12, 3))
        self.first = SelfRouting(3, 5, 4, 6, 2, 1, 0)
        self.norm = nn.BatchNorm2d(30) if is_normed else None
        self.second = SelfRouting(5, 2, 6, 7, 3, 2, 1)
        self.classes = SelfRouting(2, styles.CLASSES, 7, 1, 2, 1, 0)
        if self.norm is not None:
            self.norm.running_mean.normal_()
        with torch.no_grad():
            self.pose.weight.mul_(4)

    def forward(self, x):
        x = self.conv1(x).relu()
        active, poses = self.first(self.active(x).sigmoid(), self.pose(x))
        poses = poses if self.norm is None else self.norm(poses)
        return self.classes(*self.second(active, poses))[0].flatten(1).log()


def self_routed(net, **changed):
    windows = {"form": "self", "kernel": 2, "votes": lambda: net.first.votes}
    below = {"below": "first"}
    between = []
    if net.norm is not None:
        below = {"below": "norm", "activations": "shown"}
        between = [ce.Values("norm", net.norm), ce.Values("shown", net.first)]
    second = {"kernel": 3, "stride": 2, "padding": 1, "votes": lambda: net.second.votes}
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Values("pose", net.pose),
        ce.Values("active", net.active, pick=torch.sigmoid),
        ce.Routing(
            *("first", lambda: net.first.shares, "pose"),
            **{"activations": "active", **windows},
        ),
        *between,
        ce.Routing(
            "second",
            lambda: net.second.shares,
            **{"form": "self", **below, **second, **changed},
        ),
        ce.Routing("routing", lambda: net.classes.shares, "second", form="self"),
        ce.Classes(),
    ]


@pytest.mark.parametrize("is_normed", [False, True])
def test_self_routing_in_windows_is_found_in_a_row(is_normed):
    net = SelfRouted(is_normed).eval()
    mine = ce.describe(net, self_routed(net), styles.images())
    report = mine.report
    assert report["first"].found["window"] == "2×2, step 1"
    assert report["second"].found["bias"] == "second.bias"
    assert report["routing"].found["bias"] == "classes.bias"
    assert report["classes"].found["answers"] == "log activations"
    assert (report["first"].shape, report["second"].shape) == ((45, 6), (8, 7))
    assert report.difference < 1e-5
    image = styles.images()[:1]
    trace = mine.trace(image[0])
    with torch.no_grad():
        assert abs(trace.scores - net(image)[0].numpy()).max() < 1e-5
    assert abs(trace["second.couplings"].sum(-1) - 1).max() < 1e-5
    assert "reads a window of 3×3 places" in str(report)
    assert "self-routing, as in the paper of Hahn" in str(report)


def test_other_self_routing_in_windows_is_refused():
    net = SelfRouted(False).eval()
    with pytest.raises(ce.Different, match="second: no part of your module returns"):
        ce.describe(net, self_routed(net, stride=1), styles.images())
    layers = self_routed(net, votes=lambda: net.second.votes.flip(0))
    with pytest.raises(ce.Different) as refused:
        ce.describe(net, layers, styles.images())
    assert refused.value.layer in ("second", "routing")
    net.second.register_forward_pre_hook(lambda _, read: (read[0] ** 2, read[1]))
    with pytest.raises(ce.Different, match="second: routed in no way that was tried"):
        ce.describe(net, self_routed(net), styles.images())


def test_other_windows_or_another_routing_are_refused():
    net = Deep("types", "types", gain=0.5).eval()
    layers = layers_of(net, three=3)
    with pytest.raises(ce.Different, match="routed in no way that was tried"):
        ce.describe(net, layers, styles.images())
    net = Deep("types", "types").eval()
    with pytest.raises(ce.Different) as refused:
        ce.describe(net, layers_of(net, stride=1), styles.images())
    assert refused.value.layer == "routing"
    with pytest.raises(ce.Different, match="at least as many as that") as refused:
        ce.describe(net, layers_of(net, kernel=6), styles.images())
    assert refused.value.layer == "second"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": 0}, "kernel must be a whole number from 1, got 0"),
        ({"kernel": 2, "padding": -1}, "padding must be a whole number from 0"),
        ({"stride": 2}, "stride and padding need a kernel, got none"),
        ({"kernel": 2, "form": "self"}, "self-routing in windows.*needs votes"),
        (
            {"votes": torch.zeros(1)},
            "no other, needs votes.*, got a Tensor",
        ),
    ],
)
def test_windows_that_cannot_be_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ce.Routing("routing", torch.zeros(1), "below", **options)


def test_the_last_routing_reads_all_capsules():
    net = Deep("types", "types").eval()
    *layers, last, classes = layers_of(net)
    last = ce.Routing("routing", lambda: net.W3, "second", kernel=2)
    with pytest.raises(ce.Different, match="kernel must be left out of the last"):
        ce.describe(net, [*layers, last, classes], styles.images())
