/**
 * Images of any size, with one channel or several: as numbers for the server, as text for
 * a link, scaled, and with strokes drawn on them.
 * @import { Field, Grid, ImageShape, Pixels } from "../types.js"
 */
import { clamp } from "./arithmetic.js";
import { fromBase64, toBase64 } from "./encoding.js";

/** MNIST's digits, and so every picture that the intake reads. @type {ImageShape} */
export const DIGIT = { channels: 1, rows: 28, columns: 28 };

/**
 * The images that a model reads.
 * @param {{ input_shape: readonly number[] }} model
 * @returns {ImageShape}
 */
export function shapeOf({ input_shape: [channels, rows, columns] }) {
  return { channels, rows, columns };
}

/** Such as 28×28, and 3×20×24 of several channels. @param {ImageShape} shape */
export function sizeWords({ channels, rows, columns }) {
  return channels === 1 ? `${rows}×${columns}` : `${channels}×${rows}×${columns}`;
}

/** Whether images are red, green and blue. @param {Pick<ImageShape, "channels">} shape */
export const isColour = ({ channels }) => channels === 3;

/**
 * What a channel is called, where there are several.
 * @param {number} channel @param {number} channels
 */
export function channelName(channel, channels) {
  return isColour({ channels })
    ? ["red", "green", "blue"][channel]
    : `channel ${channel}`;
}

/** @param {ImageShape} a @param {ImageShape} b */
export function isSameShape(a, b) {
  return a.channels === b.channels && a.rows === b.rows && a.columns === b.columns;
}

/**
 * @param {ImageShape} shape
 * @param {Uint8Array} [bytes] nothing but ground when absent
 * @returns {Pixels}
 */
export function pixelsOf({ channels, rows, columns }, bytes) {
  const all = bytes ?? new Uint8Array(channels * rows * columns);
  return { channels, rows, columns, bytes: all };
}

/**
 * @param {Pixels} pixels
 * @returns {Float64Array} ink in 0..1, channel by channel, row by row
 */
export function inkOf({ bytes }) {
  const ink = new Float64Array(bytes.length); // `from` would take ten times as long
  for (let i = 0; i < ink.length; i++) ink[i] = bytes[i] / 255;
  return ink;
}

/**
 * @param {ArrayLike<number>} ink values in 0..1, channel by channel, row by row
 * @param {ImageShape} shape
 * @returns {Pixels}
 */
