"""Two digits on top of each other: read, counted, and each given its ink."""

from dataclasses import replace

import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.measuring import evaluation
from capsnet_explorer.model.measuring.card import measure
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.overlapping import (
    Answers,
    OwnershipMeter,
    answers,
    by_shared_ink,
    chosen_threshold,
    given_right,
    shared_ink,
)
from capsnet_explorer.model.measuring.report import overlaps_report
from capsnet_explorer.model.measuring.shares import wilson_interval
from capsnet_explorer.model.presence import Presence, outrank
from capsnet_explorer.perturbations.overlay import shared_ink as laboratory_shared_ink
from tests.tiny import CNN_SIZES, square

CPU = torch.device("cpu")


@pytest.fixture
def network(reader_of_pairs):
    return reader_of_pairs


# Of four images: digits 0 and 1, 0 and 2, 1 and 2, 0 and 2.
PAIRS = Answers(
    pairs=torch.tensor(
        [[0.9, 0.8, 0.1], [0.9, 0.7, 0.6], [0.1, 0.9, 0.3], [0.95, 0.2, 0.6]]
    ),
    in_pairs=torch.tensor([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 1.0]]),
    singles=torch.tensor(
        [[0.9, 0.2, 0.1], [0.8, 0.65, 0.0], [0.3, 0.9, 0.1], [0.4, 0.9, 0.1]]
    ),
    in_singles=torch.tensor([[1, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0.0]]),
)


def test_both_digits_must_be_read_and_the_threshold_is_told_apart():
    figures = PAIRS.figures(Presence(2, 0.5))
    # The second image's best are 0 and 1.
    assert (figures["pairs"]["wrong"], figures["pairs"]["error"]) == (1, 0.25)
    assert figures["pairs"]["interval"] == pytest.approx(
        wilson_interval(1 / 4, 4), abs=1e-6
    )
    assert figures["singles"]["wrong"] == 1  # the last is read as 1
    named = figures["one_or_two"]
    assert named["threshold"] == 0.5
    assert named["pairs"]["wrong"] == 2  # and the third names one digit alone
    assert named["singles"]["wrong"] == 2  # and the second names two
    assert figures["misread"] == {"two_highest": [1], "named": [1, 2]}
    assert (named["pairs_as_two"], named["singles_as_two"]) == (0.75, 0.25)
    # Seconds of pairs: .8 .7 .3 .6; of singles: .2 .65 .3 .4. Of 16, three are in the
    # wrong order and one is equal.
    orders = [
        (single < pair) + (single == pair) / 2
        for pair in (0.8, 0.7, 0.3, 0.6)
        for single in (0.2, 0.65, 0.3, 0.4)
    ]
    assert named["roc_area"] == sum(orders) / 16 == 12.5 / 16


def test_the_threshold_is_the_middle_of_those_with_most_right_answers():
    # Two are named as two up to .80 and .40; the single's second is .30 and its best
    # .90, so from .31 to .40 every answer is right.
    pairs, are_right = torch.tensor([0.805, 0.405]), torch.tensor([True, True])
    singles = torch.tensor([[0.905, 0.305]])
    assert chosen_threshold(pairs, are_right, singles) == 0.36
    assert PAIRS.rule == Presence(2, slow_threshold(PAIRS))


