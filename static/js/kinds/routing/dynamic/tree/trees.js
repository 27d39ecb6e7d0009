/**
 * What the parse trees are drawn from: those of the class in focus and of the longest of the
 * others, in the iteration on show.
 * @import { DynamicScene as Scene } from "../types.js"
 * @import { Tree } from "./parts.js"
 */
import { memoize } from "../../../../lib/memoize.js";
import { pairOf } from "../scene.js";
import { treesOf } from "./parts.js";

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
