/**
 * Where capsules stand, which of them see which, and what they see of the input.
 * @import { Field } from "../../types.js"
 * @import { Above, Grid, LayerName, MatrixSizes, Place } from "./types.js"
 */
import { middleOf } from "../../convolution/field.js";

/** Pixels, or capsules, from one window to the next; `model/matrix/config.py`. */
export const CONV1_STRIDE = 2;
const CAPS1_STRIDE = 2;
const CAPS2_STRIDE = 1;

/** Rows, and columns, of a pose matrix. */
export const SIDE = 4;

/** Numbers in a pose matrix. */
export const POSE = SIDE ** 2;

/**
 * Rows, and columns, of Conv1's maps and of each layer's grid of capsules.
 * @param {MatrixSizes} sizes
 */
export function sidesOf({ image_size, kernel_size, capsule_kernel }) {
  const steps = CONV1_STRIDE * CAPS1_STRIDE;
  const least = CONV1_STRIDE * (capsule_kernel - 1) + kernel_size;
  const unread = (image_size - least) % steps;
  const conv1 = Math.floor((image_size - unread - kernel_size) / CONV1_STRIDE) + 1;
  const caps1 = Math.floor((conv1 - capsule_kernel) / CAPS1_STRIDE) + 1;
  const caps2 = Math.floor((caps1 - capsule_kernel) / CAPS2_STRIDE) + 1;
  return { conv1, primary: conv1, caps1, caps2, unread };
}

/**
 * How many types of capsules a layer has, on how large a grid. Classes have no grid: each
 * is a type at the one position there is.
 * @param {MatrixSizes} sizes
 * @param {LayerName | "classes"} layer
 * @returns {Grid}
 */
export function gridOf(sizes, layer) {
  if (layer === "classes") return { types: sizes.classes, side: 1 };
  return { types: sizes[`${layer}_types`], side: sidesOf(sizes)[layer] };
}

/** What the capsules of each layer vote for. */
export const ABOVE = /** @type {const} */ ({
  primary: "caps1",
  caps1: "caps2",
  caps2: "classes",
});

/** What votes for the capsules of each layer. */
export const BELOW = /** @type {const} */ ({
  caps1: "primary",
  caps2: "caps1",
  classes: "caps2",
});

/**
 * The windows through which a layer sees the capsules below it.
 * @param {MatrixSizes} sizes
 * @param {Above} above
 * @returns {{ size: number, stride: number }}
 */
export function windowsOf(sizes, above) {
  if (above === "classes") return { size: gridOf(sizes, "caps2").side, stride: 1 };
  const stride = above === "caps1" ? CAPS1_STRIDE : CAPS2_STRIDE;
  return { size: sizes.capsule_kernel, stride };
}

/**
 * The positions above whose windows hold a place below, row by row.
 * @param {MatrixSizes} sizes
 * @param {Above} above
 * @param {{ row: number, column: number }} place of a capsule below
 * @returns {{ row: number, column: number }[]} at least one, unless windows miss an edge
 */
export function positionsAbove(sizes, above, { row, column }) {
  const { size, stride } = windowsOf(sizes, above);
  const { side } = gridOf(sizes, above);
  const reaching = (/** @type {number} */ at) =>
    Array.from({ length: side }, (_, position) => position).filter(
      (position) => at >= position * stride && at < position * stride + size,
    );
  return reaching(row).flatMap((y) =>
    reaching(column).map((x) => ({ row: y, column: x })),
  );
}

/**
 * @param {Grid} grid
 * @param {number} capsule (type * side + row) * side + column
 * @returns {Place}
 */
export function placeIn({ side }, capsule) {
  const cell = capsule % side ** 2;
  return {
    type: Math.floor(capsule / side ** 2),
    row: Math.floor(cell / side),
    column: cell % side,
  };
}

/**
 * @param {Grid} grid
 * @param {Place} place
 * @returns {number} (type * side + row) * side + column
 */
export function numberOf({ side }, { type, row, column }) {
  return (type * side + row) * side + column;
}

/**
 * The patch of the input that reaches a capsule, or a pixel of Conv1.
 * @param {MatrixSizes} sizes
 * @param {LayerName | "conv1"} layer
 * @param {{ row: number, column: number }} place on its grid
 * @returns {Field}
 */
export function fieldOf(sizes, layer, { row, column }) {
  const { kernel_size: kernel, capsule_kernel: window } = sizes;
  const first = Math.ceil(sidesOf(sizes).unread / 2);
  const caps1 = CONV1_STRIDE * CAPS1_STRIDE;
  const caps1Size = kernel + (window - 1) * CONV1_STRIDE;
  const { size, step } = {
    conv1: { size: kernel, step: CONV1_STRIDE },
    primary: { size: kernel, step: CONV1_STRIDE },
    caps1: { size: caps1Size, step: caps1 },
    caps2: { size: caps1Size + (window - 1) * caps1, step: caps1 * CAPS2_STRIDE },
  }[layer];
  return { row: first + row * step, column: first + column * step, size };
}

/**
 * What is in focus before anything has been chosen: the middle of the first map and of
 * the first type of each layer, where there is ink to look at.
 * @param {MatrixSizes} sizes
 */
export function startingPlaces(sizes) {
  const sides = sidesOf(sizes);
  return {
    map: 0,
    pixel: middleOf(sides.conv1),
    centre: middleOf(sizes.image_size),
    primary: middleOf(sides.primary),
    caps1: middleOf(sides.caps1),
    caps2: middleOf(sides.caps2),
    entry: 0,
  };
}
