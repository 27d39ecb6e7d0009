/**
 * What routing comes to over its iterations, in numbers that networks share.
 * @import { RoutingCourse, Tensor } from "../types.js"
 */
import { ranked } from "../lib/arithmetic.js";

/**
 * @param {Tensor} tensor (iterations, capsules below, …, classes)
 * @returns {number[][]} [class][iteration], the mean over the capsules below
 */
export function meansByClass(tensor) {
  return byClass(tensor, (values) => {
    let sum = 0;
    for (const value of values) sum += value;
    return sum / values.length;
  });
}

/**
 * @param {Tensor} tensor (iterations, capsules below, …, classes)
 * @returns {number[][]} [class][iteration], the largest of the capsules below
 */
export function largestByClass(tensor) {
  return byClass(tensor, (values) =>
    values.reduce((most, value) => Math.max(most, value)),
  );
}

/**
 * @param {Tensor} tensor (iterations, …, classes)
 * @param {(values: Float32Array) => number} figure of all values of a class in an iteration
 */
function byClass({ shape, data }, figure) {
  const [iterations] = shape;
  const classes = shape[shape.length - 1];
  const values = new Float32Array(data.length / iterations / classes);
  return Array.from({ length: classes }, (_, digit) =>
    Array.from({ length: iterations }, (_, step) => {
      const from = step * values.length * classes + digit;
      for (let i = 0; i < values.length; i++) values[i] = data[from + i * classes];
      return figure(values);
    }),
  );
}

/**
 * @param {readonly number[][]} values [class][iteration]
 * @param {number} step
 * @returns {number[]} classes, that with the largest value first
 */
export function rankedAt(values, step) {
  return ranked(values.map((each) => each[step]));
}

/** @param {Pick<RoutingCourse, "scores">} course */
export function lastOf({ scores }) {
  return scores[0].length - 1;
}

/**
 * The iteration from which on the class that is read in the end leads all others.
 * @param {Pick<RoutingCourse, "scores">} course
 * @returns {number} 0 first
 */
export function leadsSince({ scores }) {
  let since = scores[0].length - 1;
  const [winner] = rankedAt(scores, since);
  while (since > 0 && rankedAt(scores, since - 1)[0] === winner) since--;
  return since;
}
