import copy
import json
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from capsnet_explorer.app.content.samples import Sample, load_samples
from capsnet_explorer.sample_digits.drawing import (
    centre_by_mass,
    coverage,
    draw_digit,
    fit_box,
    smooth,
)
from capsnet_explorer.sample_digits.loading import DATA_FILE, parse_samples

LINE: dict[str, Any] = {
    "id": "one-line",
    "label": 1,
    "title": "1, a line",
    "source": "drawn for this test",
    "hard": False,
    "pen": 2.5,
    "strokes": [[[0.5, 0.0], [0.5, 1.0]]],
}

each_sample = pytest.mark.parametrize(
    "sample", load_samples(), ids=lambda sample: sample.id
)


def parse(*digits: object) -> tuple[Sample, ...]:
    return parse_samples(json.dumps(digits))


class TestTheDigits:
    def test_three_of_each_class_the_last_one_hard(self):
        expected = [(label, hard) for label in range(10) for hard in (0, 0, 1)]
        assert [(sample.label, sample.hard) for sample in load_samples()] == expected

    def test_ids_are_unique(self):
        assert max(Counter(sample.id for sample in load_samples()).values()) == 1

    def test_titles_are_unique_and_begin_with_the_label(self):
        titles = [sample.title for sample in load_samples()]
        assert len(set(titles)) == len(titles)
        assert [title[0] for title in titles] == [str(s.label) for s in load_samples()]

    def test_none_looks_like_another(self):
        for one, other in combinations(load_samples(), 2):
            # The mean ink of a digit is about 100 pixels; 10 tell two of them apart.
            assert np.abs(one.image - other.image).sum() > 10, (one.id, other.id)

    def test_strokes_stay_in_their_box(self):
        for digit in json.loads(DATA_FILE.read_text(encoding="utf-8")):
            points = np.concatenate(digit["strokes"])
            assert points.min() >= 0
            assert points.max() <= 1

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

    def test_edges_are_soft(self, sample: Sample):
        partial = (sample.image > 0) & (sample.image < 1)
        assert partial.sum() > 0.8 * (sample.image == 1).sum()

    def test_cannot_be_written_to(self, sample: Sample):
        with pytest.raises(ValueError, match="read-only"):
            sample.image[0, 0, 0] = 1


class TestSmooth:
    def test_passes_through_every_point(self):
        stroke = np.array([[0, 0], [3, 1], [4, 5], [4, 5], [1, 6], [0, 9.0]])
        curve = smooth(stroke)
        for point in stroke:
            assert np.linalg.norm(curve - point, axis=1).min() < 1e-12

    def test_is_straight_where_the_points_are(self):
        curve = smooth(np.array([[0, 0], [1, 2], [4, 8], [5, 10.0]]))
        np.testing.assert_allclose(curve[:, 1], 2 * curve[:, 0], atol=1e-12)

    def test_follows_a_circle(self):
        angles = np.linspace(0, 2 * np.pi, 13)
        curve = smooth(np.stack([np.cos(angles), np.sin(angles)], axis=1))
        # The outermost spans have no neighbour to learn their bend from.
        inner = np.linalg.norm(curve[8:-9], axis=1)
        np.testing.assert_allclose(inner, 1, atol=2e-3)

    def test_middle_of_an_even_span_is_the_known_blend(self):
        # With equal chords the curve's middle is (-a + 9b + 9c - d) / 16.
        points = np.array([[0, 0], [1, 0], [1, 1], [2, 1.0]])
        span = smooth(points)[8:17]
        np.testing.assert_allclose(span[4], points.T @ [-1, 9, 9, -1] / 16)

    def test_long_spans_get_longer_knots(self):
        # Chords 1, 4, 1 give knots 0, 1, 3, 4, and with them a middle of
        # (-a + 4b + 4c - d) / 6: the curve bulges less than with even knots.
        span = smooth(np.array([[0, 1], [0, 0], [4, 0], [4, 1.0]]))[8:17]
        np.testing.assert_allclose(span[4], [2, -1 / 3])

    def test_keeps_a_corner_sharp(self):
        corner = np.array([[0, 0], [1, 0], [1, 0], [1, 1.0]])
        np.testing.assert_array_equal(smooth(corner), corner)


