/**
 * What is told of a drawing: each step from it to the network's image, and doubts. The
 * sentences are those of `intake/notes.py` and `doubts.py`.
 * @import { Digit } from "./pieces.js"
 * @import { Plane } from "./resize.js"
 * @import { Wish } from "./intake.js"
 */
import { reduce } from "./paper.js";
import { WHOLE } from "./picture.js";
import { label } from "./pieces.js";
import { empty, put } from "./planes.js";

const BOX_SIDE = 20;
const DENSEST = 0.6;
const MOST_LOOPS = 3;
const WIDEST = 7;
const SMALLEST = 12;
const INK = 0.4;
const FAINT = 0.12;
const TOUCHING = 1.35; // of the height: wider ink may be several digits
const HEAD = 54; // bytes of a bitmap's head
const THUMBNAIL_SIDE = 160;
const PICTURE_SIDE = 240;

/** @typedef {{ digits: Digit[], index: number }} Choice */
/** @typedef {{ planes: Plane[], ground: string | null }} Whole a picture's levels in 0..255 */
/** @typedef {[name: string, title: string, note: string, planes: Plane[], most?: number]} Step most: of a value */

/**
 * @param {{ whole: Whole, lightInk: Plane, isDark: boolean, byColour: boolean, ink: Plane, digit: Plane, strokes: Plane, image: Plane, width: { before: number, after: number }, choice: Choice, isPair: boolean, isMoved: boolean, dropped: number, start: number, wish: Wish, doubts: { code: string, message: string }[] }} result
 * @returns {Record<string, string>} as the server's metadata has it
 */
export function reportOf(result) {
  const { whole, lightInk, isDark, ink, digit, strokes, image, wish } = result;
  const { width, choice, isPair, dropped } = result;
  if (!wish.withSteps) return {};
  const { digits, index } = choice;
  const largest = digits.toSorted((a, b) => b.share - a.share).slice(0, 2);
  const parts = isPair
    ? [...digits.keys()].filter((index) => largest.includes(digits[index]))
    : [index];
  const keptNote = isPair
    ? keptOfPair(parts, digits.length, dropped)
    : `${keptWords(index, digits.length, dropped)}.`;
  const placed = isPair ? togetherNote(parts.length, result.isMoved) : PLACED;
  const pieces = digits.map(({ box, share, mask }) => ({
    box: inside(box, wish.crop),
    share,
    image: addressOf([partOf(ink, mask, box)]),
  }));
  const settings = {
    ink: isDark ? "dark" : "light",
    threshold: result.start,
    crop: wish.crop,
    rotate: 0,
    thickness: width.after,
    thickness_before: width.before,
  };
  const steps = stepsOf([
    pictureStep(whole, wish),
    ["ink", "Light on dark", inkNote(result), [lightInk]],
    ["paper", "Paper removed", "The background is even, so it became black.", [ink]],
    ["digit", "Digit found", keptNote, [digit]],
    ["strokes", "Stroke width", strokesNote(width.before, width.after), [strokes]],
    ["placed", "Scaled and centred", placed, [image]],
  ]);
  const { doubts: warnings } = result;
  return asTexts({ steps, found: pieces, chosen: index, parts, settings, warnings });
}

/**
 * The same of a picture that a colour network reads.
 * @param {{ whole: Whole, planes: Plane[], middle: Plane[], image: Plane[], wish: Wish }} made
 */
export function reportInColour({ whole, planes, middle, image, wish }) {
  if (!wish.withSteps) return {};
  const sizeOf = ([{ rows, columns }] = planes) => `${columns} by ${rows}`;
  const isAll = sizeOf(middle) === sizeOf(planes);
  const square = isAll
    ? "All of it was kept."
    : `The middle ${sizeOf(middle)} of ${sizeOf(planes)} pixels were kept.`;
  const scaled = `Scaled to ${sizeOf(image)} pixels; its colours are unchanged.`;
  const steps = stepsOf([
    pictureStep(whole, wish),
    ["middle", "Its middle", square, middle, 255],
    ["scaled", "Scaled", scaled, image, 255],
  ]);
  const settings = { crop: wish.crop, rotate: 0 };
  return asTexts({ steps, found: [], chosen: null, parts: [], settings, warnings: [] });
}

