/**
 * Amounts as discs over a digit: red for more than nothing, blue for less, their areas
 * the amounts.
 * @import { Field } from "../types.js"
 */
import { cssColor, diverging } from "../lib/color.js";

const MOST_RADIUS = 1.7; // of the largest amount, in pixels of the input
const LEAST_RADIUS = 0.12; // less cannot be seen

/** Light enough for the black of a digit's ground, in either theme. */
const FOR = cssColor(diverging(1), 0.55);
const AGAINST = cssColor(diverging(1), -0.55);

/**
 * @param {CanvasRenderingContext2D} context
 * @param {object} picture
 * @param {CanvasImageSource} picture.ground the digit
 * @param {number} picture.side of the input, in its pixels
 * @param {readonly Field[]} picture.fields whose middles the discs stand on
 * @param {ArrayLike<number>} picture.amounts one for each field
 * @param {number} picture.most the amount of the largest disc
 * @param {number} size of the square to paint, in the context's units
 */
export function paintDiscs(context, { ground, side, fields, amounts, most }, size) {
  const zoom = size / side;
  context.globalAlpha = 1;
  context.imageSmoothingEnabled = false;
  context.drawImage(ground, 0, 0, size, size);
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
 * @param {number} amount
 * @param {number} most
 * @returns {number} so that areas, not widths, are in the amounts' proportion
 */
export function radiusOf(amount, most) {
  return most > 0 ? MOST_RADIUS * Math.sqrt(Math.abs(amount) / most) : 0;
}
