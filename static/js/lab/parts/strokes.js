/**
 * A digit cut into pieces of its strokes: at junctions, and where a stroke is long.
 * Pure arithmetic: no DOM, no state.
 * @import { Grid } from "../../types.js"
 * @import { Cut } from "./cut.js"
 */
import { sum } from "../../lib/arithmetic.js";
import { cutBy, MOST_PIECES, NONE } from "./cut.js";
import { neighboursOf, pixelsAround, thin } from "./skeleton.js";

/** Ink that is at least this share of the darkest belongs to a stroke; less is its edge. */
const SOLID = 0.4;

/** A stroke longer than this, in parts of the image's longer side, is cut into equal pieces. */
const LONGEST = 0.5;

/** A piece with less than this share of all ink is merged with its neighbour. */
const SMALLEST = 0.06;

/**
 * Cut a digit into pieces of its strokes. Every pixel of ink belongs to exactly one: a grey
 * one at the edge to the piece that is nearest along the ink.
 * @param {ArrayLike<number>} ink 0..1, row by row
 * @param {Grid} grid
 * @returns {Cut} without pieces where there is no ink
 */
export function cutStrokes(ink, grid) {
  const solid =
    SOLID * Array.from(ink).reduce((most, value) => Math.max(most, value), 0);
  if (solid === 0) return cutBy(ink, grid, new Uint8Array(ink.length).fill(NONE));
  const mask = Uint8Array.from(ink, (value) => Number(value >= solid));
  const lines = linesOf(thin(mask, grid), grid).flatMap((line) =>
    inEqualParts(line, LONGEST * Math.max(grid.rows, grid.columns)),
  );
  return cutBy(
    ink,
    grid,
    renumber(mergedSmall(ink, grid, growPieces(ink, grid, lines))),
  );
}

/**
 * The lines of a skeleton between its junctions and ends, each from one end to the other.
 * A junction itself is in none.
 * @param {Uint8Array} skeleton @param {Grid} grid
 * @returns {number[][]} the pixels of each; at least one line if there is a pixel
 */
function linesOf(skeleton, grid) {
  const rest = Uint8Array.from(skeleton);
  skeleton.forEach((value, i) => {
    if (!value || branches(neighboursOf(skeleton, grid, i)) < 3) return;
    rest[i] = 0;
    // Beside a junction two lines touch, which would make one of them.
    for (const at of pixelsAround(grid, i)) if (at !== null) rest[at] = 0;
  });
  const lines = walkLines(rest, grid);
  // All of it lies beside junctions: then it is one piece.
  return lines.length > 0 ? lines : walkedAll(skeleton);
}

/** @param {Uint8Array} skeleton */
function walkedAll(skeleton) {
  const all = [...skeleton.keys()].filter((i) => skeleton[i]);
  return all.length > 0 ? [all] : [];
}

/**
 * How many lines leave a pixel of a skeleton.
 * @param {readonly boolean[]} around its neighbours, in their order around it
 */
function branches(around) {
  return around.filter((is, k) => is && !around[(k + 7) % 8]).length;
}

/**
 * @param {Uint8Array} lines one pixel wide, without junctions; they are walked up
 * @param {Grid} grid
 * @returns {number[][]} in the order of walking
 */
function walkLines(lines, grid) {
  const rest = Uint8Array.from(lines);
  const count = (/** @type {number} */ i) =>
    neighboursOf(lines, grid, i).filter(Boolean).length;
  const all = [...lines.keys()].filter((i) => lines[i]);
  const starts = [...all.filter((i) => count(i) < 2), ...all]; // ends first, then loops
  /** @type {number[][]} */
  const paths = [];
  for (const start of starts) {
    if (!rest[start]) continue;
    /** @type {number[]} */
    const line = [];
    for (let at = /** @type {number | undefined} */ (start); at !== undefined; ) {
      rest[at] = 0;
      line.push(at);
      const next = pixelsAround(grid, at).map((to) =>
        to !== null && rest[to] ? to : -1,
      );
      // Along an edge before across a corner, so that no step is left out.
      at = [0, 2, 4, 6, 1, 3, 5, 7].map((k) => next[k]).find((to) => to >= 0);
    }
    paths.push(line);
  }
  return paths;
}

/**
 * @param {readonly number[]} line
 * @param {number} longest in pixels
 * @returns {number[][]} as few parts as are no longer, equal up to a pixel
 */
