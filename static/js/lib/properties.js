/**
 * Properties measured in pictures: `model/measuring/shapes.py`, and the area of ink.
 */

/**
 * @param {string} name
 * @param {string} more what more of it looks like
 * @param {string} less
 */
const inPixels = (name, more, less) => ({ name, more, less, unit: " px", decimals: 1 });

/**
 * @param {string} name @param {string} more @param {string} less
 * @param {string} unit of which fractions are not told
 */
const inWhole = (name, more, less, unit) => ({ name, more, less, unit, decimals: 0 });

/**
 * How people call what is measured.
 * @type {Record<string, ReturnType<typeof inPixels>>}
 */
export const PROPERTIES = {
  thickness: inPixels("thickness", "thicker", "thinner"),
  slant: inWhole("slant", "leans right", "leans left", "°"),
  width: inPixels("width", "wider", "narrower"),
  height: inPixels("height", "taller", "lower"),
  x: inPixels("place across", "further right", "further left"),
  y: inPixels("place down", "further down", "further up"),
  loops: inWhole("size of loops", "larger loops", "smaller loops", " px²"),
  tail: inWhole("tail", "longer tail", "shorter tail", " px²"),
  head: inPixels("width at the top", "wider at the top", "narrower at the top"),
  foot: inPixels("width at the foot", "wider at the foot", "narrower at the foot"),
  bow: inPixels("bow", "bows right", "bows left"),
  ink: inWhole("area of ink", "more ink", "less ink", " px²"),
};

/** @param {string} property */
export function nameOf(property) {
  return PROPERTIES[property]?.name ?? property;
}
