"""Descriptions that are found, of modules and images alone."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.described.describing import checked_description
from capsnet_explorer.model.described.discovery import discovering
from capsnet_explorer.model.described.discovery.discovering import discover
from capsnet_explorer.model.described.discovery.observing import observe
from capsnet_explorer.model.described.files import open_networks
from tests.model.described import (
    published,
    styles,
    test_em,
    test_making,
    test_truth,
    test_windows,
)
from tests.model.described.styles import by_agreement, shrunk

SMALL = (4, 1, 16, 16)


class Capsules(nn.Module):
    def __init__(self, count=64):
        super().__init__()
        self.W = nn.Parameter(torch.randn(1, count, 5, 6, 4))

    def forward(self, capsules):
        votes = (self.W @ capsules[:, :, None, :, None]).squeeze(-1)
        return by_agreement(votes, 3)


class Net(nn.Module):
    """The paper's network, small, whose answer is lengths, a picture and a mask."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 5)
        self.primary = nn.Conv2d(8, 16, 5, stride=2)
        with torch.no_grad():
            self.primary.weight.mul_(4)
        self.digits = Capsules()
        self.decoder = nn.Sequential(
            *(nn.Linear(30, 40), nn.ReLU(), nn.Linear(40, 256), nn.Sigmoid())
        )

    def routed(self, images):
        return self.digits(self.capsules(images))

    def capsules(self, images):
        maps = self.primary(self.conv1(images).relu()).unflatten(1, (4, 4))
        return shrunk(maps.permute(0, 1, 3, 4, 2).flatten(1, 3))

    def drawn(self, capsules, which=None):
        lengths = capsules.norm(dim=-1)
        which = lengths.argmax(dim=1) if which is None else which
        mask = F.one_hot(which, 5).to(capsules.dtype)
        picture = self.decoder((capsules * mask[..., None]).flatten(1))
        return lengths, picture.view(-1, 1, 16, 16), mask

    def forward(self, images):
        return self.drawn(self.routed(images))


class Compiled(nn.Module):
    """Keeps a module where torch.compile does, which takes seconds to import."""

    def __init__(self, module):
        super().__init__()
        self._orig_mod = module

    def forward(self, images):
        return self._orig_mod(images)


class Labelled(Net):
    def forward(self, images, labels):
        return self.drawn(self.routed(images), labels)


class LabelledAlways(Net):
    def forward(self, images, labels):
        return self.drawn(self.routed(images), labels.long())


class Following(Net):
    def forward(self, images, labels):
        return self.routed(images).norm(dim=-1) + F.one_hot(labels, 5)


class Named(Net):
    def forward(self, images):
        lengths, picture, _ = self.drawn(self.routed(images))
        return {"picture": picture, "lengths": lengths}


class Twice(Net):
    """Capsules that are routed to others, and these to the classes."""

    def __init__(self):
        super().__init__()
        self.middle = nn.Parameter(torch.randn(64, 12, 4, 4))
        self.digits = Capsules(12)

    def forward(self, images):
        votes = torch.einsum("ijdp,bip->bijd", self.middle, self.capsules(images))
        return self.digits(by_agreement(votes, 3)).norm(dim=-1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = (nn.Conv2d(8, 8, 3, padding=1) for _ in range(2))
        self.norm, self.relu = nn.BatchNorm2d(8), nn.ReLU(inplace=True)

    def forward(self, maps):
        sums = self.norm(self.second(self.relu(self.first(maps))))
        sums += maps
        return self.relu(sums)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3)
        self.blocks = nn.Sequential(Block(), Block())
        self.pool, self.out = nn.AdaptiveAvgPool2d(1), nn.Linear(8, 4)

    def forward(self, images):
        maps = self.blocks(self.stem(images).relu())
        return self.out(self.pool(maps).flatten(1))


