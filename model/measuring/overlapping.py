"""How well a network reads two digits on top of each other, and gives each its ink.

Answers are counted in two ways. An image of two digits is read right if the two
highest scores are theirs (Sabour, Frosst & Hinton 2017, section 6): whoever counts so
knows that there are two. It is named right if the network's own rule, which decides by
a threshold how many digits there are, names these two and no other.

Reconstructions and ink are those of the images read right, so that no label chooses the
capsules that are decoded; `true_classes` has the same over all images, decoded from the
capsules of the classes present.
"""

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.shares import count_wrong, roc_area
from capsnet_explorer.model.presence import Presence, multi_hot, outrank
from capsnet_explorer.perturbations.overlay import INK

DIGITS = 6  # of a figure on the card
FIFTHS = 5
THRESHOLDS = torch.arange(1, 100) / 100


class OwnershipMeter:
    """Measures what each digit's capsule draws, from the traces of an evaluation.

    Args:
        network: with a decoder.
        overlaps: the images of the evaluation.
    """

    def __init__(self, network: Network, overlaps: Overlaps) -> None:
        self._network = network
        self._overlaps = overlaps
        self._done = 0
        self._errors: list[Tensor] = []
        self._ink: list[Tensor] = []
        self._is_right: list[Tensor] = []

    def add(self, trace: Any) -> None:
        """Measure one more batch: the next images."""
        images = slice(self._done, self._done + len(trace.scores))
        self._done = images.stop
        apart, classes = self._overlaps.apart(images)
        alone = to_network(apart).to(trace.scores.device)
        missing = self._network.config.classes - classes.shape[2]
        keep = F.pad(classes, (0, missing)).to(trace.scores.device)
        drawn = self._network.decoder(trace.poses, keep).float()
        self._errors.append((drawn - alone).square().flatten(2).mean(dim=(1, 2)).cpu())
        self._ink.append(given_right(alone, drawn).cpu())
        self._is_right.append(outrank(trace.scores, keep.sum(dim=1)).cpu())

    @property
    def figures(self) -> dict[str, Any]:
        """The figures so far, for the card."""
        is_right = torch.cat(self._is_right)
        errors, ink = torch.cat(self._errors), torch.cat(self._ink)

        def means(some: Tensor) -> dict[str, float | None]:
            return {
                "reconstruction_mse": mean_of(errors[some]),
                "ink_given_right": mean_of(ink[some]),
            }

        return {
            **means(is_right),
            "true_classes": means(torch.ones_like(is_right)),
        }


def given_right(alone: Tensor, drawn: Tensor) -> Tensor:
    """Return the share of ink that reconstructions give to the right digit: (images,).

    What counts is the ink of pixels where one digit alone has any. It is given to the
    digit whose reconstruction is brighter there, and half to each where both are equal.
    NaN where two digits have the same pixels.

    Args:
        alone: (images, 2, channels, rows, columns), each digit alone, in [0, 1].
        drawn: same shape, each digit's reconstruction.
    """
    is_inked = alone > INK
    is_own = is_inked & ~is_inked.flip(1)
    ink = alone * is_own
    won = (torch.sign(drawn - drawn.flip(1)) + 1) / 2
    return (ink * won).flatten(1).sum(dim=1) / ink.flatten(1).sum(dim=1)


