/**
 * Paints the tiles of the picture of the whole network on one canvas.
 * @import { Decoded } from "../core/decoding.js"
 * @import { ImageShape } from "../types.js"
 * @import { createPainted } from "./painted.js"
 * @import { Picture, Tile } from "./picture.js"
 * @import { Column, Scene } from "./types.js"
 */
import { pictureSize } from "../geometry/tiles.js";
import { sequential } from "../lib/color.js";
import { ownOf } from "../lib/own.js";
import { inkOf } from "../lib/pixels.js";
import { contextOf, paintImage, paintImages, paintTiles } from "../paint/heatmap.js";
import { paintOwners } from "../paint/pictures.js";
import { make } from "../ui/dom.js";
import { keepPainter } from "../ui/stage.js";
import { scaleOf } from "./shades.js";

/** Canvases by what they are for, and what is on them. @type {Map<string, { of: unknown, canvas: HTMLCanvasElement }>} */
const sheets = new Map();

/**
 * A canvas that is painted anew where something else is to be on it: used at once.
 * @param {string} name @param {unknown} of @param {(canvas: HTMLCanvasElement) => void} paint
 */
function sheet(name, of, paint) {
  const known = sheets.get(name);
  if (known && known.of === of) return known.canvas;
  const canvas = known?.canvas ?? make("canvas");
  paint(canvas);
  sheets.set(name, { of, canvas });
  return canvas;
}

/** All tiles of a column, one below the other. @param {Column} column */
const tilesIn = ({ id, values, rows, columns, numbers, most, isSigned }) =>
  sheet(`tiles ${id}`, values, (canvas) => {
    const layout = { count: numbers.length, across: 1, rows, columns, gap: 0 };
    const scale = scaleOf({ most, isSigned });
    paintTiles(canvas, values, layout, () => scale);
  });

/** How strong each map of a column is, a cell for each. @param {Column} column */
const planOf = ({ id, values, strength, count }) =>
  sheet(`plan ${id}`, values, (canvas) => {
    const across = Math.ceil(Math.sqrt(count));
    const layout = { count, across, rows: 1, columns: 1, gap: 0 };
    const scale = sequential(0, Math.max(...Array.from(strength), 1e-9));
    paintTiles(canvas, strength, layout, () => scale);
  });

/**
 * @param {HTMLCanvasElement} canvas as large as the picture, in device pixels
 * @param {readonly Tile[]} tiles
 * @param {object} what
 * @param {Scene} what.scene
 * @param {readonly (Float32Array | null)[]} what.drawn what stands for the decoder's picture
 * @param {ReadonlyMap<number, Decoded>} what.said what parts say, by class
 * @param {readonly number[]} what.owners two classes that have colours of their own, or none
 * @param {{ width: number, height: number, scale: number }} what.size in CSS px, drawn
 *   larger by the scale
 * @param {Pick<Picture, "under" | "over"> & { paint: ReturnType<typeof createPainted> } | null} [what.marks]
 *   what is not written as elements, below the tiles and above them
 */
