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

from capsnet_explorer.model.matrix.compiled.loops import (
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
def _weigh(activations, seen, even, presence, even_mass):
    """Write each slot's activation (positions, slots), and its even mass (positions,).

    The even mass of a position is what its capsules would get of equal assignments.
    """
    positions, slots = seen.shape
    for position in range(positions):
        total = ZERO
        for slot in range(slots):
            value = activations[seen[position, slot]]
            presence[position, slot] = value
            total += even[position, slot] * value
        even_mass[position] = total


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
    even_mass = np.empty(positions, np.float32)
    weights = np.empty(slots, np.float32)
    largest = np.empty(poses.shape[1], np.float32)
    totals = np.empty(poses.shape[1], np.float32)
    for image in range(len(poses)):
        _form_all(poses[image], transforms, added, seen, below, votes)
        _weigh(activations[image], seen, even, presence, even_mass)
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
            for capsule in range(above):
                position, kind = capsule // types, capsule % types
                if step == 0:
                    shares[capsule] = even[position]
                for slot in range(slots):
                    weights[slot] = shares[capsule, slot] * presence[position, slot]
                cost, logit = _fit(
                    weights,
                    votes[capsule],
                    even_mass[position],
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
def _unfit(
    share,
    presence,
    even_mass,
    beta_u,
    floor,
    cost,
    mean,
    spread,
    to_cost,
    to_mean,
    to_spread,
    first,
    second,
):
    """Take gradients back through one capsule's M-step.

    Writes what it gives to the first and second moments, and returns the gradients of
    the capsule's mass, of its position's even mass, and of -Σ log of its density.
    """
    mass = ZERO
    for slot in range(len(share)):
        mass += share[slot] * presence[slot]
    per_even, per_mass = ONE / (even_mass + EPSILON), ONE / (mass + EPSILON)
    logs = ZERO
    for number in range(POSE):
        logs += np.float32(math.log(spread[number]))
    each = POSE * beta_u + HALF * logs
    to_each = to_cost * mass * per_even
    to_mass = to_cost * each * per_even
    for number in range(POSE):
        own = to_spread[number] + HALF * to_each / spread[number]
        if spread[number] <= floor:
            own = ZERO  # where rounding was cut off
        square = spread[number] - floor + mean[number] * mean[number]
        to_first = to_mean[number] - 2 * mean[number] * own
        first[number] = to_first * per_mass
        second[number] = own * per_mass
        to_mass -= (to_first * mean[number] + own * square) * per_mass
    return to_mass, -to_cost * cost * per_even, to_each


@njit(**OPTIONS)
def _unweigh(share, even, presence, to_even_mass, to_share, to_presence):
    """Take gradients back from one capsule's weights to assignments and presence."""
    for slot in range(len(share)):
        to_presence[slot] += to_share[slot] * share[slot] + to_even_mass * even[slot]
    for slot in range(len(share)):
        to_share[slot] *= presence[slot]


@njit(**OPTIONS)
def _undistance(
    to_votes, votes, mean, spread, logit, by_first, by_second, to_mean, to_spread
):
    """Take gradients back through one capsule's part of an E-step.

    Writes those of its mean and its variance, and returns that of its logit.
    """
    total = moments_of(to_votes, votes, by_first, by_second)
    for number in range(POSE):
        precision, centre = ONE / spread[number], mean[number]
        once, twice = by_first[number], by_second[number]
        squares = twice - 2 * centre * once + centre * centre * total
        to_mean[number] = (once - centre * total) * precision
        to_spread[number] = HALF * precision * (squares * precision - total)
    return total / (ONE + np.float32(math.exp(logit)))


@njit(**OPTIONS)
def _unfit_all(
    votes,
    presence,
    even_mass,
    even,
    beta_u,
    scale,
    floor,
    shares,
    means,
    variances,
    costs,
    to_means,
    to_variances,
    to_logits,
    first,
    second,
    to_shares,
    to_presence,
    to_beta_u,
    to_beta_a,
):
    """Take gradients back through one M-step, to its assignments and its inputs."""
    types = len(beta_u)
    for capsule in range(len(votes)):
        position, kind = capsule // types, capsule % types
        share, to_share = shares[capsule], to_shares[capsule]
        to_beta_a[kind] += scale * to_logits[capsule]
        to_mass, to_even_mass, to_each = _unfit(
            share,
            presence[position],
            even_mass[position],
            beta_u[kind],
            floor,
            costs[capsule],
            means[capsule],
            variances[capsule],
            -scale * to_logits[capsule],
            to_means[capsule],
            to_variances[capsule],
            first[capsule],
            second[capsule],
        )
        to_beta_u[kind] += POSE * to_each
        combine(votes[capsule], first[capsule], second[capsule], to_mass, to_share)
        _unweigh(
            share,
            even[position],
            presence[position],
            to_even_mass,
            to_share,
            to_presence[position],
        )


@njit(**OPTIONS)
def _unassign_all(
    votes,
    shares,
    means,
    variances,
    logits,
    seen,
    to_shares,
    sums,
    to_votes,
    to_means,
    to_variances,
    to_logits,
):
    """Take gradients back through one E-step, to the results of the M-step before."""
    _unassign(shares, to_shares, seen, len(votes) // len(seen), sums, to_votes)
    by_first, by_second = np.empty(POSE, np.float32), np.empty(POSE, np.float32)
    for capsule in range(len(votes)):
        to_logits[capsule] = _undistance(
            to_votes[capsule],
            votes[capsule],
            means[capsule],
            variances[capsule],
            logits[capsule],
            by_first,
            by_second,
            to_means[capsule],
            to_variances[capsule],
        )


@njit(**OPTIONS)
def _to_votes(
    votes,
    presence,
    assignments,
    means,
    variances,
    first,
    second,
    to_logits_of_votes,
    capsule,
    weights,
    by_first,
    by_second,
    change,
):
    """Write the gradient of one capsule's votes over all iterations: (16, slots)."""
    change[:] = ZERO
    for step in range(len(assignments)):
        share = assignments[step, capsule]
        for slot in range(len(share)):
            weights[slot] = share[slot] * presence[slot]
        for number in range(POSE):
            by_second[number] = 2 * second[step, capsule, number]
        add_outer(weights, first[step, capsule], by_second, votes, change)
        if step:
            for number in range(POSE):
                precision = ONE / variances[step - 1, capsule, number]
                by_second[number] = -precision
                by_first[number] = means[step - 1, capsule, number] * precision
            add_outer(
                to_logits_of_votes[step, capsule], by_first, by_second, votes, change
            )


@njit(**OPTIONS)
def _add_to_children(seen, to_presence, to_below, to_activations, to_poses):
    """Add the gradients of what one window sees to those of its children."""
    for slot in range(len(seen)):
        child = seen[slot]
        to_activations[child] += to_presence[slot]
        for number in range(POSE):
            to_poses[child, number] += to_below[number, slot]


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
    positions, above = len(seen), len(seen) * types
    votes = np.empty((above, POSE, slots), np.float32)
    below = np.empty((positions, POSE, slots), np.float32)
    presence = np.empty((positions, slots), np.float32)
    even_mass = np.empty(positions, np.float32)
    for image in range(len(poses)):
        _form_all(poses[image], transforms, added, seen, below, votes)
        _weigh(activations[image], seen, even, presence, even_mass)
        first, second, to_logits_of_votes, to_presence = _unroute(
            votes,
            presence,
            even_mass,
            seen,
            even,
            beta_u,
            scales,
            floor,
            assignments[image],
            means[image],
            variances[image],
            costs[image],
            logits[image],
            to_last_means[image],
            to_last_logits[image],
            poses.shape[1],
            to_beta_u,
            to_beta_a,
        )
        _to_inputs(
            votes,
            below,
            presence,
            assignments[image],
            means[image],
            variances[image],
            first,
            second,
            to_logits_of_votes,
            to_presence,
            transforms,
            seen,
            to_activations[image],
            to_poses[image],
            to_transforms,
        )


@njit(**OPTIONS)
def _unroute(
    votes,
    presence,
    even_mass,
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
    children,
    to_beta_u,
    to_beta_a,
):
    """Take gradients back through every iteration of one image, the last one first.

    Returns what each M-step gives to the first and second moments, both (iterations,
    above, 16), what each E-step gives to the log densities of the votes (iterations,
    above, slots), and the gradients of `presence`.
    """
    steps, above, slots = len(scales), len(votes), presence.shape[1]
    first = np.empty((steps, above, POSE), np.float32)
    second = np.empty((steps, above, POSE), np.float32)
    to_logits_of_votes = np.empty((steps, above, slots), np.float32)
    to_presence = np.zeros_like(presence)
    to_shares = np.empty((above, slots), np.float32)
    sums = np.empty(children, np.float32)
    to_means, to_logits = to_last_means.copy(), to_last_logits.copy()
    to_variances = np.zeros_like(to_means)
    for back in range(steps):
        step = steps - 1 - back
        _unfit_all(
            votes,
            presence,
            even_mass,
            even,
            beta_u,
            scales[step],
            floor,
            assignments[step],
            means[step],
            variances[step],
            costs[step],
            to_means,
            to_variances,
            to_logits,
            first[step],
            second[step],
            to_shares,
            to_presence,
            to_beta_u,
            to_beta_a,
        )
        if step == 0:
            break
        _unassign_all(
            votes,
            assignments[step],
            means[step - 1],
            variances[step - 1],
            logits[step - 1],
            seen,
            to_shares,
            sums,
            to_logits_of_votes[step],
            to_means,
            to_variances,
            to_logits,
        )
    return first, second, to_logits_of_votes, to_presence


@njit(**OPTIONS)
def _to_inputs(
    votes,
    below,
    presence,
    assignments,
    means,
    variances,
    first,
    second,
    to_logits_of_votes,
    to_presence,
    transforms,
    seen,
    to_activations,
    to_poses,
    to_transforms,
):
    """Add one image's gradients of activations, poses and transforms."""
    types, _, slots = transforms.shape
    weights = np.empty(slots, np.float32)
    change = np.empty((POSE, slots), np.float32)
    to_below = np.empty((POSE, slots), np.float32)
    by_first, by_second = np.empty(POSE, np.float32), np.empty(POSE, np.float32)
    for position in range(len(seen)):
        to_below[:] = ZERO
        for kind in range(types):
            capsule = position * types + kind
            _to_votes(
                votes[capsule],
                presence[position],
                assignments,
                means,
                variances,
                first,
                second,
                to_logits_of_votes,
                capsule,
                weights,
                by_first,
                by_second,
                change,
            )
            pull_back(
                change,
                below[position],
                transforms[kind],
                to_below,
                to_transforms[kind],
            )
        _add_to_children(
            seen[position], to_presence[position], to_below, to_activations, to_poses
        )
