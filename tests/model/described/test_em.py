"""EM routing (Hinton, Sabour & Frosst 2018): found, refused, never another's."""

import dataclasses

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import capsnet_explorer as ce
from tests.model.described import styles
from tests.model.described.test_windows import slowly


class Em(nn.Module):
    """Poses and activations are parts, and routed to the classes."""

    types, side, places = 2, 4, 16
    gain = 1.0
    cost = 1.0
    heat = 0.01

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.conv1 = nn.Conv2d(1, 8, 5, stride=2)
        self.pose = nn.Conv2d(8, self.types * 16, 3)
        self.active = nn.Conv2d(8, self.types, 3)
        self.poses, self.activations = nn.Identity(), nn.Identity()
        with torch.no_grad():
            self.pose.weight.mul_(5)
        self.W = nn.Parameter(torch.randn(1, self.inputs, styles.CLASSES, 4, 4))
        self.beta_u = nn.Parameter(torch.randn(styles.CLASSES))
        self.beta_a = nn.Parameter(torch.randn(styles.CLASSES))
        self.heat = type(self).heat  # the module's own numbers are looked through

    @property
    def inputs(self):
        return self.types * self.places

    def forward(self, x):
        x = F.relu(self.conv1(x))
        poses = self.pose(x).permute(0, 2, 3, 1)
        active = torch.sigmoid(self.active(x)).permute(0, 2, 3, 1)
        return self.routed(*self.pass_parts(poses, active))

    def pass_parts(self, poses, active):
        poses = self.poses(poses.unflatten(3, (self.types, 16)))
        return poses, self.activations(active)

    def votes(self, poses):
        return (poses.reshape(len(poses), -1, 1, 4, 4) @ self.W).flatten(3)

    def heard(self, shares, active):
        return shares * active

    def routed(self, poses, active):
        return self.by_em(self.votes(poses), active.reshape(len(poses), -1, 1))[1]

    def by_em(self, votes, active):
        shares = torch.full(votes.shape[:3], 1 / votes.shape[2])
        for _ in range(3):
            heard = self.heard(shares, active)
            mass = heard.sum(dim=1, keepdim=True)
            part = (heard / (mass + 1e-8))[..., None]
            mean = (part * votes).sum(dim=1, keepdim=True)
            variance = (part * (votes - mean) ** 2).sum(dim=1, keepdim=True) + 1e-8
            costs = self.beta_u[:, None] + self.cost * variance.sqrt().log()
            cost = costs * mass[..., None]
            out = torch.sigmoid(self.heat * (self.beta_a - cost.sum(dim=3)))
            log = -((votes - mean) ** 2) / (2 * variance) - variance.sqrt().log()
            shares = (self.gain * log.sum(dim=3) + out.log()).softmax(dim=2)
        return mean[:, 0], out[:, 0]


class Shared(Em):
    """W shared by all places, coordinates added, and one part that returns both."""

    @property
    def inputs(self):
        return self.types

    def pass_parts(self, poses, active):
        both = self.poses(torch.cat([poses, active], dim=3))
        return both.split([self.types * 16, self.types], dim=3)

    def votes(self, poses):
        matrices = poses.reshape(len(poses), 16, self.types, 1, 4, 4)
        votes = (matrices @ self.W).flatten(4).unflatten(1, (4, 4))
        at = torch.arange(4) / 4
        down, across = at[:, None, None, None], at[:, None, None]
        first, second = votes[..., :1] + down[..., None], votes[..., 1:2]
        second = second + across[..., None]
        return torch.cat([first, second, votes[..., 2:]], dim=-1).flatten(1, 3)

    def heard(self, shares, active):
        heard = shares * active
        return heard / (heard.sum(dim=2, keepdim=True) + 1e-8)


class Windows(nn.Module):
    """Three types of capsules, each of which reads windows of 2×2 places by EM."""

    cost, heat, by_em, heard = 1.0, 0.05, Em.by_em, Em.heard

    def __init__(self, types, slots, gain):
        super().__init__()
        self.slots, self.gain = slots, gain
        self.W = nn.Parameter(torch.randn(4 * types, 3, 4, 4))
        self.beta_u, self.beta_a = (nn.Parameter(torch.randn(3)) for _ in range(2))

    def forward(self, poses, active):
        both = torch.cat([poses, active[..., None]], dim=4).movedim(3, 1)
        read = slowly(both, 2, 1, 0, self.slots)
        rows = read.flatten(0, 2)
        votes = (rows[..., :16].unflatten(2, (1, 4, 4)) @ self.W).flatten(3)
        outputs = self.by_em(votes, rows[..., 16:])
        return [tensor.unflatten(0, read.shape[:3]) for tensor in outputs]


