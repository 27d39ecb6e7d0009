"""Styles of published networks: found, assumed, refused, never taken for another."""

import functools
from dataclasses import asdict

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import capsnet_explorer as ce
from capsnet_explorer import ROOT
from tests.model.described import published, styles


def layers_of(net, squash=None, **routing):
    has_part = hasattr(net, "part")
    twice = hasattr(net, "middle")
    return [
        ce.Convolution("conv1", net.conv1),
        ce.Values("primary", net.part)
        if has_part
        else ce.Capsules("primary", net.primary, 8, "conv1", squash=squash),
        *[ce.Routing("middle", lambda: net.middle.W, "primary", squash=squash)] * twice,
        *([ce.Values("active", net.active)] if hasattr(net, "active") else []),
        ce.Routing(
            "routing",
            lambda: net.W,
            below="middle" if twice else "primary",
            squash=squash,
            **routing,
        ),
        ce.Classes(),
    ]


def described(style, changed=None, **options):
    """Describe a style, or its twin, in which some attributes are changed."""
    if changed is None:
        return _describe(style, tuple(options.items()))
    net = type(style, (getattr(published, style),), changed)().eval()
    return ce.describe(net, layers_of(net, **options), styles.images())


@functools.cache
def _describe(style, options):
    return described(style, {}, **dict(options))


def layer_norm(_net, places):
    return F.layer_norm(places, places.shape[-1:])


def dot_products(net, votes):
    scores = torch.einsum("bijd,bkjd->bikj", votes, votes)
    return scores.mean(dim=2) / net.size**0.5


OWN = {"squash": published.own_squash}
ATTENTION = {"form": "attention"}
SELF = {"form": "self"}
BY_PART = {**SELF, "activations": "active"}
SHRUNK = {"squash": styles.shrunk}  # said where finding it is not tested: it takes long
HALF = {"gain": 0.5}  # of the agreement that is added
THREE = {"iterations": 3}
W = ("in", "out", "out size", "in size")

