/**
 * A tensor as the first part of a larger one, along each of its axes.
 * @import { Numbers } from "../../lib/safetensors.js"
 */

/** How many numbers a shape has. @param {readonly number[]} shape */
export const sizeOf = (shape) => shape.reduce((product, length) => product * length, 1);

/**
 * A tensor in a larger one that is 0 elsewhere.
 * @param {Numbers} tensor @param {readonly number[]} wide as many axes
 * @returns {Float32Array}
 */
export function widen({ shape, data }, wide) {
  const whole = new Float32Array(sizeOf(wide));
  for (const [from, to, length] of runs(shape, wide))
    for (let at = 0; at < length; at++) whole[to + at] = data[from + at];
  return whole;
}

/**
 * The first part of a tensor.
 * @param {Numbers} tensor @param {readonly number[]} shape as many axes, none longer
 * @returns {Numbers}
 */
export function narrow({ shape: wide, data }, shape) {
  if (sizeOf(wide) === sizeOf(shape)) return { shape, data };
  const part = new Float32Array(sizeOf(shape));
  for (const [to, from, length] of runs(shape, wide))
    for (let at = 0; at < length; at++) part[to + at] = data[from + at];
  return { shape, data: part };
}

/**
 * Numbers that lie beside each other in both: where they begin in the part and in the whole.
 * @param {readonly number[]} shape @param {readonly number[]} wide
 * @returns {Generator<[from: number, to: number, length: number]>}
 */
function* runs(shape, wide, from = 0, to = 0) {
  if (shape.length < 2) return yield [from, to, sizeOf(shape)];
  const [count, ...rest] = shape;
  const [, ...restOfWide] = wide;
  const [step, stepOfWide] = [sizeOf(rest), sizeOf(restOfWide)];
  for (let at = 0; at < count; at++)
    yield* runs(rest, restOfWide, from + at * step, to + at * stepOfWide);
}
