/**
 * What a type of primary capsules looks for, in words and as rows.
 * @import { Portraits } from "../types.js"
 */
import { fixed, signed } from "../../../lib/format.js";

/** Contributions below this are not worth a name; a digit's capsule is longer than 1. */
const LEAST = 0.01;
const NAMED = 3;

/**
 * What a type contributes to each digit on images of that digit.
 * @param {Pick<Portraits, "support">} portraits
 * @param {number} type
 * @returns {number[]}
 */
export function supportOf({ support: { shape, data } }, type) {
  return Array.from(data.subarray(type * shape[1], (type + 1) * shape[1]));
}

/**
 * Such as "It speaks most for 4 (+0.31) and 9 (+0.22), and against 7 (−0.05)."
 * @param {readonly number[]} support
 * @param {readonly string[]} names of the classes
 */
export function supportInWords(support, names) {
  const order = support.map((value, digit) => ({ value, digit }));
  const rising = order.toSorted((a, b) => a.value - b.value);
  const against = rising.filter(({ value }) => value <= -LEAST).slice(0, NAMED);
  const speaksFor = rising
    .toReversed()
    .filter(({ value }) => value >= LEAST)
    .slice(0, NAMED);
  const list = (/** @type {typeof order} */ some) =>
    some
      .map(({ value, digit }) => `${names[digit]} (${signed(value, 2)})`)
      .join(", ")
      .replace(/, ([^,]*)$/, " and $1");
  if (speaksFor.length === 0 && against.length === 0)
    return "It hardly speaks for or against any digit.";
  if (against.length === 0)
    return `It speaks most for ${list(speaksFor)}, and against none.`;
  if (speaksFor.length === 0)
    return `It speaks against ${list(against)}, and for none.`;
  return `It speaks most for ${list(speaksFor)}, and against ${list(against)}.`;
}

/**
 * @param {Pick<Portraits, "lengths">} portraits
 * @param {number} type
 */
export function lengthsInWords({ lengths: { data } }, type) {
  return `Its capsules have a mean length of ${fixed(data[2 * type], 2)} over the test images read; the 1000 longest, of ${fixed(data[2 * type + 1], 2)}.`;
}
