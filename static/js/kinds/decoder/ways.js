/**
 * Ways through a capsule's numbers at once, each along a property such as slant.
 * @import { Tensor } from "../../types.js"
 * @import { DecoderModel, PoseMeasures, Way } from "./types.js"
 */
import { roundedEdit } from "./pose.js";

/** How far a slider goes to either side at least, in units measured. */
export const REACH = 1.5;

/**
 * One way, and how to tell how far along it a capsule stands.
 * @typedef {object} Path
 * @property {readonly number[]} step what one unit adds to the capsule
 * @property {readonly number[]} reading weights that read the amount from a difference
 * @property {Way} way what was measured of it
 */

/**
 * The properties that can be moved for a digit; none where the measurement says no.
 * @param {DecoderModel} model @param {PoseMeasures} measures @param {number} classIndex
 * @returns {Path[]}
 */
export function propertyPaths(model, measures, classIndex) {
  const { movable = [], classes = [] } = model.card.meanings ?? {};
  return (classes[classIndex]?.along ?? []).flatMap((way) => {
    const row = movable.indexOf(way.property);
    if (!way.holds || row < 0) return [];
    return [
      {
        step: rowOf(measures.ways, classIndex, row),
        reading: rowOf(measures.slopes, classIndex, row),
        way,
      },
    ];
  });
}

/**
 * The properties that cannot be moved alone.
 * @param {DecoderModel} model @param {number} classIndex
 * @returns {Way[]}
 */
export function failingWays({ card }, classIndex) {
  return (card.meanings?.classes[classIndex]?.along ?? []).filter(
    ({ holds }) => !holds,
  );
}

/**
 * How far along a path a capsule stands.
 * @param {Path} path
 * @param {readonly number[]} edits differences from the network's own capsule
 */
export function amountOn({ reading }, edits) {
  return edits.reduce((sum, value, i) => sum + value * reading[i], 0);
}

/**
 * The edits that put a capsule at another place of a path, and leave it where it stands
 * across the path.
 * @param {Path} path @param {readonly number[]} edits
 * @param {number} amount to reach
 * @returns {number[]}
 */
export function movedTo(path, edits, amount) {
  const further = amount - amountOn(path, edits);
  return edits.map((value, i) => roundedEdit(value + further * path.step[i]));
}

/** @param {Tensor} tensor (classes, rows, numbers) @param {number} classIndex @param {number} row */
function rowOf({ shape: [, rows, length], data }, classIndex, row) {
  const from = (classIndex * rows + row) * length;
  return Array.from(data.subarray(from, from + length));
}
