/**
 * How close together the votes for each capsule above lie: a row for each, a disc for each
 * vote, as far to the right as it is from the mean of its row.
 * @import { PlaneFrame } from "../../../geometry/plane.js"
 * @import { Stage } from "../../../ui/stage.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */
import { key } from "../../../draw/key.js";
import { points } from "../../../draw/points.js";
import { ranked } from "../../../lib/arithmetic.js";
import { compactShare, exactShare, presence } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { paintVoteRows } from "../../../paint/vote-rows.js";
import { h } from "../../../ui/h.js";
import { positionWords } from "../../capsules/places.js";
import { chooseChild, lookAtChild } from "./scene.js";
import { distancesOf, weightsOf } from "./sums.js";

const COLORS = /** @type {const} */ (["text", "muted", "line", "accent", "focus"]);
const MOST = 12; // rows
const LEAST = 0.02; // of the largest weight: a vote that counts

/** @typedef {EmScene["routed"]} Routed */

/** What is shown of each iteration. */
const iterationsOf = memoizeByObject(
  (/** @type {Routed} */ { votes }) => votes,
  (routed) => {
    const parents = Array.from({ length: routed.parents }, (_, parent) => parent);
    const all = Array.from({ length: routed.iterations }, (_, step) =>
      parents.map((parent) => ({
        distances: distancesOf(routed, step, parent),
        weights: weightsOf(routed, step, parent),
      })),
    );
    return { all, high: highOf(/** @type {typeof all[0]} */ (all.at(-1))) };
  },
);

/**
 * Where the axis ends: no vote that counts in the end lies further away.
 * @param {readonly { distances: Float64Array, weights: Float64Array }[]} last iteration
 */
export function highOf(last) {
  const most = Math.max(...last.flatMap(({ weights }) => [...weights]));
  const counting = last.flatMap(({ distances, weights }) =>
    [...distances].filter((_, i) => weights[i] >= LEAST * most),
  );
  return Math.max(1, Math.ceil(Math.max(...counting)));
}

/**
 * The capsules above that have a row: all of them, or of many the most active in the end
 * and the one in focus.
 * @param {Pick<Routed, "parents" | "iterations" | "activation">} routed
 * @param {number} parent in focus
 */
export function rowsOf({ parents, iterations, activation }, parent) {
  const all = Array.from({ length: parents }, (_, i) => i);
  if (parents <= MOST) return all;
  const order = ranked(all.map((i) => activation(iterations - 1, i)));
  const others = order.filter((i) => i !== parent).slice(0, MOST - 1);
  return [parent, ...others].sort((a, b) => a - b);
}

/** @type {Panel<EmScene>} */
export const closeness = {
  id: "closeness",
  look: "votes",
  title: ({ step, routed }) => [
    h(
      "span",
      {},
      `How close the votes for each ${routed.isToClasses ? "class" : "type"} lie`,
    ),
    " ",
    h("small", { class: "fine" }, `iteration ${step + 1} of ${routed.iterations}`),
  ],
  picture(scene, /** @type {EmRoom} */ room) {
    const { routed, step, parent, name } = scene;
    const { all, high } = iterationsOf(routed);
    const rows = rowsOf(routed, parent);
    const focus = all[step][parent];
    const moving = Float32Array.from(
      rows.flatMap((row) => {
        const { distances, weights } = all[step][row];
        return [...distances, ...weights, routed.activation(step, row)];
      }),
    );
    const count = routed.children.length;
    return [
      points({
        label: `The votes for each capsule above, by their distance to the mean of its votes. Arrow keys go from vote to vote for ${name}.`,
        look: "em-closeness",
        colors: COLORS,
        points: Float32Array.from(
          [...focus.distances].flatMap((distance) => [distance, 0]),
        ),
        moving,
        of: routed,
        at: step,
        paint: (stage, moving, pointed) =>
          paint(stage, { scene, rows, high, count }, moving, pointed),
        chosen: scene.child,
        choose: (child) => chooseChild(room, scene, child),
        point: (child) => lookAtChild(room, scene, child),
        words(child) {
          if (child === null) return "";
          const share = routed.assignments(step)[child * routed.parents + parent];
          return `${positionWords(routed.children[child])}: R to ${name} ${exactShare(share)}, active ${presence(routed.presence[child])}, vote ${fixed(focus.distances[child], 2)} from the mean`;
        },
      }),
      key([
        [
          14,
          h("circle", { class: "is-pose", cx: 7, cy: 7, r: 5 }),
          `vote for ${name}, in focus`,
        ],
        [14, h("circle", { cx: 7, cy: 7, r: 5 }), "vote for another"],
        [
          14,
          h("line", {
            class: "is-mean",
            x1: 7,
            y1: 1,
            x2: 7,
            y2: 13,
            "stroke-width": 2,
          }),
          "mean of the distances",
        ],
      ]),
    ];
  },
  words: [
    "A disc stands as far to the right as its vote V is from the mean μ of all votes for the same capsule, ‖V − μ‖. It is larger, the more active the capsule is that votes, and stronger, the larger its weight R·a. Votes that count and lie at the left make a capsule active. The mean of the distances is weighted by R·a, too. The axis ends with the last vote that counts after the last iteration; what lies beyond it has less than 2 % of the largest weight then.",
  ],
};

/**
 * @param {Stage<typeof COLORS[number]>} stage
 * @param {{ scene: EmScene, rows: readonly number[], high: number, count: number }} shown
 *   count: votes of a row
 * @param {Float32Array} moving for each row the votes' distances, their weights, and the
 *   activation
 * @param {number} pointed child, or -1
 * @returns {PlaneFrame}
 */
function paint(stage, { scene, rows, high, count }, moving, pointed) {
  const { routed, parent, child } = scene;
  const all = rows.map((row, at) => {
    const figures = moving.subarray(at * (2 * count + 1), (at + 1) * (2 * count + 1));
    return {
      name: routed.names[row],
      isFocused: row === parent,
      places: figures.subarray(0, count),
      weights: figures.subarray(count, 2 * count),
      value: compactShare(figures[2 * count], 3),
    };
  });
  const marked = { chosen: child, pointed };
  const axis = { high, name: "distance of a vote from the mean", value: "active" };
  return paintVoteRows(stage, { rows: all, sizes: routed.presence, axis, marked });
}
