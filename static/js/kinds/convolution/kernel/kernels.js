/**
 * Kernels of one's own: squares of weights with an odd side, what they can begin with, what
 * can be done to them, and how they stand in a link.
 * @import { OwnKernel } from "../types.js"
 */
import { clamp, sum } from "../../../lib/arithmetic.js";
import {
  decodeFloat16,
  encodeFloat16,
  fromBase64,
  roundToFloat16,
  toBase64,
} from "../../../lib/encoding.js";

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
 * @param {OwnKernel} kernel @param {number} size
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
  const total = sum(weights.map(Math.abs));
  const scale = total === 0 ? 1 : 1 / total;
  return { size, weights: weights.map((weight) => weight * scale), bias };
}

/** @param {OwnKernel} a @param {OwnKernel} b */
export function sameKernel(a, b) {
  return (
    a.size === b.size &&
    a.bias === b.bias &&
    a.weights.every((weight, i) => weight === b.weights[i])
  );
}

/**
 * Whether a kernel finds horizontal edges: its rows differ in sign, its columns do not.
 * @param {OwnKernel} kernel
 */
export function findsHorizontalEdges({ size, weights }) {
  const half = (size - 1) / 2;
  let [above, below, across, all] = [0, 0, 0, 0];
  weights.forEach((weight, i) => {
    const row = Math.floor(i / size);
    if (row < half) above += weight;
    if (row > half) below += weight;
    across += weight * Math.sign((i % size) - half);
    all += Math.abs(weight);
  });
  return above * below < 0 && Math.abs(across) < all / 10;
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

/**
 * A weight from its place: steps down and right from the middle, the kernel's half (how
 * far it reaches from there) and its number of cells.
 * @typedef {(down: number, right: number, half: number, count: number) => number} Recipe
 */

/** @type {Readonly<Record<string, { title: string, recipe: Recipe }>>} */
const RECIPES = {
  vertical: { title: "Vertical edge", recipe: (_, right) => Math.sign(right) },
  horizontal: { title: "Horizontal edge", recipe: (down) => Math.sign(down) },
  diagonal: {
    title: "Diagonal edge",
    recipe: (down, right) => Math.sign(down + right),
  },
  box: { title: "Box blur", recipe: (_down, _right, _half, count) => 1 / count },
  gaussian: { title: "Gaussian blur", recipe: gaussian },
  sharpen: {
    title: "Sharpen",
    recipe: (down, right, half) =>
      2 * middle(down, right) - gaussian(down, right, half),
  },
  laplacian: {
    title: "Laplacian", // each pixel less the mean of its neighbours
    recipe: (down, right, _half, count) =>
      (count * middle(down, right) - 1) / (count - 1),
  },
  identity: { title: "Identity", recipe: middle },
};

/** @type {readonly { id: string, title: string }[]} */
export const PRESETS = Object.entries(RECIPES).map(([id, { title }]) => ({
  id,
  title,
}));

/**
 * @param {string} id one of `PRESETS`
 * @param {number} size
 * @returns {OwnKernel}
 */
export function preset(id, size) {
  const half = (size - 1) / 2;
  const weights = Array.from({ length: size * size }, (_, i) =>
    RECIPES[id].recipe(Math.floor(i / size) - half, (i % size) - half, half, size ** 2),
  );
  return kept({ size, weights, bias: 0 });
}

/**
 * @param {OwnKernel} kernel
 * @returns {string | null} the preset that it is; null when it is none
 */
export function presetOf(kernel) {
  const found = PRESETS.find(({ id }) => sameKernel(preset(id, kernel.size), kernel));
  return found?.id ?? null;
}

/** @param {number} down @param {number} right */
function middle(down, right) {
  return down === 0 && right === 0 ? 1 : 0;
}

/**
 * Near a Gaussian, and a product of rows of Pascal's triangle: 1 2 1, 1 4 6 4 1 …
 * @param {number} down @param {number} right @param {number} half
 */
function gaussian(down, right, half) {
  return (choose(2 * half, half + down) * choose(2 * half, half + right)) / 16 ** half;
}

/**
 * @param {number} all @param {number} some
 * @returns {number} in how many ways some can be chosen of all
 */
function choose(all, some) {
  let ways = 1;
  for (let i = 1; i <= some; i++) ways = (ways * (all - some + i)) / i;
  return ways;
}

/** @param {OwnKernel} kernel @returns {string} at most 219 characters */
export function packKernel({ bias, weights }) {
  const bits = [bias, ...weights].map(encodeFloat16);
  return toBase64(bits.flatMap((each) => [each & 255, each >> 8]));
}

/**
 * @param {string} text made by `packKernel`
 * @returns {OwnKernel | null} null when the text is not a packed kernel
 */
export function unpackKernel(text) {
  const bytes = fromBase64(text);
  const size = KERNEL_SIZES.find((each) => bytes?.length === 2 * (each ** 2 + 1));
  if (bytes === null || size === undefined) return null;
  const bits = Uint16Array.from(
    { length: size ** 2 + 1 },
    (_, i) => bytes[2 * i] | (bytes[2 * i + 1] << 8),
  );
  const [bias, ...weights] = decodeFloat16(bits);
  const isWithin = [bias, ...weights].every((value) => Math.abs(value) <= WEIGHT_LIMIT);
  return isWithin ? kept({ size, weights, bias }) : null;
}
