"""An evaluation as text."""

import torch

from model.measuring.evaluation import Evaluation
from model.measuring.report import legibility_report, report


def test_the_report_tells_error_classes_and_confusion():
    labels = torch.tensor([0] * 4 + [1] * 4)
    predictions = torch.tensor([0, 0, 0, 1, 1, 1, 1, 1])
    evaluation = Evaluation(
        confusion=torch.tensor([[3, 1], [0, 4]]),
        predictions=predictions,
        labels=labels,
        reconstruction_mse=0.012345,
        pose_ranges=torch.zeros(2, 1, 2),
        scores=torch.zeros(8, 2),
    )
    assert report(evaluation).splitlines() == [
        "test error            12.50%  (1 of 8 images)",
        "reconstruction error  0.01235  (mean squared)",
        "",
        "Rows: label. Columns: predicted class. Last column: error of the class.",
        "        0    1",
        "   0    3    1   25.00%",
        "   1    ·    4    0.00%",
    ]


def test_columns_stay_apart_however_many_images_there_are():
    confusion = torch.tensor([[123456, 7], [0, 123456]])
    few = torch.zeros(1, dtype=torch.int64)
    ranges, lengths = torch.zeros(2, 1, 2), torch.zeros(1, 2)
    text = report(Evaluation(confusion, few, few, 0.0, ranges, lengths))
    assert "   0 123456      7" in text


def test_the_report_says_what_was_measured_on():
    confusion, one = torch.ones(1, 1), torch.zeros(1, dtype=torch.int64)
    found = Evaluation(
        confusion, one, one, 0.0, torch.zeros(1, 1, 2), torch.zeros(1, 1)
    )
    first, second = report(found, "validation").splitlines()[:2]
    assert first.startswith("validation error      0.00%")
    assert first.index("0.00%") == second.index("0.00000")


def test_legibility_is_told_figure_by_figure():
    figures = {"voters": 27.44, "largest_share": 0.0893, "empty_length": 0.0512}
    assert legibility_report(figures).splitlines() == [
        "capsules that share in a digit  27.4  (effective number, median)",
        "largest share of one            8.9%  (median)",
        "empty image, longest capsule    0.05",
    ]
