"""The pairs of digits that the page shows are those that networks were measured on."""

import numpy as np
import torch

from capsnet_explorer.app.content.datasets import open_test_set
from capsnet_explorer.app.content.pairs import Pairs
from capsnet_explorer.datasets.overlapping import TEST_LAYOUT
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import fixed_overlaps


def test_every_pair_is_that_of_the_measurements(data_folder):
    dataset = open_test_set(data_folder)
    pairs = Pairs(dataset)
    single = LabelledImages(
        torch.from_numpy(np.array(dataset.images)),
        torch.from_numpy(np.array(dataset.labels)).long(),
    )
    measured = fixed_overlaps(single, TEST_LAYOUT)
    assert len(pairs) == len(measured.images)
    for index, image in enumerate(measured.images.numpy()):
        assert np.array_equal(np.rint(pairs.image(index) * 255), image)
        assert (
            sorted(pairs.labels[index])
            == measured.labels[index].nonzero()[:, 0].tolist()
        )
