/**
 * The chosen capsule's vote for one above: for which, as pose times W with the numbers, and
 * one entry of it as the sum that it is.
 * @import { Panel } from "../../ui/panel.js"
 * @import { Act, Scene } from "./panels.js"
 * @import { Above } from "./places.js"
 * @import { Place } from "./types.js"
 */
import { sum } from "../../draw/sum.js";
import { legend } from "../../draw/tiles.js";
import { reach, sum as total } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { numbered, withSign } from "../../lib/format.js";
import { written } from "../../lib/written.js";
import { h, note } from "../../ui/h.js";
import { choices } from "../../ui/inputs.js";
import { entryPlace, POSE, SIDE } from "../matrices.js";
import { matrixGrid } from "../matrix-grid.js";
import {
  aboveOf,
  gridOf,
  meantAbove,
  numberOf,
  placeIn,
  positionsAbove,
} from "./places.js";
import { voteOf } from "./vote.js";

/** @type {Panel<Scene, ReturnType<typeof votesOf>, Act>} */
export const vote = {
  id: "vote",
  look: "matrix-vote",
  title(scene) {
    const { above, to } = votesOf(scene);
    const { class_names } = scene.model;
    return to ? `Its vote for ${nameOf(above, to, class_names)}: V = M W` : "Its vote";
  },
  numbers: votesOf,
  picture({ scene, above, from, to, pose, worked }, { set, actions }) {
    const { isClasses, title } = above;
    if (to === null || worked === null)
      return note(
        `No capsule of ${title} sees this place, because windows end before it. This capsule votes for none.`,
      );
    const numbers = numbered(above.grid[0]);
    const seeing = positionsAbove(above, from);
    const choose = (/** @type {Place} */ position) =>
      isClasses
        ? actions.focusClass(position.type)
        : set({ above: numberOf(gridOf(above.grid), position) });
    const { row, column } = entryPlace(scene.entry);
    const added = worked.added[scene.entry];
    const { transform, vote } = worked;
    const matrix = (
      /** @type {string} */ name,
      /** @type {ArrayLike<number>} */ data,
      /** @type {{ row: number, column: number, rows?: number, columns?: number }} */ framed,
    ) => {
      const scale = diverging(reach(data) || 1);
      const of = { name, data, framed, scale, entry: scene.entry, set };
      return [matrixGrid({ title: name, ...of }), legend(scale, name)];
    };
    const sign = (/** @type {string} */ text) =>
      h("span", { class: "product-sign" }, text);
    return [
      h(
        "div",
        { class: "controls" },
        choices(
          isClasses ? "Class" : `${title}, type`,
          isClasses ? scene.model.class_names : numbers,
          to.type,
          (type) => choose({ ...to, type }),
          { "aria-label": "Capsule above: type" },
        ),
        !isClasses &&
          choices(
            "at row, column",
            seeing.map((at) => `${at.row},${at.column}`),
            seeing.findIndex((at) => at.row === to.row && at.column === to.column),
            (i) => choose({ type: to.type, ...seeing[i] }),
            { "aria-label": "Capsule above: row, column" },
          ),
      ),
      h(
        "div",
        { class: "product-grids is-square" },
        h("div", {}, matrix("pose M", pose, { row, column: 0, columns: SIDE })),
        sign("×"),
        h("div", {}, matrix("W, learned", transform, { row: 0, column, rows: SIDE })),
        sign("="),
        h("div", { "data-vote-product": "" }, matrix("vote V", vote, { row, column })),
      ),
      sum(sumOf(pose, worked, scene.entry)),
      added !== 0 &&
        note(
          "Coordinate addition then adds the capsule’s position, from 0 to 1: its row to the first entry of the right-hand column, its column to the second.",
        ),
    ];
  },
  words: ({ above }) => [
    `Choose an entry of the vote: it is a row of M times a column of W. ${
      above.isClasses
        ? "Every place has the same W for a class."
        : "W differs with the place in the window, and is the same for all windows."
    }`,
  ],
};

/** What the chosen capsule votes, and for whom. @param {Scene} scene */
function votesOf(scene) {
  const { trace, model, layer, capsule, weights } = scene;
  const above = aboveOf(layer, model);
  const { shape: grid } = trace.tensors.activation;
  const from = placeIn(gridOf(grid), capsule);
  const wanted = above.isClasses
    ? { type: scene.classIndex, row: 0, column: 0 }
    : placeIn(gridOf(above.grid), scene.above);
  const to = meantAbove(above, from, wanted);
  const pose = trace.tensors.poses.data.subarray(capsule * POSE, (capsule + 1) * POSE);
  const { transforms } = weights;
  const worked = to && voteOf({ above, grid, transforms, pose, from, to });
  return { scene, above, from, to, pose, worked };
}

/**
 * What a capsule above is called.
 * @param {Above} above @param {Place} to
 * @param {readonly string[]} names of the classes
 */
function nameOf({ isClasses, title }, { type, row, column }, names) {
  return isClasses
    ? `class ${names[type]}`
    : `type ${type} at row ${row}, column ${column} of ${title}`;
}

/**
 * A row of M times a column of W, written out for `sum`.
 * @param {ArrayLike<number>} pose @param {ReturnType<typeof voteOf>} vote
 * @param {number} entry
 */
function sumOf(pose, { transform, added }, entry) {
  const { row, column } = entryPlace(entry);
  const places = Array.from({ length: SIDE }, (_, k) => k);
  const poseRow = places.map((k) => pose[row * SIDE + k]);
  const transformColumn = places.map((k) => transform[k * SIDE + column]);
  const products = places.map(
    (k) => (/** @type {readonly number[]} */ all) => all[k] * all[SIDE + k],
  );
  const { inputs, steps } = written(
    [...poseRow, ...transformColumn, added[entry]],
    [
      products,
      [
        (all) => total(products.map((product) => product(all))) + all[2 * SIDE],
        (all, before) => total(before) + all[2 * SIDE],
      ],
    ],
    3,
  );
  const parts = places.map(
    (k) => `${inputs[k]} · ${inputs[SIDE + k]} {= ${withSign(steps[k])}}`,
  );
  if (added[entry] !== 0) parts.push(`${inputs[2 * SIDE]} {coordinate}`);
  return `${parts.join(" + ")} = ${steps[SIDE]} {V, row ${row + 1}, column ${column + 1}}`;
}
