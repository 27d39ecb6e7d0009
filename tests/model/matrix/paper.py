"""EM routing with loops, straight from Procedure 1: slow and obvious, in float64.

Three things differ from the paper, as in the network: a floor is added to variances, a
cost is divided by the mass that even assignments give, and λ follows a schedule.
"""

import math

import numpy as np

from capsnet_explorer.model.layers.windows import Windows


def windows_of(windows: Windows):
    """Yield (position, children in its window), by row, column and slot."""
    types, _, columns = windows.grid
    rows_above, columns_above = windows.above
    for row in range(rows_above):
        for column in range(columns_above):
            children = [
                (kind * windows.grid[1] + row * windows.stride + down) * columns
                + column * windows.stride
                + right
                for kind in range(types)
                for down in range(windows.kernel[0])
                for right in range(windows.kernel[1])
            ]
            yield row * columns_above + column, children


def votes_of(poses, transforms, windows: Windows, added=None):
    """V_ij = M_i W_ij: {(child, (position, type)): 16 numbers}.

    `poses` is (children, 4, 4), `transforms` (slots, types, 4, 4), `added` (slots, 16).
    """
    votes = {}
    for position, children in windows_of(windows):
        for slot, child in enumerate(children):
            for kind in range(transforms.shape[1]):
                vote = (poses[child] @ transforms[slot, kind]).reshape(16)
                if added is not None:
                    vote = vote + added[slot]
                votes[child, (position, kind)] = vote
    return votes


def routed(votes, present, *, beta_u, beta_a, scales, floor):
    """Return, of each iteration, R {(i, j)}, and {j: (μ, σ², cost, a)}.

    Args:
        votes: as `votes_of` returns them.
        present: a_i of each child.
        beta_u: of each type.
        beta_a: of each type.
        scales: λ of each iteration.
        floor: added to variances.
    """
    children = sorted({child for child, _ in votes})
    parents = sorted({parent for _, parent in votes})
    seen_by = {i: [j for j in parents if (i, j) in votes] for i in children}
    sees = {j: [i for i in children if (i, j) in votes] for j in parents}
    even = {(i, j): 1 / len(seen_by[i]) for i, j in votes}
    assignments = dict(even)
    steps = []
    for scale in scales:
        capsules = {}
        for j in parents:  # M-step
            weights = {i: assignments[i, j] * present[i] for i in sees[j]}  # line 2
            mass = sum(weights.values())
            even_mass = sum(even[i, j] * present[i] for i in sees[j])
            mean, variance, cost = np.zeros(16), np.zeros(16), 0.0
            for h in range(16):
                for i in sees[j]:
                    mean[h] += weights[i] * votes[i, j][h] / mass  # line 3
                for i in sees[j]:
                    away = votes[i, j][h] - mean[h]
                    variance[h] += weights[i] * away**2 / mass  # line 4
                variance[h] += floor
                deviation = math.sqrt(variance[h])
                cost += (beta_u[j[1]] + math.log(deviation)) * mass / even_mass  # 5
            active = 1 / (1 + math.exp(-scale * (beta_a[j[1]] - cost)))  # line 6
            capsules[j] = (mean, variance, cost, active)
        steps.append((dict(assignments), capsules))
        for i in children:  # E-step
            shares = {}
            for j in seen_by[i]:
                mean, variance, _, active = capsules[j]
                density = 1.0
                for h in range(16):
                    away = votes[i, j][h] - mean[h]
                    density *= math.exp(-(away**2) / (2 * variance[h]))
                    density /= math.sqrt(2 * math.pi * variance[h])
                shares[j] = active * density
            total = sum(shares.values())
            for j, share in shares.items():
                assignments[i, j] = share / total
    return steps
