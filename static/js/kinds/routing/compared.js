/**
 * What each type of capsules below sends to a class, for two images: a table in numbers of
 * what the pictures of a comparison show.
 */
import { focusedClass } from "../../core/state.js";
import { sum } from "../../lib/arithmetic.js";
import { fixed } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { fold, valuesTable } from "../../ui/values.js";

/**
 * What the last iteration makes of one class.
 * @typedef {object} Reading
 * @property {Float32Array} shares of what each capsule below sends, that go to the class
 * @property {Float32Array} given what each gives to it
 */

/**
 * What things are called.
 * @typedef {object} TypesWords
 * @property {string} share the mean over a type
 * @property {string} given the sum over a type
 * @property {string} all the last row: the sum of what all give
 * @property {string} [corner] what the rows are; types, where absent
 * @property {boolean} [isMeanTold] whether that row tells the mean over all capsules too
 */

/**
 * @template {object} Trace
 * @template Of
 * @param {{ keptTrace: Trace, trace: Trace & { prediction: number }, classIndex: number | null }} scene
 * @param {(run: Trace, classIndex: number) => Of} readingOf
 * @returns {Of[]} what both images have of the class in focus: kept, shown
 */
export function readingsOf(scene, readingOf) {
  const classIndex = focusedClass(scene);
  return [scene.keptTrace, scene.trace].map((run) => readingOf(run, classIndex));
}

/** @param {{ shape: readonly number[] }} tensor (iterations, …) */
export const iterationIn = ({ shape: [iterations] }) =>
  h("small", {}, `after iteration ${iterations}`);

/**
 * @param {string} title
 * @param {readonly Reading[]} readings kept, shown
 * @param {number} types @param {TypesWords} words
 */
export const typesFold = (title, readings, types, words) =>
  fold(title, () => typesTable(readings, types, words), {
    class: "numbers",
    "data-types": "",
  });

/** @param {readonly Reading[]} readings @param {number} types @param {TypesWords} words */
function typesTable(readings, types, words) {
  const all = rowsOf(readings, types, words);
  const rows = all.slice(0, types);
  const write = (/** @type {number} */ value) => fixed(value, 4);
  const names = [words.share, words.given].flatMap((what) => [
    `${what}, kept`,
    `${what}, shown`,
    "difference",
  ]);
  return valuesTable({
    of: words.corner ?? "type",
    columns: names.map((name, i) => [name, rows.map((row) => row[i]), write]),
    last: [words.all, ...all[types]],
  });
}

/**
 * @param {readonly Reading[]} readings kept, shown
 * @param {number} types @param {Pick<TypesWords, "isMeanTold">} words
 * @returns {number[][]} a row for each type, and one for all
 */
export function rowsOf([kept, shown], types, { isMeanTold = false }) {
  const means = [kept, shown].map(({ shares }) => [
    ...sumsByType(shares, types).map((each) => (each * types) / shares.length),
    isMeanTold ? sum(shares) / shares.length : Number.NaN,
  ]);
  const sums = [kept, shown].map(({ given }) => [
    ...sumsByType(given, types),
    sum(given),
  ]);
  return means[0].map((_, row) =>
    [means, sums].flatMap(([was, is]) => [was[row], is[row], is[row] - was[row]]),
  );
}

/**
 * @param {ArrayLike<number>} values (types × cells)
 * @param {number} types
 * @returns {number[]} (types)
 */
function sumsByType(values, types) {
  const cells = values.length / types;
  const all = Array.from(values);
  return Array.from({ length: types }, (_, type) =>
    sum(all.slice(type * cells, (type + 1) * cells)),
  );
}
