/**
 * What in a picture is paper: whether it is lighter than the ink, whether it is even, and
 * whether lines are printed on it. `intake/polarity.py` and `paper.py` have the first two
 * under the same names; uneven paper and printed lines are only noticed here.
 * @import { Plane } from "./resize.js"
 */
import { histogram, inkLevel, levelAt, otsu, sumOf } from "./levels.js";
import { empty, most, roundToEven, windowMax } from "./planes.js";
import { transpose } from "./resize.js";

const SAMPLE_SIDE = 96;
const WIDTHS = [0.07, 0.15, 0.3];
const STROKE_LIMIT = 0.3;
const EVEN = 0.2;
const FRINGE = 0.01;
const BROAD = 0.5;
const BROAD_SHARE = 0.12;
const TOP_SHARE = 0.003;
const ONE_SHADE = 0.85;
const EDGE_SHARE = 0.2;

const SMALLEST = 64;
const WIDEST = 0.03;
const LONG = 0.55;
const ACROSS = 0.85;
const SEVERAL = 3;
const RULE = 0.2; // of the ink's level: FAINT of CORE

/** Whether the ink is darker than the paper. @param {Plane} channel */
export function isInkDark(channel) {
  const small = shrunk(channel, SAMPLE_SIDE);
  const sample = { ...small, values: small.values.map(Math.sqrt) };
  return edgesExplained(negate(sample)) >= edgesExplained(sample);
}

/** @param {Plane} plane @returns {Plane} */
const negate = ({ values, ...size }) => ({ ...size, values: values.map((v) => -v) });

/** Means of squares, so that the long side is about `side`. @param {Plane} plane @param {number} side @returns {Plane} */
function shrunk(plane, side) {
  const factor = Math.floor(Math.max(plane.rows, plane.columns) / side);
  const { columns, values } = plane;
  if (factor < 2) return plane;
  return reduce(plane, factor, (row, column) => values[row * columns + column]);
}

/**
 * Each square as its mean; those at the edges may be smaller.
 * @param {{ rows: number, columns: number }} size @param {number} factor
 * @param {(row: number, column: number) => number} valueAt
 * @returns {Plane}
 */
export function reduce({ rows, columns }, factor, valueAt) {
  const out = empty(Math.ceil(rows / factor), Math.ceil(columns / factor));
  for (let row = 0; row < out.rows; row++)
    for (let column = 0; column < out.columns; column++) {
      if (factor === 1) {
        out.values[row * columns + column] = valueAt(row, column);
        continue;
      }
      const [bottom, right] = [
        Math.min((row + 1) * factor, rows),
        Math.min((column + 1) * factor, columns),
      ];
      let [sum, count] = [0, 0];
      for (let r = row * factor; r < bottom; r++)
        for (let c = column * factor; c < right; c++, count++) sum += valueAt(r, c);
      out.values[row * out.columns + column] = sum / count;
    }
  return out;
}

/** How well narrow light areas, taken for ink, explain a picture's edges. @param {Plane} lightInk */
function edgesExplained(lightInk) {
  let total = 0;
  for (const width of WIDTHS) {
    const side = Math.min(lightInk.rows, lightInk.columns);
    const ground = open(lightInk, Math.max(1, roundToEven((width * side) / 2)));
    const values = lightInk.values.map((value, at) => value - ground.values[at]);
    const ink = { ...lightInk, values };
    for (const [first, second] of [
      [ink, lightInk],
      [transpose(ink), transpose(lightInk)],
    ])
      total += edgesShared(first, second);
  }
  return total;
}

/** @param {Plane} ink @param {Plane} lightInk */
function edgesShared({ rows, columns, values }, { values: others }) {
  let total = 0;
  for (let row = 0; row < rows; row++)
    for (let at = row * columns + 1; at < (row + 1) * columns; at++) {
      const [step, there] = [values[at] - values[at - 1], others[at] - others[at - 1]];
      const shared = step * there > 0 ? Math.min(Math.abs(step), Math.abs(there)) : 0;
      total += shared ** 2 - (Math.abs(step) - shared) ** 2;
    }
  return total;
}

