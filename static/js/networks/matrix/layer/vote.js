/**
 * A capsule's vote for one above: V = M W, worked out here from its pose and what the
 * layer above has learned.
 * @import { Above, Learned, MatrixSizes, Place } from "../types.js"
 */
import { gridOf, POSE, positionsAbove, SIDE, windowsOf } from "../places.js";

/**
 * @typedef {object} Vote
 * @property {Float64Array} transform W, row by row
 * @property {Float64Array} product M W
 * @property {Float64Array} added what coordinate addition adds; zeros but for classes
 * @property {Float64Array} vote V, their sum
 */

/**
 * @param {object} of
 * @param {MatrixSizes} of.sizes
 * @param {Above} of.above the layer that is voted for
 * @param {Learned} of.learned what that layer has learned
 * @param {ArrayLike<number>} of.pose M of the capsule that votes, row by row
 * @param {Place} of.from where it stands
 * @param {Place} of.to where the capsule stands that it votes for
 * @returns {Vote}
 */
export function voteOf({ sizes, above, learned, pose, from, to }) {
  const transform = transformOf(learned, slotOf(sizes, above, from, to), to.type);
  const product = multiplied(pose, transform);
  const added =
    above === "classes" ? coordinatesOf(sizes, from) : new Float64Array(POSE);
  return { transform, product, added, vote: product.map((each, i) => each + added[i]) };
}

/**
 * @param {ArrayLike<number>} a (4, 4), row by row
 * @param {ArrayLike<number>} b (4, 4)
 * @returns {Float64Array} their matrix product
 */
export function multiplied(a, b) {
  return Float64Array.from({ length: POSE }, (_, at) => {
    const [row, column] = [Math.floor(at / SIDE), at % SIDE];
    let sum = 0;
    for (let k = 0; k < SIDE; k++) sum += a[row * SIDE + k] * b[k * SIDE + column];
    return sum;
  });
}

/**
 * Where in its window a capsule stands, which says what it is multiplied by. Votes for
 * classes are multiplied by the same W at every place.
 * @param {MatrixSizes} sizes
 * @param {Above} above
 * @param {Place} from
 * @param {Pick<Place, "row" | "column">} to
 * @returns {Place}
 */
export function slotOf(sizes, above, { type, row, column }, to) {
  if (above === "classes") return { type, row: 0, column: 0 };
  const { stride } = windowsOf(sizes, above);
  return { type, row: row - stride * to.row, column: column - stride * to.column };
}

/**
 * @param {Learned} learned
 * @param {Place} slot
 * @param {number} type above
 */
function transformOf({ transforms: { shape, data } }, slot, type) {
  const [, rows, columns, types] = shape;
  const at = ((slot.type * rows + slot.row) * columns + slot.column) * types + type;
  return Float64Array.from(data.subarray(at * POSE, (at + 1) * POSE));
}

/**
 * The scaled coordinates of a capsule below the classes: its row in the first entry of the
 * right-hand column, its column in the second (section 3.1).
 * @param {MatrixSizes} sizes
 * @param {Place} from
 */
export function coordinatesOf(sizes, { row, column }) {
  const { side } = gridOf(sizes, "caps2");
  const added = new Float64Array(POSE);
  added[SIDE - 1] = (row + 0.5) / side;
  added[2 * SIDE - 1] = (column + 0.5) / side;
  return added;
}

/**
 * The capsule above that is meant: the chosen one if it sees the capsule that votes, else
 * that of its type at the first position that does.
 * @param {MatrixSizes} sizes
 * @param {Above} above
 * @param {Place} from
 * @param {Place} chosen above
 * @returns {Place | null} null where no window reaches
 */
export function meantAbove(sizes, above, from, chosen) {
  const positions = positionsAbove(sizes, above, from);
  const isSeen = positions.some(
    ({ row, column }) => row === chosen.row && column === chosen.column,
  );
  if (isSeen) return chosen;
  return positions.length === 0 ? null : { type: chosen.type, ...positions[0] };
}
