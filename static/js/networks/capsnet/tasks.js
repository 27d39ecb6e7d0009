/**
 * When a task of the guide is done: rules that read the state and nothing else.
 * @import { NetworkState } from "../../types.js"
 * @import { CapsNet } from "./types.js"
 */
import { evidenceOfCapsules } from "./routing/evidence.js";

/** @typedef {NetworkState<CapsNet>} State */
/** @typedef {{ digit: number | null, than: number | null }} Asked what the task says */

/** @type {Record<string, (state: State, asked: Asked) => boolean>} */
export const tasks = {
  /** The chosen capsule is one that somebody chose, longer than said. */
  "long-capsule"({ trace, capsule, followsStrongest }, { than }) {
    const lengths = trace?.tensors["primary.lengths"]?.data;
    if (lengths === undefined || followsStrongest) return false;
    return lengths[capsule] > (than ?? 0);
  },

  /** One's own kernel finds horizontal edges: its rows differ in sign, its columns do not. */
  "horizontal-edge"({ conv1, kernel }) {
    const { size, weights } = kernel;
    const half = (size - 1) / 2;
    let [above, below, across, all] = [0, 0, 0, 0];
    weights.forEach((weight, i) => {
      const row = Math.floor(i / size);
      if (row < half) above += weight;
      if (row > half) below += weight;
      across += weight * Math.sign((i % size) - half);
      all += Math.abs(weight);
    });
    return conv1.shown === "own" && above * below < 0 && Math.abs(across) < all / 10;
  },

  /** The chosen capsule gives the digit in focus more than any other. */
  "gives-most"({ trace, capsule, digit, followsStrongest }, asked) {
    const routing = routingOf(trace);
    if (routing === null || followsStrongest || digit !== asked.digit) return false;
    const last = routing.couplings.shape[0] - 1;
    return indexOfMost(evidenceOfCapsules(routing, last, asked.digit ?? 0)) === capsule;
  },

  /** With types silent, and nothing else changed, the network answers with another digit. */
  "silenced-away"({ operated, pixels, surgery }, { digit }) {
    const lengths = operated?.tensors["digits.lengths"]?.data;
    const isOwn = operated?.pixels === pixels && operated.surgery === surgery;
    const isOnly = surgery.routing === "agreement" && surgery.pins.length === 0;
    if (lengths === undefined || !isOwn || !isOnly) return false;
    return surgery.silenced.length > 0 && indexOfMost(lengths) !== digit;
  },

  /** The iteration on show is the last one that runs. */
  "last-iteration": ({ step, iterations }) => step === iterations,
};

/**
 * @param {State["trace"]} trace
 * @returns {Parameters<typeof evidenceOfCapsules>[0] | null}
 */
function routingOf(trace) {
  const couplings = trace?.tensors["routing.couplings"];
  const agreement = trace?.tensors["routing.agreement"];
  const capsules = trace?.tensors["routing.capsules"];
  return couplings && agreement && capsules ? { couplings, agreement, capsules } : null;
}

/** @param {ArrayLike<number>} values */
function indexOfMost(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
