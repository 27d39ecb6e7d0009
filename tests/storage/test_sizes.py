"""Numbers of bytes in words."""

import pytest

from capsnet_explorer.storage.sizes import size_words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (None, "any number of bytes"),
        (0, "0 bytes"),
        (1 << 20, "1 MB"),
        (1020 << 20, "1 GB"),
        (1 << 40, "1024 GB"),
    ],
)
def test_bytes_are_told_as_people_do(size, words):
    assert size_words(size) == words