/** @param {Record<string, unknown>} all */
const asTexts = (all) =>
  Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]),
  );

/** @param {Whole} whole @param {Wish} wish @returns {Step} */
function pictureStep({ planes, ground }, { crop }) {
  const [{ rows, columns }] = planes;
  const upright = ground
    ? `Read upright, with transparent parts filled with ${ground}.`
    : `Read upright, at ${columns} by ${rows} pixels.`;
  const note = crop === WHOLE ? upright : "Only the area inside the frame was used.";
  return ["picture", "Your picture", note, planes, 255];
}

/** @param {Step[]} steps */
const stepsOf = (steps) =>
  steps.map(([name, title, note, planes, most = 1]) => ({
    name,
    title,
    note,
    image: addressOf(planes, most, name === "picture" ? PICTURE_SIDE : THUMBNAIL_SIDE),
  }));

/** @param {{ isDark: boolean, byColour: boolean, wish: Wish }} made */
function inkNote({ isDark, byColour, wish: { invert } }) {
  const how = byColour ? " (distinguished by colour)" : "";
  const start = invert ? "As you chose: " : "";
  if (isDark)
    return `${start}${invert ? "dark" : "Dark"} ink on light paper${how}, so the picture was inverted.`;
  return `${start}${invert ? "light" : "Light"} ink on a dark background${how}, as in the network's training images.`;
}

/** A box of what a frame holds, as one of the whole picture. @param {number[]} box @param {readonly number[]} frame */
const inside = (box, [left, top, right, bottom]) =>
  box.map((side, at) =>
    at % 2 === 0 ? left + side * (right - left) : top + side * (bottom - top),
  );

const PLACED =
  "The ink was scaled to fit 20 by 20 pixels, and its centre of mass moved to the centre of 28 by 28.";

/** @param {number} parts @param {boolean} isMoved */
function togetherNote(parts, isMoved) {
  if (parts === 1)
    return "The ink was scaled to a height of 22 pixels, or less where it is wide: in training, one digit has 20, two over each other have a few more. Its centre of mass moved to the centre of 36 by 36.";
  const end = isMoved
    ? "They were moved together, to at most 4 pixels from the middle of 36 by 36, as in training"
    : "They lie around the middle of 36 by 36 as they did";
  return `Each digit was scaled to fit 20 by 20 pixels. ${end}. Where both have ink, it adds up.`;
}

/** @param {number} index @param {number} count @param {number} dropped */
function keptWords(index, count, dropped) {
  if (count > 1) return `Digit ${index + 1} of ${count} was kept`;
  if (dropped === 0) return "All ink belongs to the digit";
  const pieces = dropped === 1 ? "1 piece" : `${dropped} pieces`;
  return `The digit was kept, and ${pieces} of specks, lines or edges removed`;
}

/** @param {number[]} parts @param {number} count @param {number} dropped */
function keptOfPair(parts, count, dropped) {
  if (parts.length === 1)
    return `${keptWords(0, 1, dropped)}. It was read as it lies, as one digit or as two that touch.`;
  if (count === 2) return "Both digits were kept.";
  const [first, second] = parts.map((part) => part + 1);
  return `Digits ${first} and ${second} of ${count} were kept, the two largest.`;
}

/** @param {number} before @param {number} after */
function strokesNote(before, after) {
  if (before === after)
    return `Strokes are ${before.toFixed(1)} pixels wide, so they were left unchanged.`;
  const change = after > before ? "thickened" : "thinned";
  return `Strokes would be ${before.toFixed(1)} pixels wide in the final image, so they were ${change} to ${after.toFixed(1)}.`;
}

/**
 * Why an image may not show the intended digit.
 * @param {Plane} image
 * @param {{ pieces: number, width: number, level: number, rows: number, columns: number, digits: number }} measures
 */
