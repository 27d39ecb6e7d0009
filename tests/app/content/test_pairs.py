"""The pairs of digits that the page shows are those that networks were measured on."""

import numpy as np
import torch

from app.content.datasets import open_test_set
from app.content.pairs import Pairs
from dataset_files.overlapping import TEST_LAYOUT
from model.data.images import LabelledImages
from model.data.overlapping import fixed_overlaps


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
