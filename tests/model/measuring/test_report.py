"""An evaluation as text."""

import torch

from capsnet_explorer.model.measuring.evaluation import Evaluation
from capsnet_explorer.model.measuring.report import legibility_report, report


def evaluation_of(counts):
    """An evaluation with this confusion: rows of labels, columns of answers."""
    pairs = [
        (label, read)
        for label, row in enumerate(counts)
        for read, count in enumerate(row)
        for _ in range(count)
    ]
    labels, read = torch.tensor(pairs).T
    scores = torch.nn.functional.one_hot(read, len(counts)).float()
    return Evaluation(labels, scores, 0.012345)


def test_the_report_tells_error_classes_and_confusion():
    assert report(evaluation_of([[3, 1], [0, 4]])).splitlines() == [
        "test error            12.50%  (1 of 8 images)",
        "reconstruction error  0.01235  (mean squared)",
        "",
        "Rows: label. Columns: predicted class. Last column: error of the class.",
        "        0    1",
        "   0    3    1   25.00%",
        "   1    ·    4    0.00%",
    ]


def test_several_classes_have_their_errors_alone():
    found = Evaluation(torch.tensor([[1, 1]]), torch.tensor([[0.9, 0.1]]))
    assert report(found).splitlines() == [
        "test error            100.00%  (1 of 1 images)",
        "",
        "Share of each class's images whose answer lacks it.",
        "   0    0.00%",
        "   1  100.00%",
    ]


def test_the_report_says_what_was_measured_on():
    first, second = report(evaluation_of([[1]]), "validation").splitlines()[:2]
    assert first.startswith("validation error      0.00%")
    assert first.index("0.00%") == second.index("0.01235")


def test_legibility_is_told_figure_by_figure():
    figures = {"voters": 27.44, "largest_share": 0.0893, "empty_length": 0.0512}
    assert legibility_report(figures).splitlines() == [
        "capsules that share in a digit  27.4  (effective number, median)",
        "largest share of one            8.9%  (median)",
        "empty image, longest capsule    0.05",
    ]


def test_of_many_classes_the_commonest_mistakes_are_told():
    counts = torch.eye(300, dtype=torch.int64)
    counts[7, 299], counts[3, 4] = 5, 2
    lines = report(evaluation_of(counts.tolist())).splitlines()
    # Columns stay apart however many images there are.
    assert "   0 12345     7" in report(evaluation_of([[12345, 7], [0, 12345]]))
    assert lines[3:] == [
        "The commonest mistakes, of 300 classes.",
        "images  label  read as",
        "     5      7      299",
        "     2      3        4",
    ]
