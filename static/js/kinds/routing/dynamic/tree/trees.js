/**
 * What the parse trees are drawn from: those of the class in focus and of the longest of the
 * others, in the iteration on show; and what feeds the chosen capsule.
 *
 * A capsule's numbers before squash are sums over the maps that it reads, s = Σ K a + bias, so
 * its length along its own direction is, too: ‖s‖ = Σ (s/‖s‖)·(K a) + (s/‖s‖)·bias. Every
 * map's share is exact, and negative where the map works against that direction.
 * @import { Field, Layer, Model, Tensor } from "../../../types.js"
 * @import { DeepKernels, DynamicRoom, DynamicScene as Scene, DynamicState } from "../types.js"
 * @import { Tree } from "./parts.js"
 */

import { fieldAt, ITSELF } from "../../../../geometry/windows.js";
import { ranked } from "../../../../lib/arithmetic.js";
import { roundingOf } from "../../../../lib/encoding.js";
import { memoize } from "../../../../lib/memoize.js";
import { addingUp, HALF, together } from "../../../../lib/precision.js";
import { belowOf, cutOf, orderOf, sourceOf } from "../../../capsules/source.js";
import { contributions } from "../../../convolution/reading.js";
import { FEEDING } from "../answers.js";
import { pairOf } from "../scene.js";
import { isOf } from "./kernels.js";
import { treesOf } from "./parts.js";

/** Maps that a tree shows. */
export const SHOWN = 6;

/**
 * One of the two trees.
 * @typedef {object} ClassTree
 * @property {Tree} tree
 * @property {number} classIndex
 * @property {string} name
 * @property {string} rivalName of the other tree's class
 * @property {number} length ‖v‖
 */

/** Capsules are summed up once for an iteration and a pair of classes. */
const treesIn = memoize(
  (
    /** @type {Scene["figures"]} */ figures,
    /** @type {number} */ step,
    /** @type {number} */ classIndex,
    /** @type {number} */ rival,
    /** @type {number} */ rows,
    /** @type {number} */ columns,
    /** @type {readonly string[]} */ names,
  ) => {
    const pair = [classIndex, rival];
    const [own, other] = pair.map((each) => figures.evidenceOf(step, each));
    return treesOf(own, other, { rows, columns }).map((tree, i) => ({
      tree: { ...tree, whole: figures.before(step, pair[i]) },
      classIndex: pair[i],
      name: names[pair[i]],
      rivalName: names[pair[1 - i]],
      length: figures.lengths()[pair[i]][step],
    }));
  },
);

/**
 * @param {Scene} scene
 * @returns {ClassTree[]} that of the class in focus and the other; the same while run and
 *   classes are
 */
export function treesOfScene(scene) {
  const { figures, step, grid, model } = scene;
  const { own, rival } = pairOf(scene, step);
  const { rows, columns } = grid;
  return treesIn(figures, step, own, rival, rows, columns, model.class_names);
}

/**
 * @typedef {object} Fed
 * @property {number} capsule
 * @property {ReturnType<typeof contributions>} sums what each map adds to ‖s‖
 * @property {number} length ‖s‖, as the trace says
 * @property {number} most how much of their difference half precision explains
 * @property {number[]} strongest the maps that add most, the first more than the second
 */

/**
 * @param {object} layer
 * @param {Tensor} layer.maps (maps, rows, columns), after ReLU
 * @param {Tensor} layer.pre (types, rows, columns, dim), s of all capsules
 * @param {DeepKernels} kernels of the capsule's type, one for each of its numbers
 * @param {number} capsule
 * @param {Field} window of the capsule on the maps
 * @returns {Fed | null} null where the capsule has no length
 */
export function fedOf({ maps, pre }, kernels, capsule, window) {
  const dim = pre.shape[3];
  const numbers = pre.data.subarray(capsule * dim, (capsule + 1) * dim);
  const length = Math.hypot(...numbers);
  if (length === 0) return null;
  const direction = Array.from(numbers, (value) => value / length);
  const along = alongOf(kernels, direction);
  const sums = contributions(maps, along, 0, window);
  const strongest = ranked(sums.shares)
    .slice(0, SHOWN)
    .filter((map) => sums.shares[map] > 0);
  const most = roundingIn(sums, along.spread, numbers);
  return { capsule, sums, length, most, strongest };
}

