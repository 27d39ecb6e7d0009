"""EM routing of a part of a batch, forwards and backwards, one image at a time.

The votes of one image fit into the processor's second cache, and are formed anew for
the backward pass. What is kept between the two are the assignments of each iteration,
and the few numbers of each capsule above.

Shapes of one image: `poses` (children, 16), `activations` (children,). A capsule above
has the number `position * types + type`; there are `above` of them. `transforms` is
(types, 16, slots), `added` (16, slots), `seen` (positions, slots), `even` (positions,
slots), `scales` (iterations,): λ_t.
"""

import math

import numpy as np
from numba import njit

from model.matrix.compiled.loops import (
    OPTIONS,
    POSE,
    add_outer,
    combine,
    distances,
    exponentials,
    form_votes,
    moments_of,
    pull_back,
)

EPSILON = np.float32(1e-8)  # as in the readable loop
HALF = np.float32(0.5)
ONE = np.float32(1.0)
LEAST = np.float32(-1e30)  # below every logit
ZERO = np.float32(0.0)


@njit(**OPTIONS)
def _gather(poses, seen, below):
    """Write the poses that one window sees: (16, slots)."""
    for slot in range(len(seen)):
        child = seen[slot]
        for number in range(POSE):
            below[number, slot] = poses[child, number]


@njit(**OPTIONS)
def _form_all(poses, transforms, added, seen, below, votes):
    """Write the votes for every capsule above: (above, 16, slots)."""
    types = len(transforms)
    for position in range(len(seen)):
        _gather(poses, seen[position], below[position])
        for kind in range(types):
            form_votes(
                below[position],
                transforms[kind],
                added,
                votes[position * types + kind],
            )


@njit(**OPTIONS)
def _fit(weights, votes, even_mass, beta_u, beta_a, scale, floor, means, variances):
    """Do one M-step for one capsule above; return its cost and its logit."""
    mass = moments_of(weights, votes, means, variances)
    share = ONE / (mass + EPSILON)
    logs = ZERO
    for number in range(POSE):
        mean = means[number] * share
        spread = max(variances[number] * share - mean * mean, ZERO) + floor
        means[number] = mean
        variances[number] = spread
        logs += np.float32(math.log(spread))
    cost = mass / (even_mass + EPSILON) * (POSE * beta_u + HALF * logs)
    return cost, scale * (beta_a - cost)


@njit(**OPTIONS)
def _assign(votes, means, variances, logits, seen, types, largest, totals, out):
    """Do one E-step: write the assignments (above, slots)."""
    positions, slots = seen.shape
    precisions = np.empty(POSE, np.float32)
    over_types = np.empty(slots, np.float32)
    largest[:] = LEAST
    totals[:] = ZERO
    for position in range(positions):
        over_types[:] = LEAST
        for kind in range(types):
            capsule = position * types + kind
            logs = ZERO
            for number in range(POSE):
                precisions[number] = ONE / variances[capsule, number]
                logs += np.float32(math.log(variances[capsule, number]))
            logit = logits[capsule]
            # log of the logistic function, without overflow
            active = min(logit, ZERO) - np.float32(math.log1p(math.exp(-abs(logit))))
            row = out[capsule]
            distances(
                votes[capsule], means[capsule], precisions, active - HALF * logs, row
            )
            for slot in range(slots):
                over_types[slot] = max(over_types[slot], row[slot])
        for slot in range(slots):
            child = seen[position, slot]
            largest[child] = max(largest[child], over_types[slot])
    peaks = np.empty(slots, np.float32)
    for position in range(positions):
        for slot in range(slots):
            peaks[slot] = largest[seen[position, slot]]
        over_types[:] = ZERO
        for kind in range(types):
            exponentials(out[position * types + kind], peaks, over_types)
        for slot in range(slots):
            totals[seen[position, slot]] += over_types[slot]
    for position in range(positions):
        for slot in range(slots):
            peaks[slot] = ONE / totals[seen[position, slot]]
        for kind in range(types):
            row = out[position * types + kind]
            for slot in range(slots):
                row[slot] *= peaks[slot]


