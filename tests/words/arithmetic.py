"""Arithmetic as it stands in a text, evaluated as a reader with a pencil would."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
TOKEN = re.compile(
    r"(?P<number>\d+(?:\u202f\d{3})*(?:\.\d+)?|\.\d+)"
    r"|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<named>exp|max|√|e(?=\^))"
    r"|(?P<sign>[-+−±·×*÷∕/^(),])"
)
# Between numbers stand signs and spaces; anything else ends a calculation.
SIDE = re.compile(
    r"(?:\d|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]|\.(?=\d)|exp(?=\()|max(?=\()|√|e(?=\^)"
    r"|[-+−·×÷∕^(),/ \u00a0\u202f])+"
)
EQUAL = re.compile(r"\s*(=|≈)\s*")
LABEL = re.compile(r"(?<=[+−=:] )[a-z]+ (?=−?\d)|(?<=\d)‖\w‖.*$")


@dataclass(frozen=True, slots=True)
class Value:
    """A number, and the least and most that its written figures may stand for.

    Attributes:
        exact: of the figures as they stand.
        low: the least.
        high: the most.
        isolated: whether it stands alone, without any arithmetic.
    """

    exact: float
    low: float
    high: float
    isolated: bool = False


class NoArithmetic(ValueError):
    """A text that is none."""


def equations_in(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each equation of a text, and whether it comes out as it is written."""
    parts = EQUAL.split(LABEL.sub("", text.replace("\u00a0", " ")))
    for at in range(0, len(parts) - 2, 2):
        left, sign, right = parts[at : at + 3]
        near, far = _last_side(left), _first_side(right)
        pairs = [(near, far), *zip(_halves(near), _halves(far), strict=False)]
        for a, b in pairs:
            try:
                yield f"{a} {sign} {b}", _holds(a, b)
            except NoArithmetic:
                continue


def _halves(fraction: str) -> tuple[str, ...]:
    """Return what stands above and below a fraction's bar; nothing where it is none."""
    above, bar, below = fraction.partition(") ÷ (")
    if not bar or fraction[0] != "(" or fraction[-1] != ")":
        return ()
    halves = above[1:], below[:-1]
    return halves if all(half.count("(") == half.count(")") for half in halves) else ()


def _last_side(text: str) -> str:
    sides = list(SIDE.finditer(text))
    return sides[-1][0].strip() if sides and sides[-1].end() == len(text) else ""


def _first_side(text: str) -> str:
    match = SIDE.match(text)
    return match[0].strip().rstrip(",(").strip() if match else ""


def _holds(left: str, right: str) -> bool:
    values = [evaluated(left), evaluated(right)]
    if all(value.isolated for value in values):
        raise NoArithmetic(left)
    value, written = values
    if value.isolated:
        value, written = written, value
        left, right = right, left
    slack = 1e-9 * max(1.0, abs(value.exact))
    if "." in left and "." not in right:
        slack += 0.5  # a large number keeps no decimals
    return written.low - slack <= value.exact <= written.high + slack


def evaluated(text: str) -> Value:
    """Return what a calculation comes to.

    Raises:
        NoArithmetic: there is none, or not one alone.
    """
    tokens = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = TOKEN.match(text, at)
        if not match:
            raise NoArithmetic(text)
        tokens.append((match.lastgroup, match[0]))
        at = match.end()
    if not any(kind == "number" for kind, _ in tokens):
        raise NoArithmetic(text)
    reader = _Reader(tokens)
    value = reader.sum()
    if reader.rest:
        raise NoArithmetic(text)
    signs = [sign for kind, sign in tokens if kind != "number"]
    isolated = len(tokens) == 1 or (len(tokens) == 2 and signs[0] in "-+−")
    return Value(value.exact, value.low, value.high, isolated)


class _Reader:
    """Reads sums of products of powers."""

    def __init__(self, tokens: list[tuple[str | None, str]]) -> None:
        self.rest = tokens[::-1]

    def next(self, signs: str) -> str | None:
        if self.rest and self.rest[-1][0] == "sign" and self.rest[-1][1] in signs:
            return self.rest.pop()[1]
        return None

    def sum(self) -> Value:
        value = self.product()
        while sign := self.next("+-−"):
            value = _combined(value, self.product(), sign)
        return value

    def product(self) -> Value:
        value = self.signed()
        while sign := self.next("·×*÷∕/"):
            value = _combined(value, self.signed(), sign)
        return value

    def signed(self) -> Value:
        sign = self.next("+-−")
        value = self.signed() if sign else self.power()
        if sign in ("-", "−"):
            return Value(-value.exact, -value.high, -value.low)
        return value

    def power(self) -> Value:
        base = self.atom()
        if self.rest and self.rest[-1][0] == "raised":
            exponent = float(self.rest.pop()[1].translate(RAISED))
            return _mapped(base, lambda end: end**exponent)
        if self.next("^"):
            exponent = self.atom()
            ends = [
                low_end**high_end
                for low_end in (base.low, base.high)
                for high_end in (exponent.low, exponent.high)
            ]
            return Value(base.exact**exponent.exact, min(ends), max(ends))
        return base

    def atom(self) -> Value:
        if not self.rest:
            raise NoArithmetic
        kind, text = self.rest.pop()
        if kind == "number":
            return _number(text)
        if kind == "named":
            return self.function(text)
        if text == "(":
            value = self.sum()
            if not self.next(")"):
                raise NoArithmetic
            return value
        raise NoArithmetic

    def function(self, name: str) -> Value:
        if name == "e":
            return Value(math.e, math.e, math.e)
        if name == "√" and self.rest and self.rest[-1][0] == "number":
            return _mapped(self.atom(), math.sqrt)
        if not self.next("("):
            raise NoArithmetic
        values = [self.sum()]
        while self.next(","):
            values.append(self.sum())
        if not self.next(")"):
            raise NoArithmetic
        if name == "max":
            ends = zip(
                *((value.exact, value.low, value.high) for value in values), strict=True
            )
            return Value(*(max(all_) for all_ in ends))
        return _mapped(values[0], math.sqrt if name == "√" else math.exp)


def _number(text: str) -> Value:
    plain = text.replace("\u202f", "")
    value = float(plain)
    decimals = len(plain.partition(".")[2])
    half = 0.5 * 10**-decimals if decimals else 0.0
    return Value(value, value - half, value + half)


def _mapped(value: Value, function) -> Value:
    try:
        ends = [function(end) for end in (value.low, value.high)]
        return Value(function(value.exact), min(ends), max(ends))
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise NoArithmetic from error


def _combined(first: Value, second: Value, sign: str) -> Value:
    def of(a: float, b: float) -> float:
        if sign == "+":
            return a + b
        if sign in "-−":
            return a - b
        return a * b if sign in "·×*" else a / b

    try:
        ends = [
            of(a, b) for a in (first.low, first.high) for b in (second.low, second.high)
        ]
        return Value(of(first.exact, second.exact), min(ends), max(ends))
    except ZeroDivisionError as error:
        raise NoArithmetic from error
