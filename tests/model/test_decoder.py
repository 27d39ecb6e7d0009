"""The decoder: which capsules it sees, and what it draws."""

import torch
from torch.testing import assert_close

from capsnet_explorer.model.decoder import Decoder


def decoder_of_three():
    """Of three classes with capsules of 5, for images of 12 x 12."""
    return Decoder(classes=3, dim=5, hidden=(8, 8), image_shape=(1, 12, 12))


def test_the_decoder_sees_the_kept_capsule_only():
    decoder = decoder_of_three()
    capsules = torch.randn(3, 3, 5)
    keep = torch.tensor([2, 0, 1])
    alone = torch.zeros_like(capsules)
    for image, digit in enumerate(keep):
        alone[image, digit] = capsules[image, digit]

    drawn = decoder(capsules, keep)
    assert drawn.shape == (3, 1, 12, 12)
    assert_close(drawn, decoder.layers(alone.flatten(1)).reshape(3, 1, 12, 12))


def test_several_pictures_are_decoded_each_for_itself():
    decoder, capsules = decoder_of_three(), torch.randn(2, 3, 5)
    keep = torch.tensor([[[1, 0, 0], [0, 0, 1]], [[0, 1, 1], [0, 0, 0]]])
    drawn = decoder(capsules, keep)
    assert drawn.shape == (2, 2, 1, 12, 12)
    for picture in range(2):
        assert_close(drawn[:, picture], decoder(capsules, keep[:, picture]))
