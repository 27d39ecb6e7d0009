/**
 * Values as pictures: one value is one canvas pixel, CSS enlarges it.
 * @import { Scale } from "../lib/color.js"
 * @import { Layout } from "../geometry/tiles.js"
 */
import { pictureSize, tilePlace } from "../geometry/tiles.js";
import { packedColor } from "../lib/color.js";

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
 * Many maps in one picture. Gaps stay transparent.
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values tile by tile, each row by row
 * @param {Layout} layout
 * @param {(tile: number) => Scale} scaleOf
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
