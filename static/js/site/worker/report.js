/**
 * What is told of a drawing: each step from it to the network's image, and doubts. The
 * sentences are those of `intake/notes.py` and `doubts.py`.
 * @import { Digit } from "./pieces.js"
 * @import { Plane } from "./resize.js"
 */
import { labelled } from "./pieces.js";
import { empty, put } from "./planes.js";

const BOX_SIDE = 20;
const DENSEST = 0.6;
const MOST_LOOPS = 3;
const WIDEST = 7;
const SMALLEST = 12;
const INK = 0.4;
const THUMBNAIL_SIDE = 160;
const PICTURE_SIDE = 240;

/** @typedef {{ digits: Digit[], index: number }} Choice */

/**
 * @param {{ picture: Plane, ink: Plane, digit: Plane, strokes: Plane, image: Plane, width: { before: number, after: number }, choice: Choice, isPair: boolean, isMoved: boolean, dropped: number, withSteps: boolean, doubts: { code: string, message: string }[] }} made
 * @returns {Record<string, string>} as the server's metadata has it
 */
export function reportOf(made) {
  if (!made.withSteps) return {};
  const { picture, ink, digit, strokes, image, width, choice, isPair, dropped } = made;
  const { digits, index } = choice;
  const largest = digits.toSorted((a, b) => b.share - a.share).slice(0, 2);
  const parts = isPair
    ? [...digits.keys()].filter((place) => largest.includes(digits[place]))
    : [index];
  const notes = [
    `Read upright, at ${picture.columns} by ${picture.rows} pixels.`,
    "Light ink on a dark background, as in the network's training images.",
    "The background is even, so it became black.",
    isPair
      ? keptOfPair(parts, digits.length, dropped)
      : `${kept(index, digits.length, dropped)}.`,
    strokesNote(width.before, width.after),
    isPair ? togetherNote(parts.length, made.isMoved) : PLACED,
  ];
  const steps = /** @type {[string, string, Plane][]} */ ([
    ["picture", "Your picture", picture],
    ["ink", "Light on dark", picture],
    ["paper", "Paper removed", ink],
    ["digit", "Digit found", digit],
    ["strokes", "Stroke width", strokes],
    ["placed", "Scaled and centred", image],
  ]).map(([name, title, plane], place) => ({
    ...{ name, title, note: notes[place] },
    image: addressOf(plane, name === "picture" ? PICTURE_SIDE : THUMBNAIL_SIDE),
  }));
  const found = digits.map(({ box, share, mask }) => ({
    ...{ box, share },
    image: addressOf(partOf(ink, mask, box), THUMBNAIL_SIDE),
  }));
  const settings = {
    ...{ ink: "light", threshold: 0.4, crop: [0, 0, 1, 1], rotate: 0 },
    ...{ thickness: width.after, thickness_before: width.before },
  };
  const all = { steps, found, chosen: index, parts, settings, warnings: made.doubts };
  return Object.fromEntries(
    Object.entries(all).map(([name, each]) => [name, JSON.stringify(each)]),
  );
}

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
function kept(index, count, dropped) {
  if (count > 1) return `Digit ${index + 1} of ${count} was kept`;
  if (dropped === 0) return "All ink belongs to the digit";
  const pieces = dropped === 1 ? "1 piece" : `${dropped} pieces`;
  return `The digit was kept, and ${pieces} of specks, lines or edges removed`;
}

/** @param {number[]} parts @param {number} count @param {number} dropped */
function keptOfPair(parts, count, dropped) {
  if (parts.length === 1)
    return `${kept(0, 1, dropped)}. It was read as it lies, as one digit or as two that touch.`;
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
 * @param {Plane} image @param {{ found: number, width: number, height: number, digits: number }} seen
 */
export function doubtsAbout(image, { found, width, height, digits }) {
  const several = `This picture contains ${found} shapes that look like digits. ${digits > 1 ? "The two largest are read unless you choose one." : "The largest is read unless you choose another."}`;
  const small = `The digit is only ${height} pixels high or wide in this picture. Take the picture from closer, or crop it to the digit.`;
  const unlike = unlikeIn(image, width, digits);
  return [
    ...(found > digits ? [{ code: "several", message: several }] : []),
    ...(unlike === null ? [] : [{ code: "unlike", message: unlike }]),
    ...(height < SMALLEST ? [{ code: "small", message: small }] : []),
  ];
}

/** @param {Plane} image @param {number} width @param {number} digits */
function unlikeIn(image, width, digits) {
  const sum = image.values.reduce((all, each) => all + each, 0);
  const count = digits > 1 ? 0 : loopsIn(image);
  let seen = "";
  if (width > WIDEST)
    seen = `its strokes would be ${width.toFixed(0)} of ${BOX_SIDE} pixels wide`;
  else if (digits > 1) return null;
  else if (sum > DENSEST * BOX_SIDE ** 2)
    seen = "ink fills nearly all of its bounding box";
  else if (count > MOST_LOOPS) seen = `it has ${count} closed loops`;
  else return null;
  return `This does not look like a digit: ${seen}. The network names a digit anyway, because it knows nothing else.`;
}

/** How many areas the ink encloses, but for single pixels. @param {Plane} image */
function loopsIn(image) {
  const framed = put(empty(image.rows + 2, image.columns + 2), image, 1, 1);
  const ground = {
    ...framed,
    values: framed.values.map((each) => (each < INK ? 1 : 0)),
  };
  return labelled(ground).parts.filter(({ area }) => area > 1).length - 1;
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

/** A picture's bytes as an address, of at most so many pixels a side. @param {Plane} plane @param {number} side */
function addressOf(plane, side) {
  const factor = Math.ceil(Math.max(plane.rows, plane.columns) / side);
  const rows = Math.ceil(plane.rows / factor);
  const columns = Math.ceil(plane.columns / factor);
  const width = 4 * Math.ceil(columns / 4); // of a row in the file
  const start = 54 + 4 * 256;
  const file = new DataView(new ArrayBuffer(start + width * rows));
  file.setUint16(0, 0x4d42, true); // a bitmap of 256 greys, from the top down
  for (const [at, value] of /** @type {[number, number][]} */ ([
    [2, file.byteLength],
    [10, start],
    [14, 40],
    [18, columns],
    [22, -rows],
  ]))
    file.setInt32(at, value, true);
  file.setUint16(26, 1, true);
  file.setUint16(28, 8, true);
  for (let grey = 0; grey < 256; grey++)
    file.setUint32(54 + 4 * grey, grey * 0x010101, true);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      let [sum, count] = [0, 0];
      for (let r = row * factor; r < Math.min((row + 1) * factor, plane.rows); r++)
        for (
          let c = column * factor;
          c < Math.min((column + 1) * factor, plane.columns);
          c++
        ) {
          sum += plane.values[r * plane.columns + c];
          count++;
        }
      file.setUint8(start + row * width + column, Math.round((255 * sum) / count));
    }
  const bytes = Array.from(new Uint8Array(file.buffer), (byte) =>
    String.fromCharCode(byte),
  );
  return `data:image/bmp;base64,${btoa(bytes.join(""))}`;
}
