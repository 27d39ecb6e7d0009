"""What is said of a network is true whatever its weights are."""

import pytest
import torch
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer.model.described.report.sentences import number_words
from tests.model.described import published, styles
from tests.model.described.styles import shrunk
from tests.model.described.test_published import layers_of


class OneClass(published.Paper):
    """A discriminator: its one capsule, or that one's length."""

    def build_routing(self):
        shape = (self.count, 1, self.out_size, self.size)
        self.W = nn.Parameter(self.strength * torch.randn(shape))

    def answer(self, v):
        return self.answering(v)


ANSWERS = {
    "(n, 1, 6)": lambda v: v,
    "(n, 1, 6, 1)": lambda v: v[..., None],
    "(n, 1)": lambda v: v.norm(dim=-1),
}


@pytest.mark.parametrize("shape", ANSWERS)
def test_one_class_is_one_class(shape):
    net = type("Net", (OneClass,), {"answering": staticmethod(ANSWERS[shape])})().eval()
    report = ce.describe(net, layers_of(net, shrunk), styles.images()).report
    assert report["classes"].shape == (1,)
    assert report["routing"].shape == (1, 6)
    assert not report["routing"].is_assumed
    assert "with one capsule above, every coupling is 1" in str(report)
    for word in ("longest", "answer to", "cannot tell", "cannot show"):
        assert word not in str(report)


def test_ten_classes_with_a_further_axis_are_ten():
    class Further(published.Paper):
        def answer(self, v):
            return v.norm(dim=-1)[:, None]

    net = Further().eval()
    report = ce.describe(net, layers_of(net, shrunk), styles.images()).report
    assert report["classes"].shape == (10,)


class Twice(published.Paper):
    def answer(self, v):
        return self.shrink(v).norm(dim=-1)


@pytest.mark.parametrize("strength", [0.01, 0.05, 0.2, 0.6])
@pytest.mark.parametrize(
    ("base", "name"), [(Twice, "squashed once more"), (published.Squared, None)]
)
def test_a_second_squash_is_told_from_squares(base, name, strength):
    net = type("Net", (base,), {"strength": strength})().eval()
    report = ce.describe(net, layers_of(net, shrunk), styles.images()).report
    assert report["classes"].found["answers"] == (name or "squared lengths")
    text = "squashed once more" if name else "the squares of the lengths"
    assert f"It answers with {'the lengths of its capsules ' * bool(name)}{text}" in (
        str(report)
    )


def without_constants(vectors):
    return published.inside(vectors, 1e-30)


def test_answers_that_fit_equally_well_are_both_named():
    """In single precision alone, squares of small lengths are like a squash."""

    class Single(Twice):
        strength = 0.003

        def shrink(self, vectors):
            return without_constants(vectors)

        def answer(self, v):
            return self.shrink(v).norm(dim=-1).float().to(v)

    net = Single().eval()
    layers = layers_of(net, without_constants, iterations=3)
    report = ce.describe(net, layers, styles.images()).report
    assert set(report["classes"].found["answers"]) == {
        "squared lengths",
        "squashed once more",
    }
    assert "cannot tell the way in which scores follow from lengths" in str(report)
    assert "It answers with" not in str(report)


def test_a_fit_far_better_than_what_routing_does_is_not_called_none():
    net = type("Net", (published.LogSoftmax,), {"strength": 0.02})().eval()
    report = ce.describe(net, layers_of(net, shrunk), styles.images()).report
    assert report["routing"].is_assumed
    assert "nothing that was tried explains" not in str(report)
    assert "in twice as many iterations would differ about as little" in str(report)


def test_the_heading_says_what_share_of_the_weights_is_recomputed():
    net = published.Paper().eval()
    layers = [ce.Convolution("conv1", net.conv1), ce.Classes()]
    heading = ce.describe(net, layers, styles.images()).report.heading
    conv = sum(parameter.numel() for parameter in net.conv1.parameters())
    share = 100 * conv / sum(parameter.numel() for parameter in net.parameters())
    assert f"That takes {share:.1g} % of its weights" in heading
    whole = ce.describe(net, layers_of(net, shrunk), styles.images()).report.heading
    assert "of its weights" not in whole


@pytest.mark.parametrize("side", [4, styles.SIDE])
def test_a_segmentation_network_is_told_that_it_is_no_classifier(side):
    net = nn.Sequential(nn.Conv2d(1, 5, 1), nn.AdaptiveAvgPool2d(side))
    layers = [ce.Convolution("conv1", net[0]), ce.Classes()]
    with pytest.raises(ValueError, match=r"a number for each place, .* that segment"):
        ce.describe(net, layers, styles.images())


