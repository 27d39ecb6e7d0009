/**
 * Values as pictures: one value is one canvas pixel, CSS enlarges it.
 * @import { Scale } from "../lib/color.js"
 * @import { Layout } from "../geometry/tiles.js"
 * @import { ImageShape, Pixels } from "../types.js"
 */
import { pictureSize, tilePlace } from "../geometry/tiles.js";
import { ink, packedColor } from "../lib/color.js";
import { DIGIT, greyOf, inkOf, pixelsOf, planesOf } from "../lib/pixels.js";

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values row by row, `rows * columns` of them
 * @param {{ rows: number, columns: number, scale: Scale }} options
 */
export function paintHeatmap(canvas, values, { rows, columns, scale }) {
  const layout = { count: 1, across: 1, rows, columns, gap: 0 };
  paintTiles(canvas, values, layout, () => scale);
}

/**
 * An image as it looks: in its colours where it has three channels, else grey.
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array | Float64Array} values in 0..1, channel by channel, row by row
 * @param {ImageShape} shape
 */
export function paintImage(canvas, values, shape) {
  const { channels, rows, columns } = shape;
  if (channels !== 3) {
    paintHeatmap(canvas, greyOf(values, shape), { rows, columns, scale: ink() });
    return;
  }
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const image = new ImageData(columns, rows);
  image.data.fill(255); // opaque
  planesOf(values, shape).forEach((plane, channel) => {
    plane.forEach((value, i) => {
      image.data[4 * i + channel] = 255 * value;
    });
  });
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Pixels | null} pixels null: an empty image
 */
export function paintPixels(canvas, pixels) {
  const shown = pixels ?? pixelsOf(DIGIT);
  paintImage(canvas, inkOf(shown), shown);
}

/**
 * Many maps in one picture. Gaps stay transparent.
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values tile by tile, each row by row
 * @param {Layout} layout @param {(tile: number) => Scale} scaleOf
 * @param {(place: number) => number} [tileIn] which tile stands at a place; its own
 *   number when absent
 */
export function paintTiles(canvas, values, layout, scaleOf, tileIn = (place) => place) {
  const { count, rows, columns } = layout;
  if (values.length !== count * rows * columns) {
    throw new RangeError(
      `need ${count * rows * columns} values for ${count} tiles of ${rows}x${columns}, got ${values.length}`,
    );
  }
  const { width, height } = pictureSize(layout);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let place = 0; place < count; place++) {
    const { x, y } = tilePlace(layout, place);
    const tile = tileIn(place);
    const scale = scaleOf(tile);
    let from = tile * rows * columns;
    for (let row = 0; row < rows; row++) {
      let to = (y + row) * width + x;
      for (let column = 0; column < columns; column++) {
        pixels[to++] = packedColor(scale, values[from++]);
      }
    }
  }
  context.putImageData(image, 0, 0);
}
