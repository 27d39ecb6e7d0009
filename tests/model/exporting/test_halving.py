"""Weights in half precision, where somebody asks for them."""

from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load


@pytest.fixture(autouse=True)
def has_packages(needs):
    needs("site")


def graph_of(values: np.ndarray) -> Any:
    from onnx import helper, numpy_helper

    weight = numpy_helper.from_array(values.astype(np.float32), "weight")
    return helper.make_model(helper.make_graph([], "graph", [], [], [weight]))


def test_weights_are_rounded_once_and_stored_in_half_the_bytes():
    from onnx import numpy_helper

    from capsnet_explorer.model.exporting.weights import halve, weights_of

    values = np.random.default_rng(0).normal(size=100).astype(np.float32)
    graph = graph_of(values)
    assert halve([graph])
    rounded = values.astype(np.float16)
    assert numpy_helper.to_array(graph.graph.initializer[0]).dtype == np.float32
    (stored,) = load(weights_of([graph], {})).values()
    assert stored.dtype == np.float16
    np.testing.assert_array_equal(stored, rounded)
    assert not halve([graph])  # there is nothing left to change


def test_few_numbers_stay_as_they_are():
    from onnx import numpy_helper

    from capsnet_explorer.model.exporting.weights import halve

    few = np.array([0.1], np.float32)
    graph = graph_of(few)
    assert not halve([graph])
    np.testing.assert_array_equal(
        numpy_helper.to_array(graph.graph.initializer[0]), few
    )


def test_weights_that_half_precision_cannot_hold_are_refused():
    from capsnet_explorer.model.exporting.weights import halve

    with pytest.raises(ValueError, match=r"needs weights up to 65504, got 1e\+05"):
        halve([graph_of(np.full(64, 1e5))])
