/**
 * The middle lines of strokes, one pixel wide.
 * Pure arithmetic: no DOM, no state.
 * @import { Grid } from "../../types.js"
 */

/** The eight neighbours of a pixel, clockwise from the right: rows down, columns right. */
const AROUND = /** @type {const} */ ([
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
]);

/** The places in `AROUND` of those that share an edge, in the order they are peeled from. */
const EDGES = [6, 2, 0, 4];

/**
 * Which of a pixel's neighbours are set, in the order of `AROUND`; outside is empty.
 * @param {Uint8Array} mask @param {Grid} grid @param {number} i
 * @returns {boolean[]}
 */
export function neighboursOf(mask, grid, i) {
  return pixelsAround(grid, i).map((at) => at !== null && mask[at] !== 0);
}

/**
 * @param {Grid} grid @param {number} i
 * @returns {(number | null)[]} the eight pixels around, in the order of `AROUND`; null
 *   where that is outside
 */
export function pixelsAround({ rows, columns }, i) {
  const [row, column] = [Math.floor(i / columns), i % columns];
  return AROUND.map(([down, right]) => {
    const [at, beside] = [row + down, column + right];
    const isInside = at >= 0 && at < rows && beside >= 0 && beside < columns;
    return isInside ? at * columns + beside : null;
  });
}

/**
 * Whether the set pixels around one hang together without it, and are as many pieces as
 * with it: Yokoi's number for eight neighbours is 1 (Yokoi, Toriwaki & Fukumura 1975).
 * Taking such a pixel away neither tears a stroke nor opens or closes a loop.
 * @param {readonly boolean[]} around in the order of `AROUND`
 */
function isSimple(around) {
  let pieces = 0;
  for (const k of [0, 2, 4, 6]) {
    const [a, b, c] = [k, k + 1, (k + 2) % 8].map((index) => !around[index]);
    pieces += Number(a) - Number(a && b && c);
  }
  return pieces === 1;
}

/**
 * Peel strokes from all four sides in turn until only their middle lines are left.
 * Connected strokes stay connected, loops stay loops, and lines keep their length.
 * @param {Uint8Array} mask not 0 where there is ink
 * @param {Grid} grid
 * @returns {Uint8Array} 1 on the middle lines
 */
export function thin(mask, grid) {
  const rest = Uint8Array.from(mask, (value) => Number(value !== 0));
  const canGo = (/** @type {number} */ i) => {
    const around = neighboursOf(rest, grid, i);
    return around.filter(Boolean).length > 1 && isSimple(around);
  };
  let isDone = false;
  while (!isDone) {
    isDone = true;
    for (const edge of EDGES) {
      const outer = [...rest.keys()].filter(
        (i) => rest[i] && !neighboursOf(rest, grid, i)[edge] && canGo(i),
      );
      for (const i of outer) {
        if (!canGo(i)) continue; // one before it went
        rest[i] = 0;
        isDone = false;
      }
    }
  }
  return rest;
}
