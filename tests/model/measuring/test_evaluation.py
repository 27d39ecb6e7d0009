"""What a network gets right and wrong, counted one image at a time."""

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.measuring import evaluation
from capsnet_explorer.model.measuring.evaluation import Evaluation, evaluate
from capsnet_explorer.model.presence import Presence
from tests.model.varied import varied

CPU = torch.device("cpu")


@pytest.fixture
def pushed(network):
    return varied(network)


@pytest.fixture
def outcome(pushed, digits, monkeypatch):
    monkeypatch.setattr(evaluation, "BATCH", 5)  # several, the last one smaller
    return evaluate(pushed, digits, CPU)


@pytest.fixture
def traces(pushed, digits):
    with torch.no_grad():
        return [pushed(image[None].float() / 255) for image in digits.images]


def test_figures_are_those_of_each_image_by_itself(outcome, traces, digits):
    labels, read = digits.labels.tolist(), [int(t.lengths.argmax()) for t in traces]
    assert len(set(read)) > 1
    assert outcome.predictions.tolist() == read
    assert_close(outcome.scores, torch.cat([trace.lengths for trace in traces]))
    confusion = torch.zeros(3, 3, dtype=torch.int64)
    for label, prediction in zip(labels, read, strict=True):
        confusion[label, prediction] += 1
    mistakes = [index for index in range(17) if read[index] != labels[index]]
    assert outcome.mistakes.tolist() == mistakes
    assert outcome.error == len(mistakes) / 17
    right = confusion.diagonal() / confusion.sum(dim=1)
    assert outcome.class_errors == pytest.approx((1 - right).tolist())
    errors = [
        (trace.reconstruction[0] - image.float() / 255).square().mean().item()
        for trace, image in zip(traces, digits.images, strict=True)
    ]
    assert outcome.reconstruction_mse == pytest.approx(sum(errors) / 17, rel=1e-5)


def test_a_class_without_images_has_no_error():
    outcome = Evaluation(torch.tensor([0, 0]), torch.tensor([[0.9, 0.1], [0.8, 0.3]]))
    assert outcome.class_errors == [0.0, 0.0]


def test_an_answer_is_right_if_it_names_all_that_is_there_and_no_more():
    scores = torch.tensor([[0.9, 0.8, 0.1], [0.9, 0.8, 0.1], [0.2, 0.3, 0.1]])
    labels = torch.tensor([[1, 1, 0], [1, 0, 0], [0, 0, 0]])
    outcome = Evaluation(labels, scores, rule=Presence(at_most=2, threshold=0.5))
    assert outcome.mistakes.tolist() == [1]
    assert outcome.class_errors == [0.0, 0.0, 0.0]  # whatever else was named
    missed = Evaluation(labels, scores, rule=Presence(at_most=1, threshold=0.5))
    assert missed.mistakes.tolist() == [0]
    assert missed.class_errors == [0.0, 1.0, 0.0]


def test_pose_ranges_are_quantiles_over_own_images_read_right(outcome, traces, digits):
    for digit in range(3):
        capsules = [
            trace.capsules[0, digit]
            for trace, label in zip(traces, digits.labels, strict=True)
            if label == digit and trace.lengths.argmax() == digit
        ]
        if not capsules:
            assert (outcome.pose_ranges[digit] == 0).all()
            continue
        quantiles = torch.tensor([0.005, 0.995])
        for dimension, values in enumerate(torch.stack(capsules).T):
            expected = torch.quantile(values, quantiles)
            assert_close(outcome.pose_ranges[digit, dimension], expected)
    assert (outcome.pose_ranges[..., 1] > outcome.pose_ranges[..., 0]).any()


def test_the_network_is_fed_pixels_of_0_to_1(network, digits, monkeypatch):
    fed = []
    forward = network.forward
    monkeypatch.setattr(
        network, "forward", lambda images: (fed.append(images), forward(images))[1]
    )
    evaluate(network, digits, CPU)
    assert torch.equal(torch.cat(fed), digits.images / 255)
