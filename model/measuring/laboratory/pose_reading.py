"""How well a change of an image can be read from the numbers that describe it.

Equivariant numbers tell how far an image was moved, also for images that no reader was
fitted on. Each training image is changed by a random amount, a linear reader is fitted
for each class, and judged on test images that are changed alike.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.laboratory.changes import Change, changed
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import (
    SEED,
    Batch,
    Pixels,
    Subject,
)
from capsnet_explorer.model.measuring.laboratory.measurement import Advance
from capsnet_explorer.model.measuring.laboratory.ridge import (
    HELD_OUT,
    RESAMPLES,
    Values,
    explained,
    explained_interval,
    fitted_and_read,
)

TRAINING = 3  # images that readers are fitted on, for each that they are judged on
COMPONENTS = 16  # of longer vectors, so that all are also compared at one length
DIGITS = 4  # decimals in the card


@dataclass(frozen=True, slots=True)
class Knob:
    """What is to be read.

    Attributes:
        words: what its values are.
        low: smallest amount, drawn evenly up to `high`.
        high: largest amount.
        change: of an image, by an amount.
    """

    words: str
    low: float
    high: float
    change: Callable[[float], Change]


KNOBS = {
    "rotation": Knob(
        "degrees counter-clockwise", -45, 45, lambda value: Change(rotate=value)
    ),
    "shift": Knob("pixels to the right", -4, 4, lambda value: Change(shift=(value, 0))),
    "scale": Knob("factor", 0.7, 1.3, lambda value: Change(scale=value)),
    "shear": Knob(
        "degrees, the top to the right", -30, 30, lambda value: Change(shear=value)
    ),
}


@dataclass(frozen=True, slots=True)
class Described:
    """Changed images, and the numbers that describe them.

    Attributes:
        labels: (count,), of the images.
        amounts: (count,), by which each was changed.
        codes: (count, numbers), of the network.
        pixels: (count, pixels).
    """

    labels: NDArray[np.int64]
    amounts: Values
    codes: Values
    pixels: Values


def measured_reading(
    subject: Subject,
    training: LabelledImages,
    test: LabelledImages,
    entry: Mapping[str, Any] | None = None,
    advance: Advance = lambda _value, _done, _count: None,
) -> Iterator[dict[str, Any]]:
    """Measure what can be read, yielding the entry for the card after each knob.

    Args:
        subject: the network.
        training: images that readers are fitted on, at least 4 of each class in `test`.
        test: images that they are judged on, at least 2.
        entry: of an earlier measurement, whose knobs are kept if it has the same
            settings.
        advance: called after each batch, with the number of the knob.

    Raises:
        ValueError: there are too few training images of a class.
    """
    settings = {
        "code": subject.architecture.code_title,
        "images": len(test),
        "training_images": len(training),
        "seed": SEED,
        "held_out": HELD_OUT,
        "resamples": RESAMPLES,
        "components": COMPONENTS,
    }
    is_same = entry is not None and all(
        entry.get(key) == value for key, value in settings.items()
    )
    known = dict(entry["knobs"]) if entry is not None and is_same else {}
    whole = len(training) + len(test)
    for place, (name, knob) in enumerate(KNOBS.items()):
        if name in known:
            continue

        def told(done: int, knob_number: int = place + 1) -> None:
            advance(knob_number, done, whole)

        fitting = _described(subject, training, knob, [SEED, place, 0], told)
        judging = _described(
            subject, test, knob, [SEED, place, 1], lambda n: told(len(training) + n)
        )
        known[name] = {
            "knob": knob.words,
            "low": knob.low,
            "high": knob.high,
            "readings": readings(fitting, judging),
        }
        done = {each: known[each] for each in KNOBS if each in known}
        yield {**settings, "date": date.today().isoformat(), "knobs": done}


def readings(fitting: Described, judging: Described) -> dict[str, dict[str, Any]]:
    """Read the amounts from codes and from pixels, whole and by few components.

    Args:
        fitting: what readers are fitted on, in no order.
        judging: what they are judged on.

    Returns:
        By what is read: `code` and `pixels`; `code_components` and `pixels_components`,
        the first principal components of a class's longer vectors; and `shuffled`, the
        code, with amounts that belong to other images of the class.
    """
    numbers = fitting.codes.shape[1]
    generator = np.random.default_rng(SEED)
    mixed = fitting.amounts.copy()
    for label in np.unique(fitting.labels):
        own = fitting.labels == label
        mixed[own] = generator.permutation(mixed[own])

    def reading(what: str, amounts: Values, most: int | None = None) -> dict[str, Any]:
        return _reading(
            (getattr(fitting, what), amounts, fitting.labels),
            (getattr(judging, what), judging.amounts, judging.labels),
            most,
        )

    found = {"code": reading("codes", fitting.amounts)}
    if numbers > COMPONENTS:
        found["code_components"] = reading("codes", fitting.amounts, COMPONENTS)
    found["pixels"] = reading("pixels", fitting.amounts)
    found["pixels_components"] = reading("pixels", fitting.amounts, COMPONENTS)
    found["shuffled"] = reading("codes", mixed)
    return found


Part = tuple[Values, Values, NDArray[np.int64]]
"""Vectors (count, numbers), amounts (count,) and labels (count,)."""


def _reading(fitting: Part, judging: Part, most: int | None) -> dict[str, Any]:
    """Fit a reader for each class, and judge all together and each by itself."""
    vectors, amounts, labels = judging
    read = np.empty_like(amounts)
    for label in np.unique(labels):
        fit, judge = fitting[2] == label, labels == label
        read[judge] = fitted_and_read(
            fitting[0][fit], fitting[1][fit], vectors[judge], most
        )
    low, high = explained_interval(amounts, read, SEED)
    return {
        "numbers": min(vectors.shape[1], most or vectors.shape[1]),
        "r2": round(explained(amounts, read), DIGITS),
        "r2_low": round(low, DIGITS),
        "r2_high": round(high, DIGITS),
        "error": round(float(np.sqrt(np.square(amounts - read).mean())), DIGITS),
        "classes": [
            round(explained(amounts[labels == label], read[labels == label]), DIGITS)
            for label in np.unique(labels)
        ],
    }


def _described(
    subject: Subject,
    labelled: LabelledImages,
    knob: Knob,
    seed: list[int],
    advance: Callable[[int], None],
) -> Described:
    """Change each image by a random amount, and let the network describe it."""
    generator = np.random.default_rng(seed)
    amounts = generator.uniform(knob.low, knob.high, len(labelled))
    codes, pixels = [], []
    for batch in batches(labelled, subject.device):
        count = len(batch.labels)
        images = _changed(batch, amounts[batch.first : batch.first + count], knob)
        codes.append(subject.codes(images, batch.labels).double().numpy())
        pixels.append(images.reshape(count, -1))
        advance(batch.first + count)
    # In no order, so that a part of them is as good as another.
    order = generator.permutation(len(labelled))
    return Described(
        labelled.labels.cpu().numpy()[order],
        amounts[order],
        np.concatenate(codes)[order],
        np.concatenate(pixels)[order],
    )


def _changed(batch: Batch, amounts: Values, knob: Knob) -> Pixels:
    pairs = zip(batch.pixels, amounts.tolist(), strict=True)
    return np.concatenate(
        [changed(image, [knob.change(amount)]) for image, amount in pairs]
    )


NAMES = {
    "code": "{code}",
    "code_components": "its first {numbers} components",
    "pixels": "pixels",
    "pixels_components": "their first {numbers} components",
    "shuffled": "{code}, amounts shuffled",
}
"""Of the readings, for people."""


def reading_report(entry: Mapping[str, Any]) -> str:
    """Return an entry of the card as a table for a terminal."""
    lines = [
        f"amounts read from {entry['images']} test images, by readers fitted on "
        f"{entry['training_images']} training images"
    ]
    for name, knob in entry["knobs"].items():
        lines.append(f"{name}: {knob['knob']}, {knob['low']:g} to {knob['high']:g}")
        for which, found in knob["readings"].items():
            words = NAMES[which].format(code=entry["code"], numbers=found["numbers"])
            lines.append(
                f"  {words:<42} R² = {found['r2']:.3f} ({found['r2_low']:.3f} to "
                f"{found['r2_high']:.3f}), error {found['error']:.3g}"
            )
        for what, each in knob.get("follow", {"largest": {}})["largest"].items():
            told = ", ".join("–" if r2 is None else f"{r2:.3f}" for r2 in each)
            lines.append(f"  largest R² of one number of {what}, by class: {told}")
    return "\n".join(lines)
