"""Seven styles of CapsNets that people write, each found or refused rightly."""

import random

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import capsnet_explorer as ce
from tests.model.described import styles


def layers_of(net, convolutions=None, transforms=None, squash=None, **routing):
    weights = transforms or (lambda: net.W)
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", convolutions or net.primary, 8, "conv1", squash=squash),
        ce.Routing("routing", weights, "primary", squash=squash, **routing),
        ce.Classes(),
    ]


def described(net, *args, images=None, **options):
    images = styles.images() if images is None else images
    return ce.describe(net, layers_of(net, *args), images, **options)


PAPER = {"axis": "classes", "iterations": 3, "prior": None, "shared": False}

STYLES = {
    "Padded": (lambda n: (n.primary, lambda: n.W), "permute", PAPER),
    "Viewed": (
        lambda n: (n.primary, lambda: n.weight),
        "view",
        {**PAPER, "axes": ("out", "in", "out size", "in size")},
    ),
    "SideBySide": (
        lambda n: (n.convolutions, lambda: n.route_weights),
        "permute",
        {**PAPER, "axis": "capsules", "axes": ("out", "in", "in size", "out size")},
    ),
    "LearnedPrior": (
        lambda n: (n.primary, lambda: n.W),
        "permute",
        {**PAPER, "iterations": 4, "prior": "b"},
    ),
    "Shared": (
        lambda n: (n.units, lambda: n.W),
        "view",
        {**PAPER, "axis": "capsules", "shared": "mean", "squash": "number"},
    ),
    "Summed": (
        lambda n: (n.units, lambda: n.W),
        "view",
        {**PAPER, "axis": "capsules", "shared": "sum", "squash": "number"},
    ),
    "SquashedAcross": (lambda n: (n.units, lambda: n.W), "permute", PAPER),
}


# What lies between layers, and a squash over the wrong axis.
BETWEEN = {
    "Padded": ("conv1", "activation", "batch norm, leaky ReLU"),
    "SquashedAcross": ("primary", "squash", "capsules"),
}


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_found_and_answers_as_the_module_does(style):
    parts, order, routing = STYLES[style]
    net = getattr(styles, style)().eval()
    mine = described(net, *parts(net))
    assert mine.report["primary"].found["order"] == order
    settings = mine.report["routing"].found
    assert {name: settings[name] for name in routing} == routing
    if style in BETWEEN:
        layer, what, expected = BETWEEN[style]
        assert mine.report[layer].found[what] == expected
    assert mine.report.difference < 2e-6
    assert not any(entry.ambiguous for entry in mine.report.values())
    image = styles.images()[:1]
    with torch.no_grad():
        answer = net(image)  # alone: shared logits depend on the batch
    answer = answer["lengths"] if isinstance(answer, dict) else answer
    answer = answer[0] if isinstance(answer, tuple) else answer
    answer = answer.squeeze(-1) if answer.ndim == 4 else answer
    answer = answer.norm(dim=-1) if answer.ndim == 3 else answer
    np.testing.assert_allclose(mine.trace(image[0]).scores, answer[0], atol=1e-5)


@pytest.mark.parametrize("style", STYLES)
def test_no_style_is_told_of_its_twin_that_adds_half_of_the_agreement(style):
    parts, _, routing = STYLES[style]
    net = type(style, (getattr(styles, style),), {"gain": 0.5})().eval()
    # What is said need not be tried otherwise, which takes long.
    squash = None if style in ("Shared", "Summed", "SquashedAcross") else styles.shrunk
    options = {"iterations": routing["iterations"], "squash": squash}
    layers = layers_of(net, *parts(net), **options)
    with pytest.raises(ce.Different) as refused:
        ce.describe(net, layers, styles.images())
    assert refused.value.layer == "routing"


@pytest.mark.parametrize("iterations", [1, 2, 3, 4, 5])
def test_iterations_are_counted(iterations):
    net = styles.Paper()
    net.iterations = iterations
    report = described(net).report
    assert report["routing"].found["iterations"] == iterations
    # With one, no logit is ever added, so nothing tells whether they are shared.
    assert ("shared" in report["routing"].ambiguous) == (iterations == 1)


def test_with_one_image_nothing_is_said_of_sharing():
    report = described(styles.Paper(), images=styles.images(1)).report
    assert report["routing"].ambiguous["shared"] == (False, "mean", "sum")
    assert "cannot tell whether the logits of a batch are shared" in str(report)


def test_scores_too_small_for_the_tolerance_do_not_fit_everything():
    class Faint(styles.Paper):
        strength = 1e-4

        def routed(self, u):
            return super().routed(u).sqrt()

    net = Faint()
    report = ce.describe(net, layers_of(net, iterations=3), styles.images()).report
    assert report["routing"].is_assumed
    assert "cannot show how it routes" in str(report)


