/**
 * A drawing of the page, brought into a network's form as `intake/` brings any picture:
 * what is left of it where the ink is white, and the paper black and even. Names and
 * numbers are those of `intake/placing.py`, `strokes.py` and `composing.py`.
 * @import { Model } from "../../types.js"
 * @import { Plane } from "./resize.js"
 */
import { chosenOf, hasDigit, intruders, piecesOf } from "./pieces.js";
import {
  cropped,
  diskMax,
  diskMin,
  empty,
  most,
  put,
  quantile,
  roundToEven,
  thickness,
  windowMax,
} from "./planes.js";
import { doubtsAbout, reportOf } from "./report.js";
import { resized, turned } from "./resize.js";

const SIDE = 28;
const BOX_SIDE = 20;
const VISIBLE = 0.1;
const TRACE = 0.5 / 255;
const SMALLEST_DIGIT = 5;
const CORE = 0.4;
const FAINTEST = 0.05;
const FINE = 8;
const FINE_SIDE = BOX_SIDE * FINE;
const THINNEST = 1.6;
const USUAL = 2.1;
const THICKEST = 4.5;
const FAINT_PART = 0.2;
const SOLID_QUANTILE = 0.25;
const REACH = 4;
const CANVAS = SIDE + 2 * REACH;
const HEIGHT = 22;
const WIDEST = BOX_SIDE + 2 * REACH;

const SPECKS =
  "Nothing in this picture looks like a digit: it contains only specks. Try a darker pen, more light, a picture taken from closer, or another frame.";
const ELSEWHERE = "needs the explorer on your own machine.";

/** What somebody decided: see `lib/overrides.js`. @typedef {{ part: number | null, thickness: number | null, atMost: number, withSteps: boolean }} Wish */
/** @typedef {{ strokes: Plane, before: number, after: number }} Fitted */

/** @param {[string, string][]} query of the request @returns {Wish} */
export function wishIn(query) {
  const asked = Object.fromEntries(query);
  for (const name of ["crop", "rotate", "threshold", "invert"])
    if (asked[name] !== undefined && !["false", "0"].includes(asked[name]))
      throw refused(`To change this (${name}) ${ELSEWHERE}`);
  const number = (/** @type {string | undefined} */ text) =>
    text === undefined ? null : Number(text);
  return {
    ...{ part: number(asked.part), thickness: number(asked.thickness) },
    ...{ atMost: Number(asked.at_most ?? 1), withSteps: asked.steps === "true" },
  };
}

/**
 * @param {Uint8Array} file a PGM file, as the page writes it
 * @param {Model} model @param {Wish} wish
 * @returns {{ pixels: Float32Array, report: Record<string, string>, digits: { box: number[] }[] }}
 */
export function readPen(file, model, wish) {
  if (model.input_shape[0] !== 1) throw refused(`To draw in colour ${ELSEWHERE}`);
  const picture = planeOf(file);
  const { ink, pieces, dropped } = inkOf(picture);
  const choice = chosenOf(pieces, wish.part);
  if (choice === null) throw refused(SPECKS);
  if (choice.mask === undefined)
    throw Object.assign(refused("This drawing has fewer digits."), { field: "part" });
  const isPair = wish.atMost > 1 && wish.part === null;
  const digit = masked(ink, choice.mask);
  const own = cropped(digit, VISIBLE);
  if (Math.max(own.rows, own.columns) < SMALLEST_DIGIT)
    throw refused(
      `Ink of at least ${SMALLEST_DIGIT} pixels in height or width is needed; the largest piece found has ${own.columns} by ${own.rows}. Draw it larger.`,
    );
  const made = isPair ? composed(ink, choice, wish) : alone(own, wish);
  const image = rounded(made.image);
  const width = { before: made.before, after: made.after };
  const report = reportOf({
    ...{ picture, ink, digit, strokes: made.strokes, image, width, choice, isPair },
    isMoved: "isMoved" in made && Boolean(made.isMoved),
    ...{ dropped: choice.dropped + dropped, withSteps: wish.withSteps },
    doubts: doubtsAbout(image, {
      ...{ found: choice.digits.length, width: made.before },
      ...{ height: Math.max(own.rows, own.columns), digits: isPair ? 2 : 1 },
    }),
  });
  const { values } = fittedTo(image, model);
  return { pixels: values, report, digits: choice.digits };
}

