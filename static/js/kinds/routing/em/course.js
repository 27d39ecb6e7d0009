/**
 * What changes over the iterations, each figure worked out when it is first asked for.
 * @import { Routed } from "./routed.js"
 */
import { memoize } from "../../../lib/memoize.js";
import { meanDistance, undecided, voteShares } from "./sums.js";

/** @param {Routed} routed */
export function courseOf(routed) {
  const steps = Array.from({ length: routed.iterations }, (_, step) => step);
  const parents = Array.from({ length: routed.parents }, (_, parent) => parent);
  /** @param {(step: number, parent: number) => number} figure */
  const byParent = (figure) =>
    memoize(() => parents.map((parent) => steps.map((step) => figure(step, parent))));
  const shares = memoize(() => steps.map((step) => voteShares(routed, step)));
  return {
    /** [parent][iteration] */
    activations: byParent(routed.activation),
    costs: byParent(routed.cost),
    /** Shares of all votes. */
    shares: byParent((step, parent) => shares()[step][parent]),
    /** Mean distance of its votes to its mean, weighted by what they count. */
    distances: byParent((step, parent) => meanDistance(routed, step, parent)),
    /** [iteration] in 0..1 */
    undecided: memoize(() => steps.map((step) => undecided(routed, step))),
  };
}

/** @typedef {ReturnType<typeof courseOf>} Course */
