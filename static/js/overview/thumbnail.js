/**
 * On the strip, small: the whole network, as the image and how present each class is; and two
 * images that are compared.
 * @import { Pixels } from "../types.js"
 */
import { inkOf } from "../lib/pixels.js";
import { paintImage } from "../paint/heatmap.js";
import { make } from "../ui/dom.js";

const [WIDTH, HEIGHT, SIDE, LONGEST] = [132, 64, 40, 52];
const BETWEEN = 6;
const FILL = { usual: "#7a7d86", most: "#d8a13a" };

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Pixels | null} pixels null: an empty image
 * @param {ArrayLike<number> | null} scores 0 to 1, one for each class; null until they come
 */
export function paintSmall(canvas, pixels, scores) {
  if (canvas.width !== WIDTH) canvas.width = WIDTH;
  if (canvas.height !== HEIGHT) canvas.height = HEIGHT;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.clearRect(0, 0, WIDTH, HEIGHT);
  paintSquare(context, pixels, 0, (HEIGHT - SIDE) / 2);
  if (pixels === null || scores === null) return;
  const most = Math.max(...Array.from(scores));
  const row = HEIGHT / scores.length;
  const left = WIDTH - LONGEST;
  for (let at = 0; at < scores.length; at++) {
    const middle = (at + 0.5) * row;
    context.fillStyle = scores[at] === most ? FILL.most : FILL.usual;
    const length = Math.max(1, LONGEST * scores[at]);
    context.fillRect(left, middle - 0.3 * row, length, 0.6 * row);
    // From the image to each class, as wide as the class is present.
    const width = Math.max(0.5, 0.6 * row * scores[at]);
    const half = (SIDE + left) / 2;
    context.globalAlpha = 0.35;
    context.beginPath();
    context.moveTo(SIDE, HEIGHT / 2);
    context.bezierCurveTo(half, HEIGHT / 2, half, middle, left, middle);
    context.lineWidth = width;
    context.strokeStyle = context.fillStyle;
    context.stroke();
    context.globalAlpha = 1;
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {readonly (Pixels | null)[]} images null: an empty one
 */
export function paintBeside(canvas, images) {
  canvas.width = images.length * (SIDE + BETWEEN) - BETWEEN;
  canvas.height = SIDE;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  images.forEach((each, at) => {
    paintSquare(context, each, at * (SIDE + BETWEEN), 0);
  });
}

/**
 * An image in a black square.
 * @param {CanvasRenderingContext2D} context @param {Pixels | null} pixels
 * @param {number} x @param {number} y
 */
function paintSquare(context, pixels, x, y) {
  context.fillStyle = "#000";
  context.fillRect(x, y, SIDE, SIDE);
  if (pixels === null) return;
  const image = make("canvas");
  paintImage(image, inkOf(pixels), pixels);
  context.imageSmoothingEnabled = false;
  const fit = SIDE / Math.max(pixels.rows, pixels.columns);
  const [width, height] = [fit * pixels.columns, fit * pixels.rows];
  context.drawImage(
    image,
    x + (SIDE - width) / 2,
    y + (SIDE - height) / 2,
    ...[width, height],
  );
}
