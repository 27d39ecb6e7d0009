"""Squash and its kin, against values worked out by hand."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from capsnet_explorer.model.layers.squash import squash, squash_exponentially


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ([1.0, 0.0], [1 / 2, 0.0]),  # 1 / (1 + 1)
        ([0.0, -3.0], [0.0, -0.9]),  # 9 / (1 + 9)
        ([3.0, 4.0], [3 / 5 * 25 / 26, 4 / 5 * 25 / 26]),
        ([0.0, 0.0], [0.0, 0.0]),
    ],
)
def test_squash_has_the_values_of_equation_1(vector, expected):
    assert_close(squash(torch.tensor(vector)), torch.tensor(expected))


def test_the_gradient_of_squash_at_zero_is_finite():
    zero = torch.zeros(1, 4, requires_grad=True)
    squash(zero).sum().backward()
    assert zero.grad is not None
    assert zero.grad.isfinite().all()


def test_squash_has_the_gradient_of_equation_1():
    vectors = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(squash, (vectors,))


@given(
    st.lists(
        st.floats(-100, 100, width=32, allow_subnormal=False), min_size=1, max_size=8
    )
)
def test_squash_keeps_direction_and_stays_shorter_than_one(numbers):
    vector = torch.tensor(numbers, dtype=torch.float64)
    squashed = squash(vector)
    assert squashed.norm() < 1
    assert_close(squashed * vector.norm(), vector * squashed.norm())


def test_a_length_may_be_summed_over_other_axes():
    # Columns (3, 4) and (0, 2): lengths 5 and 2 shrink to 25/26 and 4/5.
    values = torch.tensor([[3.0, 0.0], [4.0, 2.0]])
    expected = torch.tensor([[3 * 5 / 26, 0.0], [4 * 5 / 26, 4 / 5]])
    assert_close(squash(values, 0), expected)
    # Both axes: the length is √29.
    assert_close(squash(values, (0, 1)), values * math.sqrt(29) / 30)
    # None: each number is a vector of its own, and keeps its sign.
    assert_close(squash(-values, ()), -values.square() / (1 + values.square()))


@pytest.mark.parametrize("length", [0.0, 1e-3, 0.5, 3.0, 40.0])
def test_exponential_squash_sets_a_length_of_1_minus_e_to_the_minus_n(length):
    direction = torch.tensor([0.6, 0.0, -0.8])
    squashed = squash_exponentially(length * direction)
    assert_close(squashed, (1 - math.exp(-length)) * direction, atol=1e-4, rtol=1e-4)


def test_exponential_squash_has_a_gradient_where_a_vector_is_zero():
    vector = torch.zeros(3, requires_grad=True)
    squash_exponentially(vector).sum().backward()
    assert_close(vector.grad, torch.ones(3), atol=1e-3, rtol=0)
