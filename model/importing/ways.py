"""The ways of reading a file's tensors as a network's: orders of axes and of lists."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from capsnet_explorer.model.importable import DECODER, Listing
from capsnet_explorer.model.importing.matching import Shapes

Tensors = dict[str, Tensor]
Turn = Callable[[Tensor], Tensor]
AS_IT_IS = "as it is"


@dataclass(frozen=True)
class Option:
    """One of the ways of reading some tensors.

    Attributes:
        words: what it does, for people.
        turns: what it does to each tensor, by name.
    """

    words: str
    turns: Mapping[str, Turn]


@dataclass(frozen=True)
class Choice:
    """What shapes and names leave open about some tensors.

    Attributes:
        about: for people.
        options: at least one.
        tensor: the one tensor whose axes it turns; "" for a list.
    """

    about: str
    options: Sequence[Option]
    tensor: str = ""

    @property
    def draws(self) -> bool:
        """Whether it is about the decoder alone, and so of no score."""
        return all(name.startswith(DECODER) for name in self.options[0].turns)


@dataclass(frozen=True)
class Way:
    """One way of reading a whole file.

    Attributes:
        variant: what the network computes otherwise, by name.
        names: which of the file's tensors each of the network's is.
        options: of each choice, the one taken.
        iterations: of routing; None without routing, or where it is still open.
    """

    variant: str
    names: Mapping[str, str]
    options: tuple[Option, ...]
    iterations: int | None = None
    choices: tuple[Choice, ...] = field(default=(), compare=False)

    def state(
        self, file: Mapping[str, Tensor], needed: Shapes, turned: dict[Any, Tensor]
    ) -> Tensors:
        """Return the network's tensors.

        Args:
            file: the file's tensors.
            needed: shapes of the network's.
            turned: those that were read in the same way before; takes new ones.
        """
        found: Tensors = {}
        for name, shape in needed.items():
            turns = [each.turns[name] for each in self.options if name in each.turns]
            key = (name, self.names[name], tuple(shape), *map(id, turns))
            if key not in turned:
                tensor = file[self.names[name]]
                for turn in turns:
                    tensor = turn(tensor)
                turned[key] = tensor.reshape(shape).contiguous()
            found[name] = turned[key]
        return found

    @property
    def settings(self) -> dict[str, str]:
        """What was open, and how it is read here, for people."""
        found = {"network": self.variant} if self.variant else {}
        if self.iterations is not None:
            found["iterations"] = str(self.iterations)
        found |= {f"{name} is": own for name, own in self.names.items()}
        for choice, option in zip(self.choices, self.options, strict=True):
            found[choice.about] = option.words
        return found


def choices_of(
    names: Mapping[str, str],
    shapes: Shapes,
    needed: Shapes,
    listings: Sequence[Listing],
) -> list[Choice]:
    """Return all that is open once it is known which tensor is which.

    Args:
        names: which of the file's tensors each of the network's is.
        shapes: of the file's tensors.
        needed: of the network's.
        listings: axes of the network's tensors that may list things in another order.
    """
    # A file with this network's names and shapes throughout was written from one.
    is_own = all(
        name == own and tuple(shapes[own]) == tuple(needed[name])
        for name, own in names.items()
    )
    if is_own:
        return []
    found = []
    for name, own in names.items():
        options = [
            Option(_axes_words(order, shapes[own]), {name: _turned(order)})
            for order in _orders(shapes[own], needed[name])
        ]
        found.append(Choice(f"axes of {name}", options, name))
    for listing in listings:
        if not any(name in needed for name, _ in listing.axes):
            continue  # of a decoder that the file lacks
        found.append(Choice(f"order of the {listing.name}", _listed(listing, needed)))
    return found


def _orders(shape: Sequence[int], needed: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the orders of axes that give the shape; sizes of 1 are left out."""
    sizes = [size for size in shape if size != 1]
    target = [size for size in needed if size != 1]
    for order in itertools.permutations(range(len(sizes))):
        if [sizes[axis] for axis in order] == target:
            yield order


def _turned(order: tuple[int, ...]) -> Turn:
    def turn(tensor: Tensor) -> Tensor:
        squeezed = tensor.reshape([size for size in tensor.shape if size != 1])
        return squeezed.permute(order) if order else squeezed

    return turn


def _axes_words(order: tuple[int, ...], shape: Sequence[int]) -> str:
    kept = [axis for axis, size in enumerate(shape) if size != 1]
    if list(order) == list(range(len(order))):
        return AS_IT_IS
    return "axes " + ", ".join(str(kept[axis]) for axis in order)


def _listed(listing: Listing, needed: Shapes) -> list[Option]:
    parts = {name: size for name, size in listing.parts.items() if size != 1}
    options = []
    for order in itertools.permutations(parts):
        is_own = list(order) == list(parts)
        turns = {
            name: _relisted(needed[name], axis, parts, order)
            for name, axis in listing.axes
            if name in needed
        }
        words = AS_IT_IS if is_own else "by " + ", ".join(order)
        options.append(Option(words, turns))
    return options


def _relisted(
    shape: Sequence[int], axis: int, parts: Mapping[str, int], order: Sequence[str]
) -> Turn:
    theirs = [parts[name] for name in order]
    back = [order.index(name) for name in parts]

    def turn(tensor: Tensor) -> Tensor:
        listed = tensor.reshape(shape).movedim(axis, 0).unflatten(0, theirs)
        rest = range(len(back), listed.ndim)
        return listed.permute(*back, *rest).flatten(0, len(back) - 1).movedim(0, axis)

    return turn


def count_of(choices: Sequence[Choice]) -> int:
    """Return how many ways choices leave."""
    return math.prod(len(each.options) for each in choices)
