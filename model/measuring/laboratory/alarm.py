"""The reconstruction error as an alarm, against attacks that avoid it and that do not.

Frosst, Sabour & Hinton 2018 (arXiv 1811.06969) call an image adversarial if it differs
too much from its own reconstruction, and attack with and without regard to that.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.laboratory.attack import (
    CONFIDENCE,
    RANDOM_STARTS,
    Attack,
    Pixels,
    Slope,
    attacked,
    unnoticed,
)
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import (
    SEED,
    STEPS,
    Batch,
    Subject,
)
from capsnet_explorer.model.measuring.laboratory.measurement import Advance
from capsnet_explorer.model.measuring.outliers.measures import roc_area
from capsnet_explorer.model.weights import Trained

EPSILONS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
WEIGHT = 5.0  # of the error, for the attack that avoids the alarm
FALSE_ALARMS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)  # of the ROC
DIGITS = 6  # decimals in the card

Attacker = Callable[[Subject, Batch, float], Pixels]


@dataclass(frozen=True, slots=True)
class Caught:
    """What the alarm makes of one attack with one ε.

    Attributes:
        value: ε.
        accuracy: share of images whose true class has the highest score.
        alarms: share of images whose error is above the threshold.
        unseen: share of images that are misread without an alarm.
        error: mean reconstruction error.
        roc_area: area under the ROC curve of clean against attacked images.
        roc: share of attacked images beyond the error that `FALSE_ALARMS` of the clean
            ones exceed, for each of these.
    """

    value: float
    accuracy: float
    alarms: float
    unseen: float
    error: float
    roc_area: float
    roc: list[float]


COLUMNS = tuple(field.name for field in fields(Caught) if field.name != "value")


def alarm_threshold(trained: Trained) -> float:
    """Return the reconstruction error above which an image raises an alarm.

    Raises:
        ValueError: the network has no decoder or gradient, or no threshold is measured.
    """
    can, title = trained.architecture.can, trained.architecture.title
    if not (can.reconstruct and can.gradient):
        raise ValueError(
            f"the network must reconstruct and have a gradient, got a {title}"
        )
    measures = trained.card.get("outliers", {}).get("measures", {})
    if "error" not in measures:
        raise ValueError(
            "the card must have a threshold of the reconstruction error: measure "
            "`outliers` first"
        )
    return float(measures["error"]["threshold"])


def measured_alarm(
    subject: Subject,
    labelled: LabelledImages,
    threshold: float,
    entry: Mapping[str, Any] | None = None,
    advance: Advance = lambda _value, _done, _count: None,
) -> Iterator[dict[str, Any]]:
    """Measure the alarm, yielding its entry for the card after each attack and ε.

    Args:
        subject: a network with a decoder.
        labelled: at least one image.
        threshold: of the reconstruction error.
        entry: of an earlier measurement, which goes on if it has the same settings.
        advance: called after each batch.
    """
    settings = {
        "knob": "by which a pixel moves at most",
        "images": len(labelled),
        "seed": SEED,
        "steps": STEPS,
        "random_starts": RANDOM_STARTS,
        "weight": WEIGHT,
        "enough": CONFIDENCE,
        "threshold": threshold,
        "false_alarms": list(FALSE_ALARMS),
    }
    known = _known(entry, settings)
    if all((name, value) in known for name in ATTACKERS for value in EPSILONS):
        return
    labels = labelled.labels.cpu()
    clean_scores, clean = _found(_nobody, subject, labelled, 0.0, lambda *_now: None)
    settings["clean"] = {
        "accuracy": _share(clean_scores.argmax(dim=1) == labels),
        "alarms": _share(clean > threshold),
        "error": round(float(clean.double().mean()), DIGITS),
    }
    for name, attacker in ATTACKERS.items():
        for value in EPSILONS:
            if (name, value) in known:
                continue
            scores, errors = _found(attacker, subject, labelled, value, advance)
            is_right = scores.argmax(dim=1) == labels
            known[name, value] = _caught(value, is_right, errors, clean, threshold)
            yield _entry(settings, known)


def roc(clean: Tensor, found: Tensor) -> list[float]:
    """Return the share of alarms among `found` at each of `FALSE_ALARMS`.

    Args:
        clean: (count,), errors of unchanged images.
        found: (count,), errors of changed ones.
    """
    ordered = clean.sort(descending=True).values
    limits = [ordered[int(rate * len(clean) + 1e-9)] for rate in FALSE_ALARMS]
    return [_share(found > limit) for limit in limits]


def alarm_report(entry: Mapping[str, Any]) -> str:
    """Return an entry of the card as a table for a terminal."""
    clean = entry["clean"]
    lines = [
        f"alarm above a reconstruction error of {entry['threshold']:g}, "
        f"{entry['images']} images; {clean['alarms']:.2%} of the unchanged ones",
        f"{'attack':<8}{'ε':>6}{'misread':>9}{'alarm':>9}{'unseen':>9}{'ROC area':>10}",
    ]
    for name, found in entry["attacks"].items():
        for place, value in enumerate(found["values"]):
            lines.append(
                f"{name:<8}{value:>6g}{1 - found['accuracy'][place]:>9.1%}"
                f"{found['alarms'][place]:>9.1%}{found['unseen'][place]:>9.1%}"
                f"{found['roc_area'][place]:>10.3f}"
            )
    return "\n".join(lines).replace("%", " %")


def _nobody(_subject: Subject, batch: Batch, _value: float) -> Pixels:
    return batch.pixels


def _attacker(attack: Attack, weight: float = 0.0) -> Attacker:
    """Return an attack on the gap, which with a weight avoids the alarm as well."""

    def change(subject: Subject, batch: Batch, value: float) -> Pixels:
        def raised(images: Pixels, which: NDArray[np.intp]) -> Slope:
            gap = subject.slope(images, batch.labels[torch.from_numpy(which)])
            if not weight:
                return gap
            return unnoticed(gap, subject.error_slope(images), weight, CONFIDENCE)

        own = Attack(attack.method, attack.steps, SEED + batch.first)
        return attacked(batch.pixels, [value], own, raised)[:, 0]

    return change


ATTACKERS: dict[str, Attacker] = {
    "noise": _attacker(Attack("noise")),
    "fgsm": _attacker(Attack("fgsm")),
    "pgd": _attacker(Attack("pgd", STEPS)),
    "aware": _attacker(Attack("pgd", STEPS), WEIGHT),
}
"""By the name on the card; `aware` is PGD by an attacker who avoids the alarm."""


def _found(
    attacker: Attacker,
    subject: Subject,
    labelled: LabelledImages,
    value: float,
    advance: Advance,
) -> tuple[Tensor, Tensor]:
    """Return scores (count, classes) and errors (count,) of all attacked images."""
    scores, errors, done = [], [], 0
    for batch in batches(labelled, subject.device):
        some = subject.scores_and_errors(attacker(subject, batch, value))
        scores.append(some[0])
        errors.append(some[1])
        done += len(batch.labels)
        advance(value, done, len(labelled))
    return torch.cat(scores), torch.cat(errors)


def _caught(
    value: float, is_right: Tensor, errors: Tensor, clean: Tensor, threshold: float
) -> Caught:
    alarms = errors > threshold
    return Caught(
        value,
        _share(is_right),
        _share(alarms),
        _share(~is_right & ~alarms),
        round(float(errors.double().mean()), DIGITS),
        round(roc_area(clean, errors), DIGITS),
        roc(clean, errors),
    )


def _share(which: Tensor) -> float:
    return round(float(which.double().mean()), DIGITS)


def _known(
    entry: Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> dict[tuple[str, float], Caught]:
    if entry is None or any(entry.get(key) != value for key, value in settings.items()):
        return {}
    return {
        (name, value): Caught(
            value, **{column: found[column][place] for column in COLUMNS}
        )
        for name, found in entry["attacks"].items()
        for place, value in enumerate(found["values"])
    }


def _entry(
    settings: Mapping[str, Any], known: Mapping[tuple[str, float], Caught]
) -> dict[str, Any]:
    attacks = {}
    for name in ATTACKERS:
        caught = [known[name, value] for value in EPSILONS if (name, value) in known]
        if caught:
            attacks[name] = {"values": [each.value for each in caught]} | {
                column: [getattr(each, column) for each in caught] for column in COLUMNS
            }
    return {**settings, "date": date.today().isoformat(), "attacks": attacks}
