"""EM routing (Hinton, Sabour & Frosst 2018): found, refused, never another's."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import capsnet_explorer as ce
from tests.model.described import styles


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
        self.W = nn.Parameter(torch.randn(1, self.own, styles.CLASSES, 4, 4))
        self.beta_u = nn.Parameter(torch.randn(styles.CLASSES))
        self.beta_a = nn.Parameter(torch.randn(styles.CLASSES))
        self.heat = type(self).heat  # the module's own numbers are looked through

    @property
    def own(self):
        return self.types * self.places

    def forward(self, x):
        x = F.relu(self.conv1(x))
        poses = self.pose(x).permute(0, 2, 3, 1)
        active = torch.sigmoid(self.active(x)).permute(0, 2, 3, 1)
        return self.routed(*self.shown(poses, active))

    def shown(self, poses, active):
        poses = self.poses(poses.unflatten(3, (self.types, 16)))
        return poses, self.activations(active)

    def votes(self, poses):
        return (poses.reshape(len(poses), -1, 1, 4, 4) @ self.W).flatten(3)

    def heard(self, shares, active):
        return shares * active

    def routed(self, poses, active):
        votes, active = self.votes(poses), active.reshape(len(poses), -1, 1)
        shares = torch.full(votes.shape[:3], 1 / styles.CLASSES)
        for _ in range(3):
            heard = self.heard(shares, active)
            mass = heard.sum(dim=1, keepdim=True)
            part = (heard / (mass + 1e-8))[..., None]
            mean = (part * votes).sum(dim=1, keepdim=True)
            variance = (part * (votes - mean) ** 2).sum(dim=1, keepdim=True) + 1e-8
            each = self.beta_u[:, None] + self.cost * variance.sqrt().log()
            cost = each * mass[..., None]
            out = torch.sigmoid(self.heat * (self.beta_a - cost.sum(dim=3)))
            log = -((votes - mean) ** 2) / (2 * variance) - variance.sqrt().log()
            shares = (self.gain * log.sum(dim=3) + out.log()).softmax(dim=2)
        return out[:, 0]


class Shared(Em):
    """W shared by all places, coordinates added, and one part that returns both."""

    @property
    def own(self):
        return self.types

    def shown(self, poses, active):
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
    found = mine.report["routing"].found
    assert (found["form"], found["iterations"], found["votes"]) == (
        "EM",
        3,
        "votes M·W",
    )
    assert found["temperature"] == "λ 0.01"
    assert found["costs"] == "β_u beta_u and β_a beta_a"
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
    found = report["routing"].found
    assert found["W"] == "shared by the places of a type"
    assert found["coordinates"] == "coordinates from the edge of a place"
    assert found["shares"] == "shares of 1 again after activations"
    assert found["iterations"] == 3


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
