/**
 * A picture's pixels, brought to a grey plane or to a colour network's image:
 * `picture_files/shrinking.py`, `intake/colour.py` and `photograph.py` have these under
 * the same names. The browser decodes the file.
 * @import { Plane } from "./resize.js"
 */
import { rangeOf, reduce } from "./paper.js";
import { empty, quantile, roundToEven } from "./planes.js";
import { resize } from "./resize.js";

const WORKING_SIDE = 400;
const LARGEST_SQUARE = 64;
const FINER = 2;
const OPAQUE = 250;
const VISIBLE = 128; // of 255: half
const ONE_COLOUR = 0.2;
const OTHER_SHARE = 0.005;
const SAMPLE_SIDE = 96;
const LOCAL = 1 / 8;
const COLOURED = 0.4;
const BLANK = 0.1;

/** Pixels as a canvas has them, four bytes each, or one byte of grey. @typedef {{ width: number, height: number, data: ArrayLike<number> }} Pixels */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Box shares of the sides */
/** Levels in 0..255, of one channel or three. @typedef {Plane[]} Planes */

export const WHOLE = /** @type {Box} */ ([0, 0, 1, 1]);

/**
 * Pixels of a file, upright.
 * @param {Blob} file @returns {Promise<Pixels>}
 */
export async function decode(file) {
  const bitmap = await createImageBitmap(file, {
    imageOrientation: "from-image",
    colorSpaceConversion: "none",
    premultiplyAlpha: "none",
  }).catch(() => {
    throw Object.assign(
      new Error("This browser reads no such file. Send a PNG or JPEG picture."),
      { status: 415 },
    );
  });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser has no memory for a picture.");
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/**
 * Planes of a part of a picture, small enough to work with, and on a ground where it is
 * transparent.
 * @param {Pixels} pixels @param {Box} box
 * @returns {{ planes: Planes, ground: string | null }} ground: its name, where one is needed
 */
export function planesOf({ width, height, data }, box) {
  const [left, right] = within(box[0], box[2], width);
  const [top, bottom] = within(box[1], box[3], height);
  const size = { rows: bottom - top, columns: right - left };
  const step = data.length / (width * height);
  let [isGrey, isOpaque] = [true, true];
  for (let row = top; step > 1 && row < bottom; row++)
    for (let at = 4 * (row * width + left); at < 4 * (row * width + right); at += 4) {
      if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) isGrey = false;
      if (data[at + 3] < 255) isOpaque = false;
    }
  const bands = isOpaque ? (isGrey ? [0] : [0, 1, 2]) : [0, 1, 2, 3];
  const small = bands.map((band) =>
    shrunkBy(size, WORKING_SIDE, (row, column) => {
      const at = step * ((top + row) * width + left + column);
      if (isOpaque || band === 3) return data[at + band];
      return premultiply(data[at + band], data[at + 3]);
    }),
  );
  if (isOpaque) return { planes: small, ground: null };
  const { planes, ground } = flatten(small);
  const [first, ...others] = planes;
  const isAlike = others.every(({ values }) =>
    values.every((value, at) => value === first.values[at]),
  );
  return { planes: isAlike ? [first] : planes, ground };
}

/** @param {number} start @param {number} stop @param {number} size @returns {[number, number]} */
function within(start, stop, size) {
  const first = Math.min(Math.max(roundToEven(start * size), 0), size - 1);
  return [first, Math.min(Math.max(roundToEven(stop * size), first + 1), size)];
}

/** As Pillow does it, in whole numbers. @param {number} value @param {number} alpha */
function premultiply(value, alpha) {
  const sum = value * alpha + 128;
  return ((sum >> 8) + sum) >> 8;
}

/** By area, to a long side of at most so many pixels. @param {Plane} plane @param {number} side */
const shrunk = (plane, side) =>
  shrunkBy(plane, side, (row, column) => plane.values[row * plane.columns + column]);

/**
 * The same of bytes that are never all in memory: squares first, as means.
 * @param {{ rows: number, columns: number }} size @param {number} side
 * @param {(row: number, column: number) => number} byteAt
 */
function shrunkBy({ rows, columns }, side, byteAt) {
  const longest = Math.max(rows, columns);
  const least = Math.floor(longest / (FINER * side));
  const factor = Math.min(LARGEST_SQUARE, Math.max(1, least));
  const small = reduce({ rows, columns }, factor, byteAt);
  small.values = small.values.map((mean) => Math.floor(mean + 0.5));
  const [high, wide] = [rows, columns].map((size) =>
    Math.max(1, roundToEven(size * Math.min(1, side / longest))),
  );
  if (high === small.rows && wide === small.columns) return small;
  const part = { rows: rows / factor, columns: columns / factor };
  return resize(small, high, wide, "box", part);
}

/**
 * On the ground that shows its ink best: one colour is ink without paper.
 * @param {Planes} channels red, green and blue, multiplied by the last, alpha
 */
