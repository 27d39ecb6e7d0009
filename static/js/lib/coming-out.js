/**
 * Numbers rounded so that what is written down can be checked with pencil and paper.
 */
import { fewestDecimals, rounded } from "./decimals.js";
import { fixed } from "./number.js";

/**
 * What must be added to `parts`, as they are written with so many decimals, to come to
 * `total` as it is written. It may differ in the last digit from what is truly added.
 * @param {number} total
 * @param {readonly number[]} parts
 * @param {number} decimals
 */
export function restOf(total, parts, decimals) {
  return parts.reduce(
    (rest, part) => rounded(rest - rounded(part, decimals), decimals),
    rounded(total, decimals),
  );
}

/**
 * A product in words, its factors with as many decimals as they need for the product,
 * worked out from what is written, to be the product that is written.
 * @param {number} a
 * @param {number} b
 * @param {number} decimals of the product, and at least of the factors
 * @returns {string} such as "0.5 × −0.25 = −0.125"
 */
export function productInWords(a, b, decimals) {
  const product = rounded(a * b, decimals);
  const digits = fewestDecimals(
    decimals,
    (count) => rounded(rounded(a, count) * rounded(b, count), decimals) === product,
  );
  return `${fixed(a, digits)} × ${fixed(b, digits)} = ${fixed(a * b, decimals)}`;
}
