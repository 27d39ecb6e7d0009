"""Nested lists into arrays: what is taken, and where a fault is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capsnet_explorer.app.api.grids import GridError, read_grid

numbers = st.integers(0, 1) | st.floats(0, 1)
grids = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(numbers, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def is_grid(value):
    """The definition, slowly."""
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(isinstance(row, list) and len(row) > 0 for row in value)
        and len({len(row) for row in value}) == 1
        and all(type(x) in (int, float) and 0 <= x <= 1 for row in value for x in row)
    )


@given(grids | junk | st.lists(st.lists(junk, max_size=3), max_size=3))
def test_exactly_grids_are_taken(value):
    try:
        array = read_grid(value, 0, 1)
    except GridError:
        assert not is_grid(value)
    else:
        assert is_grid(value)
        assert array.shape == (len(value), len(value[0]))


@pytest.mark.parametrize("wrong", [True, "0.5", 1.01, float("nan")])
@given(st.integers(0, 4), st.integers(0, 3))
def test_the_first_wrong_number_is_found(wrong, row, column):
    grid = [[0.5] * 4 for _ in range(5)]
    grid[row][column] = wrong
    grid[4][3] = wrong  # a second one, which must not be named
    with pytest.raises(GridError, match="must be a number in") as caught:
        read_grid(grid, 0, 1)
    assert caught.value.path == (row, column)


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        (None, (), "must be a list of rows of numbers, got nothing"),
        ([], (), "must be a list of rows of numbers, got a list of 0"),
        ([[]], (0,), "must be a list of numbers, got a list of 0"),
        ([[1], 2], (1,), "must be a list of numbers, got 2"),
        ([[1, 0], [1, 0], [1]], (2,), "must have 2 numbers like other rows, got 1"),
        ([[1], [1, 0], [1, 0]], (0,), "must have 2 numbers like other rows, got 1"),
        ([[1], [1], [1, 0]], (2,), "must have 1 numbers like other rows, got 2"),
        ([[0, 2]], (0, 1), "must be a number in [0, 1], got 2"),
        ([[True]], (0, 0), "must be a number in [0, 1], got true"),
        ([["1"]], (0, 0), 'must be a number in [0, 1], got "1"'),
    ],
)
def test_a_fault_says_where_what_is_needed_and_what_came(value, path, message):
    with pytest.raises(GridError) as caught:
        read_grid(value, 0, 1)
    assert (caught.value.path, str(caught.value)) == (path, message)
