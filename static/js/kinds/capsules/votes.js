/**
 * The chosen capsule's vote for one above: for which, as pose times W with the numbers, and
 * one entry of it as the sum that it is.
 * @import { Actions, Layer } from "../types.js"
 * @import { Above } from "./places.js"
 * @import { CapsulesState, CapsulesStore, Place } from "./types.js"
 * @import { Vote } from "./vote.js"
 */

import { focusedClass } from "../../core/state.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { compact } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { find, findElement, make, setAll, setText } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { numberGrid } from "../../ui/number-grid.js";
import { showLegend } from "../../ui/pictures.js";
import { entryAt, entryPlace, POSE, SIDE } from "../matrices.js";
import {
  aboveOf,
  gridOf,
  meantAbove,
  numberOf,
  placeIn,
  positionsAbove,
} from "./places.js";
import { voteOf } from "./vote.js";

/**
 * @param {HTMLElement} root @param {CapsulesStore} store @param {Actions} actions
 * @param {Layer} layer
 */
export function mountVotes(root, store, actions, layer) {
  const unseen = findElement(root, "[data-unseen-above]");
  const votes = findElement(root, "[data-vote]");
  const words = findElement(root, "[data-vote-words]");
  const vote = mountVote(root, (entry) => store.set({ entry }));
  const target = mountAbove(root, (to) => {
    const state = store.get();
    if (state === null) return;
    const { isClasses, grid } = aboveOf(layer, state.model);
    if (isClasses) actions.focusClass(to.type);
    else store.set({ above: numberOf(gridOf(grid), to) });
  });

  store.watch(
    ["trace", "model", "capsule", "above", "classIndex", "weights", "entry"],
    (state) => {
      const { trace, model, capsule, weights, entry } = state;
      const above = aboveOf(layer, model);
      const grid = trace.tensors.activation.shape;
      const from = placeIn(gridOf(grid), capsule);
      const to = meantAbove(above, from, chosenAbove(state, above));
      unseen.hidden = to !== null;
      votes.hidden = to === null;
      if (to === null) return;
      const pose = trace.tensors.poses.data.subarray(
        capsule * POSE,
        (capsule + 1) * POSE,
      );
      const { transforms } = weights;
      target.show(model.class_names, above, from, to);
      vote.show(pose, voteOf({ above, grid, transforms, pose, from, to }), entry);
      setText(words, `Its vote for ${nameOf(above, to, model.class_names)}: V = M W`);
    },
  );
}

/**
 * @param {Pick<CapsulesState, "above" | "classIndex" | "trace">} state
 * @param {Above} above
 * @returns {Place}
 */