/**
 * How far the network's length can be from the sum, as maps, kernels and numbers were rounded.
 * @param {Fed["sums"]} sums @param {Float64Array} spread of the kernel
 * @param {Float32Array} numbers of the capsule
 */
function roundingIn({ windows, products }, spread, numbers) {
  let [squares, sizes] = [0, 0];
  products.forEach((product, i) => {
    squares += HALF ** 2 * (product ** 2 + windows[i] ** 2 * spread[i]);
    sizes += Math.abs(product);
  });
  for (const number of numbers) squares += roundingOf(number) ** 2;
  return together(squares) + addingUp(sizes);
}

/**
 * The one kernel that reads what a capsule's kernels read along a direction.
 * @param {DeepKernels} layer
 * @param {readonly number[]} direction of length 1, a number for each kernel
 * @returns {DeepKernels & { spread: Float64Array }} spread: of each weight, the squares of what
 *   it is the sum of, added up
 */
function alongOf({ kernels, bias }, direction) {
  const size = kernels.data.length / direction.length;
  const along = new Float32Array(size);
  const spread = new Float64Array(size);
  let offset = 0;
  direction.forEach((weight, number) => {
    const from = number * size;
    for (let i = 0; i < size; i++) {
      const part = weight * kernels.data[from + i];
      along[i] += part;
      spread[i] += part * part;
    }
    offset += weight * bias.data[number];
  });
  return {
    kernels: { shape: [1, ...kernels.shape.slice(1)], data: along },
    bias: { shape: [1], data: Float32Array.of(offset) },
    spread,
  };
}

const feed = memoize(
  (
    /** @type {Tensor} */ maps,
    /** @type {Tensor} */ pre,
    /** @type {NonNullable<DynamicState["kernels"]>} */ kernels,
    /** @type {number} */ capsule,
    /** @type {Layer} */ below,
    /** @type {Model} */ model,
  ) => {
    const cut = cutOf(below, model);
    const from = Array.from({ length: cut.numbers }, (_, number) =>
      sourceOf(orderOf(below), cut, capsule, number),
    );
    const window = fieldAt(below.window?.(model) ?? ITSELF, from[0]);
    return fedOf({ maps, pre }, kernelsOf(kernels, from), capsule, window);
  },
);

/**
 * Those of one capsule's numbers.
 * @param {NonNullable<DynamicState["kernels"]>} all or of its type
 * @param {readonly { map: number }[]} from
 * @returns {DeepKernels}
 */
function kernelsOf({ type, kernels, bias }, from) {
  if (type !== null) return { kernels, bias };
  const [count, ...sides] = kernels.shape;
  const size = kernels.data.length / count;
  const data = new Float32Array(from.length * size);
  from.forEach(({ map }, number) => {
    data.set(kernels.data.subarray(map * size, (map + 1) * size), number * size);
  });
  return {
    kernels: { shape: [from.length, ...sides], data },
    bias: {
      shape: [from.length],
      data: Float32Array.from(from, ({ map }) => bias.data[map]),
    },
  };
}

/**
 * What feeds the chosen capsule.
 * @param {Scene} scene @param {DynamicState["kernels"]} kernels
 * @param {DynamicRoom["layer"]} layer
 * @returns {Fed | null | "waiting"} null where it has no length; waiting while tensors or
 *   kernels are on their way
 */
export function fedIn({ more, capsule, place, model }, kernels, layer) {
  const [maps, pre] = FEEDING.map((role) => more[role]);
  const below = belowOf(layer);
  if (!maps || !pre || !below || !kernels || !isOf(kernels, place.type))
    return "waiting";
  return feed(maps, pre, kernels, capsule, below, model);
}
