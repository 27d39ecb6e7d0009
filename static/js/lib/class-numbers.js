/**
 * The numbers that a network gives the test images of each class, and properties measured
 * in their pictures: histograms, correlations, and the images along one of them.
 * @import { Tensor } from "../types.js"
 */
import { clamp } from "./arithmetic.js";
import { nameOf } from "./properties.js";

/** Of a level, which stands for none; see `model/measuring/numbers.py`. */
const NONE = 255;

/** The name of a map of two numbers; a link and an outline say it. */
const PAIR = /^numbers-(\d{1,3})-(\d{1,3})-(\d{1,3})$/;

/**
 * An entry for each image in every list. Numbers and properties count as one sequence of
 * axes, numbers first.
 * @typedef {object} ClassNumbers
 * @property {number} numbers how many an image has
 * @property {readonly string[]} properties
 * @property {readonly Float32Array[]} values of each axis; NaN: the image has none
 * @property {readonly (readonly number[])[]} images of each class, ascending
 * @property {Map<string, Float32Array>} pairs places known by name
 */

/**
 * @param {Record<string, Tensor>} tensors of `GET /api/models/<id>/measured/numbers`
 * @param {ArrayLike<number>} labels @param {readonly string[]} properties
 * @returns {ClassNumbers}
 */
export function classNumbers(tensors, labels, properties) {
  const tensor = (/** @type {string} */ name) => tensors[`numbers.${name}`];
  const [count, numbers] = tensor("values").shape;
  const levels = tensor("values").data;
  const [low, step] = [tensor("low").data, tensor("step").data];
  const own = Array.from({ length: numbers }, (_, j) =>
    Float32Array.from({ length: count }, (_, i) => {
      const at = labels[i] * numbers + j;
      return low[at] + levels[i * numbers + j] * step[at];
    }),
  );
  const shapes = tensor("properties").data;
  const [least, unit] = [tensor("properties_low").data, tensor("properties_step").data];
  const measured = properties.map((_, p) =>
    Float32Array.from({ length: count }, (_, i) => {
      const level = shapes[i * properties.length + p];
      return level === NONE ? Number.NaN : least[p] + level * unit[p];
    }),
  );
  const classes = low.length / numbers;
  /** @type {number[][]} */
  const images = Array.from({ length: classes }, () => []);
  for (let i = 0; i < count; i++) images[labels[i]].push(i);
  const values = [...own, ...measured];
  return { numbers, properties, values, images, pairs: new Map() };
}

/**
 * The lowest and highest value of an axis over a class.
 * @param {ClassNumbers} found @param {number} label @param {number} axis
 * @returns {[low: number, high: number]} equal where there is none
 */
export function endsOf({ values, images }, label, axis) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const i of images[label]) {
    const value = values[axis][i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 0] : [low, high];
}

/**
 * The values between which all but the outermost two hundredths of a class lie.
 * @param {ClassNumbers} found @param {number} label @param {number} axis
 * @returns {[low: number, high: number]}
 */
export function bulkOf({ values, images }, label, axis) {
  const sorted = Float32Array.from(images[label], (i) => values[axis][i])
    .filter((value) => !Number.isNaN(value))
    .sort();
  const at = (/** @type {number} */ share) =>
    sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.01), at(0.99)];
}

/**
 * How many images lie in each of equal bins from the lowest to the highest value.
 * @param {ClassNumbers} found @param {number} label @param {number} axis
 * @param {number} bins
 * @param {(image: number) => boolean} isCounted
 */
export function histogram(found, label, axis, bins, isCounted) {
  const [low, high] = endsOf(found, label, axis);
  const counts = new Array(bins).fill(0);
  for (const i of found.images[label]) {
    const value = found.values[axis][i];
    if (Number.isNaN(value) || !isCounted(i)) continue;
    const share = high > low ? (value - low) / (high - low) : 0;
    counts[Math.min(bins - 1, Math.floor(share * bins))]++;
  }
  return counts;
}

/**
 * The correlation (Pearson's r) of two axes over a class.
 * @param {ClassNumbers} found @param {number} label @param {number} one @param {number} other
 * @returns {number} NaN where one of them is always the same
 */
export function correlationOf({ values, images }, label, one, other) {
  const both = images[label].filter(
    (i) => !Number.isNaN(values[one][i]) && !Number.isNaN(values[other][i]),
  );
  const mean = (/** @type {number} */ axis) =>
    both.reduce((sum, i) => sum + values[axis][i], 0) / both.length;
  const [a, b] = [mean(one), mean(other)];
  let [product, first, second] = [0, 0, 0];
  for (const i of both) {
    const [x, y] = [values[one][i] - a, values[other][i] - b];
    product += x * y;
    first += x * x;
    second += y * y;
  }
  return product / Math.sqrt(first * second);
}

