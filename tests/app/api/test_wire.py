"""Tensors on the wire: the safetensors library reads the same numbers back."""

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app.api.wire import SAFETENSORS, tensor_answer

TENSORS = {
    "odd halves": np.arange(3, dtype=np.float16),
    "turned": np.arange(6, dtype=np.float32).reshape(2, 3).T,
    "é": np.float32([[0.1]]),
    "one number": np.array(2.5, np.float32),
    "empty": np.zeros((0, 4), np.float32),
}


@pytest.fixture
def answer(app):
    """The body of a safetensors answer."""

    def answer(tensors, metadata):
        with app.test_request_context(headers={"Accept": SAFETENSORS}):
            return tensor_answer(dict, tensors, metadata).data

    return answer


def test_the_library_reads_the_same_tensors(answer):
    tensors = load(answer(TENSORS, {}))
    assert tensors.keys() == TENSORS.keys()
    for name, expected in TENSORS.items():
        assert tensors[name].dtype == expected.dtype
        np.testing.assert_array_equal(tensors[name], expected)