def test_a_wrong_prior_is_refused():
    net = styles.LearnedPrior()
    wrong = torch.zeros(net.count, styles.CLASSES)
    with pytest.raises(ce.Different) as refused:
        ce.describe(net, layers_of(net, prior=wrong), styles.images())
    assert refused.value.layer == "routing"


def test_the_report_measures_what_the_papers_way_would_change():
    net = styles.Viewed().eval()
    images = styles.images(12)
    report = described(net, None, lambda: net.weight, images=images).report
    with torch.no_grad():
        lengths = net(images)[0]
        # The slow way: the same weights in a network that permutes.
        other = styles.Paper()
        other.W = nn.Parameter(net.weight.transpose(0, 1).contiguous())
        other.conv1, other.primary = net.conv1, net.primary
        paper = other(images)
    changed = int((lengths.argmax(1) != paper.argmax(1)).sum())
    (sentence,) = report.sentences
    assert f"would change the answer to {changed} of your 12 images" in sentence.text
    assert sentence.setting == "order"
    entry = report["routing"]  # as a notebook reads it
    assert entry["found"] is entry.found
    assert list(report) == ["conv1", "primary", "routing", "classes"]
    assert "<table>" in report._repr_html_()


def test_labels_say_how_many_images_are_read_wrong():
    net = styles.Paper().eval()
    images = styles.images(5)
    with torch.no_grad():
        labels = net(images).argmax(1)
    labels[0] = (labels[0] + 1) % 10
    mine = described(net, images=images, labels=labels.tolist())
    assert "It misreads 1 of your 5 images." in str(mine.report)
    sentences = mine.card["described"]["sentences"]
    assert any("misreads" in sentence["text"] for sentence in sentences)
    for wrong, message in (
        ([0, 1], "labels must be 5 whole numbers"),
        ([0.5] * 5, "labels must be 5 whole numbers"),
        ([0, 1, 2, 3, 10], "labels must be from 0 to 9, got 0 to 10"),
    ):
        with pytest.raises(ValueError, match=message):
            described(net, images=images, labels=wrong)


TRIED = {"iterations": 3, "squash": styles.shrunk}  # fewer ways


def twice_of(net, first=None):
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary, size=8, below="conv1"),
        ce.Routing(
            *("middle", lambda: net.W1 if first is None else first, "primary"),
            **TRIED,
        ),
        ce.Routing("routing", lambda: net.W2, "middle", **TRIED),
        ce.Classes(),
    ]


def test_capsules_routed_twice_are_found():
    net = styles.Twice().eval()
    report = ce.describe(net, twice_of(net), styles.images()).report
    assert report["middle"].shape == (6, 8)
    for name in ("middle", "routing"):
        assert PAPER.items() <= report[name].found.items()
        # Nothing in the module shows those in the middle: what follows tells.
        assert 0 < report[name].difference < 1e-5
    with pytest.raises(ce.Different) as refused:
        ce.describe(net, twice_of(net, 1.1 * net.W1), styles.images())
    assert refused.value.layer == "routing"


class Plain(nn.Module):
    """A CNN."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.conv1 = nn.Conv2d(3, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 6, 3)
        self.drop = nn.Dropout(0.5)
        self.hidden = nn.Linear(6 * 3 * 3, 12)
        self.out = nn.Linear(12, 5)

    def forward(self, x):
        x = F.max_pool2d(self.conv1(x).relu(), 2)
        x = F.max_pool2d(self.conv2(x), 2).relu()
        return self.out(self.drop(torch.tanh(self.hidden(x.flatten(1)))))


def test_a_cnn_of_any_size_and_colour():
    net, images = Plain(), styles.images(channels=3)
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Pooling("pool1", "conv1", 2),
        ce.Convolution("conv2", net.conv2, "pool1"),
        ce.Pooling("pool2", "conv2", 2),
        ce.Dense("hidden", net.hidden, "pool2"),
        ce.Dense("logits", net.out, "hidden"),
        ce.Classes(),
    ]
    mine = ce.describe(net, layers, images, class_names=list("abcde"))
    assert mine.report["classes"].found["answers"] == "logits"
    assert mine.report["hidden"].found["activation"] == "Tanh" or (
        mine.report["hidden"].found["activation"] == "tanh"
    )
    with torch.no_grad():
        scores = net.eval()(images[:1]).softmax(1)
    np.testing.assert_allclose(mine.trace(images[0]).scores, scores[0], atol=1e-6)
    assert mine.class_names == tuple("abcde")
    assert mine.card["dataset"] == "described-mine"  # not digits
    with pytest.raises(ce.Different) as refused:
        ce.describe(
            net, [*layers[:1], ce.Convolution("conv2", net.conv2, "conv1")], images
        )
    assert refused.value.layer == "conv2"


class Mixed(Plain):
    """Between pooling and the dense layer, a part that is described by its values."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(4)
        self.norm.weight.data.uniform_(0.5, 2)
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.mixed = nn.Sequential(nn.Conv2d(4, 4, 3, padding=1), nn.Tanh())
        self.out = nn.Linear(4 * 8 * 8, 3)

    def forward(self, x):
        maps = F.max_pool2d(self.norm(self.conv1(x)).relu(), 2)
        return self.out(self.between(maps).flatten(1))

    def between(self, maps):
        return self.mixed(maps)


