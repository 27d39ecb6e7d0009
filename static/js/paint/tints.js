/**
 * Amounts with a sign as colours and as discs.
 * @import { Field } from "../types.js"
 */
import { clamp } from "../lib/arithmetic.js";
import { cssColor, diverging } from "../lib/color.js";

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

// Discs over a digit, their areas the amounts: red for more than nothing, blue for less.

const MOST_RADIUS = 1.7; // of the largest amount, in pixels of the input
const LEAST_RADIUS = 0.12; // less cannot be seen

/** Light enough for the black of a digit's ground, in either theme. */
const FOR = cssColor(diverging(1), 0.55);
const AGAINST = cssColor(diverging(1), -0.55);

/**
 * @param {CanvasRenderingContext2D} context @param {object} picture
 * @param {HTMLCanvasElement} picture.ground the input, a pixel each
 * @param {readonly Field[]} picture.fields whose middles the discs stand on
 * @param {ArrayLike<number>} picture.amounts one for each field
 * @param {number} picture.most the amount of the largest disc
 * @param {number} size of the square to paint, in the context's units
 */
export function paintDiscs(context, picture, size) {
  const { ground, fields, amounts, most } = picture;
  const zoom = size / Math.max(ground.width, ground.height);
  context.globalAlpha = 1;
  context.imageSmoothingEnabled = false;
  context.drawImage(ground, 0, 0, ground.width * zoom, ground.height * zoom);
  context.globalAlpha = 0.8;
  for (let i = 0; i < fields.length; i++) {
    const radius = radiusOf(amounts[i], most);
    if (radius < LEAST_RADIUS) continue;
    const { row, column, size: width } = fields[i];
    context.fillStyle = amounts[i] > 0 ? FOR : AGAINST;
    context.beginPath();
    context.arc(
      (column + width / 2) * zoom,
      (row + width / 2) * zoom,
      radius * zoom,
      0,
      2 * Math.PI,
    );
    context.fill();
  }
  context.globalAlpha = 1;
}

/**
 * @param {number} amount @param {number} most
 * @returns {number} so that areas, not widths, are in the amounts' proportion
 */
export function radiusOf(amount, most) {
  return most > 0 ? MOST_RADIUS * Math.sqrt(Math.abs(amount) / most) : 0;
}