@njit(**OPTIONS)
def forward(
    poses,
    activations,
    transforms,
    added,
    seen,
    even,
    beta_u,
    beta_a,
    scales,
    floor,
    assignments,
    means,
    variances,
    costs,
    logits,
):
    """Route each image of a batch; write the results of every iteration.

    `assignments` is (batch, iterations, above, slots), `means` and `variances` (batch,
    iterations, above, 16), `costs` and `logits` (batch, iterations, above).
    """
    types, _, slots = transforms.shape
    positions = len(seen)
    above = positions * types
    votes = np.empty((above, POSE, slots), np.float32)
    below = np.empty((positions, POSE, slots), np.float32)
    presence = np.empty((positions, slots), np.float32)
    weights = np.empty(slots, np.float32)
    largest = np.empty(poses.shape[1], np.float32)
    totals = np.empty(poses.shape[1], np.float32)
    for image in range(len(poses)):
        _form_all(poses[image], transforms, added, seen, below, votes)
        for step in range(len(scales)):
            shares = assignments[image, step]
            if step:
                _assign(
                    votes,
                    means[image, step - 1],
                    variances[image, step - 1],
                    logits[image, step - 1],
                    seen,
                    types,
                    largest,
                    totals,
                    shares,
                )
            for position in range(positions):
                even_mass = ZERO
                for slot in range(slots):
                    value = activations[image, seen[position, slot]]
                    presence[position, slot] = value
                    even_mass += even[position, slot] * value
                for kind in range(types):
                    capsule = position * types + kind
                    if step == 0:
                        shares[capsule] = even[position]
                    for slot in range(slots):
                        weights[slot] = shares[capsule, slot] * presence[position, slot]
                    cost, logit = _fit(
                        weights,
                        votes[capsule],
                        even_mass,
                        beta_u[kind],
                        beta_a[kind],
                        scales[step],
                        floor,
                        means[image, step, capsule],
                        variances[image, step, capsule],
                    )
                    costs[image, step, capsule] = cost
                    logits[image, step, capsule] = logit


@njit(**OPTIONS)
def _unassign(shares, to_shares, seen, types, sums, out):
    """Write the gradients of logits whose softmax over parents is `shares`."""
    positions, slots = seen.shape
    over_types = np.empty(slots, np.float32)
    sums[:] = ZERO
    for position in range(positions):
        over_types[:] = ZERO
        for kind in range(types):
            row = shares[position * types + kind]
            change = to_shares[position * types + kind]
            for slot in range(slots):
                over_types[slot] += row[slot] * change[slot]
        for slot in range(slots):
            sums[seen[position, slot]] += over_types[slot]
    for position in range(positions):
        for slot in range(slots):
            over_types[slot] = sums[seen[position, slot]]
        for kind in range(types):
            capsule = position * types + kind
            row, change, to = shares[capsule], to_shares[capsule], out[capsule]
            for slot in range(slots):
                to[slot] = row[slot] * (change[slot] - over_types[slot])