def slow_threshold(answers):
    """Try each hundredth: images of one and of two digits count equally."""
    shares = []
    for hundredths in range(1, 100):
        rule = Presence(2, hundredths / 100)
        right = [
            [named == set(present.nonzero()[:, 0].tolist()) for named, present in pairs]
            for pairs in (
                zip(map(set, rule.named(answers.pairs)), answers.in_pairs, strict=True),
                zip(
                    map(set, rule.named(answers.singles)),
                    answers.in_singles,
                    strict=True,
                ),
            )
        ]
        shares.append(sum(sum(images) / len(images) for images in right))
    best = [index for index, share in enumerate(shares) if share == max(shares)]
    return (best[len(best) // 2] + 1) / 100


def test_ink_is_given_to_the_digit_whose_picture_is_brighter():
    first = torch.tensor([0.8, 1.0, 0.4, 0.1, 0.5])
    second = torch.tensor([0.0, 1.0, 0.0, 0.6, 0.2])
    alone = torch.stack([first, second])[None, :, None, None]
    drawn = torch.tensor([[0.9, 0.0, 0.2, 0.3, 0.4], [0.5, 1.0, 0.7, 0.9, 0.4]])
    # The second pixel has ink of both. Its own is given right in the first (.8) and the
    # fourth (.6), wrong in the third (.4), and to both in the last (.5).
    shares = given_right(alone, drawn[None, :, None, None])
    assert shares.tolist() == pytest.approx([(0.8 + 0.6 + 0.25) / 2.3])
    assert given_right(alone[:, [0, 0]], alone[:, [0, 0]]).isnan().all()


def test_ownership_is_that_of_each_image_for_itself(network, overlaps, monkeypatch):
    monkeypatch.setattr(evaluation, "BATCH", 5)
    meter = OwnershipMeter(network, overlaps)
    outcome = evaluate(network, overlaps, CPU, [meter])
    assert outcome.reconstruction_mse is None  # the longest alone is no pair's picture
    errors, shares, right = [], [], []
    for image in range(17):
        apart, classes = overlaps.apart(slice(image, image + 1))
        alone, labels = to_network(apart)[0], classes[0].argmax(dim=1)
        with torch.no_grad():
            trace = network(to_network(overlaps.images[image][None]))
            drawn = torch.cat(
                [network.decode(int(k), trace.poses[:, int(k)]) for k in labels]
            )
        errors.append((drawn - alone).square().mean().item())
        shares.append(given_right(alone[None], drawn[None]).item())
        best = set(trace.scores[0].topk(2).indices.tolist())
        right.append(best == set(labels.tolist()))
    assert 0 < sum(right) < 17
    figures = meter.figures

    def mean(values):
        return pytest.approx(sum(values) / len(values), abs=2e-6)

    assert figures["true_classes"]["reconstruction_mse"] == mean(errors)
    assert figures["true_classes"]["ink_given_right"] == mean(shares)
    of_right = [
        [value for value, is_right in zip(values, right, strict=True) if is_right]
        for values in (errors, shares)
    ]
    assert figures["reconstruction_mse"] == mean(of_right[0])
    assert figures["ink_given_right"] == mean(of_right[1])


def test_pairs_are_counted_by_the_ink_that_both_have(network, overlaps):
    outcome = answers(network, overlaps, CPU)
    shares = shared_ink(overlaps)
    for image, share in enumerate(shares):
        first, second = to_network(overlaps.apart(slice(image, image + 1))[0])[0, :, 0]
        slow = laboratory_shared_ink(first.numpy(), second.numpy())
        assert float(share) == pytest.approx(slow)
    entries = by_shared_ink(overlaps, outcome)
    assert [entry["images"] for entry in entries] == [4, 4, 4, 4, 1]
    wrong = int((~outrank(outcome.pairs, outcome.in_pairs)).sum())
    assert sum(entry["wrong"] for entry in entries) == wrong
    bounds = [entry[end] for entry in entries for end in ("least", "most")]
    assert bounds == sorted(bounds)
    assert bounds[0] == pytest.approx(float(shares.min()), abs=1e-6)
    assert bounds[-1] == pytest.approx(float(shares.max()), abs=1e-6)


def test_the_card_counts_pairs_whatever_the_threshold(network, overlaps):
    outcome, card = measure(
        ARCHITECTURE, network, overlaps, CPU, "test", Presence(2, 1.0)
    )
    entry = card["overlaps"]
    assert card["present"] == {"at_most": 2, "threshold": 1.0}
    assert card["test_error"] == entry["pairs"]["error"] == outcome.error < 1
    assert entry["one_or_two"]["pairs"]["wrong"] == 17
    assert card["test_images"] == entry["singles"]["images"] == 17
    assert entry["images_sha256"] == overlaps.layout.sha256
    assert "reconstruction_mse" not in card
    assert "mistakes" not in card


def test_a_network_without_a_decoder_has_no_ownership(overlaps):
    network = CNN.build(replace(CNN_SIZES, **square(20))).eval()
    _, card = measure(CNN, network, overlaps, CPU, "test", Presence(2, 0.3))
    assert "true_classes" not in card["overlaps"]
    assert "ink" not in overlaps_report(card["overlaps"])


def test_the_report_tells_every_figure():
    figures = PAIRS.figures(Presence(2, 0.5))
    drawn = {"reconstruction_mse": 0.0123, "ink_given_right": None}
    lines = overlaps_report({**figures, **drawn, "true_classes": drawn}).splitlines()
    low, high = wilson_interval(1 / 4, 4)
    assert lines[1] == (
        f"two digits, both read                  25.00%  ({low:.2%} to {high:.2%}; "
        "1 of 4)"
    )
    assert lines[3].startswith("two digits, named from a score of 0.5  50.00%  (")
    assert lines[6] == f"{'one or two digits? ROC area':<38}0.7812"
    assert lines[9] == "squared error of a digit's picture".ljust(38) + (
        "0.01230  (0.01230)"
    )
    assert lines[10] == f"{'ink of one digit given to it':<38}–  (–)"


def test_threshold_and_figures_are_of_the_network_s_own_scores(network, overlaps):
    outcome = answers(network, overlaps, CPU)
    assert torch.equal(outcome.pairs, evaluate(network, overlaps, CPU).scores)
    assert torch.equal(outcome.singles, evaluate(network, overlaps.singles, CPU).scores)
    assert torch.equal(outcome.in_pairs, overlaps.labels.float())
    assert outcome.rule == Presence(2, slow_threshold(outcome))
