"""Shares, and the intervals that chance allows."""

from itertools import product

import pytest
import torch

from capsnet_explorer.model.measuring.shares import (
    count_wrong,
    roc_area,
    wilson_interval,
)


def test_the_interval_is_the_textbooks():
    # Newcombe 1998, table I: 15 of 148 is 0.0624 to 0.1605.
    assert wilson_interval(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    low, high = wilson_interval(1.0, 10)
    assert low < 1 == pytest.approx(high)


def test_wrong_images_are_counted_with_their_interval():
    low, high = wilson_interval(0.25, 4)
    assert count_wrong(torch.tensor([False, True, False, False])) == {
        "images": 4,
        "wrong": 1,
        "error": 0.25,
        "interval": pytest.approx([low, high], abs=1e-6),
    }


def test_an_area_is_the_share_of_pairs_in_the_right_order():
    digits = torch.tensor([0.1, 0.4, 0.4, 0.9])
    others = torch.tensor([0.4, 0.5, 0.05])
    pairs = list(product(digits.tolist(), others.tolist()))
    slow = sum((o > d) + (o == d) / 2 for d, o in pairs) / len(pairs)
    assert roc_area(digits, others) == pytest.approx(slow)
    assert roc_area(digits, digits) == 0.5
    assert roc_area(digits, digits + 1) == 1
