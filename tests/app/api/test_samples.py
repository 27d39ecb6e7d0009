import re
from itertools import combinations

import numpy as np
import pytest

from capsnet_explorer.sample_digits import Sample, load_samples
from capsnet_explorer.sample_digits.drawing import (
    centre_by_mass,
    coverage,
    fit_box,
    smooth,
)

each_sample = pytest.mark.parametrize(
    "sample", load_samples(), ids=lambda sample: sample.id
)


class TestTheDigits:
    def test_three_of_each_class_the_last_one_hard(self):
        expected = [(label, hard) for label in range(10) for hard in (0, 0, 1)]
        assert [(sample.label, sample.hard) for sample in load_samples()] == expected

    def test_ids_are_unique_and_words_of_a_url(self):
        ids = [sample.id for sample in load_samples()]
        assert len(set(ids)) == len(ids)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id) for id in ids)

    def test_none_looks_like_another(self):
        for one, other in combinations(load_samples(), 2):
            # The mean ink of a digit is about 100 pixels; 10 tell two of them apart.
            assert np.abs(one.image - other.image).sum() > 10, (one.id, other.id)

    def test_ink_is_as_much_as_in_mnist(self):
        # 0.1307 is the mean of MNIST's training images.
        mean = np.mean([sample.image for sample in load_samples()])
        assert mean == pytest.approx(0.1307, abs=0.01)


@each_sample
class TestEachImage:
    def test_has_the_form_of_an_8_bit_image(self, sample: Sample):
        levels = np.rint(sample.image * 255)
        assert sample.image.shape == (1, 28, 28)
        assert sample.image.dtype == np.float32
        assert (sample.image == (levels / 255).astype(np.float32)).all()
        assert levels.min() == 0
        assert levels.max() == 255

    def test_ink_fills_a_box_of_20_pixels(self, sample: Sample):
        rows, columns = np.nonzero(sample.image[0])
        assert max(np.ptp(rows), np.ptp(columns)) + 1 == 20

    def test_mass_is_centred_like_mnist(self, sample: Sample):
        rows, columns = np.indices((28, 28))
        for places in (rows, columns):
            centre = np.average(places, weights=sample.image[0])
            assert centre == pytest.approx(14, abs=0.501)


class TestSmooth:
    def test_passes_through_every_point(self):
        stroke = np.array([[0, 0], [3, 1], [4, 5], [4, 5], [1, 6], [0, 9.0]])
        curve = smooth(stroke)
        for point in stroke:
            assert np.linalg.norm(curve - point, axis=1).min() < 1e-12

    def test_middle_of_an_even_span_is_the_known_blend(self):
        # With equal chords the curve's middle is (-a + 9b + 9c - d) / 16.
        points = np.array([[0, 0], [1, 0], [1, 1], [2, 1.0]])
        span = smooth(points)[8:17]
        np.testing.assert_allclose(span[4], points.T @ [-1, 9, 9, -1] / 16)

    def test_keeps_a_corner_sharp(self):
        corner = np.array([[0, 0], [1, 0], [1, 0], [1, 1.0]])
        np.testing.assert_array_equal(smooth(corner), corner)


class TestCoverage:
    def test_ink_drawn_twice_counts_once(self):
        line = np.array([[5, 10], [20, 14.0]])
        twice = coverage([line, line[::-1]], 2.5)
        np.testing.assert_allclose(twice, coverage([line], 2.5), atol=1e-12)

    def test_equals_counting_a_fine_grid(self):
        start, end = np.array([6.1, 7.3]), np.array([20.4, 17.6])
        fine = 16
        middles = (np.arange(28 * fine) + 0.5) / fine
        x, y = np.meshgrid(middles, middles)
        inked = np.zeros_like(x, dtype=bool)
        # Close enough together that the discs leave no notches between them.
        for along in np.linspace(0, 1, 200):
            disc_x, disc_y = start + along * (end - start)
            inked |= (x - disc_x) ** 2 + (y - disc_y) ** 2 <= 1.3**2
        counted = inked.reshape(28, fine, 28, fine).mean(axis=(1, 3))
        drawn = coverage([np.array([start, end])], 2.6)
        np.testing.assert_allclose(drawn, counted, atol=0.03)


class TestPlacing:
    def test_box_keeps_proportions(self):
        (line,) = fit_box([np.array([[0, 0], [1, 2.0]])], pen=2.0)
        # 18 pixels of height remain beside the pen; half as wide; middle is (14, 14).
        np.testing.assert_allclose(line, [[9.5, 5], [18.5, 23]])

    def test_mass_moves_to_the_centre_by_whole_pixels(self):
        image = np.zeros((28, 28))
        image[3, 5], image[4, 5] = 3, 1  # the mass is at row 3.25
        moved = centre_by_mass(image)
        assert moved[14, 14] == 3
        assert moved[15, 14] == 1
        assert moved.sum() == 4

    def test_ink_is_never_wrapped_around_the_edge(self):
        image = np.zeros((28, 28))
        image[0, 14], image[27, 14] = 100, 1
        with pytest.raises(ValueError, match=r"got a shift of \(14, 0\)"):
            centre_by_mass(image)
