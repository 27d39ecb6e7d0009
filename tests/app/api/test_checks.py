"""Requests against the model they ask."""

import numpy as np
import pytest

from capsnet_explorer.app.api.checks import check_image, tensors_of
from capsnet_explorer.app.errors import InvalidRequest


def test_each_tensor_is_asked_for_once_in_the_order_of_the_request(engine):
    names = tensors_of(engine.info, ["votes", "maps", "votes"])
    assert names == ("votes", "maps")


def test_all_tensors_are_those_not_on_request(engine):
    assert tensors_of(engine.info, None) == ("maps", "routing", "scores")


def test_an_image_must_have_the_models_size(other_engine):
    check_image(other_engine.info, np.zeros((1, 3, 2), np.float32))
    with pytest.raises(InvalidRequest, match="image must have 3 rows, got 2") as caught:
        check_image(other_engine.info, np.zeros((1, 2, 3), np.float32))
    assert caught.value.field == "image"