class Attending(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.head = nn.Conv2d(1, 16, 4, stride=4), nn.Linear(16, 5)
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)

    def forward(self, images):
        return self.head(self.encoder(self.patch(images).flatten(2).mT).mean(dim=1))


def plain():
    return nn.Sequential(
        *(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(8, 8, 3), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten()),
        *(nn.Linear(32, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 4)),
    )


def describe(make, shape=SMALL, **settings):
    torch.manual_seed(1)
    return ce.describe(make(), images=torch.rand(shape), **settings)


def kinds(mine):
    """Return the kinds of layers of a description, and which are recomputed."""
    return [
        (type(layer).__name__, mine.report[layer.id].is_recomputed)
        for layer in mine.trained.network.description.layers
    ]


ROUTED = [(kind, True) for kind in ("Convolution", "Capsules", "Routing", "Classes")]
DRAWN = [*ROUTED, ("Decoder", True)]


@pytest.mark.parametrize(
    ("make", "layers"),
    [
        (Net, DRAWN),
        (Labelled, DRAWN),
        (LabelledAlways, ROUTED),  # it draws another capsule than the longest
        (Named, DRAWN),
        (lambda: nn.DataParallel(Net()), DRAWN),
        (lambda: Net().half(), DRAWN),
        (lambda: Compiled(Net()), DRAWN),
    ],
)
def test_what_is_found_is_confirmed_layer_by_layer(make, layers):
    assert kinds(describe(make)) == layers


class Listed(test_making.Voting):
    """A linear layer for each capsule."""

    def build_routing(self):
        out = styles.CLASSES * self.out_size
        self.voters = nn.ModuleList(
            nn.Linear(self.size, out, bias=False) for _ in range(self.count)
        )
        with torch.no_grad():
            for voter in self.voters:
                voter.weight.mul_(3)

    def votes(self, u):
        votes = [voter(u[:, index]) for index, voter in enumerate(self.voters)]
        return torch.stack(votes, dim=1).unflatten(2, (styles.CLASSES, -1))


class Primary(nn.Module):
    """Capsules of 4×4 places, squashed in the part that makes them."""

    def __init__(self):
        super().__init__()
        self.op = nn.Conv2d(8, 24, 5, stride=2, bias=False)
        with torch.no_grad():
            self.op.weight.mul_(4)

    def forward(self, maps):
        capsules = self.op(maps).unflatten(1, (6, 4))
        return shrunk(capsules, axis=2)


class Convolved(nn.Module):
    """A kernel for each type makes its votes of all its places, as two others do.

    Logits are learned, and routed once more after the last agreement, which makes four
    iterations of three (after Minglin-Chen's Capsule-Network-in-PyTorch).
    """

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Sequential(nn.Conv2d(1, 8, 5, bias=False), nn.ReLU())
        self.primary = Primary()
        self.op = nn.Conv2d(24, 6 * 5 * 7, 4, groups=6, bias=False)
        self.logits = nn.Parameter(torch.randn(1, 6, 5, 1, 1, 1))

    def forward(self, images):
        capsules = self.primary(self.conv1(images))
        votes = self.op(capsules.flatten(1, 2)).unflatten(1, (6, 5, 7))
        classes = by_agreement(votes[..., 0, 0], 4, softmax=self.shares)
        return classes.norm(dim=2), classes

    def shares(self, logits):
        return (logits + self.logits[0, ..., 0, 0, 0]).softmax(dim=2)


class Wrapped(published.Paper):
    """Convolutions in parts of their own, one for each type, and a cut by view."""

    def build_primary(self):
        self.conv1 = nn.Sequential(self.conv1, nn.ReLU())
        self.primary = nn.ModuleList(
            nn.Sequential(nn.Conv2d(12, self.size, 5, stride=2)) for _ in range(4)
        )

        with torch.no_grad():
            for part in self.primary:
                part[0].weight.mul_(4)

    def capsules(self, x):
        maps = [part(x).flatten(2).mT for part in self.primary]
        return self.shrink(torch.cat(maps, dim=1))


