"""Digits on a larger canvas: the data of the CapsNet paper's test of affine changes.

Sabour, Frosst & Hinton 2017 (section 5.2) train on MNIST's digits placed at random on
a canvas of 40 x 40 pixels, and test on affNIST, in which each test digit was changed by
a small affine map. Here the project's own changes take affNIST's place, within its
ranges. Unlike there, one factor scales both directions.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from capsnet_explorer.dataset_files.catalogue import TEST, TRAINING
from capsnet_explorer.dataset_files.idx import write_idx, write_images
from capsnet_explorer.laboratory.changes import Change, changed
from capsnet_explorer.model.data.images import LabelledImages, to_network

MARGIN = 6  # pixels around a digit of MNIST: a canvas of 40 x 40

ROTATION = 20.0  # degrees either way
SHEAR = float(np.degrees(np.arctan(0.2)))  # degrees either way
SCALE = (0.8, 1.2)
FAINT = 1 / 255  # ink below this does not count when a digit is moved

PLACED = "placed"
AFFINE = "affine"

Pixels = NDArray[np.floating]


def write_canvases(
    training: LabelledImages, test: LabelledImages, to: Path, seed: int = 0
) -> list[Path]:
    """Write two data sets in MNIST's format, and return their folders.

    `placed` has the training images in the middle of the canvas, for training with
    `--shift 6`, and the test images placed at random. `affine` has the test images
    rotated, sheared, scaled, and placed so that no ink is lost; its training images are
    those of `placed`, as a data set needs some.

    Args:
        training: images of any size.
        test: images of the same size.
        to: the folder for both.
        seed: of all that is drawn at random.
    """
    labels = test.labels.numpy(), training.labels.numpy()
    middle = _on_canvas(training.images.numpy())
    folders = []
    for name, images in (
        (PLACED, _placed(test, np.random.default_rng([seed, 0]))),
        (AFFINE, _affine(test, np.random.default_rng([seed, 1]))),
    ):
        folder = to / name
        for (image_file, label_file), some, own in (
            (TEST, images, labels[0]),
            (TRAINING, middle, labels[1]),
        ):
            write_images(folder / image_file, some)
            write_idx(folder / label_file, own)
        folders.append(folder)
    return folders


def _on_canvas(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.pad(images, ((0, 0), (0, 0), (MARGIN, MARGIN), (MARGIN, MARGIN)))


def _placed(digits: LabelledImages, random: np.random.Generator) -> NDArray[np.uint8]:
    """Move each image by whole pixels, at most to the canvas's edges."""
    found = _on_canvas(digits.images.numpy())
    moves = random.integers(-MARGIN, MARGIN + 1, (len(found), 2))
    return np.stack(
        [np.roll(image, move, (1, 2)) for image, move in zip(found, moves, strict=True)]
    )


def _affine(digits: LabelledImages, random: np.random.Generator) -> NDArray[np.uint8]:
    moved = _affine_images(digits, random)
    return np.stack([np.rint(255 * image) for image in moved]).astype(np.uint8)


def _affine_images(
    digits: LabelledImages, random: np.random.Generator
) -> Iterator[Pixels]:
    size = (MARGIN,) * 4
    for pixels in to_network(digits.images):
        canvas = torch.nn.functional.pad(pixels, size).double().numpy()
        change = Change(
            scale=random.uniform(*SCALE),
            shear=random.uniform(-SHEAR, SHEAR),
            rotate=random.uniform(-ROTATION, ROTATION),
        )
        yield _moved_within(changed(canvas, [change])[0], random)


def _moved_within(image: Pixels, random: np.random.Generator) -> Pixels:
    """Move an image by whole pixels, anywhere that keeps all its ink."""
    moves = []
    for axis in (1, 2):
        inked = np.flatnonzero((image > FAINT).any(axis=(0, 3 - axis)))
        first, last = (inked[0], inked[-1]) if inked.size else (0, 0)
        moves.append(random.integers(-first, image.shape[axis] - last))
    return np.roll(image, moves, (1, 2))
