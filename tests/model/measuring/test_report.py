"""An evaluation as text."""

import torch

from capsnet_explorer.model.measuring.evaluation import Evaluation
from capsnet_explorer.model.measuring.report import (
    MOST_CLASSES,
    legibility_report,
    report,
)


def test_the_report_tells_the_error_and_the_worst_classes_first():
    scores = torch.eye(2)[[0, 0, 0, 1, 1, 1, 1, 0]]
    evaluation = Evaluation(torch.tensor([0] * 4 + [1] * 4), scores, 0.012345)
    assert report(evaluation).splitlines() == [
        "test error            25.00%  (2 of 8 images)",
        "reconstruction error  0.01235  (mean squared)",
        "",
        "Share of each class's images whose answer lacks it, the highest first.",
        "   0   25.00%",
        "   1   25.00%",
    ]
    many = Evaluation(torch.tensor([299, 7]), torch.eye(300)[[0, 7]])
    error, _, _, worst, *others = report(many, "validation").splitlines()
    assert error.startswith("validation error      50.00%")
    assert worst == " 299  100.00%"
    assert len(others) == MOST_CLASSES - 1


def test_legibility_is_told_figure_by_figure():
    figures = {"voters": 27.44, "largest_share": 0.0893, "empty_length": 0.0512}
    assert legibility_report(figures).splitlines() == [
        "capsules that share in a digit  27.4  (effective number, median)",
        "largest share of one            8.9%  (median)",
        "empty image, longest capsule    0.05",
    ]
