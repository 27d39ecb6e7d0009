"""Every view says of an image what the network says of it."""

import pytest

from tests.words.rules import contradictions


def test_views_agree_on_what_the_network_says(pages, models):
    found = [
        f"{page.visit.name}, {page.visit.iterations} iterations: {each}"
        for page in pages
        for each in contradictions(page, models[page.visit.model])
    ]
    assert not found, "\n".join(found)


@pytest.mark.walk
def test_views_of_every_network_agree(all_pages, models):
    test_views_agree_on_what_the_network_says(all_pages, models)
