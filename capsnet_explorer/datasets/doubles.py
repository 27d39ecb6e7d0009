"""The same picture more than once: in both parts, in two classes, or many times."""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashed = tuple[str, int, bytes]
"""The part that a picture is of, its class, and what stands for its pixels."""

MANY = 0.1  # share of the training pictures that are there before
DIGEST = 16  # bytes


def hashes_of(
    parts: Mapping[Any, NDArray[Any]], labels: Mapping[Any, NDArray[Any]]
) -> Iterable[Hashed]:
    """Yield what stands for each image's pixels.

    Args:
        parts: images (count, ...) of each part.
        labels: (count) of each part.
    """
    for part, images in parts.items():
        for image, label in zip(images, labels[part].tolist(), strict=True):
            yield part, label, hashed(np.ascontiguousarray(image).tobytes())


def hashed(pixels: bytes) -> bytes:
    """Return what stands for a picture: two have the same if their bytes are equal."""
    return blake2b(pixels, digest_size=DIGEST).digest()


def doubles_words(pictures: Iterable[Hashed]) -> list[str]:
    """Warn of pictures that are there more than once, a sentence for each kind.

    A test picture that was trained on flatters the network; one in two classes teaches
    it two answers; one that is there many times counts as many times.
    """
    classes: dict[bytes, set[int]] = {}
    counts: dict[str, Counter[bytes]] = {}
    for part, label, picture in pictures:
        classes.setdefault(picture, set()).add(label)
        counts.setdefault(part, Counter())[picture] += 1
    training = counts.get("training", Counter())
    warnings = []
    for part in (name for name in counts if name != "training"):
        known = sum(count for image, count in counts[part].items() if image in training)
        if known:
            warnings.append(
                f"{_pictures(known)} of the {counts[part].total()} for {part} "
                f"{_is(known)} among the training pictures, too: the {part} error is "
                "lower than that of new pictures."
            )
    several = sum(len(some) > 1 for some in classes.values())
    if several:
        warnings.append(
            f"{_pictures(several)} {_is(several)} in two classes or more: a network "
            "cannot learn both."
        )
    again = training.total() - len(training)
    if again and again >= MANY * training.total():
        warnings.append(
            f"of the {training.total()} training pictures, {again} {_is(again)} the "
            "same as another."
        )
    return warnings


def _pictures(count: int) -> str:
    return f"{count} picture{'' if count == 1 else 's'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
