/**
 * What the places of the picture give to a digit, and what that says.
 * @import { Scene } from "../scene.js"
 */
import { largestOf, sum } from "../../../../lib/arithmetic.js";

import { fixed } from "../../../../lib/format.js";

/**
 * @param {Scene} scene
 * @returns {{ rows: number, columns: number }} of places
 */
export function gridOf({ trace }) {
  const [, , rows, columns] = trace.tensors["routing.couplings"].shape;
  return { rows, columns };
}

/**
 * What every place gives to one digit.
 * @param {Scene} scene
 * @param {number} digit
 * @returns {Float32Array} (rows, columns), a view and no copy
 */
export function evidenceFor({ figures, step, model }, digit) {
  const all = figures.evidence(step);
  const cells = all.length / model.classes;
  return all.subarray(digit * cells, (digit + 1) * cells);
}

/**
 * What every place gives to the digit in focus.
 * @param {Scene} scene
 * @param {boolean} isRather less what it gives to the longest of the others
 * @returns {Float32Array} (rows, columns)
 */
export function evidenceOn(scene, isRather) {
  const mine = evidenceFor(scene, scene.digit);
  if (!isRather) return mine;
  const rivals = evidenceFor(scene, rivalOf(scene));
  return mine.map((value, i) => value - rivals[i]);
}

/**
 * The longest of the other digits in the iteration on show.
 * @param {Scene} scene
 */
export function rivalOf({ figures, step, digit }) {
  const lengths = figures.lengths();
  let best = digit === 0 ? 1 : 0;
  for (let each = 0; each < lengths.length; each++) {
    if (each !== digit && lengths[each][step] > lengths[best][step]) best = each;
  }
  return best;
}

/**
 * The length before squash, as the sum of what places give to it.
 * @param {Scene} scene
 * @param {number} digit
 */
export function lengthBefore(scene, digit) {
  return sum(evidenceFor(scene, digit));
}

/**
 * @param {Scene} scene
 * @param {boolean} isRather
 * @returns {string}
 */
export function describePlaces(scene, isRather) {
  const rival = rivalOf(scene);
  const rivalName = scene.model.class_names[rival];
  const whole = fixed(lengthBefore(scene, scene.digit), 2);
  const { columns } = gridOf(scene);
  const sums = sumsInWords(evidenceOn(scene, isRather), columns, isRather);
  if (!isRather)
    return `Before squash the capsule of ${scene.name} is ${whole} long. ${sums}`;
  const other = fixed(lengthBefore(scene, rival), 2);
  return `Before squash the capsule of ${scene.name} is ${whole} long, that of ${rivalName} ${other}. Red places give more to ${scene.name}, blue places more to ${rivalName}. ${sums}`;
}

/**
 * What the places give and take.
 * @param {ArrayLike<number>} evidence of each place, row by row
 * @param {number} columns of the grid
 * @param {boolean} isRather the values are differences of two digits
 */
export function sumsInWords(evidence, columns, isRather) {
  const all = Array.from(evidence);
  const best = largestOf(all);
  const pro = sum(all.filter((value) => value > 0));
  const against = sum(all.filter((value) => value < 0));
  const [to, from] = isRather
    ? ["to the difference", "from the difference"]
    : ["to it", "from it"];
  const at = `row ${Math.floor(best / columns)}, column ${best % columns}`;
  const sentences = [
    ...(pro > 0
      ? [
          `The places that add ${to} give ${fixed(pro, 2)} in all; ${at} gives most, ${fixed(all[best], 2)}.`,
        ]
      : []),
    ...(against < 0
      ? [`The places that take ${from} take ${fixed(-against, 2)} in all.`]
      : []),
  ];
  return sentences.length > 0
    ? sentences.join(" ")
    : "No place gives or takes anything.";
}
