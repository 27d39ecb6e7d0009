"""The pictures that the intake is measured with are what their conditions say."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageOps

from benchmarks.intake.cameras import own_shadow, shaken, vignette
from benchmarks.intake.conditions import BY_NAME, CONDITIONS
from benchmarks.intake.files import LYING, ORIENTATION_TAG, turned_jpeg
from benchmarks.intake.papers import print_lines, rules
from benchmarks.intake.scene import Scene
from benchmarks.intake.strokes import middle_line, outline, with_gap, written

QUICK = [
    "plain",
    "drawing of 28 px",
    "tight crop",
    "squared, dark",
    "phone photo",
    "crumpled paper",
    "print around",
]


@pytest.fixture
def ring():
    """A zero as MNIST has it: (28, 28)."""
    down, across = np.mgrid[:28, :28]
    away = np.hypot((down - 14) / 9, (across - 14) / 6)
    return np.clip(1.5 - 8 * np.abs(away - 0.85), 0, 1).astype(np.float32)


def pixels_of(file):
    with Image.open(BytesIO(file)) as picture:
        return np.asarray(ImageOps.exif_transpose(picture).convert("L")) / 255


@pytest.mark.parametrize("name", QUICK)
def test_chance_is_repeated_by_its_seed_alone(ring, name):
    def picture(seed):
        return BY_NAME[name].picture(ring, np.random.default_rng(seed))

    first = picture(1)
    assert first == picture(1)
    assert first != picture(2)
    pixels = pixels_of(first)
    assert np.ptp(pixels) > 0.2  # there is ink


def test_names_are_told_apart():
    assert len(BY_NAME) == len(CONDITIONS)


@pytest.mark.parametrize("orientation", sorted(LYING))
def test_a_turned_photo_is_shown_upright(orientation):
    class Chosen:
        def integers(self, low, high):
            assert low <= orientation < high
            return orientation

    picture = np.zeros((40, 60, 3), np.float32)
    picture[:20, :30] = 1
    file = turned_jpeg(Scene(picture, 1.0, Chosen()))
    with Image.open(BytesIO(file)) as stored:
        assert stored.getexif()[ORIENTATION_TAG] == orientation
    np.testing.assert_allclose(pixels_of(file), picture[..., 0], atol=0.05)


def test_the_middle_of_a_bar_is_a_line():
    bar = np.zeros((20, 60), bool)
    bar[7:14, 5:55] = True
    line = middle_line(bar)
    assert len(np.unique(line[:, 1])) == len(line) >= 42
    assert set(line[:, 0]) <= {9, 10, 11}


@pytest.mark.parametrize("pen", [4, 9])
def test_a_digit_is_written_as_wide_as_the_pen(ring, pen):
    ink = written(ring, 200, pen)
    middle = ink[len(ink) // 2]
    assert middle.sum() == pytest.approx(2 * pen, rel=0.1)  # the ring's two sides
    # The middle line is as high as the ring, less half its stroke at either end.
    height = np.flatnonzero(ink.max(axis=1) > 0.5).size
    assert height == pytest.approx(200 * 0.85 / 1.025 + pen, abs=8)


def test_an_outline_is_as_high_as_told_and_keeps_its_shape(ring):
    ink = outline(ring, 200)
    assert max(ink.shape) == 200
    box = ring[np.ix_((ring > 0.1).any(axis=1), (ring > 0.1).any(axis=0))]
    assert ink.mean() == pytest.approx(box.mean(), abs=0.05)


def test_a_gap_is_about_as_long_as_the_stroke_is_wide(ring):
    ink = outline(ring, 200)
    lost = ink.sum() - with_gap(ink, np.random.default_rng(0)).sum()
    width = ink.sum() / len(middle_line(np.pad(ink > 0.5, 1)))
    assert 0.5 * width**2 < lost < 2 * width**2


def test_ruled_lines_are_as_far_apart_as_told():
    scene = Scene(np.ones((400, 300, 3), np.float32), 4.0, np.random.default_rng(0))
    lined = rules((8, 8), (0.5, 0.5), tilt_degrees=0)(scene).picture.min(axis=2)
    is_line = (lined[:, 150] < 0.8).astype(int)
    starts = np.flatnonzero(np.diff(is_line) == 1)
    assert len(starts) in (12, 13)
    assert set(np.diff(starts)) <= {31, 32, 33}  # 8 mm of 4 px


def white(rows=300, columns=400):
    picture = np.ones((rows, columns, 3), np.float32)
    return Scene(picture, 4.0, np.random.default_rng(0))


def test_a_vignette_darkens_the_corners_alone():
    lit = vignette((0.3, 0.3))(white()).picture
    assert lit[150, 200] == pytest.approx([1, 1, 1], abs=0.001)
    assert lit[0, 0] == pytest.approx([0.3] * 3, abs=0.01)


def test_ones_own_shadow_has_a_soft_edge_and_leaves_light():
    lit = own_shadow(white()).picture[..., 0]
    assert lit.max() > 0.95
    assert 0.35 < lit.min() < 0.8
    assert np.abs(np.diff(lit, axis=0)).max() < 0.05


def test_a_shaken_camera_draws_a_point_out_and_loses_no_light():
    scene = white()
    scene.picture[...] = 0
    scene.picture[150, 200] = 1
    moved = shaken((0.02, 0.02))(scene).picture[..., 0]
    assert moved.sum() == pytest.approx(1, rel=0.01)
    rows, columns = np.nonzero(moved)
    assert np.hypot(np.ptp(rows), np.ptp(columns)) == pytest.approx(8, abs=1.5)


def test_print_leaves_the_middle_to_the_digit():
    printed = print_lines(white()).picture.min(axis=2)
    rows = np.flatnonzero((printed < 0.5).any(axis=1))
    assert ((rows < 60) | (rows > 240)).all()
    assert (rows < 60).any()
    assert (rows > 240).any()
