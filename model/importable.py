"""What an architecture says of its tensors, so that weights of any origin find them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from capsnet_explorer.model.settings import Shape

Sizes = Mapping[str, int]
DECODER = "decoder."  # begins the names of a decoder's tensors
UNDECODED = {"hidden1": 1, "hidden2": 1}  # sizes of one that a file lacks


@dataclass(frozen=True, slots=True)
class Listing:
    """An axis that lists a grid, which others may list in another order.

    Attributes:
        name: of what is listed, for people.
        axes: names of tensors, and which of their axes lists it.
        parts: the axes of the grid and their sizes, as they are listed here.
    """

    name: str
    axes: tuple[tuple[str, int], ...]
    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Importable:
    """How sizes follow from shapes, and what shapes do not tell.

    Attributes:
        patterns: the axes of some tensors, by name; equal words are equal sizes. The
            words `channels`, `pixels` and `classes` are those of the images.
        configs: yields the sizes of a network that its axes, the shape of an image and
            the number of classes allow.
        listings: of a network of these sizes.
        variants: networks of the same tensors that compute otherwise, by what they do.
        alike: further ones that only expected answers can tell from these, as another
            number of iterations makes up for the difference.
        iterations: numbers of routing iterations to try; empty without routing.
    """

    patterns: Mapping[str, str]
    configs: Callable[[Sizes, Shape, int], Iterator[Any]]
    listings: Callable[[Any], Sequence[Listing]]
    variants: Callable[[Any], Mapping[str, Any]] = lambda config: {"": config}
    alike: Callable[[Any], Mapping[str, Any]] = lambda config: {}
    iterations: Sequence[int] = ()


def decoder_patterns(given: str) -> dict[str, str]:
    """Return the axes of a decoder that reads that many numbers."""
    return {
        "decoder.layers.4.weight": "pixels hidden2",
        "decoder.layers.2.weight": "hidden2 hidden1",
        "decoder.layers.0.weight": f"hidden1 {given}",
    }


def decoder_listings(config: Any, dim: int) -> tuple[Listing, ...]:
    """Return what a decoder lists: the numbers that it reads, and its pixels."""
    channels, rows, columns = config.image_shape
    return (
        Listing(
            "numbers that the decoder reads",
            (("decoder.layers.0.weight", 1),),
            {"classes": config.classes, "numbers": dim},
        ),
        Listing(
            "pixels that it draws",
            (("decoder.layers.4.weight", 0), ("decoder.layers.4.bias", 0)),
            {"channels": channels, "rows": rows, "columns": columns},
        ),
    )


def of_image(shape: Shape, classes: int) -> dict[str, Any]:
    """Return the sizes of a network that its images give."""
    channels, rows, columns = shape
    return {
        "image_channels": channels,
        "image_rows": rows,
        "image_columns": columns,
        "classes": classes,
    }
