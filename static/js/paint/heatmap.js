/**
 * Values as pictures: one value is one canvas pixel, CSS enlarges it.
 * @import { Scale } from "../lib/color.js"
 * @import { Layout } from "../geometry/tiles.js"
 * @import { ImageShape, Pixels } from "../types.js"
 */
import { pictureSize, tilePlace } from "../geometry/tiles.js";
import { ink, packedColor } from "../lib/color.js";
import { memoizeByObject } from "../lib/memoize.js";
import { keepNumbers } from "../lib/numbers.js";
import { DIGIT, greyOf, inkOf, isColour, pixelsOf, planesOf } from "../lib/pixels.js";

/** Kept: a context costs more to ask for than a small image to paint. */
export const contextOf = memoizeByObject(
  (/** @type {HTMLCanvasElement} */ canvas) => canvas,
  (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
);

/** The pixels that a canvas was painted with, to be written anew. @type {WeakMap<HTMLCanvasElement, ImageData>} */
const images = new WeakMap();

/** @param {HTMLCanvasElement} canvas @returns {ImageData} of its size, whatever is in it */
function imageOf(canvas) {
  const { width, height } = canvas;
  const known = images.get(canvas);
  if (known?.width === width && known.height === height) return known;
  const image = contextOf(canvas).createImageData(width, height);
  images.set(canvas, image);
  return image;
}

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
  const { rows, columns } = shape;
  if (!isColour(shape)) {
    paintHeatmap(canvas, greyOf(values, shape), { rows, columns, scale: ink() });
    return;
  }
  paintColours(canvas, values, { count: 1, across: 1, rows, columns, gap: 0 });
}

/**
 * Many colour images in one picture. Gaps stay transparent.
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array | Float64Array} values in 0..1, image by image: red, green and
 *   blue, each row by row
 * @param {Layout} layout
 * @param {(place: number) => number} [imageIn] which image stands at a place; its own
 *   number when absent
 */
export function paintColours(canvas, values, layout, imageIn = (place) => place) {
  const { width, height } = pictureSize(layout);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = contextOf(canvas);
  context.clearRect(0, 0, width, height);
  for (let place = 0; place < layout.count; place++) {
    const { x, y } = tilePlace(layout, place);
    context.putImageData(colourImage(values, layout, imageIn(place)), x, y);
  }
  keepNumbers(canvas, () => [
    painted(values, layout, imageIn, ["red", "green", "blue"]),
  ]);
}

/**
 * Many images in one picture, as they look.
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array} values in 0..1, image by image, channel by channel, row by row
 * @param {ImageShape} shape of an image @param {Layout} layout
 */
export function paintImages(canvas, values, shape, layout) {
  if (isColour(shape)) return paintColours(canvas, values, layout);
  const [size, cells] = [values.length / layout.count, shape.rows * shape.columns];
  const greys = new Float32Array(layout.count * cells);
  for (let at = 0; at < layout.count; at++)
    greys.set(greyOf(values.subarray(at * size, (at + 1) * size), shape), at * cells);
  paintTiles(canvas, greys, layout, () => ink());
}

/**
 * @param {Float32Array | Float64Array} values as for `paintColours`
 * @param {Pick<Layout, "rows" | "columns">} size of an image @param {number} at
 */
export function colourImage(values, { rows, columns }, at = 0) {
  const [shape, size] = [{ channels: 3, rows, columns }, 3 * rows * columns];
  const image = new ImageData(columns, rows);
  image.data.fill(255); // opaque
  const own = values.subarray(at * size, (at + 1) * size);
  planesOf(own, shape).forEach((plane, channel) => {
    plane.forEach((value, i) => {
      image.data[4 * i + channel] = 255 * value;
    });
  });
  return image;
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
  const image = imageOf(canvas);
  const pixels = new Uint32Array(image.data.buffer);
  if (count * rows * columns < pixels.length) pixels.fill(0); // gaps are transparent
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
  contextOf(canvas).putImageData(image, 0, 0);
  keepNumbers(canvas, () => [painted(values, layout, tileIn, ["value"])]);
}

/**
 * What was painted, a row for each pixel.
 * @param {ArrayLike<number>} values tile by tile, channel by channel, each row by row
 * @param {Layout} layout @param {(place: number) => number} tileIn
 * @param {readonly string[]} channels what a value of each is
 * @returns {import("../lib/numbers.js").Table}
 */
function painted(values, { count, rows, columns }, tileIn, channels) {
  const cells = rows * columns;
  const isOne = count === 1;
  const all = Array.from({ length: count * cells }, (_, pixel) => {
    const [tile, cell] = [tileIn(Math.floor(pixel / cells)), pixel % cells];
    const place = [tile, Math.floor(cell / columns), cell % columns];
    const own = channels.map(
      (_, k) => values[(tile * channels.length + k) * cells + cell],
    );
    return [...place.slice(isOne ? 1 : 0), ...own];
  });
  const head = ["tile", "row", "column"].slice(isOne ? 1 : 0);
  return { head: [...head, ...channels], rows: all };
}