export function paint(canvas, tiles, { size, marks = null, ...what }) {
  const density = size.scale * devicePixelRatio;
  const across = Math.max(1, Math.round(size.width * density));
  const down = Math.max(1, Math.round(size.height * density));
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const context = contextOf(canvas);
  context.setTransform(across / size.width, 0, 0, down / size.height, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  marks?.paint(context, marks.under);
  paintOn(context, tiles, what);
  marks?.paint(context, marks.over);
  keepPainter(canvas, () => (other) => {
    other.scale(size.scale, size.scale);
    paintOn(other, tiles, what);
  });
}

/** @param {CanvasRenderingContext2D} context in the pixels of tiles @param {readonly Tile[]} tiles @param {What} what */
function paintOn(context, tiles, what) {
  context.imageSmoothingEnabled = false;
  for (const tile of tiles) {
    const { x, y, width, height } = tile.box;
    if (isPicture(tile)) {
      // Fading towards black, not towards the page.
      context.globalAlpha = 1;
      context.fillStyle = "#000";
      context.fillRect(x, y, width, height);
    }
    context.globalAlpha = tile.alpha;
    const source = sourceOf(tile, what);
    if (source === null) continue;
    const { canvas: from, x: left = 0, ...part } = source;
    context.drawImage(from, left, part.y, part.width, part.height, x, y, width, height);
  }
  context.globalAlpha = 1;
}

/** Whether it shows an image, and no values. @param {Tile} tile */
const isPicture = ({ from }) => typeof from === "string" && from !== "plan";

/**
 * A part of a canvas; from its left edge where no x is given.
 * @typedef {{ canvas: HTMLCanvasElement, x?: number, y: number, width: number, height: number }} Source
 */

/** @typedef {Omit<Parameters<typeof paint>[2], "size" | "marks">} What */

/** @param {Tile} tile @param {What} what @returns {Source | null} null: it has not come */
export function sourceOf(tile, what) {
  const { scene } = what;
  const { from, number } = tile;
  if (typeof from !== "string") {
    if (number < 0) return null;
    const { rows, columns } = from;
    return { canvas: tilesIn(from), y: number * rows, width: columns, height: rows };
  }
  switch (from) {
    case "image":
      return whole(imageOf(scene));
    case "drawn":
    case "alone":
      return drawnSource(tile, what);
    case "plan":
      return planSource(tile);
    case "saw":
      return sawSource(tile, scene);
    case "seeks":
      return soughtSource(tile, scene);
    case "says":
      return saidSource(tile, what);
  }
}

/** @param {Tile} tile @param {What} what */
function drawnSource(tile, { scene: { pixels }, drawn: [one, other] }) {
  if (other === undefined)
    return one
      ? whole(sheet("drawn", one, (canvas) => paintImage(canvas, one, pixels)))
      : null;
  const isShown = (/** @type {number} */ at) =>
    tile.from === "drawn" || tile.number === at;
  const none = new Float32Array(pixels.rows * pixels.columns);
  const shown = [one, other].map((each, at) => (isShown(at) && each) || none);
  return whole(sheet("owners", shown, (canvas) => paintOwners(canvas, shown, pixels)));
}

/** @param {Tile} tile @returns {Source | null} */
function planSource({ of }) {
  if (of === undefined) return null;
  const across = Math.ceil(Math.sqrt(of.count));
  const layout = { count: of.count, across, rows: 1, columns: 1, gap: 0 };
  return { canvas: planOf(of), y: 0, ...pictureSize(layout) };
}

/** The piece of the image that a capsule sees. @param {Tile} tile @param {Scene} scene @returns {Source | null} */
function sawSource({ window }, scene) {
  if (!window) return null;
  const { row, column, rows, columns } = window;
  return { canvas: imageOf(scene), x: column, y: row, width: columns, height: rows };
}

/** @param {Tile} tile @param {Scene} scene @returns {Source | null} */
function soughtSource({ of, number }, { sought }) {
  const own = ownOf(sought, of?.id ?? "");
  if (!own?.pictures) return null;
  const { pictures, shape } = own;
  const { rows, columns } = shape;
  const canvas = sheet(`seeks ${of?.id}`, pictures, (each) =>
    stack(each, pictures, shape),
  );
  return { canvas, y: number * rows, width: columns, height: rows };
}

/** @param {Tile} tile @param {What} what @returns {Source | null} */
function saidSource({ number, answer = 0 }, { scene, said, owners }) {
  const { pixels } = scene;
  const own = said.get(answer);
  const at = own?.types.indexOf(number) ?? -1;
  if (own === undefined || at < 0) return null;
  const canvas = saidIn({ answer, said: own }, pixels, owners.indexOf(answer));
  const { rows, columns } = pixels;
  return { canvas, y: at * rows, width: columns, height: rows };
}

/**
 * What parts say of a class, one below the other.
 * @param {{ answer: number, said: Decoded }} what @param {Scene["pixels"]} pixels
 * @param {number} owner whose colour it has; -1: none
 */
function saidIn({ answer, said }, pixels, owner) {
  const { images, types } = said;
  return sheet(`says ${answer} ${owner}`, said, (canvas) => {
    if (owner < 0) return stack(canvas, images, pixels);
    const none = new Float32Array(images.length);
    const both = owner === 0 ? [images, none] : [none, images];
    paintOwners(canvas, both, { ...pixels, rows: types.length * pixels.rows });
  });
}

/** Images one below the other. @param {HTMLCanvasElement} canvas @param {Float32Array} images @param {ImageShape} shape */
function stack(canvas, images, shape) {
  const { channels, rows, columns } = shape;
  const count = images.length / (channels * rows * columns);
  paintImages(canvas, images, shape, { count, across: 1, rows, columns, gap: 0 });
}

/** @param {Scene} scene */
const imageOf = ({ pixels }) =>
  sheet("image", pixels, (canvas) => paintImage(canvas, inkOf(pixels), pixels));

/** @param {HTMLCanvasElement} canvas */
const whole = (canvas) => ({
  canvas,
  y: 0,
  width: canvas.width,
  height: canvas.height,
});
