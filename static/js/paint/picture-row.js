/**
 * Pictures side by side with words around them: a figure to keep.
 * @import { Scale } from "../lib/color.js"
 */
import { paintHeatmap } from "./heatmap.js";

const MARGIN = 24;
const GAP = 20;
const LINE = 22; // of text, in canvas pixels
const FONT = "system-ui, 'DejaVu Sans', sans-serif";

/**
 * @typedef {object} Figure
 * @property {string} title
 * @property {string} note
 * @property {number} rows of each picture
 * @property {number} columns
 * @property {{ name: string, values: ArrayLike<number>, scale: Scale }[]} pictures
 */

/**
 * Black on white whatever the theme: it is meant for paper and slides.
 * @param {HTMLCanvasElement} canvas
 * @param {Figure} figure
 * @param {number} zoom canvas pixels to a value
 */
export function paintPictureRow(
  canvas,
  { title, note, rows, columns, pictures },
  zoom,
) {
  const [width, height] = [columns * zoom, rows * zoom];
  canvas.width = 2 * MARGIN + pictures.length * (width + GAP) - GAP;
  canvas.height = 2 * MARGIN + height + 3 * LINE + 8;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = false;
  context.textBaseline = "top";
  const room = canvas.width - 2 * MARGIN;
  write(context, title, MARGIN, MARGIN, `600 16px ${FONT}`, room);
  const top = MARGIN + LINE + 4;
  const small = canvas.ownerDocument.createElement("canvas");
  pictures.forEach(({ name, values, scale }, i) => {
    const left = MARGIN + i * (width + GAP);
    paintHeatmap(small, values, { rows, columns, scale });
    context.drawImage(small, left, top, width, height);
    write(context, name, left, top + height + 6, `14px ${FONT}`, width);
  });
  write(context, note, MARGIN, top + height + 6 + LINE, `12px ${FONT}`, room, "#555");
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} font
 * @param {number} room
 * @param {string} [fill]
 */
function write(context, text, x, y, font, room, fill = "#000") {
  context.font = font;
  context.fillStyle = fill;
  context.fillText(text, x, y, room);
}
