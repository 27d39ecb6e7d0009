"""Tensors on the wire: the safetensors library reads the same numbers back."""

import numpy as np
import pytest
from safetensors.numpy import load

from capsnet_explorer.app.api.wire import tensor_answer
from tests.app.answers import BINARY

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
        with app.test_request_context(headers=BINARY):
            return tensor_answer(dict, tensors, metadata).data

    return answer


def test_the_library_reads_the_same_tensors(answer):
    tensors = load(answer(TENSORS, {}))
    assert tensors.keys() == TENSORS.keys()
    for name, expected in TENSORS.items():
        assert tensors[name].dtype == expected.dtype
        np.testing.assert_array_equal(tensors[name], expected)


IMAGE = np.random.default_rng(0).random((28, 28)).tolist()
PAIR = {"images": [IMAGE, IMAGE], "shifts": [[0, 0], [1, -1]], "canvas": [30, 30]}


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("overlay", PAIR),
        ("transform", {"image": IMAGE, "changes": [{}, {"rotate": 30, "blur": 1}]}),
        ("models/fake/reconstruct", {"digit": 4, "poses": [[0.25] * 16] * 3}),
    ],
)
def test_both_forms_of_an_answer_have_the_same_numbers(client, route, body):
    lists = client.post(f"/api/{route}", json=body).json
    tensors = load(client.post(f"/api/{route}", json=body, headers=BINARY).data)
    assert tensors.keys() == lists.keys()
    for name, tensor in tensors.items():
        assert tensor.dtype == np.float32
        np.testing.assert_array_equal(tensor, np.float32(lists[name]))
