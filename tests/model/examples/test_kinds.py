"""What runs are shown, and how they are trained."""

import numpy as np
import pytest
import torch

from capsnet_explorer.model.architectures import ARCHITECTURES
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.examples.kinds import kind_of, shown, trained


def test_each_example_is_shown_as_often_as_the_others(digits):
    stream = shown(digits, 6, seed=1, count=20)
    some = digits.drawn(6, 1)
    times = [
        int((stream.images == image).flatten(1).all(dim=1).sum())
        for image in some.images
    ]
    assert times == [4, 4, 3, 3, 3, 3]
    assert torch.bincount(some.labels).tolist() == [2, 2, 2]
    for image, label in zip(some.images, some.labels, strict=True):
        is_it = (stream.images == image).flatten(1).all(dim=1)
        assert (stream.labels[is_it] == label).all()


def test_fewer_are_shown_than_there_are(digits):
    stream = shown(digits, 17, seed=0, count=10)
    assert torch.equal(stream.images, digits.drawn(10, 0).images)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_recipes_share_shift_and_schedule(name):
    images = LabelledImages(
        torch.zeros(10, 1, 28, 28, dtype=torch.uint8), torch.arange(10)
    )
    kind = kind_of(name, images)
    assert (kind.training.shift, kind.training.schedule) == (1, "cosine")
    assert kind.training.only_shifts
    assert not kind.training.changes_tones
    assert kind.computing.bfloat16 != kind.computing.winograd
    assert (kind.sizes.classes, kind.sizes.image_shape) == (10, (1, 28, 28))


def test_a_run_depends_on_its_seed_alone(kinds, digits):
    def weights(seed):
        network, seconds = trained(kinds["cnn"], shown(digits, 6, seed, 20), seed)
        assert seconds > 0
        return torch.cat([each.flatten() for each in network.parameters()])

    assert torch.equal(weights(1), weights(1))
    assert not np.allclose(weights(1).detach(), weights(2).detach())
