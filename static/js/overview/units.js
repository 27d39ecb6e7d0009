/**
 * Which units of which layers a mark of the picture stands for: what its layer's view opens
 * with.
 * @import { Shown } from "./painter.js"
 * @import { Column } from "./types.js"
 * @import { Unit } from "../kinds/types.js"
 */
import { largestOf } from "../lib/arithmetic.js";
import { gridIn } from "./layout.js";

/**
 * @typedef {object} Opening
 * @property {string} id of the layer
 * @property {Unit[]} units that come into focus
 * @property {number} [classIndex] that does
 */

/**
 * @typedef {object} Now
 * @property {number} step the iteration on show, from 0
 * @property {number} lead the class whose part is shown
 */

/** @param {Shown} shown @param {string} id of its layer @param {number} map @returns {Opening} */
export function ofMap({ scene: { columns } }, id, map) {
  const column = /** @type {Column} */ (columns.find((each) => each.id === id));
  return { id, units: [brightest(column, map)] };
}

/**
 * @param {Shown} shown @param {{ level: number, tile: number }} part @param {Now} now
 * @returns {Opening | null}
 */
export function ofPart(shown, { level, tile }, now) {
  const found = shown.flows?.levels[level];
  return found
    ? { id: found.column.id, units: unitsIn(shown, { level, tile }, now) }
    : null;
}

/**
 * A ribbon: what gives is in focus where it is routed, and what gets.
 * @param {Shown} shown @param {readonly [level: number, from: number, to: number]} ends
 * @param {Now} now
 * @returns {Opening | null}
 */
export function ofRiver(shown, [level, from, to], { step, lead }) {
  const { river, column } = shown.flows?.levels[level] ?? {};
  if (!river || !column) return null;
  const isLast = river.above === null;
  const now = { step, lead: isLast ? to : lead };
  const giver = unitsIn(shown, { level, tile: from }, now);
  const taker = isLast ? [] : unitsIn(shown, { level: level + 1, tile: to }, now);
  const routed = giver.map((each) => ({
    ...each,
    id: river.id,
    below: column.id,
    ...(taker.length > 0 && { above: taker[0].tile }),
  }));
  return {
    id: river.id,
    units: [...routed, ...giver, ...taker],
    ...(isLast && { classIndex: to }),
  };
}

/**
 * A tile at its strongest place; none for several tiles that are drawn as one.
 * @param {Shown} shown @param {{ level: number, tile: number }} part @param {Now} now
 * @returns {Unit[]}
 */
function unitsIn({ flows }, { level, tile: part }, { step, lead }) {
  const found = flows?.levels[level];
  if (!flows || !found || found.groups[part].length > 1) return [];
  const [tile] = found.groups[part];
  const { column, river } = found;
  const { columns } = gridIn(found);
  if (level > 0 && columns > 1) return [brightest(column, tile)];
  if (level > 0 || river.places === 1)
    return [{ id: column.id, tile, row: 0, column: 0 }];
  const { spoken } = flows.at(step);
  const given = Array.from(
    { length: river.places },
    (_, place) => spoken[(part * river.places + place) * flows.classes + lead],
  );
  // What is silent gives nothing anywhere.
  if (given.every((each) => each === 0)) return [brightest(column, tile)];
  return [unitAt(column, tile, largestOf(given))];
}

/** @param {Column} column @param {number} tile */
function brightest(column, tile) {
  const size = column.rows * column.columns;
  const at = column.numbers.indexOf(tile) * size;
  return unitAt(column, tile, largestOf(column.values.subarray(at, at + size)));
}

/** @param {Column} column @param {number} tile @param {number} place @returns {Unit} */
function unitAt({ id, columns }, tile, place) {
  return { id, tile, row: Math.floor(place / columns), column: place % columns };
}