class Unsquashed(nn.Module):
    """Cuts maps into capsules, and leaves the squash to who calls it."""

    def __init__(self, convolution):
        super().__init__()
        self.convolution = convolution

    def forward(self, maps):
        return self.convolution(maps).unflatten(1, (4, 8)).permute(0, 1, 3, 4, 2)


class SquashedLater(published.Paper):
    """Squashes in its forward what a part has cut."""

    def build_primary(self):
        super().build_primary()
        self.primary = Unsquashed(self.primary)

    def capsules(self, x):
        return self.shrink(self.primary(x).flatten(1, 3))


def style(base, **changed):
    return lambda: type(base.__name__, (base,), changed)()


# What is found, layer by layer, of modules alone; those of `describe` say what is so.
STYLES = {
    "the paper": (published.Paper, "capsules dynamic"),
    "seven iterations": (published.Seven, "capsules dynamic"),
    "W of three axes": (published.Three, "capsules dynamic"),
    "attention": (published.Attention, "capsules attention"),
    "a head": (published.Headed, "capsules dynamic"),
    "self-routing": (published.SelfRouted, "capsules self"),
    "activations of a part": (published.SelfRoutedByPart, "capsules values self"),
    "EM, one part": (test_em.Shared, "convolution convolution values em"),
    "EM, two parts": (test_em.Em, "convolution values values em"),
    "one class": (
        style(test_truth.OneClass, answering=lambda _, v: v[..., None]),
        "capsules dynamic",
    ),
    "squashed after its part": (SquashedLater, "capsules dynamic"),
    "squashed again": (test_truth.Twice, "capsules dynamic"),
    "wrapped": (Wrapped, "capsules dynamic"),
    "windows": (
        lambda: test_windows.Deep("types", "places"),
        "capsules" + 3 * " dynamic",
    ),
    "EM windows": (lambda: test_em.deep()[0], "convolution values values em em em"),
    "attention windows": (
        lambda: test_windows.Attending("places", "places"),
        "capsules" + 3 * " attention",
    ),
    "self-routing windows": (
        lambda: test_windows.SelfRouted(False),
        "values values self self self",
    ),
    "self-routing windows, batch norm between": (
        lambda: test_windows.SelfRouted(True),
        "values values self values values self self",
    ),
    "linear": (style(test_making.Voting, is_linear=True), "capsules dynamic"),
    "grouped": (style(test_making.Voting, is_linear=False), "capsules dynamic"),
    "a kernel for each type": (Convolved, "convolution values dynamic"),
    "linear layers": (Listed, "capsules dynamic"),
    "joined": (lambda: test_making.Net("", ""), "values dynamic"),
    "beside": (lambda: test_making.Net("", beside=7), "values dynamic"),
    **{
        order or "capsules in order": (
            lambda order=order: test_making.Net(order),
            "values dynamic",
        )
        for order in test_making.ORDERS
    },
    "forward called": (test_making.Called, "dense"),
}


@pytest.mark.parametrize("name", STYLES)
def test_a_style_needs_no_word(name):
    make, expected = STYLES[name]
    torch.manual_seed(1)
    mine = ce.describe(make(), images=styles.images())
    first, *layers, last = mine.trained.network.description.layers
    forms = [getattr(x, "form", type(x).__name__).lower() for x in layers]
    assert (type(first), forms, type(last)) == (
        *(ce.Convolution, expected.split(), ce.Classes),
    )
    routings = [x for x in layers if isinstance(x, ce.Routing)]
    assert not any(mine.report[x.id].is_assumed for x in routings)
    assert mine.report.difference < 1e-5
    names = {"ce": ce, "net": mine.trained.network.module, "images": mine.images}
    exec(mine.description, names)
    assert kinds(names["mine"]) == kinds(mine)


