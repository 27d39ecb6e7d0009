/**
 * Ways through a capsule's numbers at once: along a property, such as slant, and
 * along the principal directions of a digit's capsules.
 * @import { Tensor } from "../../types.js"
 * @import { DecoderModel, PoseMeasures, Way } from "./types.js"
 */
import { roundedEdit } from "./pose.js";

/** How far a slider goes to either side at least: in units measured, in deviations. */
const REACH = { properties: 1.5, principal: 2.5 };

/**
 * One way, and how to tell how far along it a capsule stands.
 * @typedef {object} Path
 * @property {string} id unique within its set
 * @property {readonly number[]} step what one unit adds to the capsule
 * @property {readonly number[]} reading weights that read the amount from a difference
 * @property {number} own where the network's own capsule stands
 * @property {number} reach of its slider to either side of 0
 * @property {Way | null} way what was measured of it; null for principal directions
 * @property {number} share of the variance, for principal directions
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
        id: way.property,
        step: rowOf(measures.ways, classIndex, row),
        reading: rowOf(measures.slopes, classIndex, row),
        own: 0,
        reach: REACH.properties,
        way,
        share: 0,
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
 * The principal directions of a digit's capsules, those that vary most first.
 * @param {PoseMeasures} measures @param {number} classIndex
 * @param {readonly number[]} original the network's own capsule
 * @returns {Path[]}
 */
export function principalPaths(measures, classIndex, original) {
  const [, , count] = measures.directions.shape;
  const deviations = vectorOf(measures.deviations, classIndex);
  const mean = vectorOf(measures.mean, classIndex);
  const total = deviations.reduce((sum, value) => sum + value ** 2, 0);
  return deviations.slice(0, count).flatMap((deviation, k) => {
    if (!(deviation > 1e-6)) return [];
    const direction = rowOf(measures.directions, classIndex, k);
    const reading = direction.map((value) => value / deviation);
    return [
      {
        id: String(k + 1),
        step: direction.map((value) => value * deviation),
        reading,
        own: along(
          reading,
          original.map((value, i) => value - mean[i]),
        ),
        reach: REACH.principal,
        way: null,
        share: deviation ** 2 / total,
      },
    ];
  });
}

/**
 * How far along a path a capsule stands.
 * @param {Path} path
 * @param {readonly number[]} edits differences from the network's own capsule
 */
export function amountOn({ reading, own }, edits) {
  return own + along(reading, edits);
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

/** @param {readonly number[]} weights @param {readonly number[]} values */
function along(weights, values) {
  return values.reduce((sum, value, i) => sum + value * weights[i], 0);
}

/** @param {Tensor} tensor (classes, numbers) @param {number} classIndex */
function vectorOf({ shape: [, length], data }, classIndex) {
  return Array.from(data.subarray(classIndex * length, (classIndex + 1) * length));
}

/** @param {Tensor} tensor (classes, rows, numbers) @param {number} classIndex @param {number} row */
function rowOf({ shape: [, rows, length], data }, classIndex, row) {
  const from = (classIndex * rows + row) * length;
  return Array.from(data.subarray(from, from + length));
}
