"""A part of the upright picture is found in the file, however that is stored."""

import io

import numpy as np
import pytest
from PIL import Image

from capsnet_explorer.pictures.decoding.part import WHOLE, as_stored, pixels
from capsnet_explorer.pictures.decoding.reading import ORIENTATION_TAG, UPRIGHT, read
from capsnet_explorer.pictures.decoding.shrinking import WORKING_SIDE

PART = (0.25, 0.5, 0.5, 1.0)


@pytest.mark.parametrize("turn", [None, *UPRIGHT.values()])
def test_cropping_before_turning_is_turning_before_cropping(turn):
    numbers = np.arange(20 * 40, dtype=np.uint16).reshape(20, 40)
    stored = Image.fromarray(numbers.astype(np.uint8))
    upright = stored if turn is None else stored.transpose(turn)
    first = stored.crop(pixels(as_stored(PART, turn), stored.size))
    if turn is not None:
        first = first.transpose(turn)
    then = upright.crop(pixels(PART, upright.size))
    assert first.size == then.size
    assert first.tobytes() == then.tobytes()


@pytest.mark.parametrize(
    ("part", "box"),
    [
        (WHOLE, (0, 0, 10, 4)),
        ((0.5, 0.25, 0.8, 0.75), (5, 1, 8, 3)),
        ((0.99, 0.99, 1.0, 1.0), (9, 3, 10, 4)),  # never nothing
        ((-1.0, 0.0, 2.0, 0.0), (0, 0, 10, 1)),  # never outside
    ],
)
def test_parts_in_pixels(part, box):
    assert pixels(part, (10, 4)) == box


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_small_part_is_as_fine_as_the_file_has_it(kind, orientation):
    """Also of a JPEG, which is decoded at a fraction of its size where that will do."""
    stripes = np.tile(np.array([[0] * 4 + [255] * 4], np.uint8), (1600, 200))
    exif = Image.Exif()
    exif[ORIENTATION_TAG] = orientation
    file = io.BytesIO()
    Image.fromarray(stripes).save(file, kind, exif=exif)
    whole, part = read(file.getvalue()), read(file.getvalue(), (0.5, 0.5, 0.75, 0.75))
    assert whole.size == part.size == (WORKING_SIDE, WORKING_SIDE)
    values = np.asarray(part).astype(float)
    assert values.std() > 120  # black and white: nothing was averaged
    across = orientation in (1, 3)
    assert np.ptp(values.mean(axis=0 if across else 1)) > 200
