"""The cache: the newest within its budget of bytes, and nobody can write into it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capsnet_explorer.app.engines.cache import TraceCache
from capsnet_explorer.app.engines.protocol import Trace


def trace(size, prediction=0):
    """A trace whose tensors have `size` bytes."""
    return Trace(prediction, {"maps": np.zeros(size, np.int8)}, ())


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


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 60)), max_size=30))
def test_it_holds_what_a_plain_list_of_the_newest_would(puts):
    """Slow and obvious: walk back through the puts while the budget lasts."""
    cache = TraceCache(budget=100)
    expected = []
    for key, size in puts:
        cache.put(key, trace(size))
        expected = [entry for entry in expected if entry[0] != key] + [(key, size)]
        while sum(size for _, size in expected) > 100:
            expected.pop(0)
    assert cache.size == sum(size for _, size in expected)
    for key in "abcdef":
        assert (cache.get(key) is not None) == (key in dict(expected))
