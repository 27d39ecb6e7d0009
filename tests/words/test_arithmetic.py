"""Equations are told from other writing, and those that do not come out are found."""

import pytest

from tests.words.arithmetic import equations_in


@pytest.mark.parametrize(
    "text",
    [
        "‖u‖ = (0.238^(2)) ÷ (1 + 0.238^(2)) = (0.057) ÷ (1.057) = 0.054",
        "3.026 ÷ 3.026 × (16 · −0.425 + 2.021) = −4.779",
        "p = (e^(1.25)) ÷ (Σ e^(z)) = (3.4903) ÷ (9.981) = 0.3497",
        "Over all channels: red −0.172 + green −0.088 + blue 0.059 = −0.201.",
        "coupling 0.158 −0.106 = 0.052; agreement +0.93",
        "max(0.000, 0.125, 0.500, 0.250) = 0.500",
        "√( 4.412 + 1 ) = 2.326",
        "1.5 × 10⁸ + 2.5 × 10⁷ = 1.75 × 10⁸",
        "24×5×5 = 600 values → 32 units",
        "2675.5 + 7230.6 = 9906",
    ],
)
def test_arithmetic_that_comes_out(text):
    assert [equation for equation in equations_in(text) if equation[1]]
    assert all(holds for _, holds in equations_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "‖u‖ = (0.238^(2)) ÷ (1 + 0.238^(2)) = (0.056) ÷ (1.056) = 0.053",
        "‖u‖ = (2.3454^(2)) ÷ (1 + 2.3454^(2)) = (5.500) ÷ (6.500) = 0.846",
        "16 · −0.425 + 2.021 = −4.772",
        "û₁ = 0.09 × −0.36 + −0.25 × −0.59 = 0.14",
        "max(0.000, 0.125, 0.500, 0.250) = 0.250",
        "24×5×5 = 601 values",
    ],
)
def test_arithmetic_that_does_not(text):
    assert not all(holds for _, holds in equations_in(text))


@pytest.mark.parametrize(
    "text", ["r = 0.95", "c = 1/10 to every class", "A = −0.094; its row", "û = W u"]
)
def test_what_is_no_equation(text):
    assert not list(equations_in(text))
