/**
 * The drawing area: an image as a backdrop, and strokes of a round pen on it, in white.
 * @import { ImageShape, Pixels } from "../types.js"
 */
import { fitTo, pixelsOf } from "../lib/pixels.js";
import { paintPixels } from "./heatmap.js";

const PEN = 20; // canvas pixels; 1/14 of the area, as thick as MNIST's strokes

/**
 * @param {CanvasRenderingContext2D} context @param {Pixels | null} image
 * @param {readonly Stroke[]} strokes
 */
export function paintPad(context, image, strokes) {
  const { width, height } = context.canvas;
  context.fillStyle = "#000";
  context.fillRect(0, 0, width, height);
  if (image !== null) {
    const small = document.createElement("canvas");
    paintPixels(small, image);
    context.imageSmoothingQuality = "high";
    context.drawImage(small, 0, 0, width, height);
  }
  paintStrokes(context, strokes, PEN);
}

/** @param {HTMLCanvasElement} canvas whose pixels are read back */
export const readableContext = (canvas) =>
  /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );

/**
 * Makes strokes pixels of an image that is as large as the drawing area.
 * @param {number} size of the drawing area, a square, in canvas pixels
 * @returns {(strokes: readonly Stroke[], shape: ImageShape) => Pixels}
 */
export function strokeRaster(size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = readableContext(canvas);
  return (strokes, shape) => {
    paintPad(context, null, strokes);
    const { data } = context.getImageData(0, 0, size, size);
    const grey = Uint8Array.from({ length: size ** 2 }, (_, i) => data[4 * i]);
    return fitTo(pixelsOf({ channels: 1, rows: size, columns: size }, grey), shape);
  };
}

/** @typedef {{ x: number, y: number }} Point in canvas pixels */
/** @typedef {Point[]} Stroke at least one point */

/**
 * @param {CanvasRenderingContext2D} context @param {readonly Stroke[]} strokes
 * @param {number} width of the pen, in canvas pixels
 */
function paintStrokes(context, strokes, width) {
  context.fillStyle = context.strokeStyle = "#fff";
  context.lineWidth = width;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const [first, ...rest] of strokes) {
    context.beginPath();
    if (rest.every(({ x, y }) => x === first.x && y === first.y)) {
      // A canvas draws nothing for a line without length.
      context.arc(first.x, first.y, width / 2, 0, 2 * Math.PI);
      context.fill();
      continue;
    }
    context.moveTo(first.x, first.y);
    for (const point of rest) context.lineTo(point.x, point.y);
    context.stroke();
  }
}

/**
 * How far points reach.
 * @param {readonly (readonly { x: number, y: number }[])[]} strokes
 * @returns {number} the longer side of the box around all points; 0 of none
 */
export function extentOf(strokes) {
  const points = strokes.flat();
  if (points.length === 0) return 0;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}
