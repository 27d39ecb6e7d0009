"""Which way of reading a file is the network's: what its answers on images say.

Ways are tried on two images first, and the best of them on more and more. A network was
trained to make a loss small, so read rightly it has a smaller one than read in any
other way; how much smaller, over the same images, says whether that can be chance.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.importing.matching import Shapes, needed_shapes
from capsnet_explorer.model.importing.ways import Choice, Option, Way, count_of
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.weights import WeightsError

FIRST = (2, 5, 15)  # images for every way, and for the better quarter each time …
THEN = (5, 20, 60)  # … for the best of these with every number of iterations …
LAST = 200  # … and for the last few
DRAWN = 40  # images for what only the decoder's drawings tell
KEPT_FIRST = 6
KEPT_THEN = 3
MOST_WAYS = 20_000
SURE = 3.0  # standard errors between the losses of two ways that are not chance
SAME = 1e-4  # between the scores of two ways that are one network
AS_EXPECTED = 1e-3  # between scores and those expected: half precision moves them less
CLEAR = 0.25  # of the loss with wrong labels: that of right answers is below it
BATCH = 50


@dataclass(frozen=True)
class Candidate:
    """One network that a file may hold, and all ways of reading it.

    Attributes:
        architecture: of the network.
        config: its sizes, without variants.
        variants: networks of the same tensors that compute otherwise, by name.
        ways: for each assignment of names, the choices that it leaves open.
        decodes: whether the file has a decoder; without one, the network's is empty.
    """

    architecture: Architecture
    config: Any
    variants: Mapping[str, Any]
    ways: Sequence[tuple[Mapping[str, str], Sequence[Choice]]]
    decodes: bool = True

    @property
    def count(self) -> int:
        """Number of ways that its scores depend on."""
        of_choices = sum(
            count_of([each for each in choices if not each.draws])
            for _, choices in self.ways
        )
        assert self.architecture.importable is not None
        iterations = len(self.architecture.importable.iterations) or 1
        return of_choices * len(self.variants) * iterations


Reading = tuple[Candidate, Way]


@dataclass(frozen=True)
class Examples:
    """Images to try ways on.

    Attributes:
        labelled: with one label each; None where only answers are known.
        pixels: (count, channels, rows, columns) in [0, 1].
        expected: (count, classes), the scores that the network gives; None if unknown.
    """

    labelled: LabelledImages | None
    pixels: Tensor
    expected: Tensor | None = None

    def first(self, count: int) -> "Examples":
        """Return the first of them."""
        labelled = self.labelled
        if labelled is not None:
            labelled = LabelledImages(labelled.images[:count], labelled.labels[:count])
        expected = None if self.expected is None else self.expected[:count]
        return Examples(labelled, self.pixels[:count], expected)


def examples_of(labelled: LabelledImages) -> Examples:
    """Return labelled images as examples."""
    return Examples(labelled, to_network(labelled.images))


@dataclass(frozen=True)
class Tried:
    """A way, and how it fared.

    Attributes:
        candidate: whose way it is.
        way: of reading its tensors.
        scores: (count, classes).
        losses: of each image: (count,). With expected scores, the largest difference.
        others: the same with the label of another class.
    """

    candidate: Candidate
    way: Way
    scores: Tensor
    losses: Tensor
    others: Tensor

    @property
    def loss(self) -> float:
        """The mean of all images."""
        mean = self.losses.mean().item()
        return mean if mean == mean else float("inf")


@dataclass(frozen=True)
class Decision:
    """The way that was decided for, and why.

    Attributes:
        best: the way.
        ways: how many were tried.
        runner_up: the best of the others that answer otherwise; None without one.
        network: in evaluation mode.
    """

    best: Tried
    ways: int
    runner_up: Tried | None
    network: Network


def decided(
    candidates: Sequence[Candidate], file: Mapping[str, Tensor], examples: Examples
) -> Decision:
    """Try all ways, and return the one that fits.

    Raises:
        WeightsError: none reads the images, or several do equally well.
    """
    ways = sum(each.count for each in candidates)
    if ways > MOST_WAYS:
        raise WeightsError(
            f"there are {ways} ways to read the file, more than can be tried: name its "
            "tensors as the network does, and keep the usual order of axes"
        )
    trial = _Trial(file)
    of_scores = [
        (candidate, way) for candidate in candidates for way in _of_scores(candidate)
    ]
    # The number of iterations hardly changes what is read.
    kept = _narrowed(trial, of_scores, examples, FIRST, KEPT_FIRST)
    kept = _narrowed(trial, _with_iterations(kept), examples, THEN, KEPT_THEN)
    last = examples.first(LAST)
    tried = [trial.run(*each, last) for each in kept]
    tried.sort(key=lambda each: each.loss)
    best = tried[0]
    _check_it_reads(best, last, ways)
    others = [
        each
        for each in tried[1:]
        if not (each.scores - best.scores).abs().max() <= SAME
    ]
    for other in others:
        if _are_equal(best, other, is_expected=last.expected is not None):
            raise WeightsError(_equal_words(best, other, len(last.pixels)))
    best = _drawn(trial, best, last.first(DRAWN))
    network = trial.network(best.candidate, best.way)
    return Decision(best, ways, others[0] if others else None, network)


def _narrowed(
    trial: "_Trial",
    ways: Sequence[Reading],
    examples: Examples,
    images: Sequence[int],
    least: int,
) -> Sequence[Reading]:
    """Return the ways that fit best, tried on more and more images.

    Args:
        trial: runs them.
        ways: all of them.
        examples: the images.
        images: how many of them are read, each time by the better quarter.
        least: how many ways are kept at least.
    """
    for count in images:
        if len(ways) <= least:
            break
        part = examples.first(count)
        tried = [trial.run(*each, part) for each in ways]
        tried.sort(key=lambda each: each.loss)
        kept = max(least, len(ways) // 4)
        ways = [(each.candidate, each.way) for each in tried[:kept]]
    return ways


def _of_scores(candidate: Candidate) -> Iterator[Way]:
    """Yield all ways that scores depend on; what the decoder draws comes later."""
    for variant in candidate.variants:
        for names, choices in candidate.ways:
            for options in _products(choices, draws=False):
                yield Way(variant, names, options, choices=tuple(choices))


def _products(
    choices: Sequence[Choice], *, draws: bool, taken: Sequence[Option] = ()
) -> Iterator[tuple[Option, ...]]:
    """Yield the options of all choices; of those left alone, the one taken."""
    fixed = taken or [each.options[0] for each in choices]
    yield from itertools.product(
        *(
            each.options if each.draws == draws else [own]
            for each, own in zip(choices, fixed, strict=True)
        )
    )


def _with_iterations(ways: Sequence[Reading]) -> list[Reading]:
    found = []
    for candidate, way in ways:
        importable = candidate.architecture.importable
        assert importable is not None
        for count in importable.iterations or (None,):
            found.append((candidate, replace(way, iterations=count)))
    return found


class _Trial:
    """Builds networks, and runs them on images."""

    def __init__(self, file: Mapping[str, Tensor]) -> None:
        self._file = file
        self._built: dict[tuple[int, str, int | None], tuple[Network, Shapes]] = {}
        self._turned: dict[tuple[object, ...], Tensor] = {}

    def network(self, candidate: Candidate, way: Way) -> Network:
        """Return the network that a way reads; the next call may change it."""
        key = (id(candidate), way.variant, way.iterations)
        if key not in self._built:
            config = candidate.variants[way.variant]
            if way.iterations is not None:
                config = replace(config, routing_iterations=way.iterations)
            built = candidate.architecture.build(config).eval()
            decodes = candidate.decodes
            if not decodes:
                for each in built.decoder.parameters():
                    each.data.zero_()
            needed = needed_shapes(candidate.architecture, config, decodes=decodes)
            self._built[key] = built, needed
        network, needed = self._built[key]
        network.load_state_dict(
            way.state(self._file, needed, self._turned),
            assign=True,
            strict=candidate.decodes,
        )
        return network.requires_grad_(False)

    @torch.no_grad()
    def run(self, candidate: Candidate, way: Way, examples: Examples) -> Tried:
        """Return what a way answers."""
        network = self.network(candidate, way)
        architecture = candidate.architecture
        scores, losses, others = [], [], []
        for at in range(0, len(examples.pixels), BATCH):
            part = slice(at, at + BATCH)
            trace = network(examples.pixels[part])
            scores.append(trace.scores)
            if examples.expected is not None:
                off = (trace.scores - examples.expected[part]).abs().amax(1)
                losses.append(off)
                others.append(off)
                continue
            assert examples.labelled is not None
            classes = network.config.classes
            labels = examples.labelled.labels[part]
            loss = architecture.settings.loss()
            for found, shown in ((losses, labels), (others, (labels + 1) % classes)):
                present = multi_hot(shown, classes)
                found.append(architecture.class_loss(trace, present, loss))
        found = (torch.cat(each) for each in (scores, losses, others))
        return Tried(candidate, way, *found)

    @torch.no_grad()
    def drawn(self, candidate: Candidate, way: Way, examples: Examples) -> Tried | None:
        """Return how far what a way draws is from the images; None if it draws none."""
        if not (candidate.decodes and candidate.architecture.can.reconstruct):
            return None
        network = self.network(candidate, way)
        scores, losses = [], []
        for at in range(0, len(examples.pixels), BATCH):
            pixels = examples.pixels[at : at + BATCH]
            trace = network(pixels)
            assert trace.reconstruction is not None
            scores.append(trace.reconstruction.flatten(1))
            losses.append((trace.reconstruction - pixels).square().flatten(1).sum(1))
        others = torch.cat(losses)
        return Tried(candidate, way, torch.cat(scores), others, others)


def _check_it_reads(best: Tried, examples: Examples, ways: int) -> None:
    """Refuse a way that reads nothing, although it is the best."""
    title = best.candidate.architecture.title
    tried = f"none of {ways} ways to read it gives" if ways > 1 else "it does not give"
    if examples.expected is not None:
        off = best.losses.max().item()
        if not off <= AS_EXPECTED:
            raise WeightsError(
                f"{tried} a {title} with the answers expected: the nearest is off by "
                f"{off:.2g}, and {AS_EXPECTED:g} is allowed"
            )
        return
    assert examples.labelled is not None
    labels = examples.labelled.labels
    is_right = best.scores.argmax(1) == labels
    classes = best.scores.shape[1]
    wrong = len(labels) - int(is_right.sum())
    if not wrong <= len(labels) * (1 - 1 / classes) / 2:
        raise WeightsError(
            f"{tried} a {title} that reads the test images: the best misreads {wrong} "
            f"of {len(labels)}"
        )
    if not best.losses[is_right].mean() <= CLEAR * best.others[is_right].mean():
        raise WeightsError(
            f"read in the best of {ways} ways, it misreads {wrong} of {len(labels)} "
            f"test images, but its scores are not those of a trained {title}, so it "
            "computes something otherwise: describe it (docs/own-networks.md), or give "
            "some of its own answers by --expected"
        )


def _are_equal(best: Tried, other: Tried, *, is_expected: bool) -> bool:
    """Return whether two ways that answer otherwise fit as well as each other."""
    if is_expected:
        return other.losses.max().item() <= AS_EXPECTED
    return _standard_errors(best, other) < SURE


def _standard_errors(best: Tried, other: Tried) -> float:
    """Return by how many standard errors another way is worse on the same images."""
    more = other.losses - best.losses
    if not more.isfinite().all():
        return float("inf")
    deviation = more.std().item() / len(more) ** 0.5
    return more.mean().item() / deviation if deviation else 0.0


def _equal_words(best: Tried, other: Tried, images: int) -> str:
    one, two = best.way.settings, other.way.settings
    titles = [each.candidate.architecture.title for each in (best, other)]
    if titles[0] != titles[1]:
        one, two = ({"network": title} for title in titles)
    differing = [name for name in one if one[name] != two.get(name)]
    settings = "; ".join(
        f"{name}: {one[name]} or {two.get(name, 'otherwise')}" for name in differing[:3]
    )
    return (
        f"two ways to read it fit {images} images equally well ({settings}): give some "
        "images and the network's own scores for them by --expected"
    )


def _drawn(trial: _Trial, best: Tried, examples: Examples) -> Tried:
    """Decide what only the decoder's drawings depend on."""
    way = best.way
    ways = [
        replace(way, options=options)
        for options in _products(way.choices, draws=True, taken=way.options)
    ]
    if len(ways) == 1:
        return best
    drawn = (trial.drawn(best.candidate, each, examples) for each in ways)
    tried = sorted(filter(None, drawn), key=lambda each: each.loss)
    first = tried[0]
    for other in tried[1:]:
        is_other = (other.scores - first.scores).abs().max() > SAME
        if is_other and _standard_errors(first, other) < SURE:
            raise WeightsError(_equal_words(first, other, len(examples.pixels)))
    return replace(best, way=first.way)