/** Without everything light that is narrow. @param {Plane} plane @param {number} radius @returns {Plane} */
function open(plane, radius) {
  const { rows, columns, values } = plane;
  const padded = empty(rows + 2 * radius, columns + 2 * radius);
  const inside = (/** @type {number} */ at, /** @type {number} */ length) =>
    Math.min(Math.max(at - radius, 0), length - 1);
  for (let row = 0; row < padded.rows; row++)
    for (let column = 0; column < padded.columns; column++)
      padded.values[row * padded.columns + column] =
        values[inside(row, rows) * columns + inside(column, columns)];
  const opened = windowMax(negate(windowMax(negate(padded), radius)), radius);
  const out = empty(rows, columns);
  for (let row = 0; row < rows; row++) {
    const start = (row + radius) * padded.columns + radius;
    out.values.set(opened.values.subarray(start, start + columns), row * columns);
  }
  return out;
}

/** The level of the paper; null where it is not even. @param {Plane} lightInk @returns {number | null} */
export function evenLevel(lightInk) {
  const { rows, columns, values } = lightInk;
  const counts = histogram(values);
  const split = otsu(counts);
  const isInk = { ...lightInk, values: values.map((value) => (value > split ? 1 : 0)) };
  const reach = Math.max(1, roundToEven(FRINGE * Math.max(rows, columns)));
  const near = windowMax(isInk, reach).values;
  const away = histogram(values.filter((_, at) => near[at] === 0));
  const ink = histogram(values.filter((_, at) => isInk.values[at] > 0));
  if (sumOf(away) === 0 || sumOf(ink) === 0) return null;
  const level = levelAt(away, 0.5);
  const contrast = levelAt(ink, 0.5) - level;
  if (levelAt(away, 0.95) - levelAt(away, 0.05) > EVEN * contrast) return null;
  const sample = shrunk(lightInk, SAMPLE_SIDE);
  const side = Math.min(sample.rows, sample.columns);
  const radius = Math.max(1, roundToEven((STROKE_LIMIT * side) / 2));
  const limit = level + BROAD * contrast;
  const broad = open(sample, radius).values.filter((value) => value > limit);
  if (broad.length <= BROAD_SHARE * sample.values.length) return level;
  const top = levelAt(counts, 1 - TOP_SHARE);
  const edge = [...Array(columns).keys()].flatMap((at) => [
    isInk.values[at],
    isInk.values[(rows - 1) * columns + at],
  ]);
  for (let row = 0; row < rows; row++)
    edge.push(isInk.values[row * columns], isInk.values[(row + 1) * columns - 1]);
  const along = edge.reduce((sum, value) => sum + value, 0) / edge.length;
  const isOneInk = contrast >= ONE_SHADE * (top - level);
  return isOneInk && along <= EDGE_SHARE ? level : null;
}

/** Whether lines are printed on the paper, level or upright. @param {Plane} contrast */
export function isRuled(contrast) {
  if (Math.min(contrast.rows, contrast.columns) < SMALLEST) return false;
  const { level } = inkLevel(histogram(contrast.values));
  if (level === 0) return false;
  return [contrast, transpose(contrast)].some((plane) => hasLines(plane, RULE * level));
}

/**
 * Whether thin ink is crossed in nearly every column, or several times in most: no digit
 * reaches so far.
 * @param {Plane} contrast @param {number} threshold
 */
function hasLines({ rows, columns, values }, threshold) {
  const widest = Math.max(2, WIDEST * Math.min(rows, columns));
  let [crossed, often] = [0, 0];
  for (let column = 0; column < columns; column++) {
    let [thin, width] = [0, 0];
    for (let row = 0; row <= rows; row++) {
      const isInk = row < rows && values[row * columns + column] > threshold;
      if (!isInk && width > 0 && width <= widest) thin++;
      width = isInk ? width + 1 : 0;
    }
    if (thin > 0) crossed++;
    if (thin >= SEVERAL) often++;
  }
  return crossed > ACROSS * columns || often > LONG * columns;
}

/** @param {Plane} plane @param {number} level of the paper @returns {Plane} */
export function contrastWith({ values, ...size }, level) {
  const share = Math.fround(1 / (1 - level));
  const base = Math.fround(level);
  return {
    ...size,
    values: values.map((value) => Math.max(value - base, 0) * share),
  };
}

/** The range of levels, without the rarest. @param {Plane} plane */
export const rangeOf = ({ values }) => most(values) + most(values.map((v) => -v));
