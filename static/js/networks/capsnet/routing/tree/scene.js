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
import { onceUntilChanged } from "../../../../lib/once.js";
import { windowOfCapsule } from "../../places.js";
import { sizesOf } from "../../state.js";
import { FEEDING } from "../../wants.js";
import { gridOf, rivalOf } from "../where/sums.js";
import { fedOf } from "./fed.js";
import { treesOf } from "./parts.js";

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
 * @typedef {object} TreeScene
 * @property {Scene} scene
 * @property {[own: DigitTree, rival: DigitTree]} trees
 * @property {boolean} isAhead whether the digit in focus is at least as long as the other
 */

/** Capsules are summed up once for a run and a pair of digits. */
const treesIn = onceUntilChanged(
  (
    /** @type {Figures} */ figures,
    /** @type {number} */ step,
    /** @type {number} */ digit,
    /** @type {number} */ rival,
    /** @type {number} */ rows,
    /** @type {number} */ columns,
  ) =>
    treesOf(figures.evidenceOf(step, digit), figures.evidenceOf(step, rival), {
      rows,
      columns,
    }),
);

/**
 * @param {Scene} scene
 * @returns {TreeScene}
 */
export function treeSceneOf(scene) {
  const { figures, digit, model, iterations } = scene;
  const last = iterations - 1;
  const rival = rivalOf({ ...scene, step: last });
  const { rows, columns } = gridOf(scene);
  const trees = treesIn(figures, last, digit, rival, rows, columns);
  const lengths = figures.lengths().map((values) => values[last]);
  const names = model.class_names;
  const [own, other] = [digit, rival].map((each, i, pair) => ({
    tree: trees[i],
    digit: each,
    name: names[each],
    rivalName: names[pair[1 - i]],
    length: lengths[each],
  }));
  return { scene, trees: [own, other], isAhead: lengths[digit] >= lengths[rival] };
}

const feed = onceUntilChanged(
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
