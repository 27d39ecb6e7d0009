/**
 * Pooling before and after the image moved, window by window: which values stay, and which
 * pixel wins.
 * @import { Change } from "../../lib/change.js"
 * @import { Shift } from "../../lib/shift.js"
 * @import { Pixels, Pooled } from "../../types.js"
 * @import { Place, PooledMap } from "./windows.js"
 */
import { sum } from "../../lib/arithmetic.js";
import { changeOf, isWithin, rewonOf } from "../../lib/change.js";
import {
  alongWords,
  answerWords,
  lostInkWords,
  movedWords,
  softenedWords,
} from "./moves-words.js";
import { fourOf } from "./windows.js";
import { maximumWords } from "./words.js";

/**
 * What can become of a window. "zero": all four pixels are 0 both times, so that it never
 * had a winner. "same": value and winner stay. "absorbed": the value stays although
 * another pixel wins. "other": the value changes. "lit": all four are 0 before or after,
 * but not both times.
 */
export const KINDS = /** @type {const} */ ([
  "zero",
  "same",
  "absorbed",
  "other",
  "lit",
]);

/** @typedef {typeof KINDS[number]} Kind */

/** What each kind is called, and the sign that stands for it where colours fail. */
export const KIND_WORDS = /** @type {const} */ ({
  same: { sign: "=", words: "same value, same pixel" },
  absorbed: { sign: "⇄", words: "same value, another pixel wins" },
  other: { sign: "≠", words: "another value" },
  lit: { sign: "±", words: "all 0 before, or all 0 after" },
  zero: { sign: "", words: "all 0 both times: no winner" },
});

/**
 * Numbers come in half precision, and a convolution sums in another order elsewhere: two
 * values are the same if they are at most one step of half precision apart.
 */
const STEP = 2 ** -10; // of the larger value

/** @param {number} a @param {number} b */
export function isSameValue(a, b) {
  return isWithin(Math.abs(a - b), Math.max(Math.abs(a), Math.abs(b)), STEP);
}

/**
 * Pooled values and winners; of one map or of all, as long as both are of the same.
 * @typedef {{ pooled: Float32Array, winners: Float32Array }} Won
 */

/**
 * @param {Won} before @param {Won} after
 * @returns {Uint8Array} for each window its kind, as a place in `KINDS`
 */
export function kindsOf(before, after) {
  return Uint8Array.from(before.pooled, (was, i) => {
    const is = after.pooled[i];
    return KINDS.indexOf(kindOf(was, is, before.winners[i] !== after.winners[i]));
  });
}

/**
 * @param {number} was @param {number} is @param {boolean} isOtherPixel
 * @returns {Kind}
 */
function kindOf(was, is, isOtherPixel) {
  if (was === 0 && is === 0) return "zero";
  if (was === 0 || is === 0) return "lit";
  if (!isSameValue(was, is)) return "other";
  return isOtherPixel ? "absorbed" : "same";
}

/**
 * How many windows there are of each kind, and what follows from that.
 * @typedef {Readonly<Record<Kind, number>> & {
 *   readonly windows: number,
 *   readonly active: number,
 *   readonly kept: number,
 *   readonly contested: number,
 *   readonly rewon: number,
 * }} Counts
 *   active: not zero both times; kept: active, and the value stays; contested: with a
 *   winner both times; rewon: of these, those in which another pixel wins
 */

/** @param {Won} before @param {Won} after @returns {Counts} */
export function countsOf(before, after) {
  const counts = { zero: 0, same: 0, absorbed: 0, other: 0, lit: 0 };
  for (const kind of kindsOf(before, after)) counts[KINDS[kind]]++;
  const windows = before.pooled.length;
  return {
    ...counts,
    windows,
    active: windows - counts.zero,
    kept: counts.same + counts.absorbed,
    ...rewonOf(before, after),
  };
}

/**
 * Of the values that are not zero both times, how many stay what they are.
 * @param {Change} change
 */
const keptOf = ({ active, stay: [kept] }) => ({ active, kept });