AS_USUAL = {"iterations": 3, "axis": "classes", "prior": None, "bias": None}
ANSWERED = {
    "LogSoftmax": "log softmax of lengths",
    "Squared": "squared lengths",
    "OverSum": "lengths over their sum",
    "Scaled": "lengths times a number",
    "Headed": "as they are",
    "Fewer": "as they are",
    "More": "as they are",
    "Mean": "as they are",
    "SelfRouted": "activations",
    "Twice": "squashed once more",
}
# By style: what is true of its routing, at any weights.
TRUE = {
    **dict.fromkeys(("Paper", "SharedW", "Squeezing", "Three", "Depthwise"), AS_USUAL),
    **dict.fromkeys(ANSWERED, AS_USUAL),
    "Normed": AS_USUAL,
    "Seven": {**AS_USUAL, "iterations": 7},
    "Leaky": {**AS_USUAL, "axis": "classes and none"},
    "PlacesPrior": {"iterations": 3, "axis": "capsules", "prior": "prior"},
    "Attention": {"form": "attention", "axis": "classes", "prior": "prior"},
    "SelfRouted": {"form": "self-routing"},
    "Mean": {"iterations": 1, "axis": "classes"},
}
SAID: dict[str, dict] = {
    "Seven": {"iterations": 7},
    "Mean": {"iterations": 1},
    "Attention": {"form": "attention"},
    "SelfRouted": {"form": "self"},
}


A_HEAD = "what something that is not recomputed makes of its capsules"
NO_CLASS = "Scores do not follow the lengths of Routing’s 10 capsules"
# By style: what its report says that is not the paper's, of each setting.
SAYS = {
    "SharedW": ["Routing’s W is one for all places of a type of capsules"],
    "LogSoftmax": ["with the logarithms of a softmax of the lengths"],
    "Squared": ["with the squares of the lengths"],
    "OverSum": ["with each length over the sum of all"],
    "Scaled": ["with the lengths times a number, the same for all"],
    "Twice": ["with the lengths of its capsules squashed once more"],
    "Headed": [A_HEAD, NO_CLASS],
    "Mean": [A_HEAD, NO_CLASS, "has 1 iteration, where the paper’s has 3"],
    "Fewer": [A_HEAD, "makes 6 capsules for 10 classes"],
    "More": [A_HEAD, "makes 14 capsules for 10 classes"],
    "SelfRouted": ["is self-routing, as in the paper of Hahn, Pyeon and Kim (2019)"],
    "Seven": ["has 7 iterations, where the paper’s has 3"],
    "Leaky": ["softmax runs over the classes and one more, whose logit stays 0"],
    "PlacesPrior": [
        "softmax runs over the capsules below",
        "begins with logits of its own, prior,",
    ],
    "Attention": ["is by attention: each vote’s coupling follows from its dot product"],
}


class OfThree(published.Seven):
    """Seven's network, as the paper would have it."""

    def routed(self, u):
        return published.by_agreement(self.votes(u), 3).norm(dim=-1)


PAPERS_WAY = {"Seven": OfThree, "Leaky": published.Paper}


def checked_sentences(style, net, report):
    """Compare each sentence with what a network was built with, and does."""
    is_assumed = report["routing"].is_assumed
    sentences = [sentence.text for sentence in report.sentences]
    settings = [sentence.text for sentence in report.sentences if sentence.setting]
    phrases = SAYS.get(style, [])
    for text in settings:
        assert any(phrase in text for phrase in phrases), text
    for phrase in phrases:
        assert is_assumed or any(phrase in text for text in settings), phrase
    is_papers = any(text.startswith("Capsules are") for text in sentences)
    assert is_papers == (not phrases)
    if is_assumed:  # the effect that it tells is that of the module itself
        (text,) = [text for text in sentences if "cannot show how it routes" in text]
        effect = float(text.split("compared by ")[1].split(" at most")[0])
        assert effect < 1e-6 * max(1e-30, net(styles.images()).abs().max())
    if style in PAPERS_WAY:
        (text,) = [text for text in settings if "The paper’s way would" in text]
        other = PAPERS_WAY[style]().eval()
        other.W = net.W
        both = net(styles.images()), other(styles.images())
        changed = int((both[0].argmax(1) != both[1].argmax(1)).sum())
        moved = number_words((both[0] - both[1]).abs().max().item())
        assert f"change the answer to {changed} of your 4 images" in text
        assert f"scores by up to {moved}." in text
    for setting, values in report["routing"].ambiguous.items():
        name = {"scale": "√ in size"}.get(setting, TRUE[style].get(setting, False))
        assert name in values, setting


@pytest.mark.parametrize("style", TRUE)
def test_nothing_false_is_told_at_any_scale_of_the_weights(style):
    """Twenty modules: no sentence changes from true to false as their W grows."""
    assert len(TRUE) == 20
    base = Twice if style == "Twice" else getattr(published, style)
    options = SAID.get(style, {})
    for scale in (0.1, 1.0, 10.0):
        net = base().eval()
        with torch.no_grad():
            net.W.mul_(scale)
        layers = layers_of(net, None if "form" in options else shrunk, **options)
        report = ce.describe(net, layers, styles.images()).report
        for name, value in TRUE[style].items():
            settings = report["routing"].found[name]
            assert value in (
                settings if isinstance(settings, tuple) else (settings,)
            ), scale
        answers = report["classes"].found["answers"]
        assert answers == ANSWERED.get(style, "lengths"), scale
        assert report.difference < 1e-4
        with torch.no_grad():
            checked_sentences(style, net, report)