export function doubtsAbout(
  image,
  { pieces: count, width, level, rows, columns, digits },
) {
  const height = Math.max(rows, columns);
  const rest =
    digits > 1
      ? "The two largest are read unless you choose one."
      : "The largest is read unless you choose another.";
  const unlike = unlikeIn(image, width, digits);
  const doubts = {
    several:
      count > digits &&
      `This picture contains ${count} shapes that look like digits. ${rest}`,
    unlike,
    faint:
      level < FAINT &&
      "The ink hardly stands out from the paper. More light or a darker pen helps.",
    small:
      height < SMALLEST &&
      `The digit is only ${height} pixels high or wide in this picture. Take the picture from closer, or crop it to the digit.`,
    touching:
      digits === 1 &&
      columns > TOUCHING * rows &&
      "The ink is much wider than high. Digits that touch are read as one: crop the picture to one of them.",
  };
  return Object.entries(doubts).flatMap(([code, message]) =>
    message ? [{ code, message }] : [],
  );
}

/** @param {Plane} image @param {number} width @param {number} digits */
function unlikeIn(image, width, digits) {
  const sum = image.values.reduce((all, value) => all + value, 0);
  const count = digits > 1 ? 0 : loopsIn(image);
  let problem = "";
  if (width > WIDEST)
    problem = `its strokes would be ${width.toFixed(0)} of ${BOX_SIDE} pixels wide`;
  else if (digits > 1) return null;
  else if (sum > DENSEST * BOX_SIDE ** 2)
    problem = "ink fills nearly all of its bounding box";
  else if (count > MOST_LOOPS) problem = `it has ${count} closed loops`;
  else return null;
  return `This does not look like a digit: ${problem}. The network names a digit anyway, because it knows nothing else.`;
}

/** How many areas the ink encloses, but for single pixels. @param {Plane} image */
function loopsIn(image) {
  const framed = put(empty(image.rows + 2, image.columns + 2), image, 1, 1);
  const ground = {
    ...framed,
    values: framed.values.map((value) => (value < INK ? 1 : 0)),
  };
  return label(ground).parts.filter(({ area }) => area > 1).length - 1;
}

/** @param {Plane} ink @param {Uint8Array} mask @param {number[]} box @returns {Plane} */
function partOf(ink, mask, [left, top, right, bottom]) {
  const [first, last] = [Math.floor(top * ink.rows), Math.ceil(bottom * ink.rows)];
  const [from, to] = [Math.floor(left * ink.columns), Math.ceil(right * ink.columns)];
  const out = empty(last - first, to - from);
  for (let row = first; row < last; row++)
    for (let column = from; column < to; column++) {
      const at = row * ink.columns + column;
      out.values[(row - first) * out.columns + column - from] =
        ink.values[at] * mask[at];
    }
  return out;
}

/**
 * A picture as an address: a bitmap of at most so many pixels a side.
 * @param {Plane[]} planes one, or red, green and blue @param {number} [largest] value
 * @param {number} [side]
 */
function addressOf(planes, largest = 1, side = THUMBNAIL_SIDE) {
  const factor = Math.ceil(Math.max(planes[0].rows, planes[0].columns) / side);
  const bands = planes.map((plane) => {
    const { columns, values } = plane;
    return reduce(plane, factor, (row, column) => values[row * columns + column]);
  });
  const [{ rows, columns }] = bands;
  const width = 4 * Math.ceil((3 * columns) / 4); // bytes of a row in the file
  const file = new DataView(new ArrayBuffer(HEAD + width * rows));
  file.setUint16(0, 0x4d42, true);
  for (const [at, value] of /** @type {[number, number][]} */ ([
    [2, file.byteLength],
    [10, HEAD],
    [14, 40],
    [18, columns],
    [22, -rows], // from the top down
  ]))
    file.setInt32(at, value, true);
  file.setUint16(26, 1, true);
  file.setUint16(28, 24, true);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (let band = 0; band < 3; band++) {
        const { values } = bands[(2 - band) % bands.length]; // blue first
        const level = (255 * values[row * columns + column]) / largest;
        file.setUint8(HEAD + row * width + 3 * column + band, Math.round(level));
      }
  let text = "";
  for (const byte of new Uint8Array(file.buffer)) text += String.fromCharCode(byte);
  return `data:image/bmp;base64,${btoa(text)}`;
}
