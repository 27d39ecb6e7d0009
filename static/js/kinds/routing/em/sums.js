/**
 * What routing comes to, in numbers: masses, shares, distances and entropies, and the
 * terms of one capsule's cost and of one child's responsibilities.
 * @import { Rival, Routed } from "./routed.js"
 */
import { sum } from "../../../lib/arithmetic.js";
import { roundingOf } from "../../../lib/encoding.js";
import { addingUp, together } from "../../../lib/precision.js";
import { POSE } from "../../matrices.js";

const EPSILON = 1e-8; // of `model/layers/em.py`

/**
 * Σ_i R_ij a_i of a capsule above.
 * @param {Routed} routed
 * @param {number} step 0 first
 * @param {number} parent
 */
function massOf(routed, step, parent) {
  return sum(weightsOf(routed, step, parent));
}

/**
 * The share of the children's votes that each capsule above gets, whatever the children's
 * activations.
 * @param {Routed} routed @param {number} step
 * @returns {number[]} one for each parent
 */
export function voteShares(routed, step) {
  const { parents, children } = routed;
  const shares = routed.assignments(step);
  const sums = Array.from({ length: parents }, () => 0);
  shares.forEach((share, i) => {
    sums[i % parents] += share;
  });
  return sums.map((sum) => sum / children.length);
}

/**
 * How far each child's vote lies from a capsule's mean, ‖V_ij − μ_j‖.
 * @param {Routed} routed @param {number} step @param {number} parent
 * @returns {Float64Array} (children)
 */
export function distancesOf({ votes, children, means }, step, parent) {
  const mean = means(step, parent);
  return Float64Array.from(children, (_, child) => {
    const from = (parent * children.length + child) * POSE;
    let sum = 0;
    for (let h = 0; h < POSE; h++) sum += (votes[from + h] - mean[h]) ** 2;
    return Math.sqrt(sum);
  });
}

/**
 * What each child's vote counts for a capsule above, R_ij a_i.
 * @param {Routed} routed @param {number} step @param {number} parent
 * @returns {Float64Array} (children)
 */
export function weightsOf({ assignments, presence, parents }, step, parent) {
  const shares = assignments(step);
  return Float64Array.from(
    presence,
    (activation, child) => activation * shares[child * parents + parent],
  );
}

/**
 * One of the 16 numbers of a capsule above, from votes and weights (Procedure 1, M-step,
 * lines 3 and 4).
 * @typedef {object} Entry
 * @property {number} mass
 * @property {number} weighted Σ_i R_ij a_i V_ij
 * @property {number} mean μ
 * @property {number} variance without the floor
 * @property {number} deviation σ, floor included
 * @property {{ mean: number, deviation: number }} most how far the network's can be off, as
 *   assignments and votes were rounded to half precision
 */

/**
 * @param {Routed} routed @param {number} step @param {number} parent
 * @param {number} entry 0 to 15
 * @returns {Entry}
 */
export function entryOf(routed, step, parent, entry) {
  const { presence, parents, floor } = routed;
  const shares = routed.assignments(step);
  const weights = weightsOf(routed, step, parent);
  const mass = sum(weights);
  const votes = weights.map(
    (_, child) => routed.votes[(parent * weights.length + child) * POSE + entry],
  );
  const over = (/** @type {(vote: number, child: number) => number} */ term) =>
    votes.reduce((all, vote, child) => all + term(vote, child), 0);
  const all = mass + EPSILON;
  const weighted = over((vote, child) => weights[child] * vote);
  const squares = over((vote, child) => weights[child] * vote * vote) / all;
  const mean = weighted / all;
  const variance = Math.max(0, squares - mean * mean);
  const deviation = Math.sqrt(variance + floor);
  let [means, variances] = [0, 0];
  votes.forEach((vote, child) => {
    const weight = weights[child] / all;
    const share =
      (roundingOf(shares[child * parents + parent]) * presence[child]) / all;
    const away = vote - mean;
    means += (share * away) ** 2 + (weight * roundingOf(vote)) ** 2;
    variances +=
      (share * (away * away - variance)) ** 2 +
      (2 * weight * away * roundingOf(vote)) ** 2;
  });
  const size = over((vote, child) => weights[child] * Math.abs(vote)) / all;
  const spread = together(variances) + addingUp(squares);
  return {
    mass,
    weighted,
    mean,
    variance,
    deviation,
    most: {
      mean: together(means) + addingUp(size),
      // A variance of nearly nothing can be all rounding.
      deviation: deviation - Math.sqrt(Math.max(0, deviation * deviation - spread)),
    },
  };
}

