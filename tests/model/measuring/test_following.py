"""How poses follow moved images: by hand, and of a network that follows."""

from types import SimpleNamespace

import pytest
import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring import following
from capsnet_explorer.model.measuring.following import (
    AMOUNTS,
    follow,
    measure_following,
    moved,
)
from capsnet_explorer.model.measuring.report import report_following
from tests.tiny import square


def dot(row: int, column: int, side: int = 9) -> torch.Tensor:
    image = torch.zeros(1, side, side)
    image[0, row, column] = 1
    return image


def place(image: torch.Tensor) -> tuple[int, int]:
    """Return row and column of the brightest pixel."""
    at = int(image[0].argmax())
    return at // image.shape[2], at % image.shape[2]


@pytest.mark.parametrize(
    ("move", "amount", "expected"),
    [
        ("x", 2, (1, 6)),
        ("x", -3, (1, 1)),
        ("y", 1, (2, 4)),
        ("turn", 90, (4, 7)),  # from above the middle to its right: clockwise
        ("turn", -90, (4, 1)),
    ],
)
def test_images_move_right_down_and_clockwise(move, amount, expected):
    assert place(moved(dot(1, 4), move, amount)) == expected


def test_what_leaves_the_image_is_lost():
    assert moved(dot(0, 0), "x", -1).sum() == 0


def test_correlations_and_slopes_by_hand():
    amounts = torch.tensor([-1.0, 0.0, 1.0])
    # Two numbers that follow exactly, one that does not care, one that does not move.
    poses = torch.tensor([[[1.0, 5, 1, 2], [3, 4, 0, 2], [5, 3, 1, 2]]])
    correlation, slope = follow(amounts, poses)
    torch.testing.assert_close(correlation, torch.tensor([[1.0, -1.0, 0.0, 0.0]]))
    torch.testing.assert_close(slope, torch.tensor([[2.0, -1.0, 0.0, 0.0]]))


class Follower:
    """Its poses are the centre of mass, x and y, and a constant; it reads one class."""

    config = SimpleNamespace(classes=2, **square(15))

    def __call__(self, images):
        side = torch.arange(15.0)
        ink = images.sum((1, 2))
        x = (images.sum(1) @ side) / ink
        y = (images.sum(2) @ side) / ink
        pose = torch.stack([x, -2 * y, torch.ones_like(x)], dim=1)
        scores = torch.tensor([0.1, 0.9]).expand(len(images), 2)
        return SimpleNamespace(poses=pose[:, None].expand(-1, 2, -1), scores=scores)


@pytest.fixture
def digits(monkeypatch):
    """Five images of the class that is read, and two of the other."""
    monkeypatch.setattr(following, "LEAST", 2)
    images = torch.zeros(7, 15, 15, dtype=torch.uint8)
    for k in range(7):
        images[k, 5 + k % 3 : 9, 5 : 9 + k % 2] = 255
    return LabelledImages(images, torch.tensor([1, 1, 0, 1, 1, 0, 1]))


def test_a_network_that_follows_is_found_to(digits):
    found = measure_following(Follower(), digits)["following"]  # type: ignore[arg-type]
    assert found["classes"][0] is None  # never read right
    entry = found["classes"][1]
    assert entry["images"] == 5
    assert entry["x"] == {"correlation": [1, 0, 0], "slope": [1, 0, 0]}
    assert entry["y"] == {"correlation": [0, -1, 0], "slope": [0, -2, 0]}
    assert found["all"] == entry
    assert found["right"] == dict.fromkeys(AMOUNTS, 1.0)
    assert "| 1 | 5 | 0, r = 1.00; 1 | 1, r = −1.00; 1 |" in report_following(found)
    assert "| 0 | too few | too few |" in report_following(found)


def test_only_the_first_images_of_a_class_are_taken(digits, monkeypatch):
    monkeypatch.setattr(following, "IMAGES", 3)
    found = measure_following(Follower(), digits)["following"]  # type: ignore[arg-type]
    assert found["classes"][1]["images"] == found["images"] == 3


def test_a_network_without_poses_is_refused(digits):
    def blind(images):
        return SimpleNamespace(poses=None, scores=torch.zeros(len(images), 2))

    blind.config = Follower.config  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="whose classes have poses"):
        measure_following(blind, digits)  # type: ignore[arg-type]