class MixedFirst(Mixed):
    """No part of it reads what is pooled."""

    def between(self, maps):
        return self.mixed(maps * 0.5)


def mixed_layers(net):
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Pooling("pool", "conv1", 2),
        ce.Values("mixed", net.mixed),
        ce.Dense("out", net.out, below="mixed"),
        ce.Classes(),
    ]


def test_pooling_that_no_described_layer_reads_is_what_the_module_pools():
    torch.manual_seed(2)
    net, images = Mixed().eval(), styles.images()
    mine = ce.describe(net, mixed_layers(net), images)
    assert mine.report["conv1"].found["activation"] == "batch norm, ReLU"
    assert mine.report["pool"].found["pooling"] == "max"
    with torch.no_grad():
        pooled = F.max_pool2d(net.norm(net.conv1(images)).relu(), 2)[0]
    np.testing.assert_allclose(mine.trace(images[0])["pool.out"], pooled, atol=1e-6)


def test_pooling_that_nothing_shows_is_refused():
    torch.manual_seed(2)
    net = MixedFirst().eval()
    with pytest.raises(
        ce.Different, match="pool: no part of your module reads"
    ) as refused:
        ce.describe(net, mixed_layers(net), styles.images())
    assert refused.value.layer == "pool"


def test_normalised_images_are_normalised_before_the_module_reads_them():
    net = styles.Paper().eval()
    images = styles.images()
    mine = described(net, normalize=(0.3, 0.5))
    with torch.no_grad():
        scores = net((images[:1] - 0.3) / 0.5)
    np.testing.assert_allclose(mine.trace(images[0]).scores, scores[0], atol=1e-5)


def test_the_module_is_given_back_as_it_was():
    net = styles.Padded()
    net.conv1.eval()
    net.conv1.weight.requires_grad_(False)
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    modes = [part.training for part in net.modules()]
    torch.manual_seed(5), np.random.seed(5), random.seed(5)
    expected = torch.rand(1), np.random.rand(), random.random()
    torch.manual_seed(5), np.random.seed(5), random.seed(5)
    mine = described(net)
    mine.trace(styles.images()[0])
    assert (torch.rand(1), np.random.rand(), random.random()) == expected
    assert [part.training for part in net.modules()] == modes
    assert not any(part._forward_hooks for part in net.modules())
    assert not any(part._forward_pre_hooks for part in net.modules())
    assert not net.conv1.weight.requires_grad
    assert all(parameter.grad is None for parameter in net.parameters())
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, before[name])


def test_the_module_is_read_and_not_copied():
    net = styles.Paper().eval()
    mine = described(net)
    with torch.no_grad():
        net.W.mul_(0.5)
        scores = net(styles.images()[:1])
    np.testing.assert_allclose(
        mine.trace(styles.images()[0]).scores, scores[0], atol=1e-5
    )


class Asking(styles.Paper):
    def forward(self, x, labels):
        return super().forward(x)


class Dropping(styles.Paper):
    def routed(self, u):
        return super().routed(F.dropout(u, 0.5))


class Broken(styles.Paper):
    def capsules(self, x):
        return super().capsules(x * torch.inf)


class Raising(styles.Paper):
    def routed(self, u):
        raise KeyError("mask")


class Printing(styles.Paper):
    def forward(self, x):
        print("shape", x.shape)
        return super().forward(x)


@pytest.mark.parametrize(
    ("net", "message"),
    [
        (Asking, "your module wants more than images.*call=lambda module, images"),
        (Dropping, "answers otherwise when it is asked again.*is dropout left on"),
        (Broken, "not finite for 2 of 2 images, first in primary"),
        (Raising, "your module raised KeyError.*'mask'"),
    ],
)
def test_a_module_that_cannot_be_described_says_why(net, message):
    with pytest.raises(ValueError, match=message) as refused:
        described(net())
    assert len(str(refused.value).splitlines()) == 1


