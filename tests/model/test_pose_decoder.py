"""Drawing one capsule in NumPy gives what the decoder draws."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.pose_decoder import PoseDecoder


@pytest.fixture
def decoder():
    return Decoder(classes=3, dim=5, hidden=(8, 8), image_shape=(1, 12, 12))


def drawn_by(decoder, digit, pose):
    capsules = torch.zeros(1, 3, 5)
    capsules[0, digit] = torch.from_numpy(pose)
    with torch.no_grad():
        return decoder(capsules, torch.tensor([digit]))[0]


@pytest.mark.parametrize("digit", [0, 1, 2])
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_draws_what_the_decoder_draws(decoder, digit, scale):
    pose = (scale * np.random.default_rng(0).normal(size=5)).astype(np.float32)
    drawn = PoseDecoder(decoder, classes=3).draw(digit, pose)
    assert drawn.shape == (1, 12, 12)
    assert drawn.dtype == np.float32
    assert_allclose(drawn, drawn_by(decoder, digit, pose), rtol=1e-5, atol=1e-6)


def test_the_largest_poses_overflow_nothing(decoder):
    with torch.no_grad():
        for parameter in decoder.parameters():
            parameter.mul_(100)
    for sign in (1, -1):
        drawn = PoseDecoder(decoder, classes=3).draw(
            1, np.full(5, sign * 1000, np.float32)
        )
        assert ((drawn >= 0) & (drawn <= 1)).all()


def test_threads_that_draw_at_once_do_not_disturb_each_other(decoder):
    poses = np.random.default_rng(0).normal(size=(64, 5)).astype(np.float32)
    drawing = PoseDecoder(decoder, classes=3)
    one_by_one = [drawing.draw(2, pose) for pose in poses]
    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(lambda pose: drawing.draw(2, pose), poses))
    np.testing.assert_array_equal(at_once, one_by_one)
