/**
 * What pooling does to a window and to a map, in words that follow from the numbers.
 * @import { Loss, Place, PooledMap } from "./windows.js"
 */
import { fewestDecimals, rounded } from "../../lib/decimals.js";
import { counted, fixed, grouped, percent, roundedTogether } from "../../lib/format.js";
import { addedUp } from "../../lib/written.js";
import { CORNERS, countLargest } from "./windows.js";

const DECIMALS = 3;

/** Of more activation than this, hundredths are enough. */
const MUCH = 10;

/** @param {number} activation summed over many pixels */
export function summed(activation) {
  return fixed(activation, activation < MUCH ? DECIMALS : 1);
}

/**
 * How a window's value comes about.
 * @param {readonly number[]} four its pixels, row by row
 * @param {number} winner which of them goes on
 */
export function windowWords(four, winner) {
  const largest = countLargest(four);
  if (largest === 0) return "All four pixels are 0: none wins, and 0 goes on.";
  const value = fixed(four[winner], DECIMALS);
  if (largest > 1)
    return `${largest === 4 ? "All four" : ["Two", "Three"][largest - 2]} pixels hold ${value}, as far as the numbers here tell. The network took the ${CORNERS[winner]} one; of equal pixels it takes the first.`;
  const others = four.filter((_, corner) => corner !== winner);
  if (others.every((other) => other === 0))
    return `The ${CORNERS[winner]} pixel wins with ${value}. The other three are 0: nothing is thrown away.`;
  return `The ${CORNERS[winner]} pixel wins with ${value}. The other three, together ${addedUp(others, DECIMALS).sum}, are thrown away.`;
}

/** The maximum as arithmetic. @param {readonly number[]} four @param {number} winner */
export function maximumWords(four, winner) {
  const others = four.filter((_, corner) => corner !== winner);
  const { parts } = addedUp(others, DECIMALS);
  const all = parts.toSpliced(winner, 0, fixed(four[winner], DECIMALS));
  return `max(${all.join(", ")}) = ${all[winner]}`;
}

/** What does not go on. @param {Loss} loss @param {string} whose such as "Map 5" */
export function lossWords({ total, lost, share, windows, empty, lostActive }, whose) {
  if (total === 0)
    return `${whose} is 0 everywhere: there is nothing to keep and nothing to throw away.`;
  const winners = winnerWords(windows, empty);
  if (lost === 0)
    return `${whose} loses nothing: its activation, ${summed(total)} summed over all pixels, is that of its winners. ${winners}`;
  const part = percent(share, 1);
  const cut = (/** @type {number} */ decimals) =>
    roundedTogether([total - lost, lost], total, decimals);
  // The share follows from the figures beside it, as they are written.
  const decimals = fewestDecimals(
    total < MUCH ? DECIMALS : 1,
    (count) => percent(cut(count)[1] / rounded(total, count), 1) === part,
  );
  const [kept, gone] = cut(decimals);
  return `${whose} has an activation of ${fixed(total, decimals)}, summed over all pixels. ${fixed(kept, decimals)} goes on, and ${fixed(gone, decimals)} is thrown away: ${part}. ${winners} Of the pixels that do not go on, ${grouped(lostActive)} ${lostActive === 1 ? "is" : "are"} above 0.`;
}

/**
 * How many windows have a winner.
 * @param {number} windows
 * @param {number} empty windows of four zeros
 */
function winnerWords(windows, empty) {
  if (empty === 0)
    return windows === 1
      ? "In its only window one pixel goes on."
      : `In each of its ${grouped(windows)} windows one pixel goes on.`;
  const won = `In ${grouped(windows - empty)} of its ${grouped(windows)} windows one pixel goes on`;
  return empty === 1
    ? `${won}; the other one holds four zeros and has no winner.`
    : `${won}; the other ${grouped(empty)} hold four zeros and have no winner.`;
}

/**
 * What is said of windows that several pixels seem to win.
 * @param {number} ties windows above 0 in which several pixels hold the largest value, as
 *   far as half precision tells
 */
export function tieWords(ties) {
  if (ties === 0) return "";
  return `In ${counted(ties, "window")} several pixels hold the largest value, as far as the numbers here tell; a ring instead of a dot marks the one that the network took.`;
}

/** @param {PooledMap} map @param {Place} window */
export function windowText({ pooled, winners, across }, { row, column }) {
  const i = row * across + column;
  const words = `window at row ${row}, column ${column}: ${fixed(pooled[i])} goes on`;
  return pooled[i] > 0 ? `${words} from its ${CORNERS[winners[i]]} pixel` : words;
}

/** @param {PooledMap} map @param {Place} pixel of the map below */
export function pixelText({ below, side }, { row, column }) {
  return `pixel at row ${row}, column ${column}: ${fixed(below[row * side + column])}`;
}

/** What a map loses. @param {number} map @param {Loss} loss of it */
export const tileWords = (map, { share, total }) =>
  `map ${map}: ${percent(share, 1)} of its activation of ${summed(total)} is thrown away`;
