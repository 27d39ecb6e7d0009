/** What of two readings is compared: a class's pose, and what is assigned to it. */
import { sum } from "../../../lib/arithmetic.js";

/** A capsule that is more active than this is said to be active. */
export const ACTIVE = 0.5;

/**
 * What one image has of a class after the last iteration.
 * @typedef {object} Reading
 * @property {Float32Array} assignments R of each Caps2 capsule to the class
 * @property {Float32Array} given R·a of each, what its vote counts
 */

/**
 * @param {import("../../../types.js").TraceOf<"routing.assignments" | "caps2.activations">} trace
 * @param {number} digit
 * @returns {Reading}
 */
export function readingOf({ tensors }, digit) {
  const { data: presence } = tensors["caps2.activations"];
  const { shape, data } = tensors["routing.assignments"];
  const [iterations] = shape;
  const classes = shape[shape.length - 1];
  const first = (iterations - 1) * presence.length * classes;
  const assignments = presence.map((_, child) => data[first + child * classes + digit]);
  return {
    assignments,
    given: presence.map((each, child) => each * assignments[child]),
  };
}

/**
 * @param {ArrayLike<number>} kept activations
 * @param {ArrayLike<number>} shown as many
 * @returns {{ both: number, kept: number, shown: number, none: number }} how many are
 *   active for both images, for one alone, for none
 */
export function countActive(kept, shown) {
  const counts = { both: 0, kept: 0, shown: 0, none: 0 };
  for (let i = 0; i < kept.length; i++) {
    const [was, is] = [kept[i] > ACTIVE, shown[i] > ACTIVE];
    counts[was && is ? "both" : was ? "kept" : is ? "shown" : "none"]++;
  }
  return counts;
}

/**
 * @param {ArrayLike<number>} values (types × cells)
 * @param {number} types
 * @returns {number[]} (types)
 */
export function sumsByType(values, types) {
  const cells = values.length / types;
  return Array.from({ length: types }, (_, type) =>
    sum(Array.from(values).slice(type * cells, (type + 1) * cells)),
  );
}