# Rows of the table of docs/own-networks.md. Of each style: what is said beside its
# layers, what is found of its routing, and the line that its twin has otherwise.
FOUND = {
    "the paper’s network, trained or not, with weak weights too": [
        # Its twin is refused below.
        ("Paper", {}, {"axis": "classes", "axes": W, **THREE}, {}),
        ("Weak", {}, {"shared": False, **THREE}, {}),
        ("Untrained", {}, {"shared": False, **THREE}, {}),
    ],
    "squash 1 − e^−l, l ∕ (1 + l), l² ∕ (½ + l²), or none; constants inside or outside "
    "of the root": [
        ("Exponential", {}, {"curve": "exponential", **THREE}, {"rate": 2}),
        ("Simple", {}, {"curve": "simple", **THREE}, {"added": 2}),
        ("Half", {}, {"curve": "half", **THREE}, {"half": 0.3}),
        ("Unsquashed", {}, {"curve": "paper", **THREE}, {"shorten": torch.tanh}),
        ("Inside", {}, {"curve": "paper", **THREE}, {"small": 0.1}),
    ],
    "a squash of one’s own": [("Own", OWN, {"curve": "own", **THREE}, {"power": 1})],
    "a bias on the weighted sum, in each iteration or in the last": [
        ("Biased", {}, {"bias": "bias", "added": "each", **THREE}, {"times": -1}),
        ("BiasedLast", {}, {"bias": "bias", "added": "last", **THREE}, {"biased": 0}),
    ],
    "a softmax with one more class, which takes what no other claims (leaky)": [
        ("Leaky", {}, {"axis": "classes and none", **THREE}, {"leak": 1.0}),
    ],
    "seven or more iterations": [
        ("Seven", {"iterations": 7}, {"iterations": 7}, {"iterations": 6}),
    ],
    "batch norm between the primary convolution and squash": [
        ("NormedBare", {}, THREE, {"between": layer_norm}),
    ],
    "residual, linear or any other primary capsules": [
        ("Normed", {}, {"axis": "classes", **THREE}, {"reads": 1.5}),
        ("Linear", {}, {"axis": "classes", **THREE}, {"reads": 1.5}),
    ],
    "W as (in, in size, out · out size); one W for all places of a type": [
        ("Three", {}, {"axes": ("in", "in size", "out · out size"), **THREE}, HALF),
        ("SharedW", {}, {"W": "shared by the places of a type", **THREE}, HALF),
    ],
    "attention routing (Mazzia, Salvetti & Chiaberge 2021)": [
        ("Attention", ATTENTION, {"prior": "prior"}, {"shares": dot_products}),
        ("AttentionThroughout", ATTENTION, {"form": "attention"}, {}),
    ],
    "self-routing to the classes (Hahn, Pyeon & Kim 2019), with or without a bias": [
        ("SelfRouted", SELF, {"form": "self-routing"}, {"heat": 2}),
        ("SelfRoutedByPart", BY_PART, {"bias": "bias"}, {"heat": 2}),
    ],
    "capsules that are routed to others, and these to the classes": [
        ("Twice", {}, THREE, HALF),
    ],
    "a softmax, log-softmax or square of the lengths, or these over their sum": [
        ("LogSoftmax", {}, THREE, {"heat": 2}),
        ("Squared", {}, THREE, {"power": 3}),
        ("OverSum", {}, THREE, {"power": 2}),
    ],
    "lengths times a number": [
        ("Scaled", {}, THREE, {"number": torch.linspace(1, 2, styles.CLASSES)}),
    ],
    "a dense layer after capsules or lengths": [
        ("Headed", {}, THREE, HALF),
        ("SquashedApart", {}, {"iterations": 5}, HALF),
    ],
    "fewer or more capsules than classes, and a dense layer that reads them": [
        ("Fewer", {}, THREE, HALF),
        ("More", {}, THREE, HALF),
    ],
    "`squeeze()` that fails for one image": [("Squeezing", {}, THREE, HALF)],
}
STYLES = [style for row in FOUND.values() for style in row]


@pytest.mark.parametrize(("style", "options", "expected", "_changed"), STYLES)
def test_a_published_style_is_found(style, options, expected, _changed):
    mine = described(style, **options)
    entry = mine.report["routing"]
    assert {name: entry.found[name] for name in expected} == expected
    assert not entry.is_assumed
    assert not entry.ambiguous
    assert mine.report.difference < 1e-5
    scores = mine.trace(styles.images()[0]).scores
    assert scores.shape == (styles.CLASSES,)


@pytest.mark.parametrize(
    ("style", "options", "settings", "changed"), [x for x in STYLES if x[3]]
)
def test_no_style_is_told_of_its_twin(style, options, settings, changed):
    count = {"iterations": settings["iterations"]} if "iterations" in settings else {}
    squash = {} if "curve" in settings or "form" in options else SHRUNK
    with pytest.raises(ce.Different):
        described(style, changed, **count | squash | options)


# Rows whose networks and twins stand in other tests.
ELSEWHERE = {
    "test_describe": {
        "capsules cut by `view`; softmax over the capsules; squash over another axis, "
        "or of each number",
        "a learned prior; one mean or sum of logits for the batch",
    },
    "test_windows": {
        "convolutional capsules: a W that all places share, one layer or several in a "
        "row, by agreement or by attention",
        "self-routing in such windows, each of whose activations a part returns",
    },
    "test_truth": {"capsules squashed once more after routing; a single class"},
    "test_making": {
        "capsules that a part returns in any order of axes, beside other tensors, or "
        "that several parts make",
        "W of a linear layer, or of a grouped convolution, without a bias",
    },
    "test_em": {
        "EM routing of poses to the classes (Hinton, Sabour & Frosst 2018), W for each "
        "capsule or type, coordinates",
        "convolutional capsules by EM below these, one layer or several in a row, each "
        "of whose activations a part returns",
    },
    "test_drawing": {
        "decoders that mask themselves, want a target, or return a mask, too",
        "a decoder whose pictures are all alike",
        "a decoder that masks over the batch, alone or once more, or draws another "
        "capsule than the longest",
    },
    "below": {
        "half of the agreement, or softmax(b ∕ 4), where routing hardly moves the "
        "scores",
        "the same, where it moves them; sigmoids, cosines; EM with another density or "
        "cost",
        "a picture as the answer; two tensors that can be scores",
    },
}


