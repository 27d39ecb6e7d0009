"""Numbers as they are written on the page, to be worked out again."""

import re

from playwright.sync_api import Locator


def numbers(text: str) -> list[float]:
    """Return every number in a text, whatever minus it uses."""
    plain = text.replace("\u2212", "-")
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", plain)]


def sum_before_relu(panel: Locator) -> float:
    """Check sum, bias and ReLU from what is written, all of it at one moment.

    Returns:
        The value before ReLU.
    """
    total, plus, bias, _, before, _, after = panel.evaluate(
        """(panel) =>
            [...panel.querySelector(".worked-sum").querySelectorAll("b, i")]
                .map(({ textContent }) => textContent)"""
    )
    sign = -1 if plus == "\u2212" else 1
    (total,), (bias,), (before,), (after,) = map(numbers, (total, bias, before, after))
    assert round(total + sign * bias, 3) == before
    assert after == max(0, before)
    return before
