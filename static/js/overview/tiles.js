/**
 * Paints the tiles of the picture of the whole network on one canvas.
 * @import { Tile } from "./picture.js"
 * @import { Column, Scene } from "./types.js"
 */
import { pictureSize } from "../geometry/tiles.js";
import { sequential } from "../lib/color.js";
import { memoizeByObject } from "../lib/memoize.js";
import { inkOf } from "../lib/pixels.js";
import { paintImage, paintTiles } from "../paint/heatmap.js";
import { paintOwners } from "../paint/pictures.js";
import { make } from "../ui/dom.js";
import { scaleOf } from "./shades.js";

/** @param {(canvas: HTMLCanvasElement) => void} paint */
function sheet(paint) {
  const canvas = make("canvas");
  paint(canvas);
  return canvas;
}

/** All tiles of a column, one below the other. */
const tilesIn = memoizeByObject(
  (/** @type {Column} */ column) => column.values,
  ({ values, rows, columns, numbers, most, isSigned }) =>
    sheet((canvas) => {
      const layout = { count: numbers.length, across: 1, rows, columns, gap: 0 };
      paintTiles(canvas, values, layout, () => scaleOf({ most, isSigned }));
    }),
);

/** How strong each map of a column is, a cell for each. */
const planOf = memoizeByObject(
  (/** @type {Column} */ column) => column.values,
  ({ strength, count }) =>
    sheet((canvas) => {
      const across = Math.ceil(Math.sqrt(count));
      const layout = { count, across, rows: 1, columns: 1, gap: 0 };
      const most = Math.max(...Array.from(strength), 1e-9);
      paintTiles(canvas, strength, layout, () => sequential(0, most));
    }),
);

/**
 * @param {HTMLCanvasElement} canvas as large as the picture, in device pixels
 * @param {readonly Tile[]} tiles
 * @param {object} what
 * @param {Scene} what.scene
 * @param {readonly (Float32Array | null)[]} what.drawn what stands for the decoder's picture
 * @param {{ width: number, height: number, scale: number }} what.size in CSS px, drawn
 *   larger by the scale
 */
export function paint(canvas, tiles, { scene, drawn, size }) {
  const density = size.scale * devicePixelRatio;
  const across = Math.max(1, Math.round(size.width * density));
  const down = Math.max(1, Math.round(size.height * density));
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(across / size.width, 0, 0, down / size.height, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.imageSmoothingEnabled = false;
  for (const tile of tiles) {
    const { x, y, width, height } = tile.box;
    const isPicture = ["image", "drawn", "alone"].some((each) => each === tile.from);
    if (isPicture) {
      // Fading towards black, not towards the page.
      context.globalAlpha = 1;
      context.fillStyle = "#000";
      context.fillRect(x, y, width, height);
    }
    context.globalAlpha = tile.alpha;
    const source = sourceOf(tile, scene, drawn);
    if (source === null) continue;
    const { canvas: from, ...part } = source;
    context.drawImage(from, 0, part.y, part.width, part.height, x, y, width, height);
  }
  context.globalAlpha = 1;
}

/**
 * @param {Tile} tile @param {Scene} scene @param {readonly (Float32Array | null)[]} drawn
 * @returns {{ canvas: HTMLCanvasElement, y: number, width: number, height: number } | null}
 */
export function sourceOf(tile, scene, drawn) {
  if (tile.from === "image") return whole(imageOf(scene));
  if (tile.from === "drawn" || tile.from === "alone") {
    const { pixels } = scene;
    const [one, other] = drawn;
    if (other === undefined)
      return one ? whole(sheet((canvas) => paintImage(canvas, one, pixels))) : null;
    const isShown = (/** @type {number} */ at) =>
      tile.from === "drawn" || tile.number === at;
    const none = new Float32Array(pixels.rows * pixels.columns);
    const shown = [one, other].map((each, at) => (isShown(at) && each) || none);
    return whole(sheet((canvas) => paintOwners(canvas, shown, pixels)));
  }
  if (tile.from === "plan") {
    if (tile.of === undefined) return null;
    const { width, height } = pictureSize({
      count: tile.of.count,
      across: Math.ceil(Math.sqrt(tile.of.count)),
      rows: 1,
      columns: 1,
      gap: 0,
    });
    return { canvas: planOf(tile.of), y: 0, width, height };
  }
  if (tile.number < 0) return null; // it has not come
  const { rows, columns } = tile.from;
  return {
    canvas: tilesIn(tile.from),
    y: tile.number * rows,
    width: columns,
    height: rows,
  };
}

const imageOf = memoizeByObject(
  (/** @type {Scene} */ { pixels }) => pixels,
  ({ pixels }) => sheet((canvas) => paintImage(canvas, inkOf(pixels), pixels)),
);

/** @param {HTMLCanvasElement} canvas */
const whole = (canvas) => ({
  canvas,
  y: 0,
  width: canvas.width,
  height: canvas.height,
});
