/**
 * How much a layer changes, in terms in which pooled values and poses compare: each unit is
 * a vector, a value being a vector of one number.
 * Pure arithmetic: no DOM, no state.
 * @import { LayerUnits } from "../../types.js"
 */

/** A unit that changes by no more than these shares of its length nearly stays. */
const NEAR = 0.01;
const ROUGH = 0.1;

/**
 * @typedef {object} Change
 * @property {number} units
 * @property {number} active units that are not zero both times
 * @property {number} near of these, how many change by 1 % at most of the longer of both
 * @property {number} rough how many by 10 % at most
 * @property {number} share the sum of all changes' lengths, as a share of the sum of all
 *   lengths before; not a number where that is 0
 * @property {{ contested: number, rewon: number } | null} winners of a layer that pools:
 *   windows above 0 both times, and those of them in which another pixel wins
 */

/**
 * @param {LayerUnits} before
 * @param {LayerUnits} after the same layer
 * @returns {Change}
 */
export function changeOf(before, after) {
  const { size } = before;
  const units = before.data.length / size;
  let [active, near, rough, changed, length] = [0, 0, 0, 0, 0];
  for (let unit = 0; unit < units; unit++) {
    const [was, is, by] = lengthsOf(before.data, after.data, unit * size, size);
    length += was;
    changed += by;
    const longer = Math.max(was, is);
    if (longer === 0) continue;
    active++;
    if (by <= NEAR * longer) near++;
    if (by <= ROUGH * longer) rough++;
  }
  const winners = winnersOf(before, after);
  return { units, active, near, rough, share: changed / length, winners };
}

/**
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {number} start
 * @param {number} size
 * @returns {[was: number, is: number, by: number]} lengths, and that of the difference
 */
function lengthsOf(before, after, start, size) {
  let [was, is, by] = [0, 0, 0];
  for (let i = start; i < start + size; i++) {
    was += before[i] ** 2;
    is += after[i] ** 2;
    by += (after[i] - before[i]) ** 2;
  }
  return [Math.sqrt(was), Math.sqrt(is), Math.sqrt(by)];
}

/**
 * @param {LayerUnits} before
 * @param {LayerUnits} after
 */
function winnersOf(before, after) {
  if (before.winners === undefined || after.winners === undefined) return null;
  let [contested, rewon] = [0, 0];
  for (let i = 0; i < before.winners.length; i++) {
    if (before.data[i] === 0 || after.data[i] === 0) continue;
    contested++;
    if (before.winners[i] !== after.winners[i]) rewon++;
  }
  return { contested, rewon };
}

/**
 * The image's own change: all differences, as a share of the ink before.
 * @param {ArrayLike<number>} before
 * @param {ArrayLike<number>} after
 * @returns {number} not a number where there is no ink
 */
export function inkChange(before, after) {
  let [changed, ink] = [0, 0];
  for (let i = 0; i < before.length; i++) {
    changed += Math.abs(after[i] - before[i]);
    ink += before[i];
  }
  return changed / ink;
}