/**
 * Where an image moved by whole windows, how far the pooled maps move with it.
 * @param {Shift} shift of the image, in pixels
 * @param {number} step from one window to the next, in pixels of the image
 * @returns {Shift | null} in windows; null where windows are cut differently
 */
export function movedWindows({ down, right }, step) {
  if (down % step !== 0 || right % step !== 0) return null;
  return { down: down / step, right: right / step };
}

/**
 * How many windows hold what the window held that the image moved away from.
 * @param {Pooled["pooled"]} before
 * @param {Pooled["pooled"]} after same shape
 * @param {Shift} by in windows
 * @returns {{ active: number, kept: number }} of those that have such a window, and are
 *   not zero both times
 */
export function keptAlong({ shape, data: before }, { data: after }, { down, right }) {
  const [, rows, columns] = shape;
  const [was, is] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  after.forEach((value, i) => {
    const row = (Math.floor(i / columns) % rows) - down;
    const column = (i % columns) - right;
    if (row < 0 || row >= rows || column < 0 || column >= columns) return;
    was.push(before[i - down * columns - right]);
    is.push(value);
  });
  return keptOf(changeOf({ data: was }, { data: is }, [STEP]));
}

/**
 * The layer as it read one image, and what the network answered.
 * @typedef {object} Run
 * @property {Pixels} pixels
 * @property {Pooled} layer
 * @property {Float32Array} scores one for each class
 * @property {number} prediction
 */

/**
 * @typedef {object} Asked
 * @property {readonly PooledMap[]} maps the chosen map before and after
 * @property {number} map its number
 * @property {Shift} shift
 * @property {number} step from one window to the next, in pixels of the image
 * @property {{ below: string, own: string }} names of the layers
 * @property {readonly string[]} classes their names
 */

/**
 * What a column of the table counts.
 * @typedef {object} Column
 * @property {Counts} windows
 * @property {{ active: number, kept: number }} pixels of the layer below
 */

/**
 * What the move did, worked out: the sentences, and what the table counts.
 * @param {Run} run @param {Run} moved @param {Asked} asked
 */
export function tellMove(run, moved, { maps, map, shift, step, names, classes }) {
  const [before, after] = maps;
  const [was, is] = [run.layer, moved.layer];
  const own = countsOf(before, after);
  const below = changeOf(was.below, is.below, [STEP]);
  const pooled = changeOf(was.pooled, is.pooled);
  const by = movedWindows(shift, step);
  const sentences = [
    movedWords(own, shift, `map ${map}`),
    softenedWords({ below: below.share, own: pooled.share }, names),
    by === null ? "" : alongWords(keptAlong(was.pooled, is.pooled, by), by),
    answerWords({
      names: classes,
      before: run.scores,
      after: moved.scores,
      first: run.prediction,
      now: moved.prediction,
    }),
    lostInkWords(inkLost(run.pixels, moved.pixels)),
  ];
  const ownBelow = changeOf({ data: before.below }, { data: after.below }, [STEP]);
  return {
    sentences: sentences.filter((sentence) => sentence !== ""),
    columns: [
      { windows: own, pixels: keptOf(ownBelow) },
      { windows: countsOf(wonOf(was), wonOf(is)), pixels: keptOf(below) },
    ],
  };
}

/** @param {Pooled} layer all its maps as one */
const wonOf = ({ pooled, winners }) => ({ pooled: pooled.data, winners: winners.data });

/**
 * Which share of the ink a move pushes out of the image.
 * @param {Pixels} before @param {Pixels} after
 * @returns {number} in 0..1; 0 of an empty image
 */
export function inkLost(before, after) {
  const all = sum(before.bytes);
  return all === 0 ? 0 : (all - sum(after.bytes)) / all;
}

/**
 * One window before and after.
 * @param {readonly PooledMap[]} maps before and after
 * @param {Place} at @param {Kind} kind
 */
export function windowText(maps, at, kind) {
  const [before, after] = maps.map((map) =>
    maximumWords(fourOf(map, at), map.winners[at.row * map.across + at.column]),
  );
  const { words } = KIND_WORDS[kind];
  return `row ${at.row}, column ${at.column}: before ${before}; after ${after}; ${words}`;
}
