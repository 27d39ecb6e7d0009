"""Requests against the model they ask."""

from dataclasses import replace

import numpy as np
import pytest

from app.checks import check_image, iterations_of, surgery_of, tensors_of
from app.engine import Pin, Surgery
from app.errors import InvalidRequest
from app.payloads import TraceRequest


def test_each_tensor_is_asked_for_once_in_the_order_of_the_request(engine):
    names = tensors_of(engine.info, ["votes", "maps", "votes"])
    assert names == ("votes", "maps")


def test_all_tensors_are_those_not_on_request(engine):
    assert tensors_of(engine.info, None) == ("maps", "routing", "lengths")


@pytest.mark.parametrize(("asked", "expected"), [(None, 3), (1, 1), (10, 10)])
def test_iterations_are_the_models_own_unless_asked_for(engine, asked, expected):
    assert iterations_of(engine.info, asked) == expected


def test_an_image_must_have_the_models_size(other_engine):
    check_image(other_engine.info, np.zeros((3, 2), np.float32))
    with pytest.raises(InvalidRequest, match="image must have 3 rows, got 2") as caught:
        check_image(other_engine.info, np.zeros((2, 3), np.float32))
    assert caught.value.field == "image"


def request(**surgery):
    return TraceRequest.model_validate({"image": [[0]]} | surgery)


def test_surgery_is_the_same_in_whatever_order_it_is_asked_for(engine):
    pins = [
        {"capsule": 1, "digit": 2, "coupling": 0.5},
        {"capsule": 0, "digit": 2, "coupling": 0.5},
    ]
    one = surgery_of(engine.info, request(silence=[4, 3], pin=pins))
    other = surgery_of(engine.info, request(silence=[3, 4], pin=pins[::-1]))
    expected = Surgery(
        silenced=frozenset({3, 4}), pins=frozenset({Pin(1, 2, 0.5), Pin(0, 2, 0.5)})
    )
    assert one == other == expected
    assert hash(one) == hash(other)


def test_the_only_digit_of_a_model_cannot_be_pinned(engine):
    only = replace(engine.info, classes=1)
    pin = {"capsule": 0, "digit": 0, "coupling": 0.5}
    with pytest.raises(InvalidRequest, match="another digit to share with") as caught:
        surgery_of(only, request(pin=[pin]))
    assert caught.value.field == "pin.0.digit"
