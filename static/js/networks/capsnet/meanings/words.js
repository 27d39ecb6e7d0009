/**
 * What was measured of the numbers of a capsule, in words: each number's meaning, and
 * how well a property can be moved on purpose.
 * @import { CapsModel, Meaning, Meanings, Way } from "../types.js"
 */
import { fixed, percent, signed } from "../../../lib/format.js";

/**
 * How people call what is measured. `way` says what more of it looks like.
 * @type {Record<string, { name: string, more: string, less: string, unit: string, decimals: number }>}
 */
export const PROPERTIES = {
  thickness: {
    name: "thickness",
    more: "thicker",
    less: "thinner",
    unit: " px",
    decimals: 1,
  },
  slant: {
    name: "slant",
    more: "leans right",
    less: "leans left",
    unit: "°",
    decimals: 0,
  },
  width: { name: "width", more: "wider", less: "narrower", unit: " px", decimals: 1 },
  height: { name: "height", more: "taller", less: "lower", unit: " px", decimals: 1 },
  x: {
    name: "place across",
    more: "further right",
    less: "further left",
    unit: " px",
    decimals: 1,
  },
  y: {
    name: "place down",
    more: "further down",
    less: "further up",
    unit: " px",
    decimals: 1,
  },
  loops: {
    name: "size of loops",
    more: "larger loops",
    less: "smaller loops",
    unit: " px²",
    decimals: 0,
  },
  tail: {
    name: "tail",
    more: "longer tail",
    less: "shorter tail",
    unit: " px²",
    decimals: 0,
  },
  head: {
    name: "width at the top",
    more: "wider at the top",
    less: "narrower at the top",
    unit: " px",
    decimals: 1,
  },
  foot: {
    name: "width at the foot",
    more: "wider at the foot",
    less: "narrower at the foot",
    unit: " px",
    decimals: 1,
  },
  bow: {
    name: "bow",
    more: "bows right",
    less: "bows left",
    unit: " px",
    decimals: 1,
  },
};

/** What a number has that moves nothing alone. */
export const NO_MEANING = "no single meaning";

/**
 * What the card tells of one number of a digit's capsule.
 * @param {Pick<CapsModel, "card">} model
 * @param {number} digit
 * @param {number} dimension 0 first
 * @returns {Meaning | null} null where it was not measured
 */
export function meaningOf({ card }, digit, dimension) {
  return card.meanings?.classes[digit]?.numbers[dimension] ?? null;
}

/**
 * Such as "mostly slant, r = 0.91".
 * @param {Meaning} meaning
 */
export function meaningInShort({ is_single, strongest, correlation }) {
  if (!is_single) return NO_MEANING;
  return `mostly ${nameOf(strongest)}, r = ${fixed(correlation, 2)}`;
}

/**
 * What the short form leaves out.
 * @param {Meaning} meaning
 * @param {Meanings} measured how
 * @param {string} name of the digit
 */
export function meaningInFull(meaning, measured, name) {
  const { is_single, strongest, change, correlation, next, unexplained } = meaning;
  if (change === 0) return "Moving it changes none of the properties measured.";
  const from = `From its low to its high end, ${amountOf(strongest, change)} (${directionOf(strongest, change)})`;
  const r = is_single ? "" : `, r = ${fixed(correlation, 2)}`;
  const second = next === null ? "" : `; next, ${nameOf(next)}`;
  return `${from}${r}${second}. ${percent(unexplained, 0)} of the change in the picture is not a change of place, slant, width, height or thickness. Measured on up to ${measured.images} test images of ${name}.`;
}

/** @param {string} property */
export function nameOf(property) {
  return PROPERTIES[property]?.name ?? property;
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

/**
 * Such as "leans right".
 * @param {string} property
 * @param {number} amount
 */
export function directionOf(property, amount) {
  const { more, less } = PROPERTIES[property] ?? { more: "more", less: "less" };
  return amount < 0 ? less : more;
}

/**
 * How true a direction is, such as "r = 0.97; width changes by 0.12 of it".
 * @param {Way} way
 */
export function truthOf({ correlation, spilled, spill }) {
  const r = `r = ${fixed(correlation, 2)}`;
  return spilled === null
    ? r
    : `${r}; next, ${nameOf(spilled)}, ${fixed(spill, 2)} as much`;
}
