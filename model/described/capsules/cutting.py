"""How maps become capsules: all the ways that are tried."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.capsules.between import part_words
from capsnet_explorer.model.described.capsules.squashes import PAPER, Curve
from capsnet_explorer.model.described.running.watching import Recording

Order = Literal["permute", "view"]

# The axes of (batch, types, rows, columns, size) over which squash sums a length.
SQUASHES: dict[str, tuple[int, ...]] = {
    "capsule": (4,),
    "capsules": (1, 2, 3),
    "types": (1,),
    "number": (),
}

SQUASH_WORDS = {
    "capsule": "the numbers of each capsule",
    "capsules": "all capsules",
    "types": "the types of capsules",
    "number": "each number by itself",
}


@dataclass(frozen=True)
class Cut:
    """A way to cut maps into capsules.

    Attributes:
        order: `permute` takes the numbers of a capsule from several maps at one place;
            `view` takes numbers that are adjacent in memory, of one map.
        maps: the maps of a capsule are `adjacent`, or `apart`: as many as there are
            types lie between two of them.
        first: of the list of all capsules, what changes slowest: `types` or `places`.
        squash: what is shrunk to a length below 1, one of `SQUASHES`; `capsule` is the
            paper's.
        curve: how a length is shortened.
        relu: whether negative numbers become 0 before.
        between: parts of the module that the convolution's maps pass before.
    """

    order: Order = "permute"
    maps: Literal["adjacent", "apart"] = "adjacent"
    first: Literal["types", "places"] = "types"
    squash: str = "capsule"
    relu: bool = False
    curve: Curve = PAPER
    between: tuple[nn.Module, ...] = ()

    @property
    def parts(self) -> tuple[nn.Module, ...]:
        """The parts of the module that take part."""
        return self.between

    @property
    def before_words(self) -> str:
        """What is done to maps before they are cut; empty for nothing."""
        done = [part_words(self.between)] if self.between else []
        return ", ".join([*done, *(["ReLU"] if self.relu else [])])

    def maps_of(
        self, convolutions: tuple[nn.Module, ...], recording: Recording
    ) -> Tensor:
        """Return the maps that are cut: (batch, types x size, rows, columns)."""
        if self.between:
            return recording.outputs[self.between[-1]]
        return torch.cat([recording.outputs[part] for part in convolutions], dim=1)

    @property
    def oddities(self) -> int:
        """How many settings are not the paper's."""
        odd = (self.order == "view") + (self.squash != "capsule") + self.relu
        return odd + (self.curve.name not in ("paper", "own"))

    def grid(self, maps: Tensor, size: int) -> Tensor:
        """Return capsules before squash: (batch, types, rows, columns, size).

        Args:
            maps: (batch, types x size, rows, columns).
            size: numbers of a capsule.
        """
        maps = maps.relu() if self.relu else maps
        batch, channels, rows, columns = maps.shape
        types = channels // size
        if self.order == "view":
            return maps.reshape(batch, types, rows, columns, size)
        if self.maps == "adjacent":
            return maps.unflatten(1, (types, size)).permute(0, 1, 3, 4, 2)
        return maps.unflatten(1, (size, types)).permute(0, 2, 3, 4, 1)

    def squashed(self, grid: Tensor) -> Tensor:
        """Return capsules after squash, of the same shape."""
        return self.curve(grid, SQUASHES[self.squash])

    def listed(self, grid: Tensor) -> Tensor:
        """Return capsules in the module's own list: (batch, capsules, size)."""
        if self.first == "places":
            grid = grid.permute(0, 2, 3, 1, 4)
        return grid.flatten(1, 3)

    def sorted(self, of_each: Tensor, grid: tuple[int, ...]) -> Tensor:
        """Return what there is of each capsule, listed by types, rows and columns.

        Args:
            of_each: (capsules, ...), in the module's own order.
            grid: types, rows, columns, where capsules stand at places.
        """
        if self.first == "types":
            return of_each
        types, rows, columns = grid
        return of_each.unflatten(0, (rows, columns, types)).movedim(2, 0).flatten(0, 2)


def cuts(
    types: int,
    places: int,
    size: int,
    curve: Curve = PAPER,
    between: tuple[nn.Module, ...] = (),
) -> Iterator[Cut]:
    """Yield every way, the paper's first, without those that are always the same.

    Args:
        types: of capsules.
        places: rows times columns.
        size: numbers of a capsule.
        curve: how a length is shortened.
        between: parts of the module that maps pass before they are cut.
    """
    names = [
        name
        for name, several in (
            ("capsule", True),
            ("capsules", types * places > 1),
            ("types", types > 1 and places > 1),
            ("number", size > 1),
        )
        if several and (name == "capsule" or curve.name not in ("none", "own"))
    ]
    for relu in (False, True):
        for name in names:
            for first in ("types", "places") if types > 1 < places else ("types",):
                for maps in (
                    ("adjacent", "apart") if types > 1 < size else ("adjacent",)
                ):
                    yield Cut("permute", maps, first, name, relu, curve, between)
            if places > 1 < size:
                yield Cut("view", squash=name, relu=relu, curve=curve, between=between)
