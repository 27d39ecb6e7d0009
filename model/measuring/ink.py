"""What capsules draw of pairs: the ink of each digit, of absent ones, of twins.

The ink that each digit gets says whether capsules pull the two apart (Sabour, Frosst &
Hinton 2017, section 6). Two more figures say what the decoded pictures are worth:
how much ink the capsule of an absent class draws, and what becomes of two digits of the
same class, for which there is one capsule alone.
"""

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.laboratory.overlay import INK
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.overlapping import Layout, Overlaps, laid_out, merged
from capsnet_explorer.model.measuring.overlapping import given_right
from capsnet_explorer.model.measuring.shares import averaged, counted
from capsnet_explorer.model.presence import multi_hot, outrank
from capsnet_explorer.model.weights import Trained

BATCH = 100
ITERATIONS = (1, 2, 3, 5)
SEED = 0


@torch.inference_mode()
def ink_figures(trained: Trained, overlaps: Overlaps) -> dict[str, Any]:
    """Return what a network that reads pairs makes of ink, for the card.

    Args:
        trained: reads two digits; its rule has the threshold from which a class counts.
        overlaps: the test pairs.

    Returns:
        `ink`: `twins`, see `twin_figures`; and, of a network with a decoder, `absent`,
        see `absent_figures`, and `given_right`, by the number of iterations: the mean
        share of ink that goes to the right digit, decoded from the capsules of the
        classes present, over all pairs. `gain` is that share less the one with a single
        iteration, in the mean over the pairs.
    """
    found: dict[str, Any] = {"twins": twin_figures(trained, overlaps)}
    if hasattr(trained.network, "decoder"):
        found["absent"] = absent_figures(trained, overlaps)
        found.update(_given_right(trained, overlaps))
    return {"ink": found}


def twin_figures(trained: Trained, overlaps: Overlaps) -> dict[str, Any]:
    """Return what a network answers to two different digits of one class.

    Returns:
        `misread`, how often the highest score is not their class's; `second`, how often
        another class passes the threshold as well, so that a digit is named that is not
        there. Both as `counted` has them.
    """
    twins = twin_layout(overlaps.digits, overlaps.layout)
    apart, classes = laid_out(overlaps.digits, twins)
    present = classes.amax(dim=1)
    scores = torch.cat(
        [
            trained.network(to_network(images)).scores
            for images in merged(apart).split(BATCH)
        ]
    )
    others = scores.masked_fill(present > 0, 0).amax(dim=1)
    threshold = trained.rule.threshold or 0.0  # without one, every class counts
    return {
        "misread": counted(~outrank(scores, present.float())),
        "second": counted(others >= threshold),
    }


def twin_layout(digits: LabelledImages, layout: Layout) -> Layout:
    """Lay each image's first digit over another one of its class.

    Args:
        digits: at least two of each class.
        layout: where both stand.
    """
    generator = torch.Generator().manual_seed(SEED)
    labels = digits.labels.cpu()
    first = layout.digits[:, 0]
    second = torch.empty_like(first)
    for label in labels.unique():
        own = (labels == label).nonzero()[:, 0]
        # Each digit's partner is some places further on in a circle of its class.
        circle = own[torch.randperm(len(own), generator=generator)]
        place = torch.empty(len(labels), dtype=torch.int64)
        place[circle] = torch.arange(len(own))
        images = (labels[first] == label).nonzero()[:, 0]
        step = torch.randint(1, len(own), (len(images),), generator=generator)
        second[images] = circle[(place[first[images]] + step) % len(own)]
    return Layout(torch.stack([first, second], dim=1), layout.shifts)


def absent_figures(trained: Trained, overlaps: Overlaps) -> dict[str, Any]:
    """Return how much ink the capsule of an absent class draws.

    Returns:
        Means over the pairs, each with an interval: `length` of the longest capsule of
        an absent class; `ink`, the sum of the pixels that it draws; `on_ink`, the share
        of these that lies where the image has ink; and `present_ink`, the sum of
        the pixels that the capsule of a digit which is there draws.
    """
    network = trained.network
    columns: dict[str, list[Tensor]] = {
        name: [] for name in ("length", "ink", "on_ink", "present_ink")
    }
    for images, labels in _batches(overlaps):
        pixels = to_network(images)
        trace = network(pixels)
        present = multi_hot(labels, trace.scores.shape[1])
        length, longest = trace.scores.masked_fill(present > 0, -1).max(dim=1)
        keep = F.one_hot(longest, trace.scores.shape[1])[:, None]
        drawn = network.decoder(trace.poses, keep)[:, 0].flatten(1)
        ink = drawn.sum(dim=1)
        is_inked = pixels.flatten(1) > INK
        true = network.decoder(trace.poses, _each(present))
        columns["length"].append(length)
        columns["ink"].append(ink)
        columns["on_ink"].append((drawn * is_inked).sum(dim=1) / ink)
        columns["present_ink"].append(true.flatten(2).sum(dim=2).mean(dim=1))
    return {name: averaged(torch.cat(parts)) for name, parts in columns.items()}


def _given_right(trained: Trained, overlaps: Overlaps) -> dict[str, Any]:
    details = trained.architecture.details(trained.network.config)
    usual = details["routing_iterations"] or 1
    if details["max_routing_iterations"] == 1:
        return {"given_right": {"1": averaged(_shares(trained, overlaps))}}
    shares = {
        number: _shares(trained, overlaps, iterations=number)
        for number in sorted({*ITERATIONS, usual})
    }
    return {
        "given_right": {str(number): averaged(each) for number, each in shares.items()},
        "gain": averaged(shares[usual] - shares[1]),
    }


def _shares(trained: Trained, overlaps: Overlaps, **asked: Any) -> Tensor:
    """Return the share of ink given to the right digit of each pair: (images,)."""
    options = trained.architecture.options(trained.network.config, asked)
    serving = trained.architecture.serving(trained.network)
    found = []
    for start in range(0, len(overlaps), BATCH):
        some = slice(start, start + BATCH)
        images, (apart, classes) = overlaps.images[some], overlaps.apart(some)
        trace = serving.run(to_network(images), [options] * len(images))
        keep = F.pad(classes, (0, trace.scores.shape[1] - classes.shape[2]))
        drawn = trained.network.decoder(trace.poses, keep)
        found.append(given_right(to_network(apart), drawn))
    return torch.cat(found)


def _batches(overlaps: Overlaps) -> Iterator[tuple[Tensor, Tensor]]:
    return zip(overlaps.images.split(BATCH), overlaps.labels.split(BATCH), strict=True)


def _each(present: Tensor) -> Tensor:
    """Return a mask for each of two classes present: (images, 2, classes)."""
    both = present.topk(2, dim=1).indices
    return F.one_hot(both, present.shape[1])