function flatten([red, green, blue, { values: alpha }]) {
  const colours = [red, green, blue];
  const strongest = alpha.reduce((a, b) => Math.max(a, b), 0);
  if (strongest === 0 || alpha.every((value) => value >= OPAQUE)) {
    const planes = colours.map(({ values, ...size }) => ({
      ...size,
      values: values.map((value, at) =>
        alpha[at] === 0 ? value : Math.min(Math.floor((255 * value) / alpha[at]), 255),
      ),
    }));
    return { planes, ground: null };
  }
  const least = Math.min(VISIBLE, strongest);
  const strong = [...alpha.keys()].filter((at) => alpha[at] >= least);
  const visible = colours.map(({ values }) =>
    Float32Array.from(strong, (at) => values[at] / alpha[at]),
  );
  const typical = visible.map((band) => quantile(band, 0.5));
  const others = strong.filter((_, at) =>
    typical.some((level, band) => Math.abs(visible[band][at] - level) > ONE_COLOUR),
  );
  const isInk = others.length < OTHER_SHARE * strong.length;
  const isDark = (typical[0] + typical[1] + typical[2]) / 3 < 0.5;
  const ground = isInk ? [0, 0, 0].fill(isDark ? 1 : 0) : typical;
  const planes = colours.map(({ values, ...size }, band) => ({
    ...size,
    values: values.map((value, at) =>
      roundToEven(Math.min(value + (255 - alpha[at]) * ground[band], 255)),
    ),
  }));
  const name = isDark ? "white" : "black";
  return { planes, ground: isInk ? name : "the colour of its paper" };
}

/**
 * One channel in 0..1, in which ink and paper differ most.
 * @param {Planes} planes
 * @returns {{ channel: Plane, byColour: boolean }}
 */
export function oneChannel(planes) {
  const [{ rows, columns }] = planes;
  const axis = planes.length === 1 ? [1] : inkAxis(planes);
  const offset = axis.reduce((sum, value) => sum - Math.min(value, 0), 0);
  const channel = empty(rows, columns);
  for (const [band, { values }] of planes.entries())
    for (let at = 0; at < values.length; at++)
      channel.values[at] += (axis[band] * values[at]) / 255;
  if (planes.length > 1)
    channel.values = channel.values.map((value) =>
      Math.min(Math.max(value + offset, 0), 1),
    );
  const apart = axis.reduce((sum, value) => sum + Math.abs(value - 1 / 3), 0);
  return { channel, byColour: planes.length > 1 && apart > COLOURED };
}

/** The first principal component of colours without their local mean. @param {Planes} planes */
function inkAxis(planes) {
  const differences = planes.map((plane) => {
    const { values, ...size } = shrunk(plane, SAMPLE_SIDE);
    const sample = { ...size, values: values.map((value) => value / 255) };
    const radius = roundToEven(LOCAL * Math.max(size.rows, size.columns));
    const local = windowMean(sample, Math.max(1, radius)).values;
    return sample.values.map((value, at) => value - local[at]);
  });
  let matrix = differences.map((row) =>
    differences.map((other) =>
      row.reduce((sum, value, at) => sum + value * other[at], 0),
    ),
  );
  // Each square has the same axes, and the first one's share grows.
  for (let step = 0; step < 40; step++) {
    const trace = matrix.reduce((sum, row, at) => sum + row[at], 0) || 1;
    const scaled = matrix.map((row) => row.map((value) => value / trace));
    matrix = scaled.map((row) =>
      row.map((_, at) => row.reduce((sum, value, k) => sum + value * scaled[k][at], 0)),
    );
  }
  const size = (/** @type {number[]} */ row) =>
    row.reduce((sum, value) => sum + Math.abs(value), 0);
  const axis = matrix.toSorted((a, b) => size(b) - size(a))[0];
  const sign = axis.reduce((a, b) => a + b, 0) < 0 ? -1 : 1;
  return axis.map((value) => (sign * value) / (size(axis) || 1));
}

/** The mean of the square around each, as far as the plane reaches. @param {Plane} plane @param {number} radius @returns {Plane} */
function windowMean({ rows, columns, values }, radius) {
  const along = (
    /** @type {Float32Array} */ from,
    /** @type {number} */ length,
    /** @type {number} */ step,
    /** @type {(line: number) => number} */ start,
  ) => {
    const out = new Float32Array(from.length);
    for (let line = 0; line < from.length / length; line++) {
      const sums = [0];
      for (let at = 0; at < length; at++)
        sums.push(sums[at] + from[start(line) + at * step]);
      for (let at = 0; at < length; at++) {
        const [first, last] = [
          Math.max(at - radius, 0),
          Math.min(at + radius + 1, length),
        ];
        out[start(line) + at * step] = (sums[last] - sums[first]) / (last - first);
      }
    }
    return out;
  };
  const down = along(values, rows, columns, (line) => line);
  return { rows, columns, values: along(down, columns, 1, (line) => line * columns) };
}

/** Whether there is nothing to be seen. @param {Plane} channel */
export const isBlank = (channel) => rangeOf(channel) < BLANK;

/** The middle of a picture, in a colour network's size. @param {Planes} planes @param {number} rows @param {number} columns */
export function photographOf(planes, rows, columns) {
  const [{ rows: high, columns: wide }] = planes;
  const factor = Math.min(wide / columns, high / rows);
  const [width, height] = [columns, rows].map((size) =>
    Math.max(1, Math.floor(factor * size + 1e-6)),
  );
  const [left, top] = [Math.floor((wide - width) / 2), Math.floor((high - height) / 2)];
  const middle = planes.map(({ values }) => {
    const out = empty(height, width);
    for (let row = 0; row < height; row++) {
      const start = (top + row) * wide + left;
      out.values.set(values.subarray(start, start + width), row * width);
    }
    return out;
  });
  const part = { rows: height, columns: width };
  const image = middle.map((band) => resize(band, rows, columns, "lanczos", part));
  return { middle, image };
}