def test_every_row_of_the_documented_table_has_a_network_and_its_twin():
    text = (ROOT / "docs/own-networks.md").read_text(encoding="utf-8")
    table = text.split("## Styles that are found")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if "|" in line]
    assert set(rows[2:]) == {*FOUND}.union(*ELSEWHERE.values())


REFUSED = ["Paper", "Cooled", "Sigmoid", "Cosine"]


@pytest.mark.parametrize("style", REFUSED)
def test_what_is_not_described_is_refused_with_what_was_tried(style):
    with pytest.raises(
        ce.Different, match="routed in no way that was tried"
    ) as refused:
        described(style, HALF) if style == "Paper" else described(style, **SHRUNK)
    assert refused.value.layer == "routing"
    assert refused.value.difference > 1e-4
    assert "Tried were" in str(refused.value)
    assert "describe the part that makes its capsules as Values(" in str(refused.value)
    # What came nearest is no description of it.
    assert "5 iterations, logits" not in str(refused.value)


WEAK = {
    "half of the agreement": ("Weak", HALF, {}),
    "untrained": ("Untrained", HALF, {"squash": published.inside}),
    "softmax(b / 4)": ("Weak", {"routed": published.Cooled.routed}, SHRUNK),
    "agreement replaces logits": (
        "Weak",
        {"routed": published.Replaced.routed},
        SHRUNK,
    ),
}


@pytest.mark.parametrize("way", WEAK)
def test_where_weights_cannot_show_it_nothing_is_told_of_routing(way):
    style, changed, options = WEAK[way]
    report = described(style, changed, **options).report
    entry = report["routing"]
    assert entry.is_assumed
    assert entry.found["iterations"][0] == 3
    assert entry.words.startswith("assumed: ")
    assert "cannot show how it routes" in str(report)
    assert "where the paper’s has 3" not in str(report)
    assert "as in the paper" not in str(report)


def test_a_prior_of_capsules_listed_by_places_hides_no_weak_routing():
    assert not described("PlacesPrior").report["routing"].is_assumed
    report = described("PlacesPrior", HALF, **SHRUNK).report
    assert report["routing"].is_assumed
    # Of one iteration among several that fit, nothing follows.
    assert "as there is one iteration" not in str(report)


def test_each_of_two_routings_is_judged_by_what_it_does():
    report = described("Twice", **SHRUNK).report
    assert report["middle"].found["iterations"] == 2
    assert not report["middle"].is_assumed
    assert "Middle has 2 iterations, where the paper’s has 3" in str(report)

    weak = described("TwiceWeak", **SHRUNK).report
    assert weak["middle"].is_assumed
    assert "Middle: these weights cannot show how it routes" in str(weak)
    assert "Middle has" not in str(weak)


def test_batch_norm_before_capsules_is_part_of_their_kernels():
    mine = described("NormedBare")
    assert mine.report["primary"].found["before"] == "batch norm"
    trace = mine.trace(styles.images()[0])
    weights = mine.trained.architecture.serving(mine.trained.network).weights()
    sums = torch.nn.functional.conv2d(
        torch.from_numpy(trace["conv1.out"])[None],
        weights["primary.kernels"](),
        weights["primary.bias"](),
        stride=2,
    )
    capsules = sums[0].unflatten(0, (4, 8)).permute(0, 2, 3, 1)
    assert abs(capsules.numpy() - trace["primary.pre"]).max() < 1e-4


