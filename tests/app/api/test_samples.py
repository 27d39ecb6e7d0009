import re
from itertools import combinations

import numpy as np
import pytest

from capsnet_explorer.datasets.digits import Sample, load_samples

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
        for sample, other in combinations(load_samples(), 2):
            # The mean ink of a digit is about 100 pixels; 10 tell two of them apart.
            assert np.abs(sample.image - other.image).sum() > 10, (sample.id, other.id)

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