/**
 * The mean distance of the votes to a capsule's mean, weighted by what they count.
 * @param {Routed} routed @param {number} step @param {number} parent
 * @returns {number} not a number where nothing counts
 */
export function meanDistance(routed, step, parent) {
  const distances = distancesOf(routed, step, parent);
  const weights = weightsOf(routed, step, parent);
  const total = sum(weights);
  return weights.reduce((sum, weight, i) => sum + weight * distances[i], 0) / total;
}

/**
 * How undecided the children are: the mean entropy of their assignments, as a share of the
 * most there can be, where all capsules above that see a child get the same.
 * @param {Routed} routed @param {number} step
 * @returns {number} 1 when even, 0 when each child gives all to one
 */
export function undecided({ row, children }, step) {
  let sum = 0;
  for (let child = 0; child < children.length; child++) {
    const rivals = row(0, child).reduce((count, share) => count + Number(share > 0), 0);
    if (rivals < 2) continue;
    const bits = row(step, child).reduce(
      (total, share) => total - (share > 0 ? share * Math.log2(share) : 0),
      0,
    );
    sum += Math.min(1, bits / Math.log2(rivals)); // rounding can lift it a hair above
  }
  return sum / children.length;
}

/**
 * How a capsule's cost and activation come about (Procedure 1, M-step, lines 5 and 6).
 * @typedef {object} Cost
 * @property {number} mass Σ_i R_ij a_i
 * @property {number} even what even assignments would give
 * @property {number[]} logs log σ^h, for each of the 16 entries
 * @property {number} betaU
 * @property {number} entryCost Σ_h (β_u + log σ^h)
 * @property {number} cost mass / even × entryCost
 * @property {number} betaA
 * @property {number} lambda
 * @property {number} logit λ (β_a − cost)
 * @property {number} activation its logistic function
 */

/**
 * @param {Routed} routed @param {number} step @param {number} parent
 * @returns {Cost}
 */
export function costOf(routed, step, parent) {
  const mass = massOf(routed, step, parent);
  const even = massOf(routed, 0, parent);
  const logs = Array.from(routed.deviations(step, parent), Math.log);
  const betaU = routed.betaU(parent);
  const entryCost = logs.reduce((sum, log) => sum + betaU + log, 0);
  const cost = (mass / (even + EPSILON)) * entryCost;
  const betaA = routed.betaA(parent);
  const lambda = routed.lambda(step);
  const logit = lambda * (betaA - cost);
  const activation = 1 / (1 + Math.exp(-logit));
  return { mass, even, logs, betaU, entryCost, cost, betaA, lambda, logit, activation };
}

/**
 * The activation that an iteration would give if assignments were even, as they are in the
 * first: its cost is that of the first, its λ is its own.
 * @param {Routed} routed @param {number} step @param {number} parent
 */
export function evenActivation(routed, step, parent) {
  const { cost, betaA } = costOf(routed, 0, parent);
  return 1 / (1 + Math.exp(-routed.lambda(step) * (betaA - cost)));
}

/**
 * A rival's claim on a child (Procedure 1, E-step), in logarithms.
 * @typedef {object} Claim
 * @property {number} parent its number at this position; -1 elsewhere
 * @property {number} activation log a_j
 * @property {number} distance ½ Σ_h ((V − μ) / σ)²
 * @property {number} logs Σ_h log σ^h
 * @property {number} total log a_j − distance − logs; log p lacks −8 log 2π, which is the
 *   same for all
 * @property {number} share R_ij, its part of all claims
 */

/**
 * What the E-step after an iteration assigns of one child.
 * @param {Routed} routed
 * @param {number} step after which iteration, 0 first
 * @param {number} child
 * @returns {Claim[]} of all capsules above that see the child
 */
export function claimsOn(routed, step, child) {
  const claims = routed.rivals(child).map((rival) => claimOf(rival, step));
  const most = Math.max(...claims.map(({ total }) => total));
  const sum = claims.reduce((all, { total }) => all + Math.exp(total - most), 0);
  return claims.map((claim) => ({
    ...claim,
    share: Math.exp(claim.total - most) / sum,
  }));
}

/** @param {Rival} rival @param {number} step @returns {Omit<Claim, "share">} */
function claimOf({ parent, vote, fit }, step) {
  const { mean, deviation, activation } = fit(step);
  let [distance, logs] = [0, 0];
  for (let h = 0; h < POSE; h++) {
    distance += ((vote[h] - mean[h]) / deviation[h]) ** 2 / 2;
    logs += Math.log(deviation[h]);
  }
  // An activation that rounds to 0 would claim minus infinity.
  const log = Math.log(Math.max(activation, Number.MIN_VALUE));
  return { parent, activation: log, distance, logs, total: log - distance - logs };
}
