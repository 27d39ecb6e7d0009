"""What capsules draw of pairs: each digit's ink, absent classes, twins."""

from dataclasses import replace

import pytest
import torch

from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.cnn.network import Cnn
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.data.overlapping import laid_out, merged
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.ink import ink_figures, twin_layout
from capsnet_explorer.model.measuring.overlapping import OwnershipMeter
from capsnet_explorer.model.measuring.report import report_ink
from capsnet_explorer.model.measuring.shares import averaged
from capsnet_explorer.model.presence import Presence
from capsnet_explorer.model.weights import Trained
from tests.tiny import CNN_SIZES, square

RULE = Presence(2, 0.9994)


@pytest.fixture
def trained(reader_of_pairs):
    return Trained(ARCHITECTURE, reader_of_pairs, {}, RULE)


@pytest.fixture
def found(trained, overlaps):
    return ink_figures(trained, overlaps)["ink"]


def test_a_mean_has_an_interval_of_two_standard_errors():
    entry = averaged(torch.tensor([1.0, 3.0, 1.0, 3.0, torch.nan]))
    # Variance 4/3 of four, so the standard error is 1/√3.
    assert entry["images"] == 4
    assert entry["mean"] == 2
    assert entry["interval"] == pytest.approx(
        [2 - 1.959964 / 3**0.5, 2 + 1.959964 / 3**0.5], abs=1e-6
    )


def test_twins_are_two_digits_of_one_class(overlaps):
    twins = twin_layout(overlaps.digits, overlaps.layout)
    labels = overlaps.digits.labels[twins.digits]
    assert (labels[:, 0] == labels[:, 1]).all()
    assert (twins.digits[:, 0] != twins.digits[:, 1]).all()
    assert torch.equal(twins.digits[:, 0], overlaps.layout.digits[:, 0])
    assert torch.equal(twins.shifts, overlaps.layout.shifts)
    assert len(twins.digits[:, 1].unique()) > len(twins) / 3  # not one partner for all
    again = twin_layout(overlaps.digits, overlaps.layout)
    assert torch.equal(twins.digits, again.digits)


def test_twins_are_counted_image_by_image(trained, overlaps, found):
    twins = twin_layout(overlaps.digits, overlaps.layout)
    misread = second = 0
    with torch.no_grad():
        for index in range(len(twins)):
            apart, classes = laid_out(
                overlaps.digits, twins.of(slice(index, index + 1))
            )
            scores = trained.network(to_network(merged(apart))).scores[0]
            label = int(classes[0, 0].argmax())
            others = [
                float(score) for place, score in enumerate(scores) if place != label
            ]
            misread += max(others) >= float(scores[label])
            second += max(others) >= trained.rule.threshold
    assert 0 < misread < len(twins)
    assert 0 < second < len(twins)
    assert found["twins"]["misread"]["wrong"] == misread
    assert found["twins"]["second"]["wrong"] == second


def test_the_share_given_right_is_the_meters(trained, overlaps, found):
    meter = OwnershipMeter(trained.network, overlaps)
    evaluate(trained.network, overlaps, torch.device("cpu"), [meter])
    usual = str(trained.network.config.routing_iterations)
    assert found["given_right"][usual]["mean"] == pytest.approx(
        meter.figures["true_classes"]["ink_given_right"], abs=1e-5
    )
    gain = found["given_right"][usual]["mean"] - found["given_right"]["1"]["mean"]
    assert found["gain"]["mean"] == pytest.approx(gain, abs=2e-6)


def test_absent_classes_are_measured_image_by_image(trained, overlaps, found):
    network, classes = trained.network, trained.network.config.classes
    lengths, inks, shares, presents = [], [], [], []
    with torch.no_grad():
        for pixels, labels in zip(
            to_network(overlaps.images), overlaps.labels, strict=True
        ):
            trace = network(pixels[None])
            scores = trace.scores[0].tolist()
            present = labels.nonzero()[:, 0].tolist()
            absent = [place for place in range(classes) if place not in present]
            longest = max(absent, key=lambda place: scores[place])

            def decoded(place, poses=trace.poses):
                keep = torch.zeros(1, 1, classes)
                keep[0, 0, place] = 1
                return network.decoder(poses, keep)[0, 0]

            drawn = decoded(longest)
            lengths.append(scores[longest])
            inks.append(float(drawn.sum()))
            shares.append(float(drawn[pixels > 0.2].sum() / drawn.sum()))
            presents.append(sum(float(decoded(place).sum()) for place in present) / 2)
    for name, values in (
        ("length", lengths),
        ("ink", inks),
        ("on_ink", shares),
        ("present_ink", presents),
    ):
        assert found["absent"][name]["mean"] == pytest.approx(
            sum(values) / len(values), rel=1e-4
        )


def test_of_a_network_without_a_decoder_only_answers_are_measured(overlaps, found):
    config = replace(CNN_SIZES, **square(20), probabilities="sigmoid")
    answers = ink_figures(Trained(CNN, Cnn(config).eval(), {}, RULE), overlaps)["ink"]
    assert list(answers) == ["twins"]
    assert report_ink(answers).count("\n") == 1
    lines = len(found["given_right"]) + len(found["absent"])
    assert report_ink(found).count("\n") == 1 + lines