/** By class; asked for with every step of a slider. @type {WeakMap<ClassNumbers, number[][][]>} */
const correlated = new WeakMap();

/**
 * @param {ClassNumbers} found @param {number} label
 * @returns {number[][]} [number][property]
 */
export function correlations(found, label) {
  const known = correlated.get(found) ?? [];
  correlated.set(found, known);
  known[label] ??= Array.from({ length: found.numbers }, (_, number) =>
    found.properties.map((_, p) =>
      correlationOf(found, label, number, found.numbers + p),
    ),
  );
  return known[label];
}

/**
 * The property that correlates most with each number.
 * @param {readonly (readonly number[])[]} rows [number][property]
 * @returns {{ number: number, property: number, r: number }[]} numbers in order; those
 *   without any correlation are left out
 */
export function closest(rows) {
  return rows.flatMap((row, number) => {
    let best = -1;
    row.forEach((r, p) => {
      if (Math.abs(r) > (best < 0 ? -1 : Math.abs(row[best]))) best = p;
    });
    return best < 0 ? [] : [{ number, property: best, r: row[best] }];
  });
}

/** @param {number} label @param {number} across @param {number} up axes */
export const pairName = (label, across, up) => `numbers-${label}-${across}-${up}`;

/**
 * Which pair a name stands for.
 * @param {string} name
 * @returns {{ label: number, across: number, up: number } | null} null: another map
 */
export function pairIn(name) {
  const found = PAIR.exec(name);
  if (found === null) return null;
  const [label, across, up] = found.slice(1).map(Number);
  return { label, across, up };
}

/**
 * The images of a class placed by two axes.
 * @param {ClassNumbers} found @param {string} name of the pair
 * @returns {Float32Array | null} x and y in turn, within -1..1; NaN for other images; null
 *   where there is no such pair
 */
export function pairPlaces(found, name) {
  const pair = pairIn(name);
  const known = found.pairs.get(name);
  if (pair === null || known !== undefined) return known ?? null;
  const { values, images } = found;
  const { label, across, up } = pair;
  if (label >= images.length || Math.max(across, up) >= values.length) return null;
  const places = new Float32Array(2 * values[0].length).fill(Number.NaN);
  [across, up].forEach((axis, side) => {
    const [low, high] = endsOf(found, label, axis);
    for (const i of images[label])
      places[2 * i + side] =
        high > low ? (2 * (values[axis][i] - low)) / (high - low) - 1 : 0;
  });
  found.pairs.set(name, places);
  return places;
}

/**
 * The mean of a class's numbers.
 * @param {ClassNumbers} found @param {number} label
 */
export function meanOf({ values, images, numbers }, label) {
  const own = images[label];
  return values
    .slice(0, numbers)
    .map(
      (value) => own.reduce((sum, i) => sum + value[i], 0) / Math.max(1, own.length),
    );
}

/** Of an axis's bulk, to either side of a value, within which images are at that value. */
const WITHIN = 1 / 24;

/**
 * Images of a class at one value of an axis: of all that are close to that value, those
 * whose other numbers are nearest to the class's mean.
 * @param {ClassNumbers} found @param {number} label @param {number} axis
 * @param {number} value @param {number} most
 * @returns {number[]} nearest first
 */
export function imagesAt(found, label, axis, value, most) {
  const [low, high] = bulkOf(found, label, axis);
  const reach = (high - low) * WITHIN;
  const mean = meanOf(found, label);
  const apart = (/** @type {number} */ i) =>
    mean.reduce(
      (sum, each, j) => (j === axis ? sum : sum + (found.values[j][i] - each) ** 2),
      0,
    );
  return found.images[label]
    .filter((i) => Math.abs(found.values[axis][i] - value) <= reach)
    .map((i) => ({ i, far: apart(i) }))
    .sort((a, b) => a.far - b.far || a.i - b.i)
    .slice(0, most)
    .map(({ i }) => i);
}

/**
 * A place between the ends of an axis's bulk.
 * @param {ClassNumbers} found @param {number} label @param {number} axis
 * @param {number} share clipped to 0..1
 */
export function valueAt(found, label, axis, share) {
  const [low, high] = bulkOf(found, label, axis);
  return low + clamp(share, 0, 1) * (high - low);
}

/**
 * What people call an axis; numbers count from 1.
 * @param {Pick<ClassNumbers, "numbers" | "properties">} found @param {number} axis
 */
export function axisName({ numbers, properties }, axis) {
  return axis < numbers ? `number ${axis + 1}` : nameOf(properties[axis - numbers]);
}
