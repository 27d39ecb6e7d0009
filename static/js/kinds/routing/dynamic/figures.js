/**
 * What the pictures of dynamic routing are drawn from: each sum is computed from a run
 * once, when a picture that is on the screen first asks for it.
 * @import { Surgery } from "../types.js"
 * @import { RoutedTensors } from "./types.js"
 */
import { memoize, memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { giftsIn } from "../../../lib/statistics.js";
import { countedLengths } from "../surgery/changes.js";
import { couplingMoves, couplingSpread, unevenCapsules } from "./course.js";
import { evidenceOfCapsules, lengthsOverIterations, shareOfEnd } from "./sums.js";

/**
 * And what it was run under.
 * @typedef {{ tensors: RoutedTensors, ran: Surgery }} Run
 */

export const figuresOf = memoizeByObject(
  // The pass that a trace tells of; more of its tensors may come later.
  (/** @type {Run} */ { tensors }) => tensors.couplings,
  ({ tensors, ran }) => {
    const { couplings, capsules } = tensors;
    const counted = countedLengths(tensors.lengths, ran.silenced);

    const lengths = memoize(() => lengthsOverIterations(capsules));
    // The last end is none of the above, where the network has it.
    const last = couplings.shape.slice(-1)[0] - 1;
    const evidenceOf = (/** @type {number} */ step, /** @type {number} */ classIndex) =>
      evidenceOfCapsules(tensors, step, classIndex);

    return {
      /** Share of all length that goes to none of the above; NaN where there is no length. */
      none: memoizeByIndex((step) => shareOfEnd(couplings, counted, step, last)),
      /** What each capsule gives to one class's ‖s‖. */
      evidenceOf,
      /** What capsules add to one class and take from it, and how few add most. */
      gifts: (/** @type {number} */ step, /** @type {number} */ classIndex) =>
        giftsIn(evidenceOf(step, classIndex)),

      // Over the iterations.
      lengths,
      spread: memoizeByIndex((classIndex) => couplingSpread(couplings, classIndex)),
      /** How many capsules do not split evenly. */
      uneven: memoizeByIndex((step) => unevenCapsules(couplings, step)),
      /** How many capsules send one class more, or less, than in the iteration before. */
      moves: (/** @type {number} */ step, /** @type {number} */ classIndex) =>
        couplingMoves(couplings, classIndex, step),
    };
  },
);

/** @typedef {ReturnType<typeof figuresOf>} Figures */
