"""The cache: the newest within its budget of bytes, and nobody can write into it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capsnet_explorer.app.engines.cache import TraceCache
from capsnet_explorer.app.engines.protocol import Trace


def trace(size, prediction=0):
    """A trace whose tensors have `size` bytes."""
    return Trace(prediction, {"maps": np.zeros(size, np.int8)}, ())


def test_what_was_put_is_found_under_its_key_only():
    cache = TraceCache(budget=100)
    kept = trace(10)
    cache.put("a", kept)
    assert cache.get("a") is kept
    assert cache.get("b") is None


def test_the_least_recently_used_makes_room():
    cache = TraceCache(budget=30)
    for key in "abc":
        cache.put(key, trace(10))
    cache.get("a")
    cache.put("d", trace(10))
    assert [cache.get(key) is not None for key in "abcd"] == [True, False, True, True]


def test_all_tensors_of_a_trace_count():
    cache = TraceCache(budget=100)
    tensors = {"x": np.zeros(3, np.float32), "y": np.zeros(5, np.int8)}
    cache.put("a", Trace(0, tensors, (0,)))
    assert cache.size == 17


def test_a_newer_trace_takes_the_place_of_the_older():
    cache = TraceCache(budget=100)
    cache.put("a", trace(60, prediction=1))
    cache.put("a", trace(70, prediction=2))
    assert cache.size == 70
    assert cache.get("a").prediction == 2


def test_what_is_larger_than_the_budget_is_not_kept():
    cache = TraceCache(budget=100)
    cache.put("a", trace(101))
    assert cache.get("a") is None
    assert cache.size == 0


def test_what_is_kept_cannot_be_written():
    cache = TraceCache(budget=100)
    kept = trace(10)
    cache.put("a", kept)
    with pytest.raises(ValueError, match="read-only"):
        kept.tensors["maps"][0] = 1


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 60)), max_size=30))
def test_it_holds_what_a_plain_list_of_the_newest_would(puts):
    """Slow and obvious: walk back through the puts while the budget lasts."""
    cache = TraceCache(budget=100)
    expected = []
    for key, size in puts:
        cache.put(key, trace(size))
        expected = [each for each in expected if each[0] != key] + [(key, size)]
        while sum(size for _, size in expected) > 100:
            expected.pop(0)
    assert cache.size == sum(size for _, size in expected)
    for key in "abcdef":
        assert (cache.get(key) is not None) == (key in dict(expected))