export function toPixels(ink, shape) {
  const bytes = new Uint8Array(ink.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.round(ink[i] * 255);
  return pixelsOf(shape, bytes);
}

/**
 * Each channel of an image.
 * @template {Float32Array | Float64Array | Uint8Array} Values
 * @param {Values} values channel by channel
 * @param {ImageShape} shape
 * @returns {Values[]} views of the same memory
 */
export function planesOf(values, { channels, rows, columns }) {
  const size = rows * columns;
  return Array.from({ length: channels }, (_, channel) => {
    const plane = values.subarray(channel * size, (channel + 1) * size);
    return /** @type {Values} */ (plane);
  });
}

/**
 * The mean of an image's channels.
 * @param {Float32Array | Float64Array} values channel by channel
 * @param {ImageShape} shape
 * @returns {Float32Array | Float64Array} row by row; the values themselves of one channel
 */
export function greyOf(values, shape) {
  const [first, ...others] = planesOf(values, shape);
  if (others.length === 0) return values;
  return first.map(
    (value, i) => others.reduce((all, plane) => all + plane[i], value) / shape.channels,
  );
}

/**
 * An image as the server is told it: rows of numbers, or channels of rows.
 * @param {Float32Array | Float64Array} ink @param {ImageShape} shape
 * @returns {number[][] | number[][][]}
 */
export function toRows(ink, shape) {
  const { channels, rows, columns } = shape;
  const planes = planesOf(ink, shape).map((plane) =>
    Array.from({ length: rows }, (_, row) =>
      Array.from(plane.subarray(row * columns, (row + 1) * columns)),
    ),
  );
  return channels === 1 ? planes[0] : planes;
}

/**
 * @param {any[]} image rows of values in 0..1, or channels of rows
 * @returns {Pixels}
 */
export function fromRows(image) {
  const planes = Array.isArray(image[0][0]) ? image : [image];
  const shape = {
    channels: planes.length,
    rows: planes[0].length,
    columns: planes[0][0].length,
  };
  return toPixels(planes.flat(2), shape);
}

/**
 * Scale an image: each pixel becomes the mean of the area that it covers. One channel is
 * repeated; of several, others than are wanted become their mean.
 * @param {Pixels} pixels
 * @param {ImageShape} shape what is wanted
 * @returns {Pixels} the same, where it has that shape
 */
export function fitTo(pixels, shape) {
  if (isSameShape(pixels, shape)) return pixels;
  const { rows, columns } = shape;
  const down = Array.from({ length: rows }, (_, i) => overlaps(i, pixels.rows, rows));
  const across = Array.from({ length: columns }, (_, i) =>
    overlaps(i, pixels.columns, columns),
  );
  const scaled = planesOf(inkOf(pixels), pixels).map((plane) =>
    down.flatMap((high) =>
      across.map((wide) => {
        let sum = 0;
        for (const [row, part] of high)
          for (const [column, share] of wide)
            sum += part * share * plane[row * pixels.columns + column];
        return sum;
      }),
    ),
  );
  const isAsMany = pixels.channels === shape.channels;
  const mean = () =>
    scaled[0].map(
      (_, i) => scaled.reduce((sum, plane) => sum + plane[i], 0) / scaled.length,
    );
  const planes = isAsMany ? scaled : Array(shape.channels).fill(mean());
  return toPixels(planes.flat(), shape);
}

/**
 * What a window shows of an image; nothing beyond its edge.
 * @param {Pixels} pixels @param {Field} field
 * @returns {Pixels}
 */
export function pieceOf(pixels, { row, column, size, columns = size }) {
  const piece = pixelsOf({ channels: pixels.channels, rows: size, columns });
  for (let at = 0; at < piece.bytes.length; at++) {
    const plane = Math.floor(at / (size * columns));
    const y = row + (Math.floor(at / columns) % size);
    const x = column + (at % columns);
    const isInside = y >= 0 && x >= 0 && y < pixels.rows && x < pixels.columns;
    if (isInside)
      piece.bytes[at] = pixels.bytes[(plane * pixels.rows + y) * pixels.columns + x];
  }
  return piece;
}

/**
 * Which of `from` pixels in a row the one at `i` of `side` covers, and with which share
 * of itself.
 * @param {number} i @param {number} from @param {number} side
 * @returns {[at: number, share: number][]}
 */
function overlaps(i, from, side) {
  const [start, end] = [(i * from) / side, ((i + 1) * from) / side];
  /** @type {[number, number][]} */
  const overlaps = [];
  for (let at = Math.floor(start); at < end; at++) {
    const share = (Math.min(end, at + 1) - Math.max(start, at)) / (end - start);
    if (share > 0) overlaps.push([at, share]);
  }
  return overlaps;
}

/**
 * Pack an image into text that is safe in a link. Most pixels are empty, so a run of
 * zeros is written as a zero and the run's length: at worst, where every other pixel is
 * empty, two characters for each byte of the image.
 * @param {Pixels} pixels
 */
export function pack({ bytes: pixels }) {
  /** @type {number[]} */
  const bytes = [];
  for (let i = 0; i < pixels.length; ) {
    if (pixels[i] !== 0) {
      bytes.push(pixels[i++]);
      continue;
    }
    let run = 0;
    while (run < 255 && i < pixels.length && pixels[i] === 0) {
      run++;
      i++;
    }
    bytes.push(0, run);
  }
  return toBase64(bytes);
}

/**
 * @param {string} text made by `pack`
 * @param {ImageShape} [shape] what it should be
 * @returns {Pixels | null} null when the text is not a packed image of that shape
 */
export function unpack(text, shape = DIGIT) {
  const packed = fromBase64(text);
  if (packed === null) return null;
  const { bytes } = pixelsOf(shape);
  let at = 0;
  for (let i = 0; i < packed.length; i++) {
    if (packed[i] === 0) at += packed[++i] ?? 0;
    else if (at < bytes.length) bytes[at++] = packed[i];
    else return null;
  }
  return at === bytes.length ? pixelsOf(shape, bytes) : null;
}

/** @param {Pixels} a @param {Pixels} b */
export function samePixels(a, b) {
  if (a === b) return true;
  return isSameShape(a, b) && a.bytes.every((byte, i) => byte === b.bytes[i]);
}

/**
 * An image with more ink. Each pixel takes the darker of both; then all move by whole
 * pixels, so that the centre of mass stays where the image had it, as far as no ink
 * leaves the frame. MNIST's digits are placed by their centre of mass, and a network that
 * has learned from them expects it there. A colour picture stays where it is.
 * @param {Pixels} image
 * @param {Pixels} strokes of the same shape
 * @returns {Pixels}
 */
export function withStrokes(image, strokes) {
  const bytes = image.bytes.map((byte, i) => Math.max(byte, strokes.bytes[i]));
  const both = pixelsOf(image, bytes);
  if (isColour(image)) return both;
  const [from, to] = [centreOf(image), centreOf(both)];
  if (from === null || to === null) return both;
  return movedBy(
    both,
    Math.round(from.row - to.row),
    Math.round(from.column - to.column),
  );
}

/** Where a byte of an image stands. @param {ImageShape} shape */
function placesIn({ rows, columns }) {
  return {
    rowOf: (/** @type {number} */ i) => Math.floor(i / columns) % rows,
    columnOf: (/** @type {number} */ i) => i % columns,
  };
}

/**
 * @param {Pixels} pixels
 * @returns {{ row: number, column: number } | null} null where there is no ink
 */
export function centreOf(pixels) {
  const { rowOf, columnOf } = placesIn(pixels);
  let [mass, down, across] = [0, 0, 0];
  pixels.bytes.forEach((byte, i) => {
    mass += byte;
    down += byte * rowOf(i);
    across += byte * columnOf(i);
  });
  return mass === 0 ? null : { row: down / mass, column: across / mass };
}

/**
 * @param {Pixels} pixels @param {number} down @param {number} right
 * @returns {Pixels} the same where nothing moves
 */
function movedBy(pixels, down, right) {
  const { rowOf, columnOf } = placesIn(pixels);
  const { bytes, rows, columns } = pixels;
  const y = within(down, extentOf(bytes, rowOf), rows);
  const x = within(right, extentOf(bytes, columnOf), columns);
  if (y === 0 && x === 0) return pixels;
  const moved = new Uint8Array(bytes.length);
  bytes.forEach((byte, i) => {
    if (byte > 0) moved[i + y * columns + x] = byte;
  });
  return pixelsOf(pixels, moved);
}

/**
 * The first and the last row, or column, that holds ink.
 * @param {Uint8Array} bytes @param {(i: number) => number} placeOf
 */
function extentOf(bytes, placeOf) {
  let [first, last] = [Infinity, -Infinity];
  bytes.forEach((byte, i) => {
    if (byte === 0) return;
    first = Math.min(first, placeOf(i));
    last = Math.max(last, placeOf(i));
  });
  return { first, last };
}

/**
 * @param {number} by @param {{ first: number, last: number }} extent
 * @param {number} side
 */
function within(by, { first, last }, side) {
  return clamp(by, -first, side - 1 - last);
}

/**
 * The value between the four pixels around a point; outside the image it is 0.
 * @param {ArrayLike<number>} values of one channel, row by row
 * @param {Grid} grid
 * @param {number} row the first pixel's middle is at 0
 * @param {number} column
 */
export function between(values, grid, row, column) {
  const top = Math.floor(row);
  const firstColumn = Math.floor(column);
  const down = row - top;
  const right = column - firstColumn;
  const upper = alongRow(values, grid, top, firstColumn, right);
  if (down === 0) return upper;
  return (
    (1 - down) * upper + down * alongRow(values, grid, top + 1, firstColumn, right)
  );
}

/**
 * @param {ArrayLike<number>} values @param {Grid} grid @param {number} row
 * @param {number} firstColumn the column before the point
 * @param {number} right from there to the point, 0 up to 1
 */
function alongRow(values, { rows, columns }, row, firstColumn, right) {
  if (row < 0 || row >= rows) return 0;
  const at = (/** @type {number} */ column) =>
    column >= 0 && column < columns ? values[row * columns + column] : 0;
  const first = at(firstColumn);
  if (right === 0) return first;
  const next = at(firstColumn + 1);
  return (1 - right) * first + right * next;
}

/**
 * @param {number} degrees
 * @returns {{ cos: number, sin: number }} exactly 0 and ±1 at quarter turns
 */
export function turnOf(degrees) {
  const angle = (degrees * Math.PI) / 180;
  const exact = (/** @type {number} */ value) =>
    degrees % 90 === 0 ? Math.round(value) : value;
  return { cos: exact(Math.cos(angle)), sin: exact(Math.sin(angle)) };
}
