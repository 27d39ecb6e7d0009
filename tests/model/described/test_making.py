"""Capsules that parts return in any order, beside others, or joined."""

import pytest
import torch
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer.model.described.capsules.making import arrangements
from tests.model.described import published, styles
from tests.model.described.styles import shrunk

ORDERS = {
    "types, numbers, rows, columns": lambda u: u,
    "types · numbers, rows, columns": lambda u: u.flatten(1, 2),
    "numbers · types, rows, columns": lambda u: u.transpose(1, 2).flatten(1, 2),
    "types, places, numbers, listed by place": lambda u: u.flatten(3).transpose(2, 3),
    "numbers, capsules": lambda u: u.transpose(1, 2).flatten(2),
    "capsules · numbers": lambda u: u.flatten(3).transpose(2, 3).flatten(1),
    "": lambda u: u.permute(0, 1, 3, 4, 2),
}


class Primary(nn.Module):
    """Capsules of 3 types, 4 numbers and 4×4 places, returned in one of the orders."""

    def __init__(self, order, beside=None):
        super().__init__()
        self.conv, self.order, self.beside = nn.Conv2d(8, 12, 5, 2), order, beside

    def forward(self, x):
        u = shrunk(4 * self.conv(x).unflatten(1, (3, 4)), axis=2)
        poses = ORDERS[self.order](u)
        if self.beside is None:
            return poses
        return {"active": u.norm(dim=2), "inner": (poses, self.beside)}


class Net(nn.Module):
    """Routes what one part returns, or two: by place where the order says so."""

    def __init__(self, *orders, beside=None):
        super().__init__()
        torch.manual_seed(1)
        self.by_place = "by place" in orders[0]
        self.conv1 = nn.Conv2d(1, 8, 5)
        self.parts = nn.ModuleList(Primary(order, beside) for order in orders)
        self.W = nn.Parameter(1.5 * torch.randn(48 * len(orders), 3, 6, 4))

    def read(self, part, maps):
        read = part(maps)
        read = read["inner"][0] if isinstance(read, dict) else read
        u = shrunk(4 * part.conv(maps).unflatten(1, (3, 4)), axis=2)
        u = u.permute(0, 3, 4, 1, 2) if self.by_place else u.permute(0, 1, 3, 4, 2)
        return u.flatten(1, 3) + 0 * read.sum()

    def forward(self, x):
        maps = self.conv1(x).relu()
        u = torch.cat([self.read(part, maps) for part in self.parts], dim=1)
        votes = torch.einsum("ijdp,bip->bijd", self.W, u)
        return published.by_agreement(votes, 3).norm(dim=-1)


def report_on(net, part, **options):
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Values("primary", part, **options),
        ce.Routing("routing", lambda: net.W, "primary", squash=shrunk),
        ce.Classes(),
    ]
    # Each part's convolution runs twice, so that only the part itself is named.
    return ce.describe(net.eval(), layers, styles.images()).report


@pytest.mark.parametrize("order", ORDERS)
def test_capsules_are_found_in_the_order_in_which_a_part_returns_them(order):
    net = Net(order)
    report = report_on(net, net.parts[0])
    assert report["primary"].found.get("layout", "") == order
    assert report["routing"].found["iterations"] == 3
    assert report.difference < 1e-5


def test_of_several_tensors_the_one_that_routing_reads_is_found_or_picked():
    net = Net("types, numbers, rows, columns", beside=7)
    report = report_on(net, net.parts[0])
    assert report["primary"].shape == (48, 4)
    assert "returns 2 tensors; shown is the second" in str(report)
    picked = report_on(net, net.parts[0], pick=lambda returned: returned["inner"][0])
    assert "shown is the one that pick takes" in str(picked)
    with pytest.raises(ce.Different, match="pick raised KeyError: 'poses'") as refused:
        report_on(net, net.parts[0], pick=lambda returned: returned["poses"])
    assert refused.value.layer == "primary"


def test_capsules_of_two_parts_are_joined():
    net = Net("types · numbers, rows, columns", "")
    report = report_on(net, list(net.parts))
    assert report["primary"].shape == (96, 4)
    assert report.difference < 1e-5
    mine = report["primary"].found["layout"]
    assert mine == "types · numbers, rows, columns and capsules, numbers"


