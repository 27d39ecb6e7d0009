"""The atlas: a network's whole test set as maps, and codes to find neighbours by."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.measuring.evaluation import BATCH

SEED = 0
NEIGHBOURS = 10  # of each image, by which a map is judged
PERPLEXITY = 30.0  # of t-SNE, its authors' usual choice
METHOD = "fft"  # its time grows with the map's area, not with the images
ROWS = 500  # images at a time, whose distances to all others are held in memory
# Of a code: as few as find so many of each image's nearest. The nearest hang on
# directions of little variance, too: of the CapsNet's 160 numbers 64 components have
# 99 % of the variance and find 80 % of the nearest, 96 find 90 %; of the CNN's 512 it
# takes 128; of the CapsNet for two digits 48 find 92 %.
FOUND = 0.9
COMPONENTS = range(16, 129, 16)
LEVELS = 127  # of a component of a code to either side of zero: one signed byte
DIGITS = 4  # decimals in the card
PREFIX = "atlas."

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """What a network reads in its test set.

    Attributes:
        scores: (images, classes).
        embedding: (images, numbers), the tensor that `Architecture.embedding` names.
        pixels: (images, pixels), in [0, 1].
        poses: (images, numbers), of the class that is read; None without poses, and
            where an image shows two classes.
        errors: (images,), mean squared difference of image and reconstruction; of two
            digits, of the image and the clipped sum of the reconstructions of the two
            classes read. None without a decoder.
    """

    scores: Tensor
    embedding: Tensor
    pixels: Tensor
    poses: Tensor | None = None
    errors: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: figures for the card, tensors for the measured file."""

    figures: dict[str, Any]
    tensors: dict[str, Tensor]


def measure_atlas(
    architecture: Architecture,
    network: Network,
    labelled: LabelledImages,
    views: NDArray[np.integer] | None = None,
) -> Measured:
    """Draw the maps of a test set, and measure how well each keeps neighbours.

    Args:
        architecture: the network's.
        network: in evaluation mode, on the CPU.
        labelled: the test images, each of one class, or `Overlaps`.
        views: (images, 4), what images of toys show, as `read_views` returns it.

    Returns:
        The tensors are those that `/api/models/<id>/atlas` describes, and the codes.

    Raises:
        ValueError: images show several classes and are no `Overlaps`, the network names
            no embedding, or openTSNE is not installed.
    """
    if labelled.labels.ndim > 1 and not isinstance(labelled, Overlaps):
        raise ValueError("the atlas needs images of one class each, or two digits")
    if not architecture.embedding:
        raise ValueError(f"a {architecture.title} names no tensor to draw maps from")
    import_tsne()
    read = read_all(architecture, network, labelled)
    figures, tensors = draw_maps(shown_in(labelled), read, architecture.embedding_map)
    tensors |= contents_of(labelled, views)
    return Measured(
        {"atlas": {"embedding": architecture.embedding, **figures}},
        {PREFIX + name: tensor for name, tensor in tensors.items()},
    )


def shown_in(labelled: LabelledImages) -> Tensor:
    """Return the label of each image, (images,), or of both its digits, (images, 2)."""
    if isinstance(labelled, Overlaps):
        return labelled.digits.labels.cpu()[labelled.layout.digits]
    return labelled.labels


def contents_of(
    labelled: LabelledImages, views: NDArray[np.integer] | None
) -> dict[str, Tensor]:
    """Return what each image is made of, by the names of tensors.

    Returns:
        For two digits `digits` (images, 2), their indices in the test set of single
        digits, and `shifts` (images, 2, 2), of each: pixels down and right. For toys
        `views` (images, 4): number of the toy, azimuth and elevation in degrees, number
        of the light.
    """
    if isinstance(labelled, Overlaps):
        layout = labelled.layout
        return {"digits": layout.digits.int(), "shifts": layout.shifts.to(torch.int8)}
    return {} if views is None else {"views": torch.from_numpy(views).short()}


