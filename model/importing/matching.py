"""Which tensor of a file is which of the network's: by shape, and then by name."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from capsnet_explorer.model.architecture import Architecture
from capsnet_explorer.model.importable import DECODER, UNDECODED, Importable
from capsnet_explorer.model.printed import size_words
from capsnet_explorer.model.settings import Shape
from capsnet_explorer.model.weights import Unfilled

Shapes = Mapping[str, tuple[int, ...]]
MOST_WAYS = 48  # of telling tensors of equal shape apart

ROLES = (
    ("variance", ("var", "variance", "running_var", "running_variance")),
    ("mean", ("mean", "running_mean")),
    ("bias", ("bias", "b", "beta", "offset")),
    ("gain", ("weight", "gamma", "scale", "kernel", "w")),
)
IN_ORDER = ("gain", "bias", "mean", "variance")  # of batch norm without names


def plain(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of a shape in order of size, without those of 1."""
    return tuple(sorted(size for size in shape if size != 1)) or (1,)


def sizes_that_fit(
    architecture: Architecture,
    shapes: Shapes,
    image: Shape,
    classes: int,
    *,
    decodes: bool = True,
) -> list[Any]:
    """Return the sizes of all networks of an architecture that have these tensors.

    Args:
        architecture: with an `importable`.
        shapes: of the file's tensors, by name.
        image: shape of a test image.
        classes: number of classes.
        decodes: whether the file has a decoder.
    """
    importable = architecture.importable
    assert importable is not None
    channels, rows, columns = image
    known = {
        "channels": channels,
        "pixels": channels * rows * columns,
        "classes": classes,
        **({} if decodes else UNDECODED),
    }
    found: list[Any] = []
    for sizes in _bound(
        [
            each.split()
            for name, each in importable.patterns.items()
            if decodes or not name.startswith(DECODER)
        ],
        Counter(map(plain, shapes.values())),
        known,
    ):
        for config in _configs(importable, sizes, image, classes):
            if config not in found:
                found.append(config)
    return found


def _configs(
    importable: Importable, sizes: Mapping[str, int], image: Shape, classes: int
) -> Iterator[Any]:
    try:
        yield from importable.configs(sizes, image, classes)
    except ValueError:  # sizes of no network
        return


def _bound(
    patterns: Sequence[Sequence[str]],
    left: Counter[tuple[int, ...]],
    known: Mapping[str, int],
) -> Iterator[dict[str, int]]:
    """Yield the sizes that all words of the patterns can have together."""
    if not patterns:
        yield dict(known)
        return
    first, *rest = patterns
    for shape in [each for each, count in left.items() if count]:
        for more in _bindings(
            [word for word in first if known.get(word) != 1], shape, known
        ):
            yield from _bound(rest, left - Counter([shape]), {**known, **more})


def _bindings(
    words: Sequence[str], shape: tuple[int, ...], known: Mapping[str, int]
) -> list[dict[str, int]]:
    if len(words) != len(shape):
        return []
    found: list[dict[str, int]] = []
    for sizes in set(itertools.permutations(shape)):
        bound = dict(known)
        fits = all(
            bound.setdefault(word, size) == size
            for word, size in zip(words, sizes, strict=True)
        )
        if fits and bound not in found:
            found.append(bound)
    return found


def needed_shapes(
    architecture: Architecture, config: Any, *, decodes: bool = True
) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a network's tensors, by name; of a decoder if it decodes."""
    with Unfilled():
        network = architecture.build(config)
    return {
        name: tuple(each.shape)
        for name, each in network.state_dict().items()
        if decodes or not name.startswith(DECODER)
    }


class Unmatched(ValueError):
    """Tensors that do not fit; the message says which, as the end of a sentence."""


def assignments(needed: Shapes, found: Shapes) -> list[dict[str, str]]:
    """Return which of the file's tensors each of the network's can be.

    Tensors that are named alike, such as the weight and the bias of a layer, stay
    together where that is possible.

    Raises:
        Unmatched: one is missing or left over, or too many have the same shape.
    """
    _check_counts(needed, found)
    if all(plain(found.get(name, ())) == plain(needed[name]) for name in needed):
        return [{name: name for name in needed}]
    for by_layer in (True, False):
        ways = list(itertools.islice(_assigned(needed, found, by_layer), MOST_WAYS + 1))
        if len(ways) > MOST_WAYS:
            raise Unmatched(
                "has too many tensors of the same shape to try every order of them; "
                "name them as the network does, such as " + ", ".join([*needed][:3])
            )
        if ways:
            return ways
    raise Unmatched("names its tensors in a way that cannot be told")


def _check_counts(needed: Shapes, found: Shapes) -> None:
    left = Counter(map(plain, found.values()))
    for name, shape in needed.items():
        if not left[plain(shape)]:
            raise Unmatched(f"lacks {name} of {size_words(shape)}")
        left[plain(shape)] -= 1
    for name, shape in found.items():
        if left[plain(shape)] and name not in needed:
            raise Unmatched(
                f"also holds {name} of {size_words(shape)}, which has no place"
            )


def _assigned(
    needed: Shapes, found: Shapes, by_layer: bool
) -> Iterator[dict[str, str]]:
    wanted, given = (_groups(each, by_layer) for each in (needed, found))
    options = [
        [
            (stem, pairs)
            for stem, names in given.items()
            for pairs in _pairs(own, names, needed, found)
        ]
        for own in wanted.values()
    ]

    def extended(index: int, used: set[str], way: dict[str, str]):
        if index == len(options):
            yield dict(way)
            return
        for stem, pairs in options[index]:
            if stem not in used:
                yield from extended(index + 1, used | {stem}, way | pairs)

    yield from extended(0, set(), {})


def _groups(shapes: Shapes, by_layer: bool) -> dict[str, list[str]]:
    """Return names by what stands before their last dot; each alone if not by layer."""
    groups: dict[str, list[str]] = {}
    for name in shapes:
        stem = name.rpartition(".")[0] if by_layer else name
        groups.setdefault(stem, []).append(name)
    return groups


def _pairs(
    own: list[str], names: list[str], needed: Shapes, found: Shapes
) -> list[dict[str, str]]:
    """Return how a layer's tensors can be those of a group of the file's."""
    if sorted(plain(needed[name]) for name in own) != sorted(
        plain(found[name]) for name in names
    ):
        return []
    ways = []
    for order in itertools.permutations(names):
        pairs = dict(zip(own, order, strict=True))
        if all(plain(needed[a]) == plain(found[b]) for a, b in pairs.items()):
            ways.append(pairs)
    if len(ways) < 2:
        return ways
    roles = [_roles(own), _roles(names)]
    told = [
        pairs
        for pairs in ways
        if all(roles[0][a] == roles[1][b] for a, b in pairs.items())
    ]
    return told if len(told) == 1 else ways


def _roles(names: Sequence[str]) -> dict[str, str]:
    """Return what each name of a layer stands for."""
    found = {name: _role(name) for name in names}
    lasts = [name.rpartition(".")[2] for name in names]
    if len(names) == len(IN_ORDER) and all(last.isdecimal() for last in lasts):
        order = sorted(names, key=lambda name: int(name.rpartition(".")[2]))
        return dict(zip(order, IN_ORDER, strict=True))
    return found


def _role(name: str) -> str:
    last = re.sub(r"^moving_", "running_", name.rpartition(".")[2].lower())
    return next((role for role, words in ROLES if last in words), last)