def test_capsules_that_are_not_of_the_classes_are_no_capsules_of_a_class():
    mine = described("Fewer")
    assert "makes 6 capsules for 10 classes" in str(mine.report)
    assert shown_on_page(mine, "routing")["kind"] == "tensor"
    assert not mine.trained.architecture.can.route
    trace = mine.trace(styles.images()[0])
    assert trace.scores.shape == (10,)
    names = mine.trained.architecture.tensors(mine.trained.network.config)
    assert "poses" not in names
    assert "lengths" not in names


def test_lengths_times_a_number_are_scores_as_the_network_gives_them():
    mine = described("Scaled")
    assert "the lengths times a number" in str(mine.report)
    assert mine.trained.architecture.scores == "score"
    trace = mine.trace(styles.images()[0])
    assert abs(trace.scores - 10 * trace["lengths"]).max() < 1e-4


def test_shares_that_are_all_alike_do_not_fit_every_softmax():
    with pytest.raises(ce.Different):
        described("SharpenedWeak", **SHRUNK)


def test_lengths_that_nothing_shortens_are_scores_of_any_size():
    class Long(published.Paper):
        def shrink(self, vectors):
            return vectors

    net = Long().eval()
    with torch.no_grad():
        net.W.mul_(0.1)
    mine = ce.describe(net, layers_of(net), styles.images())
    assert mine.report["routing"].found["curve"] == "none"
    assert mine.trained.architecture.scores == "score"
    assert shown_on_page(mine, "classes")["words"] == {"long": True}


def test_more_iterations_than_are_tried_are_asked_for():
    with pytest.raises(ce.Different, match="say iterations= for more"):
        described("Seven", **SHRUNK)


def test_a_head_leaves_the_scores_as_the_network_gives_them():
    mine = described("Headed")
    heading = mine.report.heading
    assert "the values of Conv1, Primary and Routing differ by at most" in heading
    assert mine.report["classes"].found["answers"] == "as they are"
    assert mine.report["classes"].difference_words == "not recomputed"
    assert mine.trained.architecture.scores == "score"
    net = mine.trained.network.module
    with torch.no_grad():
        scores = net(styles.images()[:1])[0].numpy()
    assert abs(mine.trace(styles.images()[0]).scores - scores).max() < 1e-6


def test_capsules_that_a_head_mixes_are_no_class_s():
    mine = described("Headed")
    assert not mine.trained.can.route
    assert shown_on_page(mine, "routing")["kind"] == "tensor"
    assert "no capsule is known to be that of a class" in str(mine.report)
    assert "each class" not in str(mine.report)
    assert "no capsule is known" not in str(described("SharpenedHead").report)


def shown_on_page(mine, id):
    layers = mine.trained.architecture.described(mine.trained.network.config)
    return next(asdict(layer) for layer in layers if layer.id == id)


@pytest.mark.parametrize(
    ("style", "options", "form", "squash"),
    [
        ("Paper", {}, "dynamic", None),
        ("Exponential", {}, "dynamic", "other"),
        ("Attention", ATTENTION, "attention", None),
    ],
)
def test_routing_is_worked_out_where_the_pages_sums_are_its_own(
    style, options, form, squash
):
    layer = shown_on_page(described(style, **options), "routing")
    assert (layer["kind"], layer["form"]) == ("routing", form)
    assert layer["words"].get("squash") == squash


@pytest.mark.parametrize(
    ("style", "options", "why"),
    [
        ("Biased", {}, "adds a bias"),
        ("BiasedLast", {}, "adds a bias"),
        ("Own", OWN, "squash of its own"),
        ("AttentionSquashed", ATTENTION, "another curve than 1 − e^−l"),
        ("AttentionUnscaled", ATTENTION, "another number than √d"),
        ("SelfRouted", SELF, "couplings of self-routing"),
        ("Leaky", {}, "leaves to none what no capsule above claims"),
    ],
)
def test_other_routing_shows_its_couplings_alone_and_says_why(style, options, why):
    mine = described(style, **options)
    layer = shown_on_page(mine, "routing")
    assert layer["kind"] == "tensor"
    assert layer["tensors"] == {"values": "routing.couplings"}
    assert why in layer["words"]["why"]
    axes = mine.trace(styles.images()[0])["routing.couplings"].ndim
    numbers = {2: "", 4: "type and row", 5: "iteration, type and row"}[axes]
    assert numbers in layer["words"]["why"]
    assert ("iteration" in numbers) == (not options or options == OWN)


