/**
 * Amounts with a sign as colours.
 */
import { clamp } from "../lib/arithmetic.js";

// Colours for marks that lie on the page itself: from one colour through a grey for
// zero to another, as the theme has them. The diverging scale's light middle is for
// pictures.

const STEPS = 32; // on each side of zero

/** @type {Map<string, string[]>} the few that themes ask for */
const known = new Map();

/**
 * @param {string} less colour of -1, as CSS computes it: "rgb(r, g, b)"
 * @param {string} even colour of 0
 * @param {string} more colour of 1
 * @returns {readonly string[]} for `tintOf`
 */
export function shadesOf(less, even, more) {
  const key = `${less}|${even}|${more}`;
  let shades = known.get(key);
  if (shades === undefined) {
    const [a, b, c] = [less, even, more].map(channels);
    shades = Array.from({ length: 2 * STEPS + 1 }, (_, i) => {
      const share = i / STEPS - 1;
      return share < 0 ? mixed(b, a, -share) : mixed(b, c, share);
    });
    known.set(key, shades);
  }
  return shades;
}

/** @param {readonly string[]} shades @param {number} tint clipped to -1..1 */
export function tintOf(shades, tint) {
  const clipped = clamp(tint, -1, 1);
  return shades[Math.round((clipped + 1) * STEPS)];
}

/** @param {string} color */
function channels(color) {
  return (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

/** @param {number[]} from @param {number[]} to @param {number} share */
function mixed(from, to, share) {
  const rgb = from.map((value, i) => Math.round(value + share * (to[i] - value)));
  return `rgb(${rgb.join(", ")})`;
}
