"""The safetensors library reads what we write."""

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load

from app.tensor_files import tensor_file

TENSORS = {
    "odd halves": np.arange(3, dtype=np.float16),
    "turned": np.arange(6, dtype=np.float32).reshape(2, 3).T,
    "é": np.float32([[0.1]]),
    "one number": np.array(2.5, np.float32),
    "empty": np.zeros((0, 4), np.float32),
}


def test_the_library_reads_the_same_tensors():
    found = load(tensor_file(TENSORS, {}))
    assert found.keys() == TENSORS.keys()
    for name, expected in TENSORS.items():
        assert found[name].dtype == expected.dtype
        np.testing.assert_array_equal(found[name], expected)


def test_the_library_reads_the_metadata(tmp_path):
    path = tmp_path / "some.safetensors"
    path.write_bytes(tensor_file(TENSORS, {"model": "fake", "note": 'a "quoted" é'}))
    with safe_open(path, "numpy") as file:
        assert file.metadata() == {"model": "fake", "note": 'a "quoted" é'}


@pytest.mark.parametrize("name", ["", "a", "ab", "abc", "abcd", "abcde", "abcdef"])
def test_numbers_begin_at_multiples_of_their_size(name):
    content = tensor_file({name: np.float16([1]), "x": np.float32([7])}, {})
    length = int.from_bytes(content[:8], "little")
    assert length % 8 == 0
    assert np.frombuffer(content, np.float32, 1, 8 + length) == 7


def test_other_types_are_refused():
    with pytest.raises(ValueError, match="whole must be float16 or float32, got int64"):
        tensor_file({"whole": np.arange(3)}, {})
