/**
 * What there is to an image that did not have to be found in a picture: where its ink lies, or
 * what each of its channels holds.
 * @import { Pixels } from "../types.js"
 */
import { counted, fixed, grouped } from "../lib/format.js";
import { centreOf, channelName, inkOf, isColour, planesOf } from "../lib/pixels.js";

/**
 * @param {Pixels} pixels of one channel
 * @returns {{ box: { x: number, y: number, width: number, height: number },
 *   centre: { row: number, column: number }, count: number, full: number } | null} the box
 *   around all ink, its centre of mass, how many pixels have some, and to how many full ones it
 *   adds up; null where there is none
 */
export function inkIn(pixels) {
  const { bytes, columns } = pixels;
  const centre = centreOf(pixels);
  if (centre === null) return null;
  const inked = [...bytes.keys()].filter((at) => bytes[at] > 0);
  const across = inked.map((at) => at % columns);
  const [y, bottom] = [inked[0], inked[inked.length - 1]].map((at) =>
    Math.floor(at / columns),
  );
  const x = Math.min(...across);
  return {
    box: { x, y, width: Math.max(...across) - x + 1, height: bottom - y + 1 },
    centre,
    count: inked.length,
    full: inkOf(pixels).reduce((sum, value) => sum + value, 0),
  };
}

/** @param {Pixels} pixels */
export function inkWords(pixels) {
  const extent = inkIn(pixels);
  if (extent === null) return "It has no ink.";
  const { box, centre, count, full } = extent;
  const { rows, columns, bytes } = pixels;
  const middle = (/** @type {number} */ size) => fixed((size - 1) / 2, 1);
  return [
    `Framed: its ink, ${box.height} rows high and ${box.width} columns wide.`,
    `Crossed: its centre of mass, at row ${fixed(centre.row, 1)} and column ${fixed(centre.column, 1)}; the middle is at ${middle(rows)} and ${middle(columns)}.`,
    `${counted(count, "pixel")} of ${grouped(bytes.length)} ${count === 1 ? "has" : "have"} ink, together as much as ${fixed(full, 1)} full ones.`,
  ].join(" ");
}

/**
 * Each channel of a colour image.
 * @param {Pixels} pixels
 * @returns {{ name: string, values: Float64Array, words: string }[]}
 */
export function channelsIn(pixels) {
  return planesOf(inkOf(pixels), pixels).map((values, channel) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const name = channelName(channel, pixels.channels);
    return { name, values, words: `${name}: mean ${fixed(mean, 2)}` };
  });
}

/** @param {Pixels} pixels */
export const factsWords = (pixels) =>
  isColour(pixels)
    ? "The network reads three numbers for each pixel, each from 0, dark, to 1, bright."
    : inkWords(pixels);
