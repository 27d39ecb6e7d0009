"""FGSM's images carried over: made on one network, read by another.

An attack that misleads a network which its maker never saw needs none of its weights
(Szegedy et al. 2014, arXiv 1312.6199).
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import numpy as np
import torch

from capsnet_explorer.laboratory.attack import Attack, Slope, attacked
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import (
    SEED,
    Batch,
    Pixels,
    Subject,
)
from capsnet_explorer.model.measuring.laboratory.measurement import Advance

EPSILONS = (0.05, 0.1, 0.2, 0.3)
DIGITS = 6  # decimals in the card


def measured_carried(
    reader: Subject,
    sources: Mapping[str, tuple[str, Subject]],
    labelled: LabelledImages,
    entry: Mapping[str, Any] | None = None,
    advance: Advance = lambda _value, _done, _count: None,
) -> Iterator[dict[str, Any]]:
    """Measure how a network reads images made on others, a source at a time.

    Args:
        reader: the network that reads.
        sources: those that the images are made on, by id, each with its weights'
            SHA-256; they have a gradient, and the reader's classes. The reader itself
            may be among them.
        labelled: at least one image.
        entry: of an earlier measurement. Its sources are kept, if the settings and
            their weights are the same; others are dropped.
        advance: called after each batch, with the number of the source.

    Yields:
        The entry for the card, whenever it has changed.
    """
    settings = {
        "knob": "by which a pixel moves at most",
        "images": len(labelled),
        "seed": SEED,
        "loss": "gap",
        "gradient": "full",
        "values": list(EPSILONS),
    }
    old = _sources(entry, settings)
    known = {
        name: old[name]
        for name, (sha256, _) in sources.items()
        if name in old and old[name]["sha256"] == sha256
    }
    if len(known) < len(old):
        yield _entry(settings, known)
    for place, (name, (sha256, source)) in enumerate(sources.items()):
        if name in known:
            continue
        right = np.zeros(len(EPSILONS))
        for batch in batches(labelled, reader.device):
            right += _read_right(reader, carried(source, batch), batch)
            advance(place + 1, batch.first + len(batch.labels), len(labelled))
        accuracy = [round(float(each) / len(labelled), DIGITS) for each in right]
        known[name] = {"sha256": sha256, "accuracy": accuracy}
        yield _entry(settings, {each: known[each] for each in sources if each in known})


def carried(source: Subject, batch: Batch) -> Pixels:
    """Return FGSM's images: (count, EPSILONS, rows, columns)."""

    def raised(images: Pixels, which: Any) -> Slope:
        return source.slope(images, batch.labels[torch.from_numpy(which)])

    return attacked(batch.pixels, EPSILONS, Attack("fgsm"), raised)


def carried_report(entry: Mapping[str, Any]) -> str:
    """Return an entry of the card as a table for a terminal."""
    wide = max(map(len, entry["sources"]), default=0) + 2
    lines = [
        f"FGSM's images read right, {entry['images']} of each",
        f"{'made on':<{wide}}" + "".join(f"{value:>8g}" for value in entry["values"]),
    ]
    for name, found in entry["sources"].items():
        shares = "".join(f"{share:>8.1%}" for share in found["accuracy"])
        lines.append(f"{name:<{wide}}{shares}")
    return "\n".join(lines).replace("%", " %")


def _read_right(reader: Subject, images: Pixels, batch: Batch) -> Any:
    """Return how many images are read right, for each ε."""
    return np.array(
        [
            int((reader.scores(some).argmax(dim=1) == batch.labels).sum())
            for some in images.swapaxes(0, 1)
        ]
    )


def _sources(
    entry: Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return what an entry of the same settings knows; else nothing."""
    if entry is None or any(entry.get(key) != value for key, value in settings.items()):
        return {}
    return entry["sources"]


def _entry(settings: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    return {**settings, "date": date.today().isoformat(), "sources": dict(known)}