function chosenAbove(state, { isClasses, grid }) {
  return isClasses
    ? { type: focusedClass(state), row: 0, column: 0 }
    : placeIn(gridOf(grid), state.above);
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
 * For which capsule above the vote is shown: its type, and the positions that see the
 * chosen capsule.
 * @param {HTMLElement} root @param {(to: Place) => void} choose
 */
function mountAbove(root, choose) {
  const types = findElement(root, "[data-above-types]");
  const positions = findElement(root, "[data-above-positions]");
  /** @type {Place} */
  let to = { type: 0, row: 0, column: 0 };

  const offerTypes = memoize((/** @type {string} */ names) => {
    const texts = names.split("\n");
    fill(
      types,
      texts,
      texts.map((_, type) => String(type)),
    );
    listenToChoices(types, (value) => choose({ ...to, type: Number(value) }));
  });
  const offerPositions = memoize((/** @type {string} */ seeing) => {
    fill(positions, seeing.split(" "), seeing.split(" "));
    listenToChoices(positions, (value) => {
      const [row, column] = value.split(",").map(Number);
      choose({ ...to, row, column });
    });
  });

  return {
    /** @param {readonly string[]} names of the classes @param {Above} above @param {Place} from @param {Place} toNow */
    show(names, above, from, toNow) {
      to = toNow;
      const [count] = above.grid;
      const numbers = Array.from({ length: count }, (_, type) => String(type));
      offerTypes((above.isClasses ? names : numbers).join("\n"));
      const seeing = positionsAbove(above, from);
      offerPositions(seeing.map(({ row, column }) => `${row},${column}`).join(" "));
      positions.hidden = above.isClasses;
      pressChoice(types, String(to.type));
      pressChoice(positions, `${to.row},${to.column}`);
    },
  };
}

/**
 * @param {HTMLElement} group its first child names it
 * @param {readonly string[]} texts @param {readonly string[]} values
 */
function fill(group, texts, values) {
  const [name] = group.children;
  group.replaceChildren(
    name,
    ...texts.map((text, i) => make("button", { "data-value": values[i] }, text)),
  );
}

/** @param {HTMLElement} root @param {(entry: number) => void} chooseEntry */
function mountVote(root, chooseEntry) {
  const pose = matrixGrid(findElement(root, "[data-vote-pose]"));
  const transform = matrixGrid(findElement(root, "[data-vote-transform]"));
  const product = matrixGrid(findElement(root, "[data-vote-product]"));
  const added = findElement(root, "[data-added]");
  const sum = findElement(root, "[data-vote-sum]");
  let entry = 0;

  pickFromGrid(product.canvas, {
    layout: product.layout,
    step: "cell",
    chosen: () => ({ place: 0, ...entryPlace(entry) }),
    choose: (cell) => chooseEntry(entryAt(cell)),
    hover: product.point,
  });

  return {
    /** @param {ArrayLike<number>} values M @param {Vote} vote @param {number} entryNow */
    show(values, vote, entryNow) {
      entry = entryNow;
      const { row, column } = entryPlace(entry);
      pose.show(values, "pose M");
      transform.show(vote.transform, "W, learned");
      product.show(vote.vote, "vote V");
      pose.frame({ x: 0, y: row, width: SIDE, height: 1 });
      transform.frame({ x: column, y: 0, width: 1, height: SIDE });
      product.frame({ x: column, y: row, width: 1, height: 1 });
      sum.replaceChildren(...sumOf(values, vote, entry));
      added.hidden = vote.added[entry] === 0;
    },
  };
}

/**
 * A row of M times a column of W, written out.
 * @param {ArrayLike<number>} pose @param {Vote} vote @param {number} entry
 * @returns {HTMLElement[]} spans and signs, for `.worked-sum`
 */
function sumOf(pose, { transform, added, vote }, entry) {
  const { row, column } = entryPlace(entry);
  const parts = Array.from({ length: SIDE }, (_, k) => {
    const [a, b] = [pose[row * SIDE + k], transform[k * SIDE + column]];
    return part(`${fixed(a, 3)} · ${fixed(b, 3)}`, `= ${signed(a * b, 4)}`);
  });
  if (added[entry] !== 0) parts.push(part(fixed(added[entry], 3), "coordinate"));
  const result = part(fixed(vote[entry], 3), `V, row ${row + 1}, column ${column + 1}`);
  result.className = "is-result";
  return [
    ...parts.flatMap((each, k) => (k === 0 ? [each] : [sign("+"), each])),
    sign("="),
    result,
  ];
}

/** @param {string} number @param {string} note */
function part(number, note) {
  return make("span", "", make("b", "", number), make("small", "", note));
}

/** @param {string} text */
function sign(text) {
  return make("i", "", text);
}

/** @param {HTMLElement} root a figure with a number grid, a legend and `.framed` */
function matrixGrid(root) {
  const grid = numberGrid(root);
  const framed = find(root, ".framed", SVGRectElement);
  const legend = findElement(root, "[data-legend]");
  const format = (/** @type {number} */ value) => compact(value, 3);
  return {
    canvas: grid.canvas,
    layout: grid.layout,
    point: grid.point,
    /** @param {ArrayLike<number>} values @param {string} unit */
    show(values, unit) {
      const scale = diverging(reach(values) || 1);
      grid.show(values, { rows: SIDE, columns: SIDE, scale, format });
      showLegend(legend, scale, { unit });
    },
    /** @param {Record<"x" | "y" | "width" | "height", number>} box in cells */
    frame: (box) => setAll(framed, box),
  };
}