def test_the_first_of_two_routings_shows_its_couplings_alone():
    # The page runs the last again as it is changed, with its number of iterations.
    mine = described("Twice")
    assert shown_on_page(mine, "middle")["kind"] == "tensor"
    assert shown_on_page(mine, "middle-capsules")["kind"] == "tensor"
    assert shown_on_page(mine, "routing")["kind"] == "routing"


@pytest.mark.parametrize("style", ["Depthwise", "Rectified"])
def test_capsules_that_are_no_plain_sums_show_their_lengths_alone(style):
    layer = shown_on_page(described(style), "primary")
    assert layer["kind"] == "tensor"
    assert layer["tensors"] == {"values": "primary.lengths"}
    assert "would not be true of them" in layer["words"]["why"]


class Answering(published.Paper):
    """A network that answers with anything."""

    def __init__(self, answer):
        super().__init__()
        self.answering = answer

    def answer(self, v):
        return self.answering(v)


def values_alone(net, **options):
    layers = [ce.Values("conv1", net.conv1), ce.Classes()]
    return ce.describe(net.eval(), layers, styles.images(), **options)


def test_of_values_alone_scores_are_the_networks_own():
    mine = values_alone(Answering(lambda v: v.norm(dim=-1).log_softmax(1)))
    assert mine.trained.architecture.scores == "score"
    assert mine.report["conv1"].difference is None
    assert [row[-1] for row in mine.report.rows] == ["not recomputed"] * 2
    assert "nothing of it is recomputed here" in mine.report.heading
    assert (mine.trace(styles.images()[0]).scores < 0).all()


def test_capsules_above_values_become_lengths():
    mine = values_alone(Answering(lambda v: v))
    net = mine.trained.network.module
    with torch.no_grad():
        lengths = net(styles.images()[:1]).norm(dim=-1)[0].numpy()
    assert abs(mine.trace(styles.images()[0]).scores - lengths).max() < 1e-6


def picture(v):
    return torch.zeros(len(v), 1, styles.SIDE, styles.SIDE)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (picture, "a number for each place"),
        (lambda v: picture(v).flatten(1), "has no tensor"),
        (lambda v: v[:, :, :, None, None].expand(-1, -1, -1, 2, 2), "has no tensor"),
        (
            lambda v: (v.norm(dim=-1), v.norm(dim=-1).softmax(1)),
            "2 tensors that can be scores.*scores=lambda answer: answer\\[0\\]",
        ),
        (lambda v: (v.norm(dim=-1), v[:, :2]), "2 tensors that can be scores"),
    ],
)
def test_what_cannot_be_scores_is_refused(answer, message):
    with pytest.raises(ValueError, match=message):
        values_alone(Answering(answer))


@pytest.mark.parametrize(
    "answer",
    [
        lambda v: (picture(v), v.norm(dim=-1)),
        lambda v: (v, v.norm(dim=-1), picture(v)),
        lambda v: {"picture": picture(v).flatten(1), "capsules": v},
    ],
)
def test_scores_are_found_beside_pictures(answer):
    assert values_alone(Answering(answer)).trained.network.config.classes == 10


class Several(nn.Module):
    def forward(self, x):
        return x, x.flatten(1)


def test_of_a_part_that_returns_several_tensors_the_report_says_which_is_shown():
    net = published.Paper()
    net.both = Several()
    inner = net.capsules
    net.capsules = lambda x: inner(net.both(x)[0])
    layers = [ce.Values("both", net.both), ce.Classes()]
    report = ce.describe(net.eval(), layers, styles.images()).report
    assert "returns 2 tensors; shown is the first, of shape 12×12×12" in str(report)