class Deep(Em):
    """Poses, two layers of capsules that read windows, and the classes."""

    slots, gain, inputs = "types", 1.0, 2 * 2 * 3

    def __init__(self):
        super().__init__()
        self.first = Windows(self.types, self.slots, self.gain)
        self.second = Windows(3, self.slots, self.gain)

    def pass_parts(self, poses, active):
        return self.second(*self.first(*super().pass_parts(poses, active)))


def deep(**changed):
    net = type("Twin", (Deep,), changed)().eval()
    em = {"form": "em", "iterations": 3}
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Values("poses", net.poses),
        ce.Values("active", net.activations),
        ce.Routing(
            *("first", lambda: net.first.W, "poses"),
            **{**em, "activations": "active", "kernel": 2},
        ),
        ce.Routing("second", lambda: net.second.W, "first", kernel=2, **em),
        ce.Routing("routing", lambda: net.W, "second", **em),
        ce.Classes(),
    ]
    return net, layers


@pytest.mark.parametrize("slots", ["types", "places"])
def test_em_routing_in_windows_is_found_in_a_row(slots):
    net, layers = deep(slots=slots)
    mine = ce.describe(net, layers, styles.images())
    for id, part in (("first", "first."), ("second", "second."), ("routing", "")):
        settings = mine.report[id].found
        assert settings["form"] == "EM"
        assert settings["costs"] == f"β_u {part}beta_u and β_a {part}beta_a"
    assert mine.report["second"].found["window"] == "2×2, step 1"
    assert mine.report.difference < 5e-5
    image = styles.images()[:1]
    trace = mine.trace(image[0])
    assert trace["second.couplings"].shape == (2, 2, 12, 3)
    activations = []
    net.first.register_forward_hook(lambda *args: activations.append(args[2][1][0]))
    net(image)
    expected = activations[0].detach().flatten().numpy()
    assert trace["first.activations"] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("changed", "options", "reason"),
    [
        ({"gain": 0.5}, {}, "first: routed in no way that was tried"),
        ({}, {"kernel": 1}, "first: no part of your module returns activations"),
        ({}, {"kernel": 5}, "first: with a kernel of 5, poses must have poses at rows"),
    ],
)
def test_other_em_routing_in_windows_is_refused(changed, options, reason):
    net, layers = deep(**changed)
    layers[3] = dataclasses.replace(layers[3], **options)
    with pytest.raises(ce.Different, match=reason):
        ce.describe(net, layers, styles.images())


def described(style, **changed):
    net = type("Twin", (style,), changed)().eval()
    is_one = isinstance(net, Shared)  # part that returns both
    return ce.describe(
        net,
        [
            ce.Convolution("conv1", net.conv1),
            ce.Values("poses", net.poses),
            *([] if is_one else [ce.Values("active", net.activations)]),
            ce.Routing(
                "routing",
                lambda: net.W,
                "poses",
                form="em",
                activations=None if is_one else "active",
            ),
            ce.Classes(),
        ],
        styles.images(),
    )


def test_em_routing_is_found():
    mine = described(Em)
    settings = mine.report["routing"].found
    assert (settings["form"], settings["iterations"], settings["votes"]) == (
        "EM",
        3,
        "votes M·W",
    )
    assert settings["temperature"] == "λ 0.01"
    assert settings["costs"] == "β_u beta_u and β_a beta_a"
    assert mine.report["classes"].found["answers"] == "activations"
    assert mine.report.difference < 1e-5
    trace = mine.trace(styles.images()[0])
    assert trace["routing.couplings"].shape == (32, styles.CLASSES)
    assert trace["routing.couplings"].sum(axis=1) == pytest.approx(1, abs=1e-5)
    kinds = {layer.id: layer.kind for layer in mine.trained.layers}
    assert kinds["routing"] == "tensor"
    assert not mine.trained.can.route


def test_of_em_routing_shared_w_coordinates_and_shares_are_found():
    report = described(Shared).report
    settings = report["routing"].found
    assert settings["W"] == "shared by the places of a type"
    assert settings["coordinates"] == "coordinates from the edge of a place"
    assert settings["shares"] == "shares of 1 again after activations"
    assert settings["iterations"] == 3


@pytest.mark.parametrize(
    ("style", "changed"),
    [(Em, {"gain": 0.5}), (Em, {"cost": 0.5}), (Shared, {"gain": 0.5})],
)
def test_em_routing_with_another_line_is_refused(style, changed):
    with pytest.raises(ce.Different, match="routed in no way that was tried"):
        described(style, **changed)


def test_em_routing_that_hardly_matters_is_not_told():
    with pytest.raises(ce.Different, match="these weights cannot show how it routes"):
        described(Em, gain=0.5, heat=1e-6)
