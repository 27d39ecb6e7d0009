"""What is left out of a data set, and why: nothing is dropped without a word."""

from collections.abc import Mapping
from pathlib import PurePosixPath

LOOSE = "pictures in no folder"

Unused = dict[str, list[str]]
"""The names of files that are left out, by what they are."""


def leave(unused: Unused, what: str, *names: str) -> None:
    """Note files that are left out.

    Args:
        unused: gets them.
        what: they are, for people, such as `pictures in no folder`.
        names: of the files.
    """
    if names:
        unused.setdefault(what, []).extend(names)


def ending_of(name: str) -> str:
    """Return a file's ending, which says what it is where nothing else does."""
    return PurePosixPath(name.replace("\\", "/")).suffix.lower() or "no ending"


def merged(*reasons: Mapping[str, list[str]]) -> Unused:
    """Return what is left out for any of some reasons."""
    every: Unused = {}
    for unused in reasons:
        for what, names in unused.items():
            leave(every, what, *names)
    return every


def left_out_words(unused: Mapping[str, list[str]]) -> list[str]:
    """Say which files are left out: how many of each sort, and the first of them."""
    if not unused:
        return []
    sorts = ", ".join(
        f"{what} ({len(names)}{':' if len(names) == 1 else ', such as'} {min(names)})"
        for what, names in sorted(unused.items())
    )
    return [f"Left out: {sorts}."]