def test_the_users_own_traceback_is_kept_and_ours_is_not():
    with pytest.raises(ValueError, match="KeyError") as refused:
        described(Raising())
    cause = refused.value.__cause__
    names, trace = [], cause.__traceback__
    while trace:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert names[-1].endswith("routed")
    assert names[0].endswith("forward")


def test_call_hands_over_what_else_a_module_wants():
    mine = described(Asking(), call=lambda module, images: module(images, None))
    assert mine.report["routing"].found["iterations"] == 3


def test_what_a_module_prints_is_kept_back(capsys):
    report = described(Printing()).report
    assert capsys.readouterr().out == ""
    assert "Your module prints while it answers" in str(report)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (
            torch.zeros(2, 28, 28),
            r"must be \(n, channels, rows, columns\).*\(2, 28, 28\)",
        ),
        (torch.zeros(0, 1, 16, 16), "at least one image"),
        (torch.zeros(2, 1, 16, 16, dtype=torch.uint8), r"got uint8; images.float\(\)"),
        ([[1.0]], "must be a tensor"),
        (torch.full((1, 1, 16, 16), torch.nan), "finite"),
        (torch.zeros(2, 3, 16, 16), r"in conv1, for images of shape \(3, 16, 16\)"),
    ],
)
def test_images_that_do_not_fit_are_refused(images, message):
    with pytest.raises(ValueError, match=message):
        described(styles.Paper(), images=images)


def layers_in_wrong_order(net):
    conv, primary, routing, classes = layers_of(net)
    return [conv, routing, primary, classes]


WRONG = {
    "none": (lambda net: [], "layers must name at least one", None),
    "no layer": (lambda net: [net.conv1], "got a Conv2d", None),
    "order": (layers_in_wrong_order, "primary, which comes after it", "routing"),
    "below": (
        lambda net: [ce.Convolution("conv1", net.conv1, below="conv0")],
        "below must be the id of an earlier layer",
        "conv1",
    ),
    "twice": (
        lambda net: [ce.Convolution("a", net.conv1), ce.Convolution("a", net.conv1)],
        "id is that of an earlier layer",
        "a",
    ),
    "W": (
        lambda net: layers_of(net, None, lambda: torch.zeros(7, 10, 6, 8)),
        r"W must be \(64 capsules, 10 classes, out size, 8 numbers",
        "routing",
    ),
    "W of two axes": (
        lambda net: layers_of(net, None, lambda: torch.zeros(64, 80)),
        r"W must be \(64 capsules, 10 classes, out size, 8 numbers",
        "routing",
    ),
    "no W": (
        lambda net: layers_of(net, None, lambda: net.missing),
        "transforms raised AttributeError",
        "routing",
    ),
    "not in it": (
        lambda net: [ce.Convolution("conv1", nn.Conv2d(1, 12, 5))],
        "did not run",
        "conv1",
    ),
    "not from the image": (
        lambda net: [ce.Capsules("primary", net.primary, 8)],
        r"reads values of shape \(12, 12, 12\), and the image gives \(1, 16, 16\)",
        "primary",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_description_names_layer_and_remedy(case):
    layers, message, layer = WRONG[case]
    net = styles.Paper()
    with pytest.raises(ValueError, match=message) as refused:
        ce.describe(net, layers(net), styles.images())
    assert getattr(refused.value, "layer", None) == layer


NET, VIEWED = styles.Paper(), styles.Viewed()


def viewed(**options):
    return described(VIEWED, None, lambda: VIEWED.weight, **options)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: ce.Capsules("primary", NET.primary, 7, "conv1"),
            r"primary: size must divide the 32 maps",
        ),
        (
            lambda: ce.Routing("routing", lambda: NET.W, "primary", form="own"),
            "form must be dynamic, attention, em or self",
        ),
        (
            lambda: ce.Convolution("conv1", nn.Linear(2, 2)),
            r"conv1: needs an nn.Conv2d, got a Linear",
        ),
        (
            lambda: viewed(scores=lambda out: out[2]),
            r"scores raised IndexError.*a tuple",
        ),
        (
            lambda: viewed(scores=lambda out: out[1][:, 0, 0, 0]),
            r"scores must pick \(n, classes\)",
        ),
        (
            lambda: described(NET, class_names=["a", "b"]),
            "class_names must be 10 names, got 2",
        ),
        (lambda: described(NET, name="My net"), "name must be small letters"),
        (lambda: described(NET, normalize=3), r"normalize must be \(mean, standard"),
        (
            lambda: described(NET, images=styles.images() - 1, normalize=(0, 1)),
            r"images must be in 0\.\.1",
        ),
        (
            lambda: ce.describe(NET.state_dict(), layers_of(NET), styles.images()),
            r"must be an nn\.Module, got a state dict",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_needed(ask, message):
    with pytest.raises(ValueError, match=message):
        ask()
