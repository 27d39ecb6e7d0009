"""Measurements as text for a terminal."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from capsnet_explorer.model.measuring.evaluation import Evaluation

# What each figure on legibility is called, and how it is written.
LEGIBILITY = {
    "voters": ("capsules that share in a digit", "{:.1f}  (effective number, median)"),
    "types": ("… types of them", "{:.1f}"),
    "largest_share": ("largest share of one", "{:.1%}  (median)"),
    "heard_coupling": ("coupling of contributors", "{:.2f}  (median)"),
    "blank_share": ("share from an empty image", "{:.1%}  (median)"),
    "empty_length": ("empty image, longest capsule", "{:.2f}"),
    "saturated": ("primary capsules above 0.95", "{:.1%}"),
    "conv1_alive": ("Conv1 maps with bright values", "{:.1%}"),
    "conv1_bright": ("Conv1 values that are bright", "{:.1%}  (above 0.02)"),
}


MOST_CLASSES = 30  # whose errors a terminal has room for


def report(
    evaluation: Evaluation,
    part: str = "test",
    figures: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """Return error, reconstruction error, and error per class, the highest first.

    Args:
        evaluation: the results.
        part: the part of the data that they were measured on.
        figures: for the card; those on overlaps and legibility follow, if any.
    """
    others = {"overlaps": overlaps_report, "legibility": legibility_report}
    count, wrong = len(evaluation.labels), len(evaluation.mistakes)
    errors = sorted(enumerate(evaluation.class_errors), key=lambda entry: -entry[1])
    return "\n".join(
        [
            f"{f'{part} error':<22}{evaluation.error:.2%}  ({wrong} of {count} images)",
            *_reconstruction(evaluation.reconstruction_mse),
            "",
            "Share of each class's images whose answer lacks it, the highest first.",
            *(f"{label:>4}  {error:>7.2%}" for label, error in errors[:MOST_CLASSES]),
            *(f"\n{others[name](figures[name])}" for name in others if name in figures),
        ]
    )


def legibility_report(figures: Mapping[str, float]) -> str:
    """Return the figures on legibility, one a line."""
    return "\n".join(
        f"{words:<32}{form.format(figures[name])}"
        for name, (words, form) in LEGIBILITY.items()
        if name in figures
    )


def overlaps_report(figures: Mapping[str, Any]) -> str:
    """Return how digits on top of each other are read, one figure a line.

    Args:
        figures: the card's `overlaps`.
    """
    by_rule = figures["one_or_two"]
    named = f"from a score of {by_rule['threshold']}"
    lines = [
        ("two digits, both read", figures["pairs"]),
        ("one digit", figures["singles"]),
        (f"two digits, named {named}", by_rule["pairs"]),
        (f"one digit, named {named}", by_rule["singles"]),
    ]
    return "\n".join(
        [
            "Share of images read wrong, with its 95 % interval.",
            *(f"{words:<38}{_share(entry)}" for words, entry in lines),
            "",
            f"{'one or two digits? ROC area':<38}{by_rule['roc_area']:.4f}",
            *_ownership(figures),
        ]
    )


def _share(entry: Mapping[str, Any]) -> str:
    low, high = entry["interval"]
    return (
        f"{entry['error']:7.2%}  ({low:.2%} to {high:.2%}; "
        f"{entry['wrong']} of {entry['images']})"
    )


def _ownership(figures: Mapping[str, Any]) -> list[str]:
    if "true_classes" not in figures:
        return []  # no decoder
    return [
        "",
        "Of images read right; in brackets of all, decoded by their labels.",
        *(
            f"{words:<38}{_write(figures[name], form)}  "
            f"({_write(figures['true_classes'][name], form)})"
            for name, words, form in (
                ("reconstruction_mse", "squared error of a digit's picture", ".5f"),
                ("ink_given_right", "ink of one digit given to it", ".2%"),
            )
        ),
    ]


def _write(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _reconstruction(mse: float | None) -> list[str]:
    if mse is None:
        return []
    return [f"reconstruction error  {mse:.5f}  (mean squared)"]
