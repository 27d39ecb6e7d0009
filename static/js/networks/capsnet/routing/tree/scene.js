/**
 * What the parse trees are drawn from: those of the digit in focus and of the longest of
 * the others, after the last iteration of the run on show.
 * @import { CapsNetSizes, PrimaryKernels } from "../../types.js"
 * @import { Tensor } from "../../../../types.js"
 * @import { Figures } from "../figures.js"
 * @import { Scene } from "../scene.js"
 * @import { Tree } from "./parts.js"
 * @import { Fed } from "./fed.js"
 */
import { memoize } from "../../../../lib/memoize.js";
import { windowOfCapsule } from "../../places.js";
import { sizesOf } from "../../state.js";
import { FEEDING } from "../../wants.js";
import { gridOf, rivalOf } from "../where/sums.js";
import { fedOf } from "./fed.js";
import { treesOf } from "./parts.js";

/**
 * Whose trees are shown.
 * @typedef {object} Pair
 * @property {number} own the digit in focus
 * @property {number} rival the longest of the others after the last iteration
 * @property {boolean} isAhead whether the digit in focus is at least as long as that
 */

/**
 * One of the two trees.
 * @typedef {object} DigitTree
 * @property {Tree} tree
 * @property {number} digit
 * @property {string} name
 * @property {string} rivalName of the other tree's digit
 * @property {number} length ‖v‖
 */

/**
 * @param {Scene} scene
 * @returns {Pair}
 */
export function pairOf(scene) {
  const last = scene.iterations - 1;
  const rival = rivalOf({ ...scene, step: last });
  const lengths = scene.figures.lengths();
  const isAhead = lengths[scene.digit][last] >= lengths[rival][last];
  return { own: scene.digit, rival, isAhead };
}

/** Capsules are summed up once for a run and a pair of digits. */
const treesIn = memoize(
  (
    /** @type {Figures} */ figures,
    /** @type {number} */ step,
    /** @type {number} */ digit,
    /** @type {number} */ rival,
    /** @type {number} */ rows,
    /** @type {number} */ columns,
    /** @type {readonly string[]} */ names,
  ) => {
    const [own, other] = [digit, rival].map((each) => figures.evidenceOf(step, each));
    const trees = treesOf(own, other, { rows, columns });
    return [digit, rival].map((each, i, pair) => ({
      tree: trees[i],
      digit: each,
      name: names[each],
      rivalName: names[pair[1 - i]],
      length: figures.lengths()[each][step],
    }));
  },
);

/**
 * @param {Scene} scene
 * @returns {[own: DigitTree, rival: DigitTree]} the same while run and digits are
 */
export function treesOfScene(scene) {
  const { figures, iterations, model } = scene;
  const { own, rival } = pairOf(scene);
  const { rows, columns } = gridOf(scene);
  const last = iterations - 1;
  const trees = treesIn(figures, last, own, rival, rows, columns, model.class_names);
  return [trees[0], trees[1]];
}

const feed = memoize(
  (
    /** @type {Tensor} */ maps,
    /** @type {Tensor} */ pre,
    /** @type {PrimaryKernels} */ kernels,
    /** @type {number} */ capsule,
    /** @type {number} */ row,
    /** @type {number} */ column,
    /** @type {CapsNetSizes} */ sizes,
  ) => fedOf({ maps, pre }, kernels, capsule, windowOfCapsule(sizes, row, column)),
);

/**
 * What feeds the chosen capsule.
 * @param {Scene} scene
 * @param {PrimaryKernels | null} kernels
 * @returns {Fed | null | "waiting"} null where it has no length; waiting while tensors or
 *   kernels are on their way
 */
export function fedIn({ trace, more, intact, capsule, place, model }, kernels) {
  // Surgery changes neither layer, so either run has them.
  const others = intact.pixels === trace.pixels ? intact.tensors : {};
  const [maps, pre] = FEEDING.map((name) => more[name] ?? others[name]);
  if (!maps || !pre || kernels?.type !== place.type) return "waiting";
  return feed(maps, pre, kernels, capsule, place.row, place.column, sizesOf(model));
}
