/**
 * What types give to one class, as arrows in a plane that, laid end to end, are the weighted
 * sum of the votes, s, in each iteration.
 *
 * Across is the direction of the class's capsule v after the last iteration. Up is the
 * direction at right angles to it along which these arrows, squared and summed, are longest.
 */
import { dot } from "../../../lib/arithmetic.js";
import { projected } from "../../../lib/principal.js";
import { planeOf } from "../plane.js";

const MOST = 5; // types by themselves

/** A vector for each type, in each iteration. @typedef {readonly (readonly Float64Array[])[]} Given */

/**
 * @typedef {object} Chain
 * @property {readonly number[]} types that have an arrow each; all others have one
 * @property {readonly Float32Array[]} arrows by iteration: (types and 1, 2)
 * @property {readonly (readonly number[])[]} lengths by iteration, of the same, in all numbers
 * @property {readonly number[]} sums ‖s‖ by iteration
 * @property {number} kept share of the arrows' squared lengths that the plane keeps, 0 to 1
 */

/**
 * The types that give most to a class after the last iteration, at most five.
 * @param {Given} vectors @param {ArrayLike<number>} pose v of the class then
 */
export function strongestTypes(vectors, pose) {
  const last = vectors[vectors.length - 1];
  const along = last.map((vector) => dot(vector, pose));
  return [...along.keys()]
    .filter((type) => along[type] > 0)
    .sort((a, b) => along[b] - along[a])
    .slice(0, MOST);
}

/**
 * @param {Given} steps @param {Float32Array} pose v of the class after the last iteration
 * @param {readonly number[]} types that have an arrow each
 * @returns {Chain}
 */
export function chainOf(steps, pose, types) {
  const rows = steps.map((vectors) => {
    const others = vectors.filter((_, type) => !types.includes(type));
    return [...types.map((type) => vectors[type]), sumOf(others, pose.length)];
  });
  const all = rows.flat();
  const plane = planeOf(Float32Array.from(all.flatMap((row) => [...row])), pose);
  const arrows = rows.map((row) =>
    projected(
      row.flatMap((row) => [...row]),
      plane,
    ),
  );
  const squares = all.reduce((sum, row) => sum + dot(row, row), 0);
  const drawn = arrows.reduce((sum, points) => sum + dot(points, points), 0);
  return {
    types,
    arrows,
    lengths: rows.map((row) => row.map((row) => Math.hypot(...row))),
    sums: steps.map((vectors) => Math.hypot(...sumOf(vectors, pose.length))),
    kept: squares > 0 ? drawn / squares : 1,
  };
}

/** @param {readonly Float64Array[]} vectors @param {number} dim */
function sumOf(vectors, dim) {
  const sum = new Float64Array(dim);
  for (const vector of vectors) for (let d = 0; d < dim; d++) sum[d] += vector[d];
  return sum;
}
