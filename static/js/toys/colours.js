/**
 * Toys in colour, on a plain or a cluttered ground, as `toys/colours.py` draws them: the toy's
 * paint has a tint, and both it and the ground are as bright as lamp and shadow make them.
 * @import { Seen } from "./rendering.js"
 *
 * Red, green and blue, in 0..1.
 * @typedef {readonly [number, number, number]} Colour
 */
import { uniform } from "../lib/chance.js";
import { averaged } from "./rendering.js";

const FULL = 0.6; // paint of which the lit toy has its tint itself; others are darker
const SPOTS = 14; // of clutter
const CLUTTER = 2 ** 31; // apart from all seeds of toys
const APART = 7919; // between the categories' clutter, for each letter of the name

/** What a toy stands on, or flies before. @typedef {keyof typeof COLOURS} Backdrop */

const COLOURS = /** @type {const} */ ({
  sky: [0.53, 0.74, 0.94],
  grass: [0.36, 0.56, 0.24],
  road: [0.5, 0.5, 0.52],
  white: [1, 1, 1],
  dark: [0.12, 0.12, 0.14],
  clutter: [0.56, 0.52, 0.46],
});

/** The toy's own colour. @typedef {keyof typeof TINTS} Tint */

const TINTS = /** @type {const} */ ({
  white: [1, 1, 1],
  red: [0.9, 0.16, 0.12],
  yellow: [1, 0.82, 0.16],
  blue: [0.16, 0.34, 0.86],
});

/** A spot of clutter, at shares of the picture. @typedef {{ x: number, y: number, radius: number, ink: number, colour: Colour }} Spot */

/**
 * The spots around a toy.
 * @param {{ category: string, seed: number }} toy
 * @returns {Spot[]} the last lies on top, where they are in colour
 */
export function clutterOf({ category, seed }) {
  const drawn = uniform(CLUTTER + seed + APART * category.length, 7 * SPOTS);
  return Array.from({ length: SPOTS }, (_, k) => {
    const [x, y, radius, ink] = drawn.slice(4 * k, 4 * k + 4);
    const [red, green, blue] = drawn.slice(4 * SPOTS + 3 * k);
    return {
      x,
      y,
      radius: 0.05 + 0.1 * radius,
      ink: 0.1 + 0.45 * ink,
      colour: [red, green, blue],
    };
  });
}

/** @param {Spot} spot @param {number} across @param {number} down as shares of the picture */
export function isOn({ x, y, radius }, across, down) {
  return (across - x) ** 2 + (down - y) ** 2 < radius ** 2;
}

/**
 * @param {Seen} view
 * @param {{ tint: Tint, backdrop: Backdrop, category: string, seed: number }} scene
 * @returns {Float64Array} red, green and blue in 0..1, each row by row
 */
export function coloured(view, { tint, backdrop, ...toy }) {
  const { ink, isToy, size, perPixel } = view;
  const spots = backdrop === "clutter" ? clutterOf(toy) : [];
  const upper = uppermost(spots, size * perPixel);
  const picture = new Float64Array(3 * size * size);
  for (const channel of [0, 1, 2]) {
    const bare = COLOURS[backdrop][channel];
    const plane = averaged(view, (sample) => {
      const bright = 1 - ink[sample];
      if (isToy[sample]) return (TINTS[tint][channel] * bright) / FULL;
      const lit = backdrop === "sky" ? 1 : bright; // no shadow falls on the sky
      return (spots[upper[sample]]?.colour[channel] ?? bare) * lit;
    });
    picture.set(
      plane.map((value) => Math.min(value, 1)),
      channel * size * size,
    );
  }
  return picture;
}

/**
 * The spot that is seen at each sample; -1 where none lies.
 * @param {Spot[]} spots @param {number} samples along a picture's side
 */
function uppermost(spots, samples) {
  const indices = new Int8Array(samples * samples).fill(-1);
  spots.forEach((spot, k) => {
    for (let sample = 0; sample < indices.length; sample++) {
      const across = ((sample % samples) + 0.5) / samples;
      const down = (Math.floor(sample / samples) + 0.5) / samples;
      if (isOn(spot, across, down)) indices[sample] = k;
    }
  });
  return indices;
}
