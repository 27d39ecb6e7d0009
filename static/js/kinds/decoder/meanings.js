/**
 * What was measured of the numbers of a capsule, in words.
 * @import { DecoderModel, Meaning, Meanings } from "./types.js"
 */
import { fixed, percent, signed } from "../../lib/format.js";
import { nameOf, PROPERTIES } from "../../lib/properties.js";

/**
 * What the card tells of one number of a class's capsule.
 * @param {Pick<DecoderModel, "card">} model @param {number} classIndex
 * @param {number} index 0 first
 * @returns {Meaning | null} null where it was not measured
 */
export function meaningOf({ card }, classIndex, index) {
  return card.meanings?.classes[classIndex]?.numbers[index] ?? null;
}

/**
 * Such as "mostly slant, r = 0.91", or "slant, also height; r = 0.91" of a number that changes
 * several properties.
 * @param {Meaning} meaning
 */
export function meaningInShort({ is_single, strongest, change, correlation, next }) {
  if (change === 0) return "changes nothing that was measured";
  const r = `r = ${fixed(correlation, 2)}`;
  const name = nameOf(strongest);
  if (is_single) return `mostly ${name}, ${r}`;
  return next === null ? `${name}, ${r}` : `${name}, also ${nameOf(next)}; ${r}`;
}

/**
 * What the short form leaves out.
 * @param {Meaning} meaning
 * @param {Meanings} measured how
 * @param {string} name of the class
 */
export function meaningInFull(meaning, measured, name) {
  const { strongest, change, next, unexplained } = meaning;
  if (change === 0) return "Moving it changes none of the properties measured.";
  const from = `From its low to its high end, ${amountOf(strongest, change)} (${directionOf(strongest, change)})`;
  const second = next === null ? "" : `; next, ${nameOf(next)}`;
  return `${from}${second}. ${percent(unexplained, 0)} of the change in the picture is not a change of place, slant, width, height or thickness. Measured on up to ${measured.images} test images of ${name}.`;
}

/**
 * Such as "slant +12°".
 * @param {string} property
 * @param {number} amount in its own unit
 */
export function amountOf(property, amount) {
  const { unit, decimals } = PROPERTIES[property] ?? { unit: "", decimals: 2 };
  return `${nameOf(property)} ${signed(amount, decimals)}${unit}`;
}

/** Such as "leans right". @param {string} property @param {number} amount */
function directionOf(property, amount) {
  const { more, less } = PROPERTIES[property] ?? { more: "more", less: "less" };
  return amount < 0 ? less : more;
}
