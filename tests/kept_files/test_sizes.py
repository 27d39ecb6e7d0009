"""Numbers of bytes in words."""

import pytest

from capsnet_explorer.kept_files.sizes import size_words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (None, "any number of bytes"),
        (0, "0 bytes"),
        (999, "999 bytes"),
        (66_000, "66 kB"),
        (999_499, "999 kB"),
        (1 << 20, "1 MB"),
        (int(1.5 * (1 << 20)), "1.5 MB"),
        (60 << 20, "60 MB"),
        (512 << 20, "512 MB"),
        (1020 << 20, "1 GB"),
        (1 << 30, "1 GB"),
        (5 << 29, "2.5 GB"),
        (1 << 40, "1024 GB"),
    ],
)
def test_bytes_are_told_as_people_do(size, words):
    assert size_words(size) == words
