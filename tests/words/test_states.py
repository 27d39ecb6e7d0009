"""What the page says of an image is true, whole, and comes out."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.words.figures import (
    count_scores,
    full_lengths,
    more_than_all,
    torn_parts,
    written_unlike,
    wrong_scores,
)
from tests.words.language import badly_put
from tests.words.reading import Page, beside, read
from tests.words.rules import (
    broken_arithmetic,
    contradictions,
    equations_of,
    unlike_cards,
    unlike_verdicts,
)

FEW = ("a sample", "blank", "two")  # images of which all differs
# Of each kind of data one: a colour network's rooms take minutes, and what is hard to
# tell is hard in grey as well.
BESIDE = {
    "capsnet-mnist": FEW,
    "matrix-toys": FEW[:1],
    "cnn-overlapping": FEW[2:],
}
# Words of digits and of MNIST, where a network's images are none. Half precision keeps
# three digits of any number, and tools may be named after data.
OF_DIGITS = re.compile(
    r"\b(?<!three )digits?\b(?! of any)|MNIST(?!’s digits: the promise)|28×28 pixels",
    re.IGNORECASE,
)
# A page has at least so many equations, with one image, and so many of a class's score
# stand on all of a network's pages.
FEWEST_EQUATIONS = 5
FEWEST_SCORES = 6


def foreign_words(page: Page) -> Iterator[str]:
    """Yield what speaks of what the network on show has not."""
    network = page.visit.model
    foreign = []
    if network.endswith(("toys", "cifar10")):
        foreign.append(OF_DIGITS)
    if network.startswith("efficient"):  # it routes once
        foreign.append(re.compile("iteration", re.IGNORECASE))
    for view, text in page.strings:
        if any(pattern.search(text) for pattern in foreign):
            yield f"{view} speaks of other networks: {text}"


def faults_of(page: Page, model: Mapping[str, Any]) -> Iterator[str]:
    """Yield all that breaks a rule on a page."""
    yield from contradictions(page, model)
    yield from badly_put(page.strings)
    yield from broken_arithmetic(page)
    yield from full_lengths(page)
    yield from torn_parts(page)
    yield from more_than_all(page)
    yield from wrong_scores(page, model)
    yield from written_unlike(page)
    yield from foreign_words(page)


def test_every_rule_holds(pages: list[Page], models: dict[str, dict]):
    model = models[pages[0].visit.model]
    faults = [
        f"{page.visit.name}, {page.visit.iterations} iterations: {fault}"
        for page in pages
        for fault in faults_of(page, model)
    ]
    assert not faults, "\n".join(faults)
    assert all(equations_of(page) >= FEWEST_EQUATIONS for page in pages)
    if model["scores"] != "probability":
        assert sum(count_scores(page, model) for page in pages) >= FEWEST_SCORES


@pytest.mark.walk
def test_every_rule_holds_for_every_network(all_pages, models):
    test_every_rule_holds(all_pages, models)


@pytest.mark.parametrize(("network", "images"), BESIDE.items())
def test_what_lies_beside_the_views_agrees_with_what_each_network_says(
    network, images, explorer, models
):
    visits = beside(network, models[network]["classes"], names=images)
    faults = [
        f"{page.visit.name}: {fault}"
        for page in read(explorer, visits)
        for fault in [
            *badly_put(page.strings),
            *unlike_verdicts(page, models),
            *unlike_cards(page, models),
        ]
    ]
    assert not faults, "\n".join(faults)
