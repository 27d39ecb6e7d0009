"""How well a network's answer tells digits from other pictures, for its card."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.pen import on_canvas
from capsnet_explorer.model.measuring.evaluation import BATCH
from capsnet_explorer.model.measuring.outliers.letters import drawn_letters
from capsnet_explorer.model.measuring.outliers.measures import (
    OF_RECONSTRUCTION,
    OF_SCORES,
    roc_area,
)
from capsnet_explorer.model.measuring.outliers.shapes import (
    bars,
    garments,
    noise,
    scribbles,
    shuffled,
)

ALARMS = 1 / 200  # of the digits held apart lie beyond a threshold
HELD_APART = 5000  # training images, at the end, that set thresholds
MADE = 300  # pictures of each kind, in each of two draws
CHOICE_SEED, REPORT_SEED = 1, 2  # of the draws that choose and that report
DIGITS = 6  # significant, in the card

MAKERS: dict[str, Callable[[int, int, torch.Generator], Tensor]] = {
    "letters": drawn_letters,
    "garments": garments,
    "bars": bars,
    "scribbles": scribbles,
    "noise": noise,
}
SHUFFLED = "shuffled digits"


@dataclass(frozen=True, slots=True)
class Pictures:
    """Digits, and by kind pictures that are none, of the same shape and type."""

    digits: Tensor
    others: dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Found:
    """What every measure found.

    Attributes:
        digits: by measure, of the digits: (count,).
        others: by kind, then by measure, of the other pictures: (count,).
    """

    digits: dict[str, Tensor]
    others: dict[str, dict[str, Tensor]]


def made_pictures(digits: Tensor, seed: int) -> Pictures:
    """Draw pictures of every kind.

    Args:
        digits: (count, channels, rows, columns) uint8; some are shuffled.
        seed: determines the pictures.
    """
    channels, rows, columns = digits.shape[1:]
    size = min(rows, columns)
    generator = torch.Generator().manual_seed(seed)
    others = {
        name: on_canvas(make(MADE, size, generator), (channels, rows, columns))
        for name, make in MAKERS.items()
    }
    others[SHUFFLED] = shuffled(digits[:MADE].cpu(), generator)
    return Pictures(digits, others)


def measure_outliers(
    network: Network,
    train: LabelledImages,
    test: LabelledImages,
    device: torch.device,
    tell: Callable[[str], None] = lambda _words: None,
) -> dict[str, Any]:
    """Measure how well each measure separates digits from pictures that are none.

    Training images held apart set each measure's threshold, so that 1 in 200 of them
    lies beyond, and with one draw of other pictures choose the measure: the one that
    raises the alarm for the largest share of them, kinds weighted equally. Networks
    with a decoder choose among the measures of their reconstruction. Test images and
    a second draw are then measured once.

    Args:
        network: on `device`.
        train: the training images; the last 5000 are held apart.
        test: the test images.
        device: where to compute.
        tell: called with a few words on the progress.

    Returns:
        For the card: `measure`, `threshold`; `beyond`, what the test images beyond it
        measure, ascending; `measures`, the figures of all by name; `test_images`,
        `held_apart`, `made`.
    """
    _, apart = train.split(min(HELD_APART, len(train)))
    tell(f"{len(apart)} training images and {MADE} made pictures of each kind")
    choosing = _found(network, made_pictures(apart.images, CHOICE_SEED), device)
    tell(f"{len(test)} test images and another {MADE} of each kind")
    reporting = _found(network, made_pictures(test.images, REPORT_SEED), device)

    thresholds = {
        name: _rounded(float(values.quantile(1 - ALARMS)))
        for name, values in choosing.digits.items()
    }
    candidates = [name for name in OF_RECONSTRUCTION if name in thresholds]
    chosen = max(
        candidates or OF_SCORES,
        key=lambda name: _mean_alarms(choosing, name, thresholds[name]),
    )
    return {
        "measure": chosen,
        "threshold": thresholds[chosen],
        "beyond": _beyond(reporting.digits[chosen], thresholds[chosen]),
        "measures": {
            name: _figures(name, threshold, choosing, reporting)
            for name, threshold in thresholds.items()
        },
        "test_images": len(test),
        "held_apart": len(apart),
        "made": MADE,
    }


@torch.no_grad()
def _found(network: Network, pictures: Pictures, device: torch.device) -> Found:
    return Found(
        _measured(network, pictures.digits, device),
        {
            kind: _measured(network, images, device)
            for kind, images in pictures.others.items()
        },
    )


def _measured(
    network: Network, images: Tensor, device: torch.device
) -> dict[str, Tensor]:
    """Return by measure what a network finds in images: (count,)."""
    parts: dict[str, list[Tensor]] = {}
    for some in images.split(BATCH):
        pixels = to_network(some).to(device)
        trace = network(pixels)
        decoded = trace.reconstruction
        measures = OF_SCORES if decoded is None else OF_SCORES | OF_RECONSTRUCTION
        for name, measure in measures.items():
            found = measure(
                pixels, pixels if decoded is None else decoded, trace.scores
            )
            parts.setdefault(name, []).append(found.cpu())
    return {name: torch.cat(found) for name, found in parts.items()}


def _figures(
    name: str, threshold: float, choosing: Found, reporting: Found
) -> dict[str, Any]:
    """Return one measure's figures: ROC areas, and shares of pictures with an alarm.

    `alarms` are those of the threshold; `alarms_at_1_in_200` those of the point of the
    ROC curve at which 1 in 200 test images raises one.
    """
    digits = reporting.digits[name]
    rare = float(digits.quantile(1 - ALARMS))
    return {
        "threshold": threshold,
        "chosen_by": round(_mean_alarms(choosing, name, threshold), 4),
        "test_alarms": round(_alarms(digits, threshold), 6),
        "others": {
            kind: {
                "area": round(roc_area(digits, found[name]), 5),
                "alarms": round(_alarms(found[name], threshold), 4),
                "alarms_at_1_in_200": round(_alarms(found[name], rare), 4),
            }
            for kind, found in reporting.others.items()
        },
    }


def _mean_alarms(found: Found, name: str, threshold: float) -> float:
    """Return the mean over the kinds of the share of pictures with an alarm."""
    shares = [_alarms(kind[name], threshold) for kind in found.others.values()]
    return sum(shares) / len(shares)


def _alarms(found: Tensor, threshold: float) -> float:
    return float((found > threshold).float().mean())


def _beyond(found: Tensor, threshold: float) -> list[float]:
    return [
        _rounded(value) for value in found[found > threshold].sort().values.tolist()
    ]


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
