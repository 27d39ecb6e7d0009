"""An evaluation as text for a terminal."""

from model.measuring.evaluation import Evaluation


def report(evaluation: Evaluation, part: str = "test") -> str:
    """Return error, error per class, confusion matrix and reconstruction error.

    Args:
        evaluation: the results.
        part: the part of the data that they were measured on.
    """
    count, wrong = len(evaluation.labels), len(evaluation.mistakes)
    lines = [
        f"{f'{part} error':<22}{evaluation.error:.2%}  ({wrong} of {count} images)",
        *_reconstruction(evaluation.reconstruction_mse),
        "",
        "Rows: label. Columns: predicted class. Last column: error of the class.",
    ]
    classes = len(evaluation.confusion)
    width = max(5, len(str(int(evaluation.confusion.max()))) + 1)
    lines.append(" " * 4 + "".join(f"{digit:>{width}}" for digit in range(classes)))
    for label, row in enumerate(evaluation.confusion.tolist()):
        cells = "".join(f"{cell or '·':>{width}}" for cell in row)
        lines.append(f"{label:>4}{cells}  {evaluation.class_errors[label]:>7.2%}")
    return "\n".join(lines)


def _reconstruction(mse: float | None) -> list[str]:
    if mse is None:
        return []
    return [f"reconstruction error  {mse:.5f}  (mean squared)"]
