/**
 * When a task of the guide is done: rules that read the state and nothing else.
 * @import { NetworkState } from "../../types.js"
 * @import { CapsNet } from "./types.js"
 */

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
};