/** One digit. @param {Plane} ink @param {Wish} wish */
function alone(ink, { thickness: width }) {
  const found = fitted(ink, width);
  return { ...found, image: place(scaledToBox(cropped(found.strokes, VISIBLE))) };
}

/** Up to two digits on a canvas. @param {Plane} ink @param {NonNullable<ReturnType<typeof chosenOf>>} choice @param {Wish} wish */
function composed(ink, { digits, mask }, { thickness: width }) {
  const largest = digits.toSorted((a, b) => b.share - a.share).slice(0, 2);
  if (largest.length < 2) {
    const whole = cropped(masked(ink, mask), VISIBLE);
    const wanted = roundToEven((HEIGHT * whole.columns) / whole.rows);
    const side = Math.max(HEIGHT, Math.min(WIDEST, wanted));
    const found = fitted(whole, width, side);
    const image = place(scaledToBox(cropped(found.strokes, VISIBLE), side), CANVAS);
    return { ...found, image };
  }
  const apart = digits.filter((each) => largest.includes(each));
  const planes = apart.map((each) => masked(ink, each.mask));
  const inks = planes.map((each) => cropped(each, VISIBLE));
  const [one, two] = inks.map((each) => fitted(each, width));
  const size =
    inks.reduce((sum, each) => sum + Math.max(each.rows, each.columns), 0) / 2;
  const [first, second] = planes.map((each) => [
    meanIndex(sums(each)),
    meanIndex(sums(turned(each))),
  ]);
  const shifts = first.map((from, axis) => (BOX_SIDE / size) * (second[axis] - from));
  const firsts = shifts.map((each) => roundToEven(-each / 2));
  const seconds = shifts.map((each, axis) => firsts[axis] + roundToEven(each));
  const image = empty(CANVAS, CANVAS);
  for (const [{ strokes }, at] of /** @type {[Fitted, number[]][]} */ ([
    [one, firsts],
    [two, seconds],
  ])) {
    const [top, left] = at.map((shift) => within(REACH + shift, 2 * REACH));
    const own = place(scaledToBox(cropped(strokes, VISIBLE)));
    for (const [i, value] of own.values.entries()) {
      const to = (top + Math.floor(i / SIDE)) * CANVAS + left + (i % SIDE);
      image.values[to] = Math.min(image.values[to] + value, 1);
    }
  }
  const mean = (/** @type {number} */ a, /** @type {number} */ b) => (a + b) / 2;
  const isMoved = Math.max(...shifts.map(Math.abs)) > 2 * REACH;
  return {
    ...{ image, strokes: one.strokes, isMoved },
    ...{ before: mean(one.before, two.before), after: mean(one.after, two.after) },
  };
}

/** @param {Plane} plane @param {Uint8Array} mask @returns {Plane} */
const masked = (plane, mask) => ({
  ...plane,
  values: plane.values.map((value, at) => value * mask[at]),
});

/** The ink, without what reaches in from the edge: `inking.py`. @param {Plane} picture */
function inkOf(picture) {
  const first = pieced(picture);
  const { mask, count } = intruders(first.pieces);
  const inside = mask.map((isAway) => 1 - isAway);
  const rest = masked(picture, inside);
  if (count > 0 && most(rest.values) > FAINTEST) {
    const others = pieced(rest);
    if (hasDigit(others.pieces)) return { ...others, dropped: count };
  }
  return { ...first, dropped: 0 };
}