def test_no_order_is_tried_twice():
    for shape in ((12, 4, 4), (4, 4, 4, 4), (2, 3, 5), (40,)):
        numbers = torch.arange(torch.Size(shape).numel()).reshape(1, *shape)
        tried = arrangements([shape], (4, 5, 2), lambda *_: True)
        listed = [order.listed([numbers]) for order in tried if order.curve is None]
        keys = {(x.shape, tuple(x.flatten().tolist())) for x in listed}
        assert len(keys) == len(listed) > 0
        for capsules in listed:
            assert sorted(capsules.flatten().tolist()) == numbers.flatten().tolist()


class Called(nn.Module):
    """Calls a part by its `forward`, which hooks do not see."""

    def __init__(self):
        super().__init__()
        self.conv1, self.caps = nn.Conv2d(1, 8, 5), nn.Linear(8 * 144, 3)

    def forward(self, x):
        return self.caps.forward(self.conv1(x).relu().flatten(1))


def test_a_part_that_is_called_by_forward_has_run():
    net = Called()
    dense = ce.Dense("out", net.caps, "conv1")
    layers = [ce.Convolution("conv1", net.conv1), dense, ce.Classes()]
    report = ce.describe(net, layers, styles.images()).report
    assert report["classes"].found["answers"] == "logits"
    assert "forward" not in vars(net.caps)


def wrapped(*parts):
    return nn.Sequential(*parts)


@pytest.mark.parametrize(
    ("part", "count"),
    [
        (wrapped(nn.Conv2d(8, 16, 5), nn.ReLU()), 1),
        (nn.ModuleList(wrapped(nn.Conv2d(8, 4, 5)) for _ in range(4)), 4),
        (wrapped(nn.ModuleList(nn.Conv2d(8, 4, 5) for _ in range(4))), 4),
    ],
)
def test_convolutions_are_found_in_the_parts_that_wrap_them(part, count):
    assert len(ce.Capsules("primary", part, size=4).convolutions) == count


def test_of_several_convolutions_one_must_be_named():
    deep = wrapped(nn.Conv2d(1, 8, 5), wrapped(nn.Conv2d(8, 16, 5)))
    for layer in (
        lambda: ce.Convolution("conv1", deep),
        lambda: ce.Capsules("conv1", deep, size=4),
    ):
        with pytest.raises(
            ValueError, match=r"with 2 of them; name one of \.0, \.1\.0"
        ):
            layer()
    with pytest.raises(ValueError, match=r"needs an nn.Conv2d, got a Linear; describe"):
        ce.Capsules("primary", nn.Linear(2, 2), size=4)
    assert ce.Convolution("conv1", wrapped(deep[0])).module is deep[0]


class Voting(published.Paper):
    """Votes that a grouped convolution makes, or one linear layer for all capsules."""

    def build_routing(self):
        out = styles.CLASSES * self.out_size
        if self.is_linear:
            self.voter = nn.Linear(self.size, out, bias=False)
        else:
            shape = (self.count * self.size, self.count * out, 1)
            self.voter = nn.Conv1d(*shape, groups=self.count, bias=False)
        with torch.no_grad():
            self.voter.weight.mul_(3)

    def votes(self, u):
        if self.is_linear:
            return self.voter(u).unflatten(2, (styles.CLASSES, -1))
        votes = self.voter(u.flatten(1)[..., None])
        return votes.view(len(u), self.count, self.out_size, -1).mT


@pytest.mark.parametrize(
    ("is_linear", "axes"),
    [
        (True, ("out · out size", "in size")),
        (False, ("in · out size · out", "in size")),
    ],
)
def test_w_may_be_that_of_a_linear_layer_or_of_a_grouped_convolution(is_linear, axes):
    net = type("Net", (Voting,), {"is_linear": is_linear})().eval()
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary, 8, "conv1", squash=shrunk),
        ce.Routing("routing", net.voter, "primary", squash=shrunk),
        ce.Classes(),
    ]
    report = ce.describe(net, layers, styles.images()).report
    assert report["routing"].found["axes"] == axes
    assert report["routing"].found["iterations"] == 3
    assert report.difference < 1e-5
    net.voter.bias = nn.Parameter(torch.zeros(len(net.voter.weight)))
    with pytest.raises(ce.Different, match="must be a part without a bias"):
        ce.describe(net, layers, styles.images())
