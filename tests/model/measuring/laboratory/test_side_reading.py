"""What a linear reader tells of the side from which toys are seen."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.side_reading import KNOBS, side_reading
from capsnet_explorer.toys.collection import AZIMUTHS, ELEVATIONS


def part(toys, first):
    """Pictures of some toys from every side; their first pixels are their numbers."""
    views = np.array(
        [
            (toy, azimuth, elevation, (toy + azimuth // 20 + elevation // 5) % 6)
            for toy in range(toys)
            for azimuth in AZIMUTHS
            for elevation in ELEVATIONS
        ]
    )
    numbers = first + np.arange(len(views))
    pixels = np.zeros((len(views), 1, 2, 2), np.uint8)
    pixels[:, 0, 0] = np.stack([numbers // 256, numbers % 256], axis=1)
    labels = torch.from_numpy(views[:, 0] % 2)
    return LabelledImages(torch.from_numpy(pixels), labels), views


class Knowing:
    """Describes each picture by the sine and cosine of its azimuth, and noise.

    To these come half sine, half noise of the same variance; and a number that is 7.
    """

    device = torch.device("cpu")
    architecture = SimpleNamespace(code_title="pose")

    def __init__(self, views):
        self.turn = np.radians(views[:, 1])
        self.noise = np.random.default_rng(0).normal(size=len(views))

    def codes(self, images, _labels):
        pairs = np.rint(255 * images[:, 0, 0]).astype(int)
        which = 256 * pairs[:, 0] + pairs[:, 1]
        turn = self.turn[which]
        noise = self.noise[which]
        half = np.sqrt(2) * np.sin(turn) + noise  # the sine's own variance is 1/2
        numbers = [np.sin(turn), np.cos(turn), noise, half, np.full(len(turn), 7.0)]
        return torch.from_numpy(np.stack(numbers, axis=1))


@pytest.fixture(scope="module")
def entry():
    training, test = part(6, 0), part(4, 6 * 162)
    views = np.concatenate([training[1], test[1]])
    return side_reading(Knowing(views), training, test, 300)


def test_what_a_code_holds_is_read_from_new_toys(entry):
    assert (entry["images"], entry["training_images"]) == (300, 900)
    assert list(entry["knobs"]) == list(KNOBS)
    azimuth = entry["knobs"]["azimuth"]
    assert (azimuth["low"], azimuth["high"]) == (0, 340)
    code = azimuth["readings"]["code"]
    assert code["numbers"] == 5
    assert code["r2"] > 0.999
    assert code["r2_low"] <= code["r2"] <= code["r2_high"]


def test_what_it_does_not_hold_is_not_read(entry):
    for knob, which in (
        ("azimuth", "shuffled"),
        ("azimuth", "pixels"),
        ("elevation", "code"),
        ("light", "code"),
    ):
        assert entry["knobs"][knob]["readings"][which]["r2"] < 0.1, (knob, which)


def test_each_number_is_told_from_the_side_by_itself(entry):
    follow = {name: knob["follow"] for name, knob in entry["knobs"].items()}
    for sine, cosine, noise, half, constant in follow["azimuth"]["classes"]:
        assert sine == cosine == 1
        assert abs(noise) < 0.1
        assert half == pytest.approx(0.5, abs=0.1)
        assert constant is None
    for name in ("elevation", "light"):
        for row in follow[name]["classes"]:
            assert max(abs(each) for each in row[:4]) < 0.1
            assert row[4] is None


def test_the_largest_of_the_numbers_stands_beside_its_controls(entry):
    largest = entry["knobs"]["azimuth"]["follow"]["largest"]
    assert largest["code"] == [1, 1]
    for each in largest["shuffled"]:
        assert -0.1 < each < 0.1
