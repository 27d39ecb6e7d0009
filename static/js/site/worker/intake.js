/**
 * A drawing of the page, or a picture, brought into a network's form as `intake/` does
 * it where the paper is even. Names and numbers are those of `intake/pipeline.py`,
 * `placing.py`, `strokes.py` and `composing.py`.
 * @import { Model } from "../../types.js"
 * @import { Box, Pixels } from "./picture.js"
 * @import { Plane } from "./resize.js"
 */
import { cover, FAINTEST } from "./levels.js";
import { contrastWith, evenLevel, isInkDark, isRuled } from "./paper.js";
import { isBlank, oneChannel, photographOf, planesOf, WHOLE } from "./picture.js";
import { chosenOf, hasDigit, intruders, piecesOf } from "./pieces.js";
import {
  crop,
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
import { doubtsAbout, reportInColour, reportOf } from "./report.js";
import { resize, transpose } from "./resize.js";

const SIDE = 28;
const BOX_SIDE = 20;
const VISIBLE = 0.1;
const TRACE = 0.5 / 255;
const SMALLEST_DIGIT = 5;
const SMALLEST_SIDE = 4;
const WEAKEST = 0.2;
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
const BLANK = SPECKS.replace("it contains only specks", "it is blank");
const UNEVEN = "The paper of this picture, or the light on it, is uneven.";
const RULED = "The paper of this picture has printed lines.";
const ELSEWHERE = "needs the explorer on your own machine.";

/**
 * What somebody decided: see `lib/overrides.js`.
 * @typedef {{ ink: string, invert: boolean, crop: Box, threshold: number | null, part: number | null, thickness: number | null, atMost: number, withSteps: boolean }} Wish
 */
/** @typedef {{ strokes: Plane, before: number, after: number }} Fitted */

/** @param {[string, string][]} query of the request @returns {Wish} */
export function wishIn(query) {
  const options = Object.fromEntries(query);
  if (Number(options.rotate ?? 0) !== 0) throw refused(`Rotating it ${ELSEWHERE}`);
  const number = (/** @type {string | undefined} */ text) =>
    text === undefined ? null : Number(text);
  return {
    ink: options.ink ?? "auto",
    invert: options.invert === "true",
    crop: options.crop
      ? /** @type {any} */ (options.crop.split(",").map(Number))
      : WHOLE,
    part: number(options.part),
    thickness: number(options.thickness),
    threshold: number(options.threshold),
    atMost: Number(options.at_most ?? 1),
    withSteps: options.steps === "true",
  };
}

/**
 * @param {Uint8Array | Pixels} file a drawing as a PGM file, or a picture's pixels
 * @param {Model} model @param {Wish} wish
 * @returns {{ pixels: Float32Array, report: Record<string, string> }}
 */
export function readPicture(file, model, wish) {
  const isDrawing = file instanceof Uint8Array;
  const picture = isDrawing ? pixelsIn(file) : file;
  const whole = planesOf(picture, WHOLE);
  const { planes } = wish.crop === WHOLE ? whole : planesOf(picture, wish.crop);
  requireSize(planes);
  if (model.input_shape[0] !== 1) return inColour(whole, planes, model, wish);
  const paper = paperOf(planes, isDrawing, wish);
  const { ink, pieces, dropped, level, start } = inkOf(paper.contrast, wish);
  const choice = chosenOf(pieces, wish.part);
  if (choice === null) throw refused(SPECKS);
  if (choice.mask === undefined)
    throw Object.assign(refused("This picture has fewer digits."), { field: "part" });
  const isPair = wish.atMost > 1 && wish.part === null;
  const digit = cutOut(ink, choice.mask);
  const piece = crop(digit, VISIBLE);
  if (Math.max(piece.rows, piece.columns) < SMALLEST_DIGIT)
    throw refused(
      `Ink of at least ${SMALLEST_DIGIT} pixels in height or width is needed; the largest piece found has ${piece.columns} by ${piece.rows}. Take the picture from closer, or draw a frame around the digit.`,
    );
  const result = isPair ? compose(ink, choice, wish) : alone(piece, wish);
  const image = round(result.image);
  const width = { before: result.before, after: result.after };
  const report = reportOf({
    whole,
    ...paper,
    ink,
    digit,
    strokes: result.strokes,
    image,
    width,
    choice,
    isPair,
    start,
    wish,
    isMoved: "isMoved" in result && Boolean(result.isMoved),
    dropped: choice.dropped + dropped,
    doubts: doubtsAbout(image, {
      pieces: choice.digits.length,
      width: result.before,
      level,
      rows: piece.rows,
      columns: piece.columns,
      digits: isPair ? 2 : 1,
    }),
  });
  const { values } = fittedTo(image, model);
  return { pixels: values, report };
}

/**
 * All of a picture, as a colour network reads it.
 * @param {{ planes: Plane[], ground: string | null }} whole @param {Plane[]} planes
 * @param {Model} model @param {Wish} wish
 */
function inColour(whole, planes, { input_shape: [channels, rows, columns] }, wish) {
  const { middle, image } = photographOf(planes, rows, columns);
  const pixels = new Float32Array(channels * rows * columns);
  for (let band = 0; band < channels; band++)
    for (const [at, level] of image[band % image.length].values.entries())
      pixels[band * rows * columns + at] = level / 255;
  const report = reportInColour({ whole, planes, middle, image, wish });
  return { pixels, report };
}

/** One digit. @param {Plane} ink @param {Wish} wish */
function alone(ink, { thickness: width }) {
  const fit = fitInk(ink, width);
  return { ...fit, image: centre(scaledToBox(crop(fit.strokes, VISIBLE))) };
}

/** Up to two digits on a canvas. @param {Plane} ink @param {NonNullable<ReturnType<typeof chosenOf>>} choice @param {Wish} wish */
function compose(ink, { digits, mask }, { thickness: width }) {
  const largest = digits.toSorted((a, b) => b.share - a.share).slice(0, 2);
  if (largest.length < 2) {
    const whole = crop(cutOut(ink, mask), VISIBLE);
    const wanted = roundToEven((HEIGHT * whole.columns) / whole.rows);
    const side = Math.max(HEIGHT, Math.min(WIDEST, wanted));
    const fit = fitInk(whole, width, side);
    const image = centre(scaledToBox(crop(fit.strokes, VISIBLE), side), CANVAS);
    return { ...fit, image };
  }
  const apart = digits.filter((digit) => largest.includes(digit));
  const planes = apart.map((digit) => cutOut(ink, digit.mask));
  const inks = planes.map((plane) => crop(plane, VISIBLE));
  const [firstDigit, secondDigit] = inks.map((piece) => fitInk(piece, width));
  const size =
    inks.reduce((sum, piece) => sum + Math.max(piece.rows, piece.columns), 0) / 2;
  const [first, second] = planes.map((plane) => [
    meanIndex(sums(plane)),
    meanIndex(sums(transpose(plane))),
  ]);
  const shifts = first.map((from, axis) => (BOX_SIDE / size) * (second[axis] - from));
  const firsts = shifts.map((shift) => roundToEven(-shift / 2));
  const seconds = shifts.map((shift, axis) => firsts[axis] + roundToEven(shift));
  const image = empty(CANVAS, CANVAS);
  for (const [{ strokes }, at] of /** @type {[Fitted, number[]][]} */ ([
    [firstDigit, firsts],
    [secondDigit, seconds],
  ])) {
    const [top, left] = at.map((shift) => within(REACH + shift, 2 * REACH));
    const piece = centre(scaledToBox(crop(strokes, VISIBLE)));
    for (const [i, value] of piece.values.entries()) {
      const to = (top + Math.floor(i / SIDE)) * CANVAS + left + (i % SIDE);
      image.values[to] = Math.min(image.values[to] + value, 1);
    }
  }
  const mean = (/** @type {number} */ a, /** @type {number} */ b) => (a + b) / 2;
  const isMoved = Math.max(...shifts.map(Math.abs)) > 2 * REACH;
  return {
    image,
    strokes: firstDigit.strokes,
    isMoved,
    before: mean(firstDigit.before, secondDigit.before),
    after: mean(firstDigit.after, secondDigit.after),
  };
}

/** @param {Plane} plane @param {Uint8Array} mask @returns {Plane} */
const cutOut = (plane, mask) => ({
  ...plane,
  values: plane.values.map((value, at) => value * mask[at]),
});

/**
 * Light ink and its contrast with paper that is even; a drawing's is black.
 * @param {Plane[]} planes @param {boolean} isDrawing @param {Wish} wish
 */
function paperOf(planes, isDrawing, { ink, invert }) {
  const { channel, byColour } = oneChannel(planes);
  const isDark = (ink === "auto" ? isInkDark(channel) : ink === "dark") !== invert;
  const values = isDark ? channel.values.map((value) => 1 - value) : channel.values;
  const lightInk = { ...channel, values };
  if (isDrawing && !isDark) return { lightInk, contrast: lightInk, isDark, byColour };
  if (isBlank(channel)) throw refused(BLANK);
  const level = evenLevel(lightInk);
  if (level === null) throw refused(`${UNEVEN} Reading it ${ELSEWHERE}`);
  const contrast = contrastWith(lightInk, level);
  if (isRuled(contrast)) throw refused(`${RULED} Reading it ${ELSEWHERE}`);
  return { lightInk, contrast, isDark, byColour };
}

/** The ink, without what reaches in from the edge: `inking.py`. @param {Plane} contrast @param {Wish} wish */
function inkOf(contrast, { threshold }) {
  const first = splitInk(contrast, threshold);
  if (first.level < FAINTEST) throw refused(BLANK);
  const { mask, count } = intruders(first.pieces);
  if (count > 0) {
    const inside = mask.map((isAway) => 1 - isAway);
    const others = splitInk(cutOut(contrast, inside), threshold);
    if (others.level > WEAKEST * first.level && hasDigit(others.pieces))
      return { ...others, dropped: count };
  }
  return { ...first, dropped: 0 };
}

/** The ink, and its pieces. @param {Plane} contrast @param {number | null} threshold */
function splitInk(contrast, threshold) {
  const coverage = cover(contrast, threshold);
  const core = Math.fround(coverage.start * coverage.level);
  return { ...coverage, pieces: piecesOf(contrast, core) };
}

/** @param {Uint8Array} file @returns {Pixels} */
function pixelsIn(file) {
  const head = new TextDecoder("latin1").decode(file.subarray(0, 32));
  const [whole, columns, rows] = /^P5\s(\d+)\s(\d+)\s255\s/.exec(head) ?? [];
  if (whole === undefined) throw refused("A drawing must be a PGM file.");
  const data = file.subarray(whole.length);
  return { width: Number(columns), height: Number(rows), data };
}

/** @param {Plane[]} planes */
function requireSize([{ rows, columns }]) {
  if (Math.min(rows, columns) < SMALLEST_SIDE)
    throw refused(
      `A picture of at least ${SMALLEST_SIDE} by ${SMALLEST_SIDE} pixels is needed; as it was read, this one has ${columns} by ${rows}.`,
    );
}

/** In multiples of 1/255, since links hold bytes. @param {Plane} plane @returns {Plane} */
const round = (plane) => ({
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
  return round(transpose(share(transpose(share(image, columns)), rows)));
}

/** Each row as means of the areas that its pixels cover. @param {Plane} plane @param {number} length @returns {Plane} */
function share({ rows, columns, values }, length) {
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
function fitInk(ink, width, side = BOX_SIDE) {
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
    grown.values.filter((value) => value > least),
    SOLID_QUANTILE,
  );
  const values = grown.values.map((value) => Math.min(value / solid, 1));
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
  const fine = resize(thick, rows, columns, scale < 1 ? "box" : "bilinear");
  const margin = roundToEven(USUAL * FINE);
  return put(empty(rows + 2 * margin, columns + 2 * margin), fine, margin, margin);
}

/** Scaled so that the long side is `side`, in a square. @param {Plane} ink @param {number} [side] @returns {Plane} */
function scaledToBox(ink, side = BOX_SIDE) {
  const { rows, columns } = ink;
  if (rows < columns) return transpose(scaledToBox(transpose(ink), side));
  const scale = side / rows;
  const middle = (Math.floor(side / 2) + 0.5) / scale - 0.5;
  const left = within(middle - meanIndex(sums(transpose(ink))), rows - columns);
  const square = put(empty(rows, rows), ink, 0, left);
  const scaled = resize(square, side, side, scale < 1 ? "hamming" : "bilinear");
  const values = scaled.values.map((value) => Math.min(Math.max(value, 0), 1));
  return { ...scaled, values };
}

/** Placed so that the ink's centre of mass is in the middle. @param {Plane} box @param {number} [side] */
function centre(box, side = SIDE) {
  const ink = crop(box, TRACE);
  const top = within(side / 2 - meanIndex(sums(ink)), side - ink.rows);
  const left = within(side / 2 - meanIndex(sums(transpose(ink))), side - ink.columns);
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
  return weights.reduce((sum, weight, index) => sum + weight * index, 0) / total;
}

/** @param {number} start @param {number} last */
const within = (start, last) => Math.min(Math.max(roundToEven(start), 0), last);

/** @param {string} message */
const refused = (message) => Object.assign(new Error(message), { status: 422 });
