/**
 * Small pictures: one image over another, and bars where no axis fits.
 * @import { Grid, Pixels } from "../types.js"
 */
import { OWNERS } from "../lib/color.js";
import { isSameShape, sizeWords } from "../lib/pixels.js";
import { paintPixels } from "./heatmap.js";

// One image over another: the upper in grey, the lower faint and in colour, where it is
// not covered.

/** The lower image's colour at full ink. */
const LOWER = [255, 157, 46];

/** How much of it is left. */
const FAINT = 0.45;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Pixels} upper one with colours covers the lower image
 * @param {Pixels} lower of the same shape
 */
export function paintOver(canvas, upper, lower) {
  if (!isSameShape(upper, lower))
    throw new RangeError(`need ${sizeWords(upper)} pixels, got ${sizeWords(lower)}`);
  if (upper.channels > 1) return paintPixels(canvas, upper);
  const { rows, columns } = upper;
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(columns, rows);
  image.data.set(overlaid(upper.bytes, lower.bytes));
  context.putImageData(image, 0, 0);
}

/**
 * @param {Uint8Array} upper @param {Uint8Array} lower
 * @returns {Uint8ClampedArray} red, green, blue and alpha of each pixel
 */
function overlaid(upper, lower) {
  const found = new Uint8ClampedArray(4 * upper.length);
  for (let i = 0; i < upper.length; i++) {
    const below = (FAINT * Math.max(0, lower[i] - upper[i])) / 255;
    for (let channel = 0; channel < 3; channel++)
      found[4 * i + channel] = upper[i] + below * LOWER[channel];
    found[4 * i + 3] = 255;
  }
  return found;
}

/** How much of an image is left where it has more ink than both that claim it. */
const UNCLAIMED = 0.4;

/**
 * What two claim of a picture, each in its colour; white where both do.
 * @param {HTMLCanvasElement} canvas
 * @param {readonly ArrayLike<number>[]} claims ink of both in 0..1, row by row
 * @param {Grid} grid
 * @param {ArrayLike<number>} [image] beneath, grey where neither claims its ink
 */
export function paintOwners(canvas, [one, other], { rows, columns }, image) {
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const picture = context.createImageData(columns, rows);
  for (let i = 0; i < rows * columns; i++) {
    const rest = Math.max(0, (image?.[i] ?? 0) - Math.max(one[i], other[i]));
    for (let channel = 0; channel < 3; channel++)
      picture.data[4 * i + channel] =
        one[i] * OWNERS[0][channel] +
        other[i] * OWNERS[1][channel] +
        UNCLAIMED * 255 * rest; // clipped
    picture.data[4 * i + 3] = 255;
  }
  context.putImageData(picture, 0, 0);
}

/** Stands out on light and dark alike. */
const BAR = "#7d7d86";
const FAINT_BAR = 0.5; // opacity of the bars that are not set off

/**
 * Paint values in 0..1 as upright bars.
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values in 0..1
 * @param {{ width: number, height: number, emphasized: number }} options sizes in canvas
 *   pixels; emphasized: the bar to set off
 */
export function paintBars(canvas, values, { width, height, emphasized }) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.clearRect(0, 0, width, height);
  context.fillStyle = BAR;
  const step = width / values.length;
  for (let i = 0; i < values.length; i++) {
    const tall = Math.max(1, values[i] * height);
    context.globalAlpha = i === emphasized ? 1 : FAINT_BAR;
    context.fillRect(i * step + 1, height - tall, step - 2, tall);
  }
  context.globalAlpha = 1;
}