def chosen_threshold(pairs: Tensor, are_right: Tensor, singles: Tensor) -> float:
    """Return the threshold with the most right answers, of hundredths.

    Images of one and of two digits count equally. Of equal thresholds it is the one in
    their middle.

    Args:
        pairs: (images,), the second highest score of images of two digits.
        are_right: (images,) bool, whether the two highest scores are theirs.
        singles: (images, 2), the two highest scores of images of one digit, lower than
            0 where the highest is not its own.
    """
    named_two = (pairs[:, None] >= THRESHOLDS) & are_right[:, None]
    best, second = singles[:, :1], singles[:, 1:]
    named_one = (best >= THRESHOLDS) & (second < THRESHOLDS)
    right = named_two.double().mean(dim=0) + named_one.double().mean(dim=0)
    equal = (right == right.max()).nonzero()[:, 0]
    return round(float(THRESHOLDS[equal[len(equal) // 2]]), 2)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a network answers to images of two digits, and to their first digits alone.

    Attributes:
        pairs: scores of the images of two digits, (images, classes).
        in_pairs: (images, classes), 1 for each class present, else 0.
        singles: scores of the images of one digit, (images, classes).
        in_singles: (images, classes), 1 for the class present, else 0.
    """

    pairs: Tensor
    in_pairs: Tensor
    singles: Tensor
    in_singles: Tensor

    @property
    def rule(self) -> Presence:
        """Two classes at most, by the threshold that gives most right answers."""
        is_own = outrank(self.singles, self.in_singles)
        best = self.singles.topk(2, dim=1).values
        threshold = chosen_threshold(
            _second(self.pairs),
            outrank(self.pairs, self.in_pairs),
            best.where(is_own[:, None], -1.0),
        )
        return Presence(2, threshold)

    def figures(self, rule: Presence) -> dict[str, Any]:
        """Return the figures for the card.

        Args:
            rule: with a threshold that other images chose.

        Returns:
            `pairs` and `singles`, what is misread by the highest scores; `one_or_two`,
            what is misnamed by the rule; and `misread`, the indices of the pairs of
            either count.
        """
        pairs, singles = rule.among(self.pairs), rule.among(self.singles)
        area = roc_area(_second(self.singles), _second(self.pairs))
        return {
            "pairs": count_wrong(~outrank(self.pairs, self.in_pairs)),
            "singles": count_wrong(~outrank(self.singles, self.in_singles)),
            "one_or_two": {
                "roc_area": round(area, DIGITS),
                "threshold": rule.threshold,
                "pairs_as_two": mean_of((pairs.sum(dim=1) == 2).double()),
                "singles_as_two": mean_of((singles.sum(dim=1) == 2).double()),
                "pairs": count_wrong((pairs != (self.in_pairs > 0)).any(dim=1)),
                "singles": count_wrong((singles != (self.in_singles > 0)).any(dim=1)),
            },
            "misread": {
                "two_highest": _places(~outrank(self.pairs, self.in_pairs)),
                "named": _places((pairs != (self.in_pairs > 0)).any(dim=1)),
            },
        }


def answers(
    network: Network,
    overlaps: Overlaps,
    device: torch.device,
    pairs: Tensor | None = None,
) -> Answers:
    """Run a network on images of two digits, and on their first digits alone.

    Args:
        network: on `device`.
        overlaps: the images.
        device: where to compute.
        pairs: scores of the images of two digits, if they are known.
    """
    if pairs is None:
        pairs = evaluate(network, overlaps, device).scores
    alone = overlaps.singles
    classes = network.config.classes
    return Answers(
        pairs,
        multi_hot(overlaps.labels.cpu(), classes),
        evaluate(network, alone, device).scores,
        multi_hot(alone.labels.cpu(), classes),
    )


def ownership_meter(
    network: Network, overlaps: Overlaps | None
) -> OwnershipMeter | None:
    """Return a meter of what each digit's capsule draws, if there is anything to."""
    if overlaps is None or not hasattr(network, "decoder"):
        return None
    return OwnershipMeter(network, overlaps)


def overlaps_entry(
    network: Network,
    overlaps: Overlaps | None,
    device: torch.device,
    rule: Presence,
    pairs: Tensor,
    ownership: OwnershipMeter | None,
) -> dict[str, Any]:
    """Return the card's entry on digits on top of each other; nothing for others.

    Args:
        network: on `device`.
        overlaps: the images.
        device: where to compute.
        rule: with a threshold that other images chose.
        pairs: scores of the images of two digits.
        ownership: that has measured them, if the network has a decoder.
    """
    if overlaps is None:
        return {}
    outcome = answers(network, overlaps, device, pairs)
    return {
        "overlaps": {
            "images_sha256": overlaps.layout.sha256,
            **outcome.figures(rule),
            "by_shared_ink": by_shared_ink(overlaps, outcome),
            **(ownership.figures if ownership else {}),
        }
    }


def by_shared_ink(overlaps: Overlaps, outcome: Answers) -> list[dict[str, Any]]:
    """Return how many pairs are misread in each fifth of the images, by shared ink.

    Returns:
        For the card, from the fifth with least shared ink on: its `least` and `most`
        share of the smaller digit's inked pixels that both have, and what `count_wrong`
        returns.
    """
    shares = shared_ink(overlaps)
    is_wrong = ~outrank(outcome.pairs, outcome.in_pairs)
    return [
        {
            "least": round(float(shares[images].min()), DIGITS),
            "most": round(float(shares[images].max()), DIGITS),
            **count_wrong(is_wrong[images]),
        }
        for images in shares.argsort(stable=True).chunk(FIFTHS)
    ]


def shared_ink(overlaps: Overlaps) -> Tensor:
    """Return which share of the smaller digit's inked pixels both have: (images,)."""
    apart, _ = overlaps.apart(slice(None))
    is_inked = to_network(apart).flatten(2) > INK
    both = is_inked.all(dim=1).sum(dim=1)
    return both / is_inked.sum(dim=2).amin(dim=1).clamp(min=1)


def _places(is_so: Tensor) -> list[int]:
    """Return the indices of images of which something is so."""
    return is_so.nonzero()[:, 0].tolist()


def _second(scores: Tensor) -> Tensor:
    """Return the second highest score of each image."""
    return scores.topk(2, dim=1).values[:, 1]


def mean_of(values: Tensor) -> float | None:
    """Return the mean of all values but NaN, for the card; None without any."""
    known = values[~values.isnan()]
    return round(float(known.mean()), DIGITS) if len(known) else None