def test_the_projects_own_network_needs_no_word():
    torch.manual_seed(1)
    sizes = {"image_rows": 24, "image_columns": 24, "conv1_kernels": 8}
    net = CapsNet(CapsNetConfig(**sizes, primary_types=3, decoder_hidden=(8, 9)))
    with torch.no_grad():
        net.digits.transforms.mul_(6)
    mine = ce.describe(net, images=torch.rand(4, 1, 24, 24))
    assert [kind for kind, _ in kinds(mine)] == [
        *("Convolution", "Capsules", "Routing", "Classes", "Decoder")
    ]
    assert mine.report.difference < 1e-5
    assert "as in the paper" in str(mine.report)
    (scores,) = [x for x in mine.description.splitlines() if "scores=" in x]
    assert "answer.lengths" in scores
    assert "others" in scores
    assert "_" not in scores.partition("#")[2].replace("total_input", "")


def test_capsules_of_a_part_with_layers_of_its_own_are_values():
    torch.manual_seed(1)
    mine = ce.describe(published.Linear(), images=styles.images())
    assert [kind for kind, _ in kinds(mine)] == [
        *("Convolution", "Convolution", "Values", "Routing", "Classes")
    ]


def test_a_plain_network_is_described_from_the_image_up():
    mine = describe(plain)
    assert kinds(mine) == [
        (kind, True)
        for kind in (
            *("Convolution", "Pooling", "Convolution", "Pooling"),
            *("Dense", "Dense", "Classes"),
        )
    ]
    assert [pool.found["pooling"] for pool in list(mine.report.values())[1:4:2]] == [
        *("max", "average")
    ]


def test_a_convolution_that_reads_a_sum_reads_the_part_that_makes_it():
    below = {
        layer.id: layer.reads
        for layer in describe(Residual).trained.network.description.layers
    }
    assert below["blocks-1-first"] == "blocks-0"
    assert below["blocks-0-second"] == "blocks-0-first"


def test_what_no_layer_explains_is_shown_by_its_values():
    first, *others = kinds(describe(Attending))
    assert first == ("Convolution", True)
    assert {kind for kind, _ in others} == {"Values", "Classes"}


def refusing(monkeypatch, most):
    """Let no description with more routings than so many be confirmed."""

    def judge(module, layers, *args, **settings):
        if sum(isinstance(layer, ce.Routing) for layer in layers) > most:
            raise ce.Different("digits: in no way", layer="digits", difference=0.25)
        return checked_description(module, layers, *args, **settings)

    monkeypatch.setattr(discovering, "checked_description", judge)


def test_a_routing_below_that_is_not_recomputed_is_shown_as_seen(monkeypatch):
    refusing(monkeypatch, 1)
    mine = ce.describe(published.Twice(), images=styles.images())
    assert kinds(mine) == [
        *(("Convolution", True), ("Convolution", True), ("Values", False)),
        *(("Couplings", False), ("Routing", True), ("Classes", True)),
    ]
    assert "net.middle, shape=(16, 6)),  # twice; seen, not" in mine.description


def test_couplings_that_are_not_recomputed_are_told_as_seen(monkeypatch):
    refusing(monkeypatch, 0)
    mine = describe(Net)
    assert kinds(mine) == [
        *(("Convolution", True), ("Convolution", True), ("Values", False)),
        *(("Values", False), ("Couplings", False), ("Classes", False)),
    ]
    code = mine.description
    assert "digits is not recomputed: nothing that was tried" in code
    assert "nearest is off by 0.25" in code
    line = 'ce.Couplings("digits-couplings", net.digits, shape=(64, 5)),'
    assert f"{line}  # 3 times; seen, not recomputed" in code
    couplings = mine.trace(torch.rand(SMALL[1:]))["digits-couplings.out"]
    assert couplings.shape == (3, 64, 5)
    assert couplings[0] == pytest.approx(0.2)  # as routing begins
    assert couplings.sum(axis=2) == pytest.approx(1, abs=1e-5)
    layers = mine.trained.architecture.described(mine.trained.network.config)
    (layer,) = [layer for layer in layers if layer.id == "digits-couplings"]
    assert layer.kind == "tensor"
    assert layer.words["why"].startswith("Seen, not recomputed")


