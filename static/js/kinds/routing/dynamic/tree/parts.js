/**
 * What a digit is made of: the fewest primary capsules that give 90 % of all that lengthens
 * it, and where they stand. What a capsule gives is c·(û·v)/‖v‖, as everywhere in Routing;
 * those that vote against it take, and what is left is ‖s‖.
 *
 * They are grouped twice. Capsules of several types at one place of the grid see the same
 * patch, so a place is one node. Neighbouring places form an area: a third of the grid's
 * rows by a third of its columns, so there are nine at most whatever the grid's size.
 * @import { Gifts } from "../../../../lib/statistics.js"
 */
import { sum } from "../../../../lib/arithmetic.js";
import { giftsIn } from "../../../../lib/statistics.js";

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
 * @property {number} gives to the length
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
 * @property {number} whole ‖s‖, what is left of it
 * @property {Gifts} gifts what capsules add to it and take from it, and how few add most
 * @property {Part[]} parts largest first
 * @property {AreaNode[]} areas row by row; only those with capsules
 * @property {number} places how many places its capsules stand at
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
  const [own, other] = [evidence, rivals].map(giftsIn);
  const [inOwn, inOther] = [new Set(own.few), new Set(other.few)];
  return [treeOf(evidence, own, inOther, grid), treeOf(rivals, other, inOwn, grid)];
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
 * @param {Gifts} gifts
 * @param {ReadonlySet<number>} shared capsules of the other tree
 * @param {Grid} grid
 * @returns {Tree}
 */
function treeOf(evidence, gifts, shared, grid) {
  const { few } = gifts;
  const cells = grid.rows * grid.columns;
  const parts = few.map((capsule) => ({
    capsule,
    type: Math.floor(capsule / cells),
    gives: evidence[capsule],
    isShared: shared.has(capsule),
  }));
  const places = placesOf(parts, grid);
  return {
    whole: sum(evidence),
    gifts,
    parts,
    areas: areasOf(places, grid),
    places: places.length,
  };
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