@njit(**OPTIONS)
def backward(
    poses,
    activations,
    transforms,
    added,
    seen,
    even,
    beta_u,
    scales,
    floor,
    assignments,
    means,
    variances,
    costs,
    logits,
    to_last_means,
    to_last_logits,
    to_poses,
    to_activations,
    to_transforms,
    to_beta_u,
    to_beta_a,
):
    """Add the gradients of each image of a batch to the arrays `to_...` of the inputs.

    `to_last_means` (batch, above, 16) and `to_last_logits` (batch, above) are those of
    the last iteration's results. Gradients flow through every iteration.
    """
    types, _, slots = transforms.shape
    positions, steps = len(seen), len(scales)
    above = positions * types
    votes = np.empty((above, POSE, slots), np.float32)
    below = np.empty((positions, POSE, slots), np.float32)
    to_shares = np.empty((above, slots), np.float32)
    # Of each iteration: what its M-step, and its E-step, give to the votes.
    first = np.empty((steps, above, POSE), np.float32)
    second = np.empty((steps, above, POSE), np.float32)
    to_logits_of_votes = np.empty((steps, above, slots), np.float32)
    sums = np.empty(poses.shape[1], np.float32)
    presence = np.empty((positions, slots), np.float32)
    to_presence = np.empty((positions, slots), np.float32)
    even_mass = np.empty(positions, np.float32)
    to_means = np.empty((above, POSE), np.float32)
    to_variances = np.empty((above, POSE), np.float32)
    to_logits = np.empty(above, np.float32)
    weights = np.empty(slots, np.float32)
    change = np.empty((POSE, slots), np.float32)
    to_below = np.empty((POSE, slots), np.float32)
    by_first = np.empty(POSE, np.float32)
    by_second = np.empty(POSE, np.float32)
    for image in range(len(poses)):
        _form_all(poses[image], transforms, added, seen, below, votes)
        to_presence[:] = ZERO
        for position in range(positions):
            total = ZERO
            for slot in range(slots):
                value = activations[image, seen[position, slot]]
                presence[position, slot] = value
                total += even[position, slot] * value
            even_mass[position] = total
        to_means[:] = to_last_means[image]
        to_variances[:] = ZERO
        to_logits[:] = to_last_logits[image]
        for back in range(steps):
            step = steps - 1 - back
            scale = scales[step]
            for capsule in range(above):
                position, kind = capsule // types, capsule % types
                mean, spread = (
                    means[image, step, capsule],
                    variances[image, step, capsule],
                )
                share, cost = (
                    assignments[image, step, capsule],
                    costs[image, step, capsule],
                )
                mass = ZERO
                for slot in range(slots):
                    mass += share[slot] * presence[position, slot]
                to_logit = to_logits[capsule]
                to_cost = -scale * to_logit
                to_beta_a[kind] += scale * to_logit
                per_even = ONE / (even_mass[position] + EPSILON)
                logs = ZERO
                for number in range(POSE):
                    logs += np.float32(math.log(spread[number]))
                each = POSE * beta_u[kind] + HALF * logs
                to_each = to_cost * mass * per_even
                to_mass = to_cost * each * per_even
                to_even_mass = -to_cost * cost * per_even
                to_beta_u[kind] += POSE * to_each
                per_mass = ONE / (mass + EPSILON)
                for number in range(POSE):
                    own = (
                        to_variances[capsule, number] + HALF * to_each / spread[number]
                    )
                    if spread[number] <= floor:
                        own = ZERO  # where rounding was cut off
                    square = spread[number] - floor + mean[number] * mean[number]
                    to_mean = to_means[capsule, number] - 2 * mean[number] * own
                    first[step, capsule, number] = to_mean * per_mass
                    second[step, capsule, number] = own * per_mass
                    to_mass -= (to_mean * mean[number] + own * square) * per_mass
                to_share = to_shares[capsule]
                combine(
                    votes[capsule],
                    first[step, capsule],
                    second[step, capsule],
                    to_mass,
                    to_share,
                )
                to_present = to_presence[position]
                for slot in range(slots):
                    to_present[slot] += (
                        to_share[slot] * share[slot]
                        + to_even_mass * even[position, slot]
                    )
                present = presence[position]
                for slot in range(slots):
                    to_share[slot] *= present[slot]
            if step == 0:
                break
            to_votes = to_logits_of_votes[step]
            _unassign(assignments[image, step], to_shares, seen, types, sums, to_votes)
            for capsule in range(above):
                mean = means[image, step - 1, capsule]
                spread = variances[image, step - 1, capsule]
                total = moments_of(
                    to_votes[capsule], votes[capsule], by_first, by_second
                )
                logit = logits[image, step - 1, capsule]
                to_logits[capsule] = total / (ONE + np.float32(math.exp(logit)))
                for number in range(POSE):
                    precision = ONE / spread[number]
                    centre = mean[number]
                    once, twice = by_first[number], by_second[number]
                    squares = twice - 2 * centre * once + centre * centre * total
                    to_means[capsule, number] = (once - centre * total) * precision
                    to_variances[capsule, number] = (
                        HALF * precision * (squares * precision - total)
                    )
        for position in range(positions):
            present = presence[position]
            to_below[:] = ZERO
            for kind in range(types):
                capsule = position * types + kind
                change[:] = ZERO
                for step in range(steps):
                    share = assignments[image, step, capsule]
                    for slot in range(slots):
                        weights[slot] = share[slot] * present[slot]
                    for number in range(POSE):
                        by_second[number] = 2 * second[step, capsule, number]
                    add_outer(
                        weights, first[step, capsule], by_second, votes[capsule], change
                    )
                    if step:
                        for number in range(POSE):
                            precision = (
                                ONE / variances[image, step - 1, capsule, number]
                            )
                            by_second[number] = -precision
                            by_first[number] = (
                                means[image, step - 1, capsule, number] * precision
                            )
                        add_outer(
                            to_logits_of_votes[step, capsule],
                            by_first,
                            by_second,
                            votes[capsule],
                            change,
                        )
                pull_back(
                    change,
                    below[position],
                    transforms[kind],
                    to_below,
                    to_transforms[kind],
                )
            for slot in range(slots):
                child = seen[position, slot]
                to_activations[image, child] += to_presence[position, slot]
                for number in range(POSE):
                    to_poses[image, child, number] += to_below[number, slot]
