"""The innermost loops of EM routing, over the votes for one capsule above.

Votes are stored with the slots of a window adjacent, (16, slots), so that each loop
over slots runs in vector registers. Each function reads and writes few arrays: the
compiler only does so where it can check cheaply that they do not overlap.
"""

import numpy as np
from numba import njit

POSE = 16
SIDE = 4
LEAST = np.float32(-80.0)  # exp of less is 0 in float32, as far as sums are concerned
OPTIONS = {"fastmath": True, "nogil": True, "cache": True, "error_model": "numpy"}
INLINED = {"fastmath": True, "nogil": True, "error_model": "numpy"}

# exp(x) = 2^n exp(f): n the nearest whole number of x / log 2, f the rest. The
# polynomial is Taylor's; |f| is at most 0.35, so its error is below float32's rounding.
LOG2_E = np.float32(1.4426950408889634)
LOG_2_HIGH = np.float32(0.693359375)
LOG_2_LOW = np.float32(-2.12194440e-4)
HALF = np.float32(0.5)
ONE = np.float32(1.0)
C2, C3, C4, C5, C6 = (
    np.float32(1 / 2),
    np.float32(1 / 6),
    np.float32(1 / 24),
    np.float32(1 / 120),
    np.float32(1 / 720),
)


@njit(**INLINED)
def form_votes(below, transforms, added, votes):
    """Write V = M W + added; all are (16, slots)."""
    slots = votes.shape[1]
    for row in range(SIDE):
        m0, m1 = below[SIDE * row], below[SIDE * row + 1]
        m2, m3 = below[SIDE * row + 2], below[SIDE * row + 3]
        for column in range(SIDE):
            w0, w1 = transforms[column], transforms[SIDE + column]
            w2, w3 = transforms[2 * SIDE + column], transforms[3 * SIDE + column]
            out, plus = votes[SIDE * row + column], added[SIDE * row + column]
            for slot in range(slots):
                out[slot] = plus[slot] + m0[slot] * w0[slot] + m1[slot] * w1[slot]
            for slot in range(slots):
                out[slot] += m2[slot] * w2[slot] + m3[slot] * w3[slot]


@njit(**INLINED)
def moments_of(weights, votes, first, second):
    """Write Σ w V and Σ w V² of each number, (16,); return Σ w."""
    slots = len(weights)
    mass = np.float32(0.0)
    for slot in range(slots):
        mass += weights[slot]
    for number in range(POSE):
        row = votes[number]
        once, twice = np.float32(0.0), np.float32(0.0)
        for slot in range(slots):
            weighted = weights[slot] * row[slot]
            once += weighted
            twice += weighted * row[slot]
        first[number] = once
        second[number] = twice
    return mass


@njit(**INLINED)
def distances(votes, means, precisions, start, out):
    """Write start - ½ Σ (V - μ)² / σ² over the 16 numbers: (slots,)."""
    slots = len(out)
    for slot in range(slots):
        out[slot] = start
    for number in range(0, POSE, 4):
        a, b = votes[number], votes[number + 1]
        c, d = votes[number + 2], votes[number + 3]
        mean_a, mean_b = means[number], means[number + 1]
        mean_c, mean_d = means[number + 2], means[number + 3]
        of_a, of_b = HALF * precisions[number], HALF * precisions[number + 1]
        of_c, of_d = HALF * precisions[number + 2], HALF * precisions[number + 3]
        for slot in range(slots):
            from_a, from_b = a[slot] - mean_a, b[slot] - mean_b
            from_c, from_d = c[slot] - mean_c, d[slot] - mean_d
            out[slot] -= (
                of_a * from_a * from_a
                + of_b * from_b * from_b
                + of_c * from_c * from_c
                + of_d * from_d * from_d
            )


@njit(**INLINED)
def combine(votes, first, second, start, out):
    """Write start + Σ (k V + l V²) over the 16 numbers: (slots,)."""
    slots = len(out)
    for slot in range(slots):
        out[slot] = start
    for number in range(0, POSE, 4):
        a, b = votes[number], votes[number + 1]
        c, d = votes[number + 2], votes[number + 3]
        k_a, k_b, k_c, k_d = (
            first[number],
            first[number + 1],
            first[number + 2],
            first[number + 3],
        )
        l_a, l_b, l_c, l_d = (
            second[number],
            second[number + 1],
            second[number + 2],
            second[number + 3],
        )
        for slot in range(slots):
            out[slot] += (
                a[slot] * (k_a + l_a * a[slot])
                + b[slot] * (k_b + l_b * b[slot])
                + c[slot] * (k_c + l_c * c[slot])
                + d[slot] * (k_d + l_d * d[slot])
            )


@njit(**INLINED)
def exponentials(logits, largest, total):
    """Replace logits by exp(logit - largest), and add these to the total: (slots,)."""
    for slot in range(len(logits)):
        x = max(logits[slot] - largest[slot], LEAST)
        power = np.int32(x * LOG2_E - HALF)  # x is negative: this rounds to nearest
        whole = np.float32(power)
        f = (x - whole * LOG_2_HIGH) - whole * LOG_2_LOW
        series = ONE + f * (ONE + f * (C2 + f * (C3 + f * (C4 + f * (C5 + f * C6)))))
        scale = np.int32((power + np.int32(127)) << np.int32(23))
        value = series * scale.view(np.float32)
        logits[slot] = value
        total[slot] += value


@njit(**INLINED)
def add_outer(weights, first, second, votes, out):
    """Add w (k + l V) to each number's row of (16, slots)."""
    slots = len(weights)
    for number in range(POSE):
        k, l = first[number], second[number]  # noqa: E741
        row, to = votes[number], out[number]
        for slot in range(slots):
            to[slot] += weights[slot] * (k + l * row[slot])


@njit(**INLINED)
def pull_back(change, below, transforms, to_below, to_transforms):
    """Add the gradients of V = M W to those of M and W; all are (16, slots)."""
    slots = change.shape[1]
    for row in range(SIDE):
        d0, d1 = change[SIDE * row], change[SIDE * row + 1]
        d2, d3 = change[SIDE * row + 2], change[SIDE * row + 3]
        for inner in range(SIDE):
            to = to_below[SIDE * row + inner]
            w0, w1 = transforms[SIDE * inner], transforms[SIDE * inner + 1]
            w2, w3 = transforms[SIDE * inner + 2], transforms[SIDE * inner + 3]
            for slot in range(slots):
                to[slot] += d0[slot] * w0[slot] + d1[slot] * w1[slot]
            for slot in range(slots):
                to[slot] += d2[slot] * w2[slot] + d3[slot] * w3[slot]
    for inner in range(SIDE):
        m0, m1 = below[inner], below[SIDE + inner]
        m2, m3 = below[2 * SIDE + inner], below[3 * SIDE + inner]
        for column in range(SIDE):
            to = to_transforms[SIDE * inner + column]
            d0, d1 = change[column], change[SIDE + column]
            d2, d3 = change[2 * SIDE + column], change[3 * SIDE + column]
            for slot in range(slots):
                to[slot] += m0[slot] * d0[slot] + m1[slot] * d1[slot]
            for slot in range(slots):
                to[slot] += m2[slot] * d2[slot] + m3[slot] * d3[slot]