def test_the_description_is_python_that_describes_the_same(capsys):
    torch.manual_seed(1)
    net, images = Labelled(), torch.rand(SMALL)
    mine = ce.describe(net, images=images)
    assert mine.description in capsys.readouterr().out
    names = {"ce": ce, "net": net, "images": images}
    exec(mine.description, names)
    assert kinds(names["mine"]) == kinds(mine) == DRAWN
    assert "call=lambda module, images: module(images, None),  # labels: None" in (
        mine.description
    )


def test_scores_that_follow_the_label_are_asked_for():
    with pytest.raises(ValueError, match=r"more than images \(labels\).*follow what"):
        describe(Following)


def test_arguments_that_nothing_is_known_of_are_named():
    class Two(Net):
        def forward(self, images, scale, shift):
            return self.routed(images).norm(dim=-1) * scale + shift

    with pytest.raises(ValueError, match=r"\(scale, shift\): say how to call it"):
        describe(Two)
    mine = describe(Two, call=lambda module, images: module(images, 1.0, 0.0))
    assert kinds(mine) == ROUTED


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
def test_a_scripted_module_is_shown_with_the_reason():
    mine = describe(lambda: torch.jit.script(plain().eval()))
    assert kinds(mine) == [("Classes", True)] or not mine.report["classes"].difference
    assert "a scripted module runs them without Python" in mine.description


def test_the_module_is_given_back_as_it_was():
    torch.manual_seed(1)
    net = Net().train()
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    ce.describe(net, images=torch.rand(SMALL))
    assert all(part.training for part in net.modules())
    assert all(not part._forward_hooks for part in net.modules())
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, before[name])


def test_no_further_description_is_begun_when_the_time_is_over():
    torch.manual_seed(1)
    discovery = discover(Net(), torch.rand(SMALL), limit=0)
    assert any("were not tried in the time" in note for note in discovery.notes)
    assert "ce.Routing" not in discovery.code


def test_a_pass_shows_what_reads_what():
    torch.manual_seed(1)
    net = Twice().eval()
    observation = observe(net, torch.rand(2, 1, 16, 16), None)
    assert [(node.kind, {*node.reads}) for node in observation.nodes] == [
        ("image", set()),
        ("convolution", {0}),
        ("convolution", {1}),
        ("transforms", {2}),
        ("transforms", {3}),
    ]
    assert [node.parameter for node in observation.nodes[3:]] == ["middle", "digits.W"]
    assert [
        (softmaxes.part, softmaxes.shape, softmaxes.count)
        for softmaxes in observation.couplings
    ] == [
        ("", (2, 64, 12), 3),
        ("digits", (2, 12, 5), 3),
    ]


FILE = """
import torch
from torch import nn

net = nn.Sequential(nn.Flatten(), nn.Linear(256, 30), nn.ReLU(), nn.Linear(30, 5))
{further}
"""


@pytest.mark.parametrize(
    ("further", "refused"),
    [
        ("images = torch.rand(4, 1, 16, 16)", ""),
        ("images = torch.rand(4, 1, 16, 16)\nlabels = [0, 1, 2, 3]", ""),
        ("images = torch.rand(4, 1, 16, 16)\nhead = net[1]", ""),
        ("pictures = torch.rand(4, 1, 16, 16)", "it makes net, and no images"),
    ],
)
def test_a_file_that_makes_net_and_images_is_enough(further, refused, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE.format(further=further))
    opened = open_networks([file])
    if refused:
        assert refused in opened.refused["mine"]
        return
    assert not opened.refused
    report = opened.networks["mine"].report
    assert [entry.title for entry in report.values()][-1] == "Classes"
    assert (opened.networks["mine"].labels is None) == ("labels" not in further)
