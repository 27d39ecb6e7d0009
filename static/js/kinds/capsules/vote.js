/**
 * A capsule's vote for one above, V = M W, worked out from its pose and what the layer above
 * has learned.
 * @import { Tensor } from "../../types.js"
 * @import { Above } from "./places.js"
 * @import { Place } from "./types.js"
 */
import { fieldAt } from "../../geometry/windows.js";
import { entryPlace, POSE, SIDE } from "../matrices.js";

/**
 * @typedef {object} Vote
 * @property {Float64Array} transform W, row by row
 * @property {Float64Array} product M W
 * @property {Float64Array} added what coordinate addition adds; zeros but for classes
 * @property {Float64Array} vote V, their sum
 */

/**
 * @param {object} of
 * @param {Above} of.above the layer that is voted for
 * @param {readonly number[]} of.grid types, rows, columns of the capsules that vote
 * @param {Tensor} of.transforms W, what the layer above has learned
 * @param {ArrayLike<number>} of.pose M of the capsule that votes, row by row
 * @param {Place} of.from where it stands
 * @param {Place} of.to where the capsule stands that it votes for
 * @returns {Vote}
 */
export function voteOf({ above, grid, transforms, pose, from, to }) {
  const transform = transformOf(transforms, slotOf(above, from, to), to.type);
  const product = multiplied(pose, transform);
  const added = above.isClasses ? coordinatesOf(grid, from) : new Float64Array(POSE);
  return {
    transform,
    product,
    added,
    vote: product.map((entry, i) => entry + added[i]),
  };
}

/**
 * @param {ArrayLike<number>} a (4, 4), row by row
 * @param {ArrayLike<number>} b (4, 4)
 * @returns {Float64Array} their matrix product
 */
export function multiplied(a, b) {
  return Float64Array.from({ length: POSE }, (_, at) => {
    const { row, column } = entryPlace(at);
    let sum = 0;
    for (let k = 0; k < SIDE; k++) sum += a[row * SIDE + k] * b[k * SIDE + column];
    return sum;
  });
}

/**
 * Where in its window a capsule stands, which says what it is multiplied by. Votes for
 * classes are multiplied by the same W at every place.
 * @param {Pick<Above, "window">} above @param {Place} from
 * @param {Pick<Place, "row" | "column">} to
 * @returns {Place}
 */
function slotOf({ window }, { type, row, column }, to) {
  if (window === null) return { type, row: 0, column: 0 };
  const { row: top, column: leftmost } = fieldAt(window, to);
  return { type, row: row - top, column: column - leftmost };
}

/**
 * @param {Tensor} transforms (types below, window rows, window columns, types above, 4, 4)
 * @param {Place} slot
 * @param {number} type above
 */
function transformOf({ shape, data }, slot, type) {
  const [, rows, columns, types] = shape;
  const at = ((slot.type * rows + slot.row) * columns + slot.column) * types + type;
  return Float64Array.from(data.subarray(at * POSE, (at + 1) * POSE));
}

/**
 * The scaled coordinates of a capsule below the classes: its row in the first entry of the
 * right-hand column, its column in the second (Hinton, Sabour & Frosst 2018, section 3.1).
 * @param {readonly number[]} grid types, rows, columns
 * @param {Pick<Place, "row" | "column">} from
 */
function coordinatesOf([, rows, columns], { row, column }) {
  const added = new Float64Array(POSE);
  added[SIDE - 1] = (row + 0.5) / rows;
  added[2 * SIDE - 1] = (column + 0.5) / columns;
  return added;
}
