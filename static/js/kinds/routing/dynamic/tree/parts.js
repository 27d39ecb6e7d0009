/**
 * What a digit is made of: the fewest primary capsules that give it 90 % of its length
 * before squash, and where they stand. What a capsule gives is c·(û·v)/‖v‖, as everywhere
 * in Routing; all capsules together give ‖s‖, and those that vote against it take.
 *
 * They are grouped twice. Capsules of several types at one place of the grid see the same
 * patch, so a place is one node. Neighbouring places form an area: a third of the grid's
 * rows by a third of its columns, so there are nine at most whatever the grid's size.
 */
import { ranked, sum } from "../../../../lib/arithmetic.js";

/** Of ‖s‖, what the capsules of a tree give at least. */
const SHARE = 0.9;

/** Float32 sums of equal amounts must not need one capsule more. */
const ROUNDING = 1e-6;

/**
 * Of a product of two numbers in half precision, the largest share that their rounding can
 * change. Of a sum over hundreds it is less, as roundings go either way.
 */
const LOST = 2 ** -10;

/** The areas' names, row by row. */
export const AREA_NAMES = [
  "top left",
  "top",
  "top right",
  "left",
  "middle",
  "right",
  "bottom left",
  "bottom",
  "bottom right",
];

/**
 * One capsule of a tree.
 * @typedef {object} Part
 * @property {number} capsule (type * rows + row) * columns + column
 * @property {number} type
 * @property {number} gives to ‖s‖
 * @property {boolean} isShared whether it is in the other digit's tree, too
 */

/**
 * A place of the grid.
 * @typedef {object} PlaceNode
 * @property {number} row
 * @property {number} column
 * @property {number} gives
 * @property {Part[]} parts largest first
 */

/**
 * @typedef {object} AreaNode
 * @property {number} area 0..8, row by row
 * @property {number} gives
 * @property {PlaceNode[]} places largest first
 */

/**
 * @typedef {object} Tree
 * @property {number} whole ‖s‖, what all capsules give
 * @property {number} given what those of the tree give
 * @property {number} adds what others add
 * @property {number} takes what others take; not negative
 * @property {number} others how many capsules are not in it
 * @property {Part[]} parts largest first
 * @property {AreaNode[]} areas row by row; only those with capsules
 * @property {number} places how many places its capsules stand at
 * @property {boolean} isSure whether these are the fewest capsules beyond what half precision
 *   can change
 */

/** @typedef {{ rows: number, columns: number }} Grid */

/** @param {readonly { gives: number }[]} some */
const givenBy = (some) => sum(some.map(({ gives }) => gives));

/**
 * The trees of two digits, which know what they share.
 * @param {ArrayLike<number>} evidence (types, rows, columns), what each capsule gives
 * @param {ArrayLike<number>} rivals the same for the other digit
 * @param {Grid} grid
 * @returns {[Tree, Tree]}
 */
export function treesOf(evidence, rivals, grid) {
  const [own, other] = [strongestOf(evidence), strongestOf(rivals)];
  const [inOwn, inOther] = [new Set(own), new Set(other)];
  return [treeOf(evidence, own, inOther, grid), treeOf(rivals, other, inOwn, grid)];
}

/**
 * The fewest capsules that give so much of ‖s‖.
 * @param {ArrayLike<number>} evidence
 * @returns {number[]} largest first; none where there is no length
 */
export function strongestOf(evidence) {
  const whole = sum(evidence);
  /** @type {number[]} */
  const chosen = [];
  if (whole <= 0) return chosen;
  let given = 0;
  for (const capsule of ranked(evidence)) {
    if (evidence[capsule] <= 0 || given >= (SHARE - ROUNDING) * whole) break;
    given += evidence[capsule];
    chosen.push(capsule);
  }
  return chosen;
}

/**
 * Which of the nine areas a place belongs to. Thirds are taken of the places' middles, so
 * that a grid of any size is divided alike from left and right.
 * @param {{ row: number, column: number }} place @param {Grid} grid
 * @returns {number} 0..8, row by row
 */
export function areaOf({ row, column }, { rows, columns }) {
  const third = (/** @type {number} */ at, /** @type {number} */ count) =>
    Math.floor((3 * (at + 0.5)) / count);
  return 3 * third(row, rows) + third(column, columns);
}

/**
 * @param {ArrayLike<number>} evidence
 * @param {readonly number[]} chosen capsules, largest first
 * @param {ReadonlySet<number>} shared capsules of the other tree
 * @param {Grid} grid
 * @returns {Tree}
 */
function treeOf(evidence, chosen, shared, grid) {
  const cells = grid.rows * grid.columns;
  const parts = chosen.map((capsule) => ({
    capsule,
    type: Math.floor(capsule / cells),
    gives: evidence[capsule],
    isShared: shared.has(capsule),
  }));
  const mine = new Set(chosen);
  const others = Array.from(evidence).filter((_, capsule) => !mine.has(capsule));
  const places = placesOf(parts, grid);
  return {
    whole: sum(evidence),
    given: givenBy(parts),
    adds: sum(others.filter((gives) => gives > 0)),
    takes: -sum(others.filter((gives) => gives < 0)) || 0,
    others: others.length,
    parts,
    areas: areasOf(places, grid),
    places: places.length,
    isSure: isClearCut(parts, sum(evidence), Math.max(0, ...others)),
  };
}

/**
 * Whether no rounding can have chosen other capsules: nine tenths are not reached, nor missed
 * without the last of them, by a hair; and none of the others gives about as much as that.
 * @param {readonly Part[]} parts largest first
 * @param {number} whole
 * @param {number} next the most that one of the others gives
 */
function isClearCut(parts, whole, next) {
  if (parts.length === 0) return true;
  const { gives } = parts[parts.length - 1];
  const beyond = givenBy(parts) - SHARE * whole;
  const hair = (LOST / 2) * whole;
  return beyond > hair && gives - beyond > hair && gives - next > 2 * LOST * gives;
}

/**
 * @param {readonly Part[]} parts largest first
 * @param {Grid} grid
 * @returns {PlaceNode[]} largest first
 */
function placesOf(parts, { rows, columns }) {
  const cellOf = (/** @type {Part} */ { capsule }) => capsule % (rows * columns);
  const places = [...groupsOf(parts, cellOf)].map(([cell, own]) => ({
    row: Math.floor(cell / columns),
    column: cell % columns,
    gives: givenBy(own),
    parts: own,
  }));
  return places.sort((a, b) => b.gives - a.gives);
}

/**
 * @param {readonly PlaceNode[]} places largest first
 * @param {Grid} grid
 * @returns {AreaNode[]}
 */
function areasOf(places, grid) {
  const areas = [...groupsOf(places, (place) => areaOf(place, grid))].map(
    ([area, own]) => ({
      area,
      gives: givenBy(own),
      places: own,
    }),
  );
  return areas.sort((a, b) => a.area - b.area);
}

/**
 * @template Thing
 * @param {readonly Thing[]} things
 * @param {(thing: Thing) => number} keyOf
 * @returns {Map<number, Thing[]>} the things of each key, in their order
 */
function groupsOf(things, keyOf) {
  /** @type {Map<number, Thing[]>} */
  const groups = new Map();
  for (const thing of things) {
    const key = keyOf(thing);
    groups.set(key, [...(groups.get(key) ?? []), thing]);
  }
  return groups;
}