class TestCoverage:
    @pytest.mark.parametrize(
        ("pen", "rows"),
        [
            (3.0, {8: 0.5, 9: 1.0, 10: 1.0, 11: 0.5}),
            (2.4, {8: 0.2, 9: 1.0, 10: 1.0, 11: 0.2}),
            (2.0, {9: 1.0, 10: 1.0}),
        ],
    )
    def test_horizontal_line_covers_rows_by_their_share(self, pen, rows):
        image = coverage([np.array([[5, 10], [20, 10.0]])], pen)
        expected = [rows.get(row, 0.0) for row in range(28)]
        # Columns 8 to 16 lie clear of the round ends.
        for column in range(8, 17):
            np.testing.assert_allclose(image[:, column], expected, atol=1e-12)

    def test_dot_has_the_area_of_a_disc(self):
        dot = np.array([[13.3, 14.2], [13.3, 14.2]])
        assert coverage([dot], 6.0).sum() == pytest.approx(np.pi * 3**2, rel=2e-3)

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

    def test_size_and_place_of_the_points_do_not_matter(self):
        stroke = np.array([[0.1, 0.2], [0.4, 0.9], [0.7, 0.3]])
        np.testing.assert_array_equal(
            draw_digit([stroke], 2.5), draw_digit([stroke * 0.5 + 0.25], 2.5)
        )

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


class TestLoading:
    def test_draws_only_once(self):
        assert load_samples() is load_samples()

    def test_reads_every_field(self):
        (sample,) = parse(LINE)
        assert (sample.id, sample.label, sample.hard) == ("one-line", 1, False)
        assert (sample.title, sample.source) == ("1, a line", "drawn for this test")
        # A line on the pixel grid, 2.5 wide: two full columns, a quarter each side,
        # or the same moved half a pixel aside; either way this much ink in a row.
        assert sample.image[0, 14].sum() == pytest.approx(2.5, abs=0.01)

    @pytest.mark.parametrize(
        ("key", "value", "message"),
        [
            ("label", 10, "label must be a whole number in 0..9, got 10"),
            ("label", True, "label must be a whole number in 0..9, got True"),
            ("title", " ", "title must be text, got ' '"),
            ("source", None, "source must be text, got None"),
            ("hard", 1, "hard must be true or false, got 1"),
            ("pen", 0, "pen must be in 1.0..6.0, got 0"),
            ("pen", float("nan"), "pen must be in 1.0..6.0, got nan"),
            ("strokes", [], "strokes must be a list of strokes, got []"),
            ("strokes", [[]], "stroke 0 must be points [x, y] in 0..1, got []"),
            ("strokes", [[[0, 0], [0, 1]], [[0, 1.5]]], "stroke 1 must be points"),
            ("strokes", [[[0, 0], [0]]], "stroke 0 must be points"),
            ("strokes", [[[0, 0], [0, float("nan")]]], "stroke 0 must be points"),
            ("strokes", [[[0.5, 0.5]]], "strokes must have at least two points"),
        ],
    )
    def test_error_names_the_sample_and_the_field(self, key, value, message):
        broken = copy.deepcopy(LINE) | {"id": "two-broken", key: value}
        with pytest.raises(ValueError, match=r"^sample 'two-broken': ") as caught:
            parse(LINE, broken)
        assert message in str(caught.value)

    def test_id_must_be_kebab_case(self):
        with pytest.raises(ValueError, match="sample 'One Line': id must be lower"):
            parse(LINE | {"id": "One Line"})

    def test_id_must_be_unique(self):
        with pytest.raises(ValueError, match="sample 'one-line': id must be unique"):
            parse(LINE, LINE)

    def test_sample_without_an_id_is_named_by_its_position(self):
        without = {key: value for key, value in LINE.items() if key != "id"}
        with pytest.raises(ValueError, match="sample number 1: keys must be"):
            parse(LINE, without)

    def test_unknown_key_is_refused(self):
        with pytest.raises(ValueError, match="sample 'one-line': keys must be"):
            parse(LINE | {"colour": "blue"})

    def test_file_must_be_a_list(self):
        with pytest.raises(ValueError, match="samples must be a list, got dict"):
            parse_samples("{}")
