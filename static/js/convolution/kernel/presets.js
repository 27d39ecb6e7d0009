/**
 * Kernels to begin with, for every size.
 * @import { OwnKernel } from "../types.js"
 */
import { kept, sameKernel } from "./changes.js";

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

/**
 * @param {number} down
 * @param {number} right
 */
function middle(down, right) {
  return down === 0 && right === 0 ? 1 : 0;
}

/**
 * Near a Gaussian, and a product of rows of Pascal's triangle: 1 2 1, 1 4 6 4 1 …
 * @param {number} down
 * @param {number} right
 * @param {number} half
 */
function gaussian(down, right, half) {
  return (choose(2 * half, half + down) * choose(2 * half, half + right)) / 16 ** half;
}

/**
 * @param {number} all
 * @param {number} some
 * @returns {number} in how many ways some can be chosen of all
 */
function choose(all, some) {
  let ways = 1;
  for (let i = 1; i <= some; i++) ways = (ways * (all - some + i)) / i;
  return ways;
}
