"""Toys in colour, on plain and on cluttered ground, before networks of photographs.

Sabour, Frosst & Hinton 2017, section 7, suppose that varied backgrounds hurt capsules
on CIFAR-10. Here the ground alone varies: each toy is drawn on each, from the same
sides and in the same tints. No network was trained on such drawings.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.shares import RESAMPLES
from capsnet_explorer.toys import LIGHTS, View, drawn_toy, toy_of
from capsnet_explorer.toys.collection import MOST, SIZE, TEST
from capsnet_explorer.toys.colours import GROUNDS, TINTS, clutter_seed, coloured

# What CIFAR-10 calls toys. It has no class that holds all animals, and none of people.
CLASSES = {"plane": "airplane", "car": "automobile", "truck": "truck"}
PLAIN = [name for name, ground in GROUNDS.items() if not ground.is_cluttered]
(CLUTTERED,) = set(GROUNDS) - set(PLAIN)
AZIMUTHS, ELEVATIONS = tuple(range(0, 360, 45)), (10, 30)
INTERVAL = (0.025, 0.975)
DIGITS = 5  # decimals on the card
CPU = torch.device("cpu")

Bools = NDArray[np.bool_]
Values = NDArray[np.float64]


def coloured_figures(
    network: Network,
    class_names: Sequence[str],
    device: torch.device = CPU,
    seeds: Sequence[int] = TEST,
    azimuths: Sequence[int] = AZIMUTHS,
    elevations: Sequence[int] = ELEVATIONS,
) -> dict[str, Any]:
    """Count which toys in colour a network names right.

    Args:
        network: reads 3 x 32 x 32 pixels; in evaluation mode.
        class_names: the network's; those of `CLASSES` are among them.
        device: where the network is.
        seeds: of the toys of each category.
        azimuths: from which each is seen, in degrees.
        elevations: of the camera, in degrees.

    Returns:
        For the card: `coloured`, as `summary` returns it, with the sides, grounds and
        tints.

    Raises:
        ValueError: the network has other classes, or reads other images.
    """
    sizes = network.config
    shape = (sizes.image_channels, sizes.image_rows, sizes.image_columns)
    missing = [name for name in CLASSES.values() if name not in class_names]
    if missing or shape != (3, SIZE, SIZE):
        raise ValueError(
            f"toys in colour need a network that reads 3 x {SIZE} x {SIZE} pixels and "
            f"names {', '.join(CLASSES.values())}; this one reads "
            f"{' x '.join(map(str, shape))} and lacks {', '.join(missing) or 'none'}"
        )
    views = [
        View(azimuth, elevation, LIGHTS[1])
        for elevation in elevations
        for azimuth in azimuths
    ]
    is_right = np.array(
        [
            [
                _named_right(
                    network, device, category, seed, views, class_names.index(called)
                )
                for seed in seeds
            ]
            for category, called in CLASSES.items()
        ]
    )
    return {
        "coloured": {
            "azimuths": list(azimuths),
            "elevations": list(elevations),
            "tints": list(TINTS),
            **summary(is_right),
        }
    }


def _named_right(
    network: Network,
    device: torch.device,
    category: str,
    seed: int,
    views: Sequence[View],
    label: int,
) -> Bools:
    """Return (grounds, pictures): each view in each tint."""
    toy, clutter = (
        toy_of(category, drawn_toy(category, seed)),
        clutter_seed(category, seed),
    )
    seen = [toy.looked_at(view, SIZE) for view in views]
    pictures = np.stack(
        [
            coloured(each, tint, ground, clutter)
            for ground in GROUNDS
            for each in seen
            for tint in TINTS
        ]
    )
    images = torch.from_numpy(np.rint(MOST * pictures).astype(np.uint8))
    labels = torch.full((len(images),), label)
    found = evaluate(network, LabelledImages(images, labels), device)
    return (found.predictions == found.labels).cpu().numpy().reshape(len(GROUNDS), -1)


def summary(is_right: Bools) -> dict[str, Any]:
    """Return the shares named right, and how many more on plain ground than on clutter.

    A bootstrap draws toys again, as many of each category, and each with all its
    pictures: so the difference of two grounds is paired.

    Args:
        is_right: (categories, toys, grounds, pictures), in the orders of `CLASSES` and
            `GROUNDS`.

    Returns:
        `toys` of each category and `pictures` of each on each ground; `right`, by
        category or `all`, and ground, `plain` for the mean of the plain ones: the
        `share` and its 95 % `interval`; `plain_less_clutter`, likewise by category.
    """
    shares = is_right.mean(axis=3)  # (categories, toys, grounds)
    categories, toys, _ = shares.shape
    generator = np.random.default_rng(0)
    drawn = generator.integers(toys, size=(RESAMPLES, categories, toys))
    means = shares.mean(axis=1)
    again = np.stack(
        [shares[k][drawn[:, k]].mean(axis=1) for k in range(categories)], axis=1
    )  # (resamples, categories, grounds)
    grounds = list(GROUNDS)
    is_plain = np.isin(grounds, PLAIN)
    at_clutter = grounds.index(CLUTTERED)

    def of(mean: Values, others: Values) -> tuple[dict[str, Any], dict[str, Any]]:
        plain, plains = mean[is_plain].mean(), others[:, is_plain].mean(axis=1)
        right = {
            name: _entry("share", mean[k], others[:, k])
            for k, name in enumerate(grounds)
        }
        less = (plain - mean[at_clutter], plains - others[:, at_clutter])
        return (
            {**right, "plain": _entry("share", plain, plains)},
            _entry("difference", *less),
        )

    found = {name: of(means[k], again[:, k]) for k, name in enumerate(CLASSES)}
    found["all"] = of(means.mean(axis=0), again.mean(axis=1))
    return {
        "toys": toys,
        "pictures": is_right.shape[3],
        "right": {name: right for name, (right, _) in found.items()},
        "plain_less_clutter": {name: less for name, (_, less) in found.items()},
    }


def _entry(name: str, value: float, drawn: Values) -> dict[str, Any]:
    return {
        name: round(float(value), DIGITS),
        "interval": [round(float(end), DIGITS) for end in np.quantile(drawn, INTERVAL)],
    }