/** The ink, full ink as 1, and its pieces. @param {Plane} picture */
function pieced(picture) {
  const level = fullInk(picture.values);
  const values = picture.values.map((each) => Math.min(each / level, 1));
  return {
    ink: { ...picture, values },
    pieces: piecesOf(picture, Math.fround(CORE * level)),
  };
}

/** The level of full ink on black paper: `threshold.ink_level`. @param {Float32Array} values */
function fullInk(values) {
  const counts = new Float64Array(256);
  for (const value of values) {
    const byte = Math.floor(value * 255 + 0.5);
    if (byte > FAINTEST * 255) counts[byte]++;
  }
  const split = Math.floor(otsu(counts) * 255) + 1;
  const upper = counts.map((count, byte) => (byte < split ? 0 : count));
  const classed = most(upper) > 0 ? upper : counts;
  const half = classed.reduce((sum, count) => sum + count, 0) / 2;
  let [sum, byte] = [classed[0], 0];
  while (sum < half) sum += classed[++byte];
  return byte / 255;
}

/** The level that splits counts into the two tightest classes: `levels.otsu_threshold`. @param {Float64Array} counts */
function otsu(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const whole = counts.reduce((sum, count, byte) => sum + (count * byte) / 255, 0);
  let [below, sumBelow] = [0, 0];
  const variances = counts.map((count, byte) => {
    below += count;
    sumBelow += (count * byte) / 255;
    const above = all - below;
    if (below === 0 || above === 0) return 0;
    return below * above * (sumBelow / below - (whole - sumBelow) / above) ** 2;
  });
  const least = most(variances) * (1 - 1e-9);
  const best = [...variances.keys()].filter((byte) => variances[byte] >= least);
  return best.reduce((sum, byte) => sum + byte, 0) / best.length / 255;
}

/** @param {Uint8Array} file @returns {Plane} */
function planeOf(file) {
  const head = new TextDecoder("latin1").decode(file.subarray(0, 32));
  const [whole, columns, rows] = /^P5\s(\d+)\s(\d+)\s255\s/.exec(head) ?? [];
  if (whole === undefined) throw refused(`To read a picture ${ELSEWHERE}`);
  const values = Float32Array.from(file.subarray(whole.length));
  for (let at = 0; at < values.length; at++) values[at] /= 255;
  if (most(values) === 0)
    throw refused(SPECKS.replace("it contains only specks", "it is blank"));
  return { rows: Number(rows), columns: Number(columns), values };
}

/** In multiples of 1/255, since links hold bytes. @param {Plane} plane @returns {Plane} */
const rounded = (plane) => ({
  ...plane,
  values: plane.values.map((value) => roundToEven(value * 255) / 255),
});

/**
 * An image in a network's size: `placing.fitted`.
 * @param {Plane} image @param {Model} model @returns {Plane}
 */
function fittedTo(image, { input_shape: [, rows, columns], present }) {
  if (image.rows === rows && image.columns === columns) return image;
  const [down, across] = [rows - image.rows, columns - image.columns];
  if (present.at_most > 1 && down >= 0 && across >= 0)
    return put(
      empty(rows, columns),
      image,
      Math.floor(down / 2),
      Math.floor(across / 2),
    );
  return rounded(turned(shared(turned(shared(image, columns)), rows)));
}

/** Each row as means of the areas that its pixels cover. @param {Plane} plane @param {number} length @returns {Plane} */
function shared({ rows, columns, values }, length) {
  const wide = columns / length;
  const out = empty(rows, length);
  for (let to = 0; to < length; to++)
    for (
      let from = Math.floor(to * wide);
      from < Math.min((to + 1) * wide, columns);
      from++
    ) {
      const overlap = Math.min((to + 1) * wide, from + 1) - Math.max(to * wide, from);
      for (let row = 0; row < rows; row++)
        out.values[row * length + to] +=
          (overlap / wide) * values[row * columns + from];
    }
  return out;
}