class Plain(nn.Module):
    """A convolution and a dense layer, of whose sums anything is made."""

    def __init__(self, activation):
        super().__init__()
        torch.manual_seed(1)
        self.conv = nn.Conv2d(1, 4, 5)
        self.out = nn.Linear(4 * 12 * 12, 3)
        self.activation = activation

    def forward(self, x):
        return self.activation(self.out(self.conv(x).relu().flatten(1)))


def plain(activation, bias=0.0):
    net = Plain(activation).eval()
    with torch.no_grad():
        net.out.bias.add_(bias)
    layers = [
        ce.Convolution("conv", net.conv),
        ce.Dense("out", net.out, "conv"),
        ce.Classes(),
    ]
    return ce.describe(net, layers, styles.images())


@pytest.mark.parametrize("activation", [torch.sigmoid, torch.tanh])
def test_what_an_activation_makes_of_the_last_sums_are_no_logits(activation):
    mine = plain(activation)
    assert mine.report["out"].found["activation"] == activation.__name__
    assert mine.report["classes"].found["answers"] == "as they are"
    assert mine.trained.architecture.scores == "score"
    with torch.no_grad():
        scores = mine.trained.network.module(styles.images()[:1])[0].numpy()
    trace = mine.trace(styles.images()[0])
    assert abs(trace.scores - scores).max() < 1e-6
    names = mine.trained.architecture.tensors(mine.trained.network.config)
    assert "logits" not in names


def test_sums_that_are_all_above_0_are_logits():
    mine = plain(lambda sums: sums, bias=9)
    assert mine.trained.architecture.scores == "probability"


def test_capsules_that_nothing_shows_or_reads_are_refused():
    net = published.Paper().eval()
    layers = [
        ce.Convolution("conv1", net.conv1),
        ce.Capsules("primary", net.primary, 8, "conv1"),
        ce.Classes(),
    ]
    with pytest.raises(ce.Different, match="cannot be compared") as refused:
        ce.describe(net, layers, styles.images())
    assert refused.value.layer == "primary"


def test_of_one_iteration_with_a_prior_it_is_not_said_that_votes_weigh_alike():
    net = published.Paper().eval()
    net.iterations = 1
    report = str(ce.describe(net, layers_of(net), styles.images()).report)
    assert "no agreement is heard, and all votes weigh alike." in report
    prior = published.PlacesPrior().eval()
    prior.routed = lambda u: by_prior(prior, u)
    prior_report = ce.describe(prior, layers_of(prior), styles.images()).report
    assert "no agreement is heard." in str(prior_report)
    assert prior_report["routing"].found["prior"] == "prior"


def by_prior(net, u):
    shares = net.prior.softmax(dim=1)
    capsules = styles.shrunk(torch.einsum("ij,bijd->bjd", shares, net.votes(u)))
    return capsules.norm(dim=-1)


def test_what_one_part_reads_again_and_again_is_no_proof():
    """Its first reading is what all routings begin with: the mean of all votes."""
    for style in ("Inverted", "InvertedApart"):
        with pytest.raises(ce.Different, match="routed in no way that was tried"):
            described(style)


def test_one_iteration_that_a_part_alone_shows_is_found_where_it_is_said():
    net = published.Mean().eval()
    with pytest.raises(ce.Different, match="or for 1 that only a part shows"):
        ce.describe(net, layers_of(net, **SHRUNK), styles.images())
    report = ce.describe(net, layers_of(net, iterations=1), styles.images()).report
    assert report["routing"].found["iterations"] == 1


def test_of_half_precision_it_is_said_what_to_do():
    net = published.Paper().eval()

    def call(module, images):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return module(images).float()

    with pytest.raises(ce.Different, match=r"conv1 computes in .*bfloat16"):
        ce.describe(net, layers_of(net), styles.images(), call=call)