export function inEqualParts(line, longest) {
  const count = Math.ceil(line.length / longest);
  return Array.from({ length: count }, (_, part) =>
    line.slice(
      Math.round((part * line.length) / count),
      Math.round(((part + 1) * line.length) / count),
    ),
  );
}

/**
 * Give each pixel of ink to the line that is nearest along the ink; ink connected to no
 * line goes to the nearest one.
 * @param {ArrayLike<number>} ink @param {Grid} grid
 * @param {readonly number[][]} lines at least one
 * @returns {Uint8Array} for each pixel its line, or `NONE` without ink
 */
function growPieces(ink, grid, lines) {
  const owners = new Uint8Array(ink.length).fill(NONE);
  const far = new Float64Array(ink.length).fill(Infinity);
  lines.forEach((line, number) => {
    for (const i of line) {
      owners[i] = number;
      far[i] = 0;
    }
  });
  let waiting = lines.flat();
  while (waiting.length > 0) {
    /** @type {Set<number>} */
    const reached = new Set();
    for (const i of waiting)
      pixelsAround(grid, i).forEach((to, k) => {
        if (to === null || ink[to] === 0) return;
        const length = far[i] + (k % 2 === 0 ? 1 : Math.SQRT2);
        if (length >= far[to]) return;
        far[to] = length;
        owners[to] = owners[i];
        reached.add(to);
      });
    waiting = [...reached];
  }
  const all = lines.flat();
  return owners.map((owner, i) => {
    if (ink[i] === 0 || owner !== NONE) return owner;
    const nearest = all.reduce((best, at) =>
      distance(grid, at, i) < distance(grid, best, i) ? at : best,
    );
    return owners[nearest];
  });
}

/**
 * @param {Grid} grid @param {number} a @param {number} b
 * @returns {number} of two pixels, squared
 */
function distance({ columns }, a, b) {
  const down = Math.floor(a / columns) - Math.floor(b / columns);
  return down ** 2 + ((a % columns) - (b % columns)) ** 2;
}

/**
 * Merge the smallest piece with the one that it touches most, the nearest if it touches
 * none, while it is too small or there are too many.
 * @param {ArrayLike<number>} ink @param {Grid} grid @param {Uint8Array} owners
 * @returns {Uint8Array}
 */
function mergedSmall(ink, grid, owners) {
  const merged = Uint8Array.from(owners);
  for (;;) {
    const inks = inkOfEach(ink, merged);
    const all = sum([...inks.values()]);
    const [smallest] = [...inks.keys()].sort(
      (a, b) => (inks.get(a) ?? 0) - (inks.get(b) ?? 0),
    );
    const isSmall = (inks.get(smallest) ?? 0) < SMALLEST * all;
    if (inks.size < 2 || !(isSmall || inks.size > MOST_PIECES)) return merged;
    const heir = neighbourOf(grid, merged, smallest);
    merged.forEach((owner, i) => {
      if (owner === smallest) merged[i] = heir;
    });
  }
}

/**
 * @param {ArrayLike<number>} ink @param {Uint8Array} owners
 * @returns {Map<number, number>} of each piece
 */
function inkOfEach(ink, owners) {
  /** @type {Map<number, number>} */
  const inks = new Map();
  owners.forEach((owner, i) => {
    if (owner !== NONE) inks.set(owner, (inks.get(owner) ?? 0) + ink[i]);
  });
  return inks;
}

/**
 * @param {Grid} grid
 * @param {Uint8Array} owners of at least two pieces
 * @param {number} piece
 * @returns {number} the piece that shares most borders of pixels with it, else the nearest
 */
function neighbourOf(grid, owners, piece) {
  /** @type {Map<number, number>} */
  const touching = new Map();
  let [nearest, least] = [NONE, Infinity];
  const pixels = [...owners.keys()].filter((i) => owners[i] === piece);
  owners.forEach((owner, to) => {
    if (owner === NONE || owner === piece) return;
    for (const i of pixels) {
      const far = distance(grid, to, i);
      if (far <= 2) touching.set(owner, (touching.get(owner) ?? 0) + 1);
      if (far < least) [nearest, least] = [owner, far];
    }
  });
  const [most] = [...touching].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? nearest;
}

/**
 * @param {Uint8Array} owners
 * @returns {Uint8Array} pieces numbered from 0, in the order in which they are read
 */
function renumber(owners) {
  const order = [...new Set(owners)].filter((owner) => owner !== NONE);
  return owners.map((owner) => (owner === NONE ? NONE : order.indexOf(owner)));
}
