"""Toys on a turntable as a data set: four files in MNIST's format, and their views."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.catalogue import TEST, TRAINING
from capsnet_explorer.datasets.idx import idx_header, read_idx, write_idx
from capsnet_explorer.datasets.toys import collection
from capsnet_explorer.datasets.toys.collection import AZIMUTHS, ELEVATIONS, SIZE, Model

NAMES = ("train", "t10k")  # of training and test, at the beginning of a file's name
VIEWS = "views-idx2-ubyte"  # its end: toy, azimuth / 20, elevation / 5, light
UNITS = (1, 20, 5, 1)  # degrees, of azimuth and elevation
UNFINISHED = ".unfinished"

Advance = Callable[[int, int], object]


def write_toys(
    folder: Path,
    *,
    advance: Advance = lambda done, of: None,
    processes: int | None = None,
) -> None:
    """Draw the toys for training and for the test; continue where it was stopped.

    Training has 36 toys of each category, the last six of them for validation; the test
    has 20. All views of a toy follow each other, and the categories take turns.

    Args:
        folder: for the four files, and two of the views.
        advance: called with the toys drawn so far and their number.
        processes: how many draw at once; one for each processor by default.
    """
    seeds = [*collection.TRAINING, *collection.VALIDATION]
    parts = (
        (TRAINING, NAMES[0], collection.models_of(seeds)),
        (TEST, NAMES[1], collection.models_of(collection.TEST)),
    )
    total = sum(len(models) for _, _, models in parts)
    count = len(AZIMUTHS) * len(ELEVATIONS)
    done = 0
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        for (images, labels), name, models in parts:
            write_idx(
                folder / labels, np.repeat([model.label for model in models], count)
            )
            write_idx(
                folder / f"{name}-{VIEWS}",
                np.concatenate([_views(k, model) for k, model in enumerate(models)]),
            )
            size = count * SIZE * SIZE
            header = idx_header((len(models) * count, SIZE, SIZE))
            for _ in _append_toys(folder / images, header, size, models, pool):
                done += 1
                advance(done, total)


def read_views(folder: Path, *, train: bool) -> NDArray[np.int64]:
    """Return what each image of a part shows, and from where.

    Args:
        folder: contains the part's files.
        train: whether of the training part, else of the test part.

    Returns:
        (images, 4): number of the toy, azimuth and elevation in degrees, number of the
        light.
    """
    name = NAMES[0] if train else NAMES[1]
    views = read_idx(folder / f"{name}-{VIEWS}", dimensions=(2,))
    return views.astype(np.int64) * UNITS


def _append_toys(
    path: Path,
    header: bytes,
    size: int,
    models: Sequence[Model],
    pool: Executor,
) -> Iterator[object]:
    """Write toys one after the other, and yield once for each that the file holds.

    Args:
        path: the file, which is complete or not there.
        header: what stands before all toys.
        size: of a toy's images, in bytes.
        models: the toys.
        pool: where to draw.
    """
    if path.exists() and path.stat().st_size == len(header) + size * len(models):
        yield from models
        return
    unfinished = path.with_name(path.name + UNFINISHED)
    with unfinished.open("ab") as file:
        known = max(0, file.tell() - len(header)) // size
        file.truncate(len(header) + known * size if known else 0)
        if not known:
            file.write(header)
        yield from models[:known]
        rest = models[known:]
        views = [[view for _, view in collection.views_of(model)] for model in rest]
        for images in pool.map(collection.images_of, rest, views):
            file.write(images.tobytes())
            file.flush()
            yield images
    unfinished.replace(path)


def _views(number: int, model: Model) -> NDArray[np.int64]:
    """Return a row for each view: (views, 4)."""
    return np.array(
        [
            (number, view.azimuth // UNITS[1], view.elevation // UNITS[2], light)
            for light, view in collection.views_of(model)
        ]
    )
