/**
 * Kernels of one's own: squares of weights with an odd side, and what can be done to them.
 * @import { OwnKernel } from "../types.js"
 */
import { clamp } from "../../lib/arithmetic.js";
import { roundToFloat16 } from "../../lib/encoding.js";

export const KERNEL_SIZES = /** @type {const} */ ([3, 5, 7, 9]);

/** No weight and no bias is larger, either way. */
export const WEIGHT_LIMIT = 16;

/**
 * A kernel as it can be kept: weights and bias in half precision, as the network's own
 * are, and within the limit.
 * @param {OwnKernel} kernel
 * @returns {OwnKernel}
 */
export function kept({ size, weights, bias }) {
  return { size, weights: weights.map(keptWeight), bias: keptWeight(bias) };
}

/** @param {number} weight */
function keptWeight(weight) {
  const within = clamp(weight, -WEIGHT_LIMIT, WEIGHT_LIMIT);
  return roundToFloat16(within) + 0; // no minus zero
}

/**
 * The same weights around the same middle, cut off or with zeros around.
 * @param {OwnKernel} kernel
 * @param {number} size
 * @returns {OwnKernel}
 */
export function resized(kernel, size) {
  const shift = (kernel.size - size) / 2;
  const isInside = (/** @type {number} */ at) => at >= 0 && at < kernel.size;
  return {
    size,
    weights: Array.from({ length: size * size }, (_, i) => {
      const [row, column] = [Math.floor(i / size) + shift, (i % size) + shift];
      const isKept = isInside(row) && isInside(column);
      return isKept ? kernel.weights[row * kernel.size + column] : 0;
    }),
    bias: kernel.bias,
  };
}

/**
 * Weights moved to other cells.
 * @param {OwnKernel} kernel
 * @param {(row: number, column: number, last: number) => readonly [number, number]} from
 *   the cell whose weight comes to a cell; `last`: the last row, and column
 * @returns {OwnKernel}
 */
function moved({ size, weights, bias }, from) {
  const all = weights.map((_, i) => {
    const [row, column] = from(Math.floor(i / size), i % size, size - 1);
    return weights[row * size + column];
  });
  return { size, weights: all, bias };
}

/** @param {OwnKernel} kernel */
export const turned = (kernel) =>
  moved(kernel, (row, column, last) => [last - column, row]);

/** @param {OwnKernel} kernel left for right */
export const mirrored = (kernel) =>
  moved(kernel, (row, column, last) => [row, last - column]);

/** @param {OwnKernel} kernel top for bottom */
export const flipped = (kernel) =>
  moved(kernel, (row, column, last) => [last - row, column]);

/**
 * Every sign changed, that of the bias too: the map before ReLU is turned over.
 * @param {OwnKernel} kernel
 * @returns {OwnKernel}
 */
export function negated({ size, weights, bias }) {
  return { size, weights: weights.map((weight) => -weight), bias: -bias };
}

/**
 * Scaled so that the magnitudes of the weights sum to 1: no sum of products is then
 * beyond 1, because no pixel is. Nothing but zeros stays as it is.
 * @param {OwnKernel} kernel
 * @returns {OwnKernel}
 */
export function normalized({ size, weights, bias }) {
  const sum = weights.reduce((total, weight) => total + Math.abs(weight), 0);
  const scale = sum === 0 ? 1 : 1 / sum;
  return { size, weights: weights.map((weight) => weight * scale), bias };
}

/**
 * @param {OwnKernel} a
 * @param {OwnKernel} b
 */
export function sameKernel(a, b) {
  return (
    a.size === b.size &&
    a.bias === b.bias &&
    a.weights.every((weight, i) => weight === b.weights[i])
  );
}

/**
 * A weight in as few digits as tell it from every other that half precision can hold.
 * @param {number} weight
 */
export function weightText(weight) {
  for (let digits = 1; digits < 5; digits++) {
    const text = String(Number(weight.toPrecision(digits)));
    if (roundToFloat16(Number(text)) === weight) return text;
  }
  return String(Number(weight.toPrecision(5)));
}

/**
 * @param {string} text as typed: with a point or a comma, with any minus
 * @returns {number | null} null when it is no weight
 */
export function readWeight(text) {
  const plain = text.trim().replace(",", ".").replace("\u2212", "-");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  const value = Number(plain);
  return Math.abs(value) <= WEIGHT_LIMIT ? value : null;
}
