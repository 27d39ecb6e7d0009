/**
 * The chosen capsule's vote for one above: pose times W, with the numbers, and one entry
 * of it as the sum that it is.
 * @import { MatrixModel, Place } from "../types.js"
 * @import { Vote } from "./vote.js"
 */
import { numberGrid } from "../../../convolution/number-grid.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { compact } from "../../../lib/decimals.js";
import { fixed, signed } from "../../../lib/format.js";
import { find, findElement, setAll, setText } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { SIDE } from "../places.js";

/**
 * @typedef {object} VoteShown
 * @property {ArrayLike<number>} pose M
 * @property {Vote} vote
 * @property {number} entry 0..15, row by row
 * @property {string} whose such as "type 3 at row 1, column 2 of Caps1"
 */

/**
 * @param {HTMLElement} root
 * @param {(entry: number) => void} chooseEntry
 */
export function mountVote(root, chooseEntry) {
  const pose = matrixGrid(findElement(root, "[data-vote-pose]"));
  const transform = matrixGrid(findElement(root, "[data-vote-transform]"));
  const product = matrixGrid(findElement(root, "[data-vote-product]"));
  const added = findElement(root, "[data-added]");
  const sum = findElement(root, "[data-vote-sum]");
  const words = findElement(root, "[data-vote-words]");
  let entry = 0;

  pickFromGrid(product.canvas, {
    layout: product.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: Math.floor(entry / SIDE), column: entry % SIDE }),
    choose: ({ row, column }) => chooseEntry(row * SIDE + column),
    hover: product.point,
  });

  return {
    /** @param {VoteShown} shown */
    show({ pose: values, vote, entry: entryNow, whose }) {
      entry = entryNow;
      const [row, column] = [Math.floor(entry / SIDE), entry % SIDE];
      pose.show(values, "pose M");
      transform.show(vote.transform, "W, learned");
      product.show(vote.vote, "vote V");
      pose.frame({ x: 0, y: row, width: SIDE, height: 1 });
      transform.frame({ x: column, y: 0, width: 1, height: SIDE });
      product.frame({ x: column, y: row, width: 1, height: 1 });
      setText(words, `Its vote for ${whose}: V = M W`);
      sum.replaceChildren(...sumOf(values, vote, entry));
      const coordinate = vote.added[entry];
      added.hidden = coordinate === 0;
    },
  };
}

/**
 * A row of M times a column of W, written out.
 * @param {ArrayLike<number>} pose
 * @param {Vote} vote
 * @param {number} entry
 * @returns {HTMLElement[]} spans and signs, for `.worked-sum`
 */
function sumOf(pose, { transform, added, vote }, entry) {
  const [row, column] = [Math.floor(entry / SIDE), entry % SIDE];
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
  const made = document.createElement("span");
  const [b, small] = [document.createElement("b"), document.createElement("small")];
  b.textContent = number;
  small.textContent = note;
  made.append(b, small);
  return made;
}

/** @param {string} text */
function sign(text) {
  const made = document.createElement("i");
  made.textContent = text;
  return made;
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

/**
 * What a capsule above is called.
 * @param {Pick<MatrixModel, "class_names">} model
 * @param {"caps1" | "caps2" | "classes"} above
 * @param {Place} to
 */
export function nameAbove({ class_names }, above, { type, row, column }) {
  if (above === "classes") return `class ${class_names[type]}`;
  const layer = above === "caps1" ? "Caps1" : "Caps2";
  return `type ${type} at row ${row}, column ${column} of ${layer}`;
}
