"""Every view says of an image what the network says of it."""

import pytest

from tests.words.language import badly_put
from tests.words.reading import beside, read
from tests.words.rules import contradictions, unlike_verdicts

# Of each data set one; and images of which all differs.
FEW = ("a sample", "blank", "noise", "two")
# A colour network's rooms take long: what is hard to tell is hard in grey as well.
BESIDE = {
    "capsnet-mnist": FEW,
    "matrix-toys": FEW,
    "cnn-overlapping": FEW,
    "efficient-cifar10": FEW[:1],
}


def test_views_agree_on_what_the_network_says(pages, models):
    found = [
        f"{page.visit.name}, {page.visit.iterations} iterations: {each}"
        for page in pages
        for each in contradictions(page, models[page.visit.model])
    ]
    assert not found, "\n".join(found)


def test_sentences_are_whole(pages):
    found = [each for page in pages for each in badly_put(page.strings)]
    assert not found, "\n".join(found)


@pytest.mark.walk
def test_views_of_every_network_agree(all_pages, models):
    test_views_agree_on_what_the_network_says(all_pages, models)
    test_sentences_are_whole(all_pages)


@pytest.mark.parametrize(("network", "images"), BESIDE.items())
def test_what_lies_beside_the_views_agrees_with_what_each_network_says(
    network, images, address, models
):
    visits = beside(network, models[network]["classes"], names=images)
    found = [
        f"{page.visit.name}: {each}"
        for page in read(address, visits)
        for each in [*badly_put(page.strings), *unlike_verdicts(page, models)]
    ]
    assert not found, "\n".join(found)
