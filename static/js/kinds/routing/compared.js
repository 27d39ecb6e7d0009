/**
 * What each type of capsules below sends to a class, for two images: a table in numbers of
 * what the pictures of a comparison show.
 */
import { sum } from "../../lib/arithmetic.js";
import { valueTable } from "../../ui/tables.js";

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
 * @param {HTMLElement} root filled
 * @param {readonly Reading[]} readings kept, shown
 * @param {number} types @param {TypesWords} words
 */
export function fillTypes(root, readings, types, words) {
  const rows = rowsOf(readings, types, words);
  const columnNames = [words.share, words.given].flatMap((what) => [
    `${what}, kept`,
    `${what}, shown`,
    "difference",
  ]);
  root.replaceChildren(
    valueTable(rows.flat(), {
      rows: rows.length,
      columns: columnNames.length,
      rowNames: [...rows.slice(1).map((_, type) => String(type)), words.all],
      columnNames,
      corner: words.corner ?? "type",
      decimals: 4,
    }),
  );
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
