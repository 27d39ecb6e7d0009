/**
 * The drawing area: an image as a backdrop, and strokes on it.
 * @import { Pixels } from "../types.js"
 * @import { Stroke } from "./strokes.js"
 */
import { ink } from "../lib/color.js";
import { fitTo, inkOf, sideOf } from "../lib/pixels.js";
import { paintHeatmap } from "./heatmap.js";
import { paintStrokes } from "./strokes.js";

const PEN = 20; // canvas pixels; 1/14 of the area, as thick as MNIST's strokes

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Pixels | null} image
 * @param {readonly Stroke[]} strokes
 */
export function paintPad(context, image, strokes) {
  const { width, height } = context.canvas;
  context.fillStyle = "#000";
  context.fillRect(0, 0, width, height);
  if (image !== null) {
    const small = document.createElement("canvas");
    const side = sideOf(image);
    paintHeatmap(small, inkOf(image), { rows: side, columns: side, scale: ink() });
    context.imageSmoothingQuality = "high";
    context.drawImage(small, 0, 0, width, height);
  }
  paintStrokes(context, strokes, PEN);
}

/**
 * Makes strokes pixels of an image that is as large as the drawing area.
 * @param {number} size of the drawing area, a square, in canvas pixels
 * @returns {(strokes: readonly Stroke[], side: number) => Pixels} side: pixels in a row
 */
export function strokeRaster(size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  return (strokes, side) => {
    paintPad(context, null, strokes);
    const { data } = context.getImageData(0, 0, size, size);
    return fitTo(
      Uint8Array.from({ length: size ** 2 }, (_, i) => data[4 * i]),
      side,
    );
  };
}