/**
 * Strokes of a width that is usual in MNIST, or of a given one.
 * @param {Plane} ink @param {number | null} width @param {number} [side] @returns {Fitted}
 */
function fitted(ink, width, side = BOX_SIDE) {
  const before = (thickness(ink) * side) / Math.max(ink.rows, ink.columns);
  const usual = before < THINNEST ? USUAL : Math.min(before, THICKEST);
  const target = width ?? usual;
  const fineness = FINE_SIDE / side;
  if (target === before) return { strokes: ink, before, after: before };
  const fine = fineBox(ink);
  const excess = thickness(fine) / fineness - target;
  let radius = roundToEven((Math.abs(excess) * fineness) / 2);
  if (excess > 0) {
    let thin = diskMin(fine, radius);
    while (most(thin.values) < FAINT_PART * most(fine.values))
      thin = diskMin(fine, --radius);
    return { strokes: thin, before, after: target };
  }
  const grown = diskMax(fine, radius);
  const least = Math.fround(FAINT_PART * most(grown.values)); // as NumPy has it
  const solid = quantile(
    grown.values.filter((each) => each > least),
    SOLID_QUANTILE,
  );
  const values = grown.values.map((each) => Math.min(each / solid, 1));
  return { strokes: { ...grown, values }, before, after: target };
}

/** The ink's long side at FINE_SIDE, with a margin for strokes to grow. @param {Plane} ink */
function fineBox(ink) {
  const scale = FINE_SIDE / Math.max(ink.rows, ink.columns);
  const [rows, columns] = [ink.rows, ink.columns].map((size) =>
    Math.max(1, roundToEven(size * scale)),
  );
  const reach = roundToEven(Math.max(0, 1 / scale - thickness(ink)) / 2);
  const thick = scale < 1 ? windowMax(ink, reach) : ink;
  const fine = resized(thick, rows, columns, scale < 1 ? "box" : "bilinear");
  const margin = roundToEven(USUAL * FINE);
  return put(empty(rows + 2 * margin, columns + 2 * margin), fine, margin, margin);
}

/** Scaled so that the long side is `side`, in a square. @param {Plane} ink @param {number} [side] @returns {Plane} */
function scaledToBox(ink, side = BOX_SIDE) {
  const { rows, columns } = ink;
  if (rows < columns) return turned(scaledToBox(turned(ink), side));
  const scale = side / rows;
  const middle = (Math.floor(side / 2) + 0.5) / scale - 0.5;
  const left = within(middle - meanIndex(sums(turned(ink))), rows - columns);
  const square = put(empty(rows, rows), ink, 0, left);
  const scaled = resized(square, side, side, scale < 1 ? "hamming" : "bilinear");
  const values = scaled.values.map((each) => Math.min(Math.max(each, 0), 1));
  return { ...scaled, values };
}

/** Placed so that the ink's centre of mass is in the middle. @param {Plane} box @param {number} [side] */
function place(box, side = SIDE) {
  const ink = cropped(box, TRACE);
  const top = within(side / 2 - meanIndex(sums(ink)), side - ink.rows);
  const left = within(side / 2 - meanIndex(sums(turned(ink))), side - ink.columns);
  return put(empty(side, side), ink, top, left);
}

/** The sum of each row. @param {Plane} plane */
function sums({ rows, columns, values }) {
  return Array.from({ length: rows }, (_, row) =>
    values.subarray(row * columns, (row + 1) * columns).reduce((a, b) => a + b, 0),
  );
}

/** @param {number[]} weights */
function meanIndex(weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.reduce((sum, weight, place) => sum + weight * place, 0) / total;
}

/** @param {number} start @param {number} last */
const within = (start, last) => Math.min(Math.max(roundToEven(start), 0), last);

/** @param {string} message */
const refused = (message) => Object.assign(new Error(message), { status: 422 });