def draw_maps(
    labels: Tensor, read: Read, name: str
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Draw the maps of what a network has read, and make the codes.

    Args:
        labels: (images,), or (images, 2) of two digits.
        read: what the network reads in them.
        name: of the map of the embedding.

    Returns:
        Figures for the card, and tensors.
    """
    order = read.scores.argsort(dim=1, descending=True, stable=True)
    predictions = order[:, : labels[0].numel()].reshape(labels.shape)
    tensors = {
        "labels": labels.to(torch.uint8),
        "predictions": predictions.to(torch.uint8),
        "scores": read.scores.half(),
    }
    if read.errors is not None:
        tensors["errors"] = read.errors.half()
    maps = {}
    for map, points in _spaces(read, name).items():
        ways = {
            map: ("t-SNE", tsne(points)),
            f"{map}-pca": ("PCA", principal(points, 2)[0]),
        }
        for id, (method, flat) in ways.items():
            places = torch.from_numpy(frame(flat)).half()
            kept, trust = preservation(points, places.double().numpy())
            tensors[f"positions.{id}"] = places
            maps[id] = {
                "space": map,
                "numbers": points.shape[1],
                "method": method,
                "kept": round(kept, DIGITS),
                "trustworthiness": round(trust, DIGITS),
            }
    points = read.embedding.double().numpy()
    codes, entry = encode(points)
    figures = {
        "images": len(labels),
        "misread": int(are_misread(labels, predictions).sum()),
        "neighbours": NEIGHBOURS,
        "library": f"openTSNE {import_tsne().__version__}",
        "perplexity": PERPLEXITY,
        "seed": SEED,
        "maps": maps,
        "codes": entry,
        "date": date.today().isoformat(),
    }
    return figures, tensors | codes


def are_misread(labels: Tensor, predictions: Tensor) -> Tensor:
    """Return whether the classes read differ from those shown: (images,) bool.

    Args:
        labels: (images,), or (images, 2) in any order.
        predictions: likewise.
    """
    labels, read = (
        classes.long().reshape(len(labels), -1).sort(dim=1).values
        for classes in (labels, predictions)
    )
    return (labels != read).any(dim=1)


def import_tsne() -> Any:
    """Return openTSNE, which running a network does not need.

    Raises:
        ValueError: it is not installed.
    """
    try:
        import openTSNE
    except ImportError as error:
        raise ValueError(
            "the atlas needs openTSNE: python -m pip install -r requirements-train.txt"
        ) from error
    return openTSNE


@torch.no_grad()
def read_all(
    architecture: Architecture, network: Network, labelled: LabelledImages
) -> Read:
    """Run the network on every image once."""
    named = architecture.tensors(network.config)[architecture.embedding]
    are_pairs = isinstance(labelled, Overlaps)
    batches: dict[str, list[Tensor]] = {}
    for images in labelled.images.split(BATCH):
        pixels = to_network(images)
        trace = network(pixels)
        every = range(len(pixels))
        parts = {
            "scores": trace.scores,
            "embedding": torch.stack([named.read(trace, i).flatten() for i in every]),
            "pixels": pixels.flatten(1),
        }
        if trace.poses is not None and not are_pairs:
            parts["poses"] = trace.poses[list(every), trace.scores.argmax(dim=1)]
        if trace.reconstruction is not None:
            image = _both(network, trace) if are_pairs else trace.reconstruction
            parts["errors"] = (image - pixels).square().flatten(1).mean(dim=1)
        for name, part in parts.items():
            batches.setdefault(name, []).append(part)
    return Read(**{name: torch.cat(parts) for name, parts in batches.items()})


def _both(network: Network, trace: Any) -> Tensor:
    """Return the clipped sum of the reconstructions of the two classes read."""
    read = trace.scores.topk(2, dim=1).indices
    keep = F.one_hot(read, trace.scores.shape[1]).float()
    return network.decoder(trace.poses, keep).sum(dim=1).clamp(max=1)


def _spaces(read: Read, name: str) -> dict[str, Values]:
    """Return the numbers (images, numbers) that each map is drawn from, by its name."""
    spaces = {name: read.embedding, "pose": read.poses, "pixels": read.pixels}
    return {
        map: points.double().numpy()
        for map, points in spaces.items()
        if points is not None
    }


def tsne(points: Values) -> Values:
    """Return a t-SNE map: (images, 2), the same for the same points."""
    return np.asarray(
        import_tsne()
        .TSNE(
            perplexity=min(PERPLEXITY, (len(points) - 1) / 3),
            initialization="pca",
            neighbors="exact",
            negative_gradient_method=METHOD,
            random_state=SEED,
            n_jobs=1,  # sums in another order would give another map
        )
        .fit(points),
        dtype=np.float64,
    )


def principal(points: Values, count: int) -> tuple[Values, Values, Values]:
    """Return coordinates along the principal directions.

    Args:
        points: (images, numbers).
        count: how many directions; of fewer numbers, as many as these.

    Returns:
        The coordinates (images, count); the mean (numbers,); the directions (count,
        numbers), the largest component of each positive.
    """
    mean = points.mean(axis=0)
    apart = points - mean
    _, vectors = np.linalg.eigh(apart.T @ apart)
    axes = vectors.T[::-1][:count]
    largest = np.abs(axes).argmax(axis=1)[:, None]
    axes = axes * np.sign(np.take_along_axis(axes, largest, axis=1))
    return apart @ axes.T, mean, axes


def frame(places: Values) -> Values:
    """Move a map's centre to zero and its farthest coordinate to 1."""
    low, high = places.min(axis=0), places.max(axis=0)
    centred = places - (low + high) / 2
    return centred / max(np.abs(centred).max(), 1e-12)


def preservation(points: Values, places: Values) -> tuple[float, float]:
    """Return how well a map keeps neighbours.

    Args:
        points: (images, numbers), what the map shows.
        places: (images, 2), where it shows it.

    Returns:
        The share of each image's nearest that are among its nearest on the map; and the
        map's trustworthiness (Venna & Kaski 2001), which falls the farther off those
        truly are that only the map shows near. Both count `NEIGHBOURS`.
    """
    count = len(points)
    near = min(NEIGHBOURS, count - 1)
    kept, beyond = 0, 0
    for first in range(0, count, ROWS):
        rows = np.arange(first, min(first + ROWS, count))
        truly = _apart(points, rows)
        nearest = np.argpartition(_apart(places, rows), near - 1, axis=1)[:, :near]
        # Of its nearest: how many others are nearer.
        rank = np.stack(
            [
                (truly < truly[np.arange(len(rows)), neighbour, None]).sum(1)
                for neighbour in nearest.T
            ]
        )
        kept += int((rank < near).sum())
        beyond += int(np.maximum(rank + 1 - near, 0).sum())
    most = count * near * (2 * count - 3 * near - 1) / 2
    return kept / (count * near), 1 - beyond / most if most > 0 else 1.0


def _apart(points: Values, rows: NDArray[np.intp]) -> Values:
    """Return squared distances to all points, infinite to itself."""
    squares = (points**2).sum(axis=1)
    squared = squares[rows, None] + squares - 2 * points[rows] @ points.T
    squared[np.arange(len(rows)), rows] = np.inf
    return squared


def encode(points: Values) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return points as bytes, small enough to ship.

    Returns:
        The tensors `codes` (images, components), int8; `codes.step` (components,), what
        one of each is worth; `codes.mean` (numbers,) and `codes.axes` (components,
        numbers), which make a code of another image's numbers. And the card's entry:
        the share of the variance, and of each image's nearest that are its nearest by
        codes.
    """
    values, mean, axes = principal(points, COMPONENTS[-1])
    step = np.maximum(np.abs(values).max(axis=0), 1e-12) / LEVELS
    levels = np.rint(values / step)
    most, kept = 0, 0.0
    while kept < FOUND and most < len(step):
        most += COMPONENTS.step
        kept, _ = preservation(points, (levels * step)[:, :most])
    values, levels = values[:, :most], levels[:, :most]
    step, axes = step[:most], axes[:most]
    share = np.square(values).sum() / max(np.square(points - mean).sum(), 1e-12)
    tensors = {
        "codes": torch.from_numpy(levels).to(torch.int8),
        "codes.step": torch.from_numpy(step).float(),
        "codes.mean": torch.from_numpy(mean).float(),
        "codes.axes": torch.from_numpy(axes.copy()).float(),
    }
    return tensors, {
        "components": len(step),
        "variance": round(float(share), DIGITS),
        "kept": round(kept, DIGITS),
    }
