/**
 * Which ink of a drawing is its digit: specks, edges and further digits apart. Names and
 * numbers are those of `intake/components.py`, `cleaning.py` and `digits.py`.
 * @import { Plane } from "./resize.js"
 */
import { empty, thickness, windowMax } from "./planes.js";

const MASK_SIDE = 200;
const CENTRE = 0.4;
const THIN = 0.06;
const RIM = 0.08;
const FRAME_SHARE = 0.85;
const ENCLOSED_SHARE = 0.08;
const SMALLEST = 0.08;
const FLATTEST = 0.6;
const UPRIGHT_SHARE = 0.25;
const SPECK_SHARE = 0.03;
const DOT = 1.5;
const CROWD = 5;
const ALIKE = 3;
const NEAR = 0.3; // in both files
const DUST_COUNT = 30;
const DUST_SHARE = 0.1;
const LOWEST = 0.45;
const LEAST_SHARE = 0.12;
const SHARED = 0.25;
const BETWEEN = 0.15;
const APART = 0.1;
const STROKES = 1.35;
const MOST = 12;
const NOBODY = -1;

/** A connected part of the ink; right and bottom are beyond it. @typedef {{ area: number, top: number, left: number, bottom: number, right: number }} Part */
/** @typedef {{ labels: Plane, parts: Part[], factor: number, rows: number, columns: number }} Pieces */
/** @typedef {{ box: number[], share: number, mask: Uint8Array }} Digit */

/** The connected pieces of what is more than a level. @param {Plane} plane @param {number} level @returns {Pieces} */
export function piecesOf({ rows, columns, values }, level) {
  const factor = Math.ceil(Math.max(rows, columns) / MASK_SIDE);
  const mask = empty(Math.ceil(rows / factor), Math.ceil(columns / factor));
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (values[row * columns + column] > level)
        mask.values[
          Math.floor(row / factor) * mask.columns + Math.floor(column / factor)
        ] = 1;
  return { ...label(mask), factor, rows, columns };
}

/**
 * Parts that hang together at edges or corners, in the order in which rows meet them.
 * @param {Plane} mask its pixels above 0
 * @returns {{ labels: Plane, parts: Part[] }} labels: 0 outside, 1, 2, ... inside
 */
export function label(mask) {
  const { rows, columns } = mask;
  const labels = empty(rows, columns);
  /** @type {Part[]} */
  const parts = [];
  for (let start = 0; start < mask.values.length; start++) {
    if (mask.values[start] === 0 || labels.values[start] !== 0) continue;
    const part = { area: 0, top: rows, left: columns, bottom: 0, right: 0 };
    parts.push(part);
    labels.values[start] = parts.length;
    for (const waiting = [start]; waiting.length > 0; ) {
      const at = /** @type {number} */ (waiting.pop());
      const [row, column] = [Math.floor(at / columns), at % columns];
      part.area++;
      part.top = Math.min(part.top, row);
      part.left = Math.min(part.left, column);
      part.bottom = Math.max(part.bottom, row + 1);
      part.right = Math.max(part.right, column + 1);
      for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); r++)
        for (
          let c = Math.max(column - 1, 0);
          c <= Math.min(column + 1, columns - 1);
          c++
        ) {
          const near = r * columns + c;
          if (mask.values[near] === 0 || labels.values[near] !== 0) continue;
          labels.values[near] = parts.length;
          waiting.push(near);
        }
    }
  }
  return { labels, parts };
}

/**
 * What to read: the largest digit, or the one with a number.
 * @param {Pieces} pieces @param {number | null} part
 * @returns {{ digits: Digit[], index: number, mask: Uint8Array, dropped: number } | null} null where there are only specks
 */
export function chosenOf(pieces, part) {
  const { parts } = pieces;
  if (parts.length === 0 || isDust(parts)) return null;
  const kept = digitParts(pieces);
  const digits = digitsIn(pieces);
  const largest = digits
    .map((_, index) => index)
    .sort((a, b) => digits[b].share - digits[a].share || a - b);
  const index = part ?? largest[0];
  if (digits.length > 1 || index > 0)
    return { digits, index, mask: digits[index]?.mask, dropped: 0 };
  const dropped = kept.filter((isKept) => !isKept).length;
  return { digits, index, mask: maskOf(pieces, kept), dropped };
}

/** Ink that touches the edge and does not reach the middle. @param {Pieces} pieces */
export function intruders(pieces) {
  const away = fromEdge(pieces);
  const count = away.filter(Boolean).length;
  return { count, mask: inPicture(pieces, grown(grown(flag(pieces, away)))) };
}

/** Whether a piece of ink is large enough for a digit. @param {Pieces} pieces */
export function hasDigit({ parts, labels }) {
  if (parts.length === 0 || isDust(parts)) return false;
  return (
    sizeOf(parts[mostOf(parts.map(areaOf))]) >=
    SMALLEST * Math.min(labels.rows, labels.columns)
  );
}

/** @param {Part} part */
const areaOf = ({ area }) => area;
/** @param {Part} part */
const heightOf = ({ top, bottom }) => bottom - top;
/** @param {Part} part */
const widthOf = ({ left, right }) => right - left;
/** @param {Part} part */
const sizeOf = (part) => Math.max(heightOf(part), widthOf(part));
/** The first place of the largest. @param {readonly number[]} values */
const mostOf = (values) => values.indexOf(Math.max(...values));

/** @param {Part[]} parts */
function isDust(parts) {
  const areas = parts.map(areaOf);
  const all = areas.reduce((sum, area) => sum + area, 0);
  return Math.max(...areas) < DUST_SHARE * all && parts.length > DUST_COUNT;
}

/** Which parts form the digit: `cleaning.chosen`. @param {Pieces} pieces */
function digitParts(pieces) {
  const { parts } = pieces;
  const { junk, main } = junkAndMain(pieces);
  const stray = strays(pieces, main);
  const size = sizeOf(parts[main]);
  return parts.map(
    (part, index) =>
      gapOf(part, parts[main]) <= NEAR * size &&
      part.area >= SPECK_SHARE * parts[main].area &&
      !junk[index] &&
      !stray[index],
  );
}

/** Dots and members of a crowd beside the main part. @param {Pieces} pieces @param {number} main */
function strays(pieces, main) {
  const { parts } = pieces;
  if (parts.length === 1) return [false];
  const width = strokeWidth(pieces, main);
  return parts.map((part) => {
    const alike = parts.filter(
      ({ area }) => area <= ALIKE * part.area && area >= part.area / ALIKE,
    ).length;
    const isStray = sizeOf(part) <= DOT * width || alike > CROWD;
    return isStray && gapOf(part, parts[main]) > width;
  });
}

/** The mean width of a part's strokes. @param {Pieces} pieces @param {number} index */
function strokeWidth({ labels, parts }, index) {
  const { top, left } = parts[index];
  const mask = empty(heightOf(parts[index]), widthOf(parts[index]));
  for (let row = 0; row < mask.rows; row++)
    for (let column = 0; column < mask.columns; column++) {
      const label = labels.values[(top + row) * labels.columns + left + column];
      mask.values[row * mask.columns + column] = label === index + 1 ? 1 : 0;
    }
  return thickness(mask);
}

/** @param {Pieces} pieces @returns {{ junk: boolean[], main: number }} */
function junkAndMain(pieces) {
  const { parts, labels } = pieces;
  const lines = parts.map(
    (part, index) => crosses(part, labels) || isFrame(pieces, index),
  );
  const edge = fromEdge(pieces);
  let junk = lines.map((isLine, index) => isLine || edge[index]);
  const rest = parts.map((part, index) => (junk[index] ? 0 : part.area));
  if (Math.max(...rest) < SPECK_SHARE * Math.max(...parts.map(areaOf)))
    junk = junk.map(() => false);
  const main = mainOf(parts, junk);
  if (touchesEdge(parts[main], labels))
    junk = junk.map((is, index) => is && lines[index]);
  return { junk, main };
}

/** The largest part that is not junk, rather an upright one. @param {Part[]} parts @param {boolean[]} junk */
function mainOf(parts, junk) {
  const areas = parts.map((part, index) => (junk[index] ? 0 : part.area));
  const upright = parts.map((part, index) =>
    heightOf(part) < FLATTEST * widthOf(part) ? 0 : areas[index],
  );
  const isUpright = Math.max(...upright) >= UPRIGHT_SHARE * Math.max(...areas);
  return mostOf(isUpright ? upright : areas);
}

/** The distance between two boxes. @param {Part} first @param {Part} second */
function gapOf(first, second) {
  const across = Math.max(first.left - second.right, second.left - first.right);
  return Math.max(across, first.top - second.bottom, second.top - first.bottom, 0);
}

/** @param {Part} part @param {Plane} labels */
const touchesEdge = ({ left, right, top, bottom }, { rows, columns }) =>
  left === 0 || right === columns || top === 0 || bottom === rows;

/** Which parts touch the edge without reaching the middle. @param {Pieces} pieces */
function fromEdge({ labels, parts }) {
  const [down, across] = [labels.rows, labels.columns].map((size) =>
    Math.round(((1 - CENTRE) / 2) * size),
  );
  const central = new Set();
  for (let row = down; row < labels.rows - down; row++)
    for (let column = across; column < labels.columns - across; column++)
      central.add(labels.values[row * labels.columns + column]);
  return parts.map(
    (part, index) => touchesEdge(part, labels) && !central.has(index + 1),
  );
}

/** Whether a part runs from edge to edge, and is thin. @param {Part} part @param {Plane} labels */
function crosses(part, { rows, columns }) {
  const thin = THIN * Math.min(rows, columns);
  const across = part.left === 0 && part.right === columns && heightOf(part) <= thin;
  return across || (part.top === 0 && part.bottom === rows && widthOf(part) <= thin);
}

/** Whether a part lies along its own box, with other ink inside. @param {Pieces} pieces @param {number} index */
function isFrame({ labels, parts }, index) {
  const part = parts[index];
  if (part.area < SPECK_SHARE * Math.max(...parts.map(areaOf))) return false;
  const encloses = parts.some(
    (other) =>
      other.top > part.top &&
      other.left > part.left &&
      other.bottom < part.bottom &&
      other.right < part.right &&
      other.area >= ENCLOSED_SHARE * part.area,
  );
  if (!encloses) return false;
  const [down, across] = [heightOf(part), widthOf(part)].map((size) =>
    Math.max(1, Math.round(RIM * size)),
  );
  let inner = 0;
  for (let row = part.top + down; row < part.bottom - down; row++)
    for (let column = part.left + across; column < part.right - across; column++)
      if (labels.values[row * labels.columns + column] === index + 1) inner++;
  return inner <= (1 - FRAME_SHARE) * part.area;
}

/** The digits, in reading order; a broken one counts once. @param {Pieces} pieces @returns {Digit[]} */
function digitsIn(pieces) {
  const { parts } = pieces;
  const owners = ownersOf(pieces);
  const sumOf = (/** @type {number[]} */ group) =>
    group.reduce((sum, index) => sum + parts[index].area, 0);
  const groups = [...new Set(owners)]
    .filter((owner) => owner !== NOBODY)
    .sort((a, b) => a - b)
    .map((owner) => [...parts.keys()].filter((index) => owners[index] === owner))
    .sort((a, b) => sumOf(b) - sumOf(a))
    .slice(0, MOST);
  const ink = groups.reduce((sum, group) => sum + sumOf(group), 0);
  return inReadingOrder(parts, groups).map((group) => ({
    box: boxOf(pieces, group),
    share: sumOf(group) / ink,
    mask: maskOf(
      pieces,
      parts.map((_, index) => group.includes(index)),
    ),
  }));
}

/** The first part of the digit of each part, or nobody's. @param {Pieces} pieces */
function ownersOf(pieces) {
  const { parts } = pieces;
  const { junk, main } = junkAndMain(pieces);
  const isDigit = parts.map(
    (part, index) =>
      index === main ||
      (!junk[index] &&
        heightOf(part) >= LOWEST * heightOf(parts[main]) &&
        heightOf(part) >= FLATTEST * widthOf(part) &&
        part.area >= LEAST_SHARE * parts[main].area),
  );
  const digits = [...parts.keys()].filter((index) => isDigit[index]);
  const reach = Math.max(
    Math.round(APART * heightOf(parts[main])),
    Math.ceil(STROKES * strokeWidth(pieces, main)),
  );
  const owners = parts.map(() => NOBODY);
  for (const [at, owner] of join(pieces, digits, reach).entries())
    owners[digits[at]] = owner;
  const stray = strays(pieces, main);
  for (const [index, part] of parts.entries()) {
    const isLarge = part.area >= SPECK_SHARE * parts[main].area;
    if (junk[index] || isDigit[index] || !isLarge || stray[index]) continue;
    const gaps = digits.map((digit) => gapOf(part, parts[digit]));
    const nearest = digits[gaps.indexOf(Math.min(...gaps))];
    if (Math.min(...gaps) <= NEAR * sizeOf(parts[nearest]))
      owners[index] = owners[nearest];
  }
  return owners;
}

/** Whether two parts stack, or come within reach of each other. @param {Pieces} pieces @param {number} first @param {number} second @param {number} reach */
function belongTogether(pieces, first, second, reach) {
  const [a, b] = [pieces.parts[first], pieces.parts[second]];
  return (
    isStacked(a, b) || (gapOf(a, b) <= reach && touch(pieces, first, second, reach))
  );
}

/** The first member of each one's group. @param {Pieces} pieces @param {number[]} digits @param {number} reach */
function join(pieces, digits, reach) {
  const owners = [...digits];
  for (const [index, part] of digits.entries())
    for (let other = 0; other < index; other++) {
      if (owners[other] === owners[index]) continue;
      if (!belongTogether(pieces, part, digits[other], reach)) continue;
      const [first, second] = [owners[other], owners[index]].sort((a, b) => a - b);
      for (const [at, owner] of owners.entries())
        if (owner === second) owners[at] = first;
    }
  return owners;
}

/** Whether one part is above or below another, and near it. @param {Part} first @param {Part} second */
function isStacked(first, second) {
  const gap = Math.max(second.top - first.bottom, first.top - second.bottom);
  const height =
    Math.max(first.bottom, second.bottom) - Math.min(first.top, second.top);
  const shared =
    Math.min(first.right, second.right) - Math.max(first.left, second.left);
  const narrower = Math.min(widthOf(first), widthOf(second));
  return shared >= SHARED * narrower && gap <= BETWEEN * height;
}

/** Whether two parts come within reach of each other. @param {Pieces} pieces @param {number} first @param {number} second @param {number} reach */
function touch({ labels, parts }, first, second, reach) {
  const pair = [parts[first], parts[second]];
  const [top, left] = [
    Math.min(...pair.map((p) => p.top)),
    Math.min(...pair.map((p) => p.left)),
  ];
  const bottom = Math.max(...pair.map((p) => p.bottom));
  const right = Math.max(...pair.map((p) => p.right));
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    labels.values[(top + row) * labels.columns + left + column];
  const mask = empty(bottom - top, right - left);
  mask.values.forEach((_, i) => {
    mask.values[i] =
      at(Math.floor(i / mask.columns), i % mask.columns) === first + 1 ? 1 : 0;
  });
  return windowMax(mask, reach).values.some(
    (value, i) =>
      value > 0 && at(Math.floor(i / mask.columns), i % mask.columns) === second + 1,
  );
}

/** By lines, and each from left to right. @param {Part[]} parts @param {number[][]} groups */
function inReadingOrder(parts, groups) {
  const least = (/** @type {number[]} */ group, /** @type {"top" | "left"} */ side) =>
    Math.min(...group.map((index) => parts[index][side]));
  const end = (/** @type {number[]} */ group) =>
    Math.max(...group.map((index) => parts[index].bottom));
  const middle = (/** @type {number[]} */ group) =>
    (least(group, "top") + end(group)) / 2;
  /** @type {number[][][]} */
  const lines = [];
  for (const group of groups.toSorted((a, b) => middle(a) - middle(b))) {
    const line = lines.at(-1);
    if (line && middle(group) <= end(line[0])) line.push(group);
    else lines.push([group]);
  }
  return lines.flatMap((line) =>
    line.sort((a, b) => least(a, "left") - least(b, "left")),
  );
}

/** Shares of the picture's sides: left, top, right, bottom. @param {Pieces} pieces @param {number[]} group */
function boxOf({ parts, factor, rows, columns }, group) {
  const members = group.map((index) => parts[index]);
  const [wide, high] = [columns / factor, rows / factor];
  return [
    Math.min(...members.map(({ left }) => left)) / wide,
    Math.min(...members.map(({ top }) => top)) / high,
    Math.min(Math.max(...members.map(({ right }) => right)) / wide, 1),
    Math.min(Math.max(...members.map(({ bottom }) => bottom)) / high, 1),
  ];
}

/** The ink of some parts, edges included, and of no other. @param {Pieces} pieces @param {boolean[]} isOwn */
function maskOf(pieces, isOwn) {
  const strokes = grown(flag(pieces, isOwn));
  const labels = pieces.labels.values;
  for (let at = 0; at < labels.length; at++)
    if (labels[at] > 0 && !isOwn[labels[at] - 1]) strokes.values[at] = 0;
  return inPicture(pieces, strokes);
}

/** @param {Pieces} pieces @param {boolean[]} isOwn @returns {Plane} */
const flag = ({ labels }, isOwn) => ({
  ...labels,
  values: labels.values.map((label) => (label > 0 && isOwn[label - 1] ? 1 : 0)),
});

/** Every pixel that touches the mask, too. @param {Plane} mask */
const grown = (mask) => windowMax(mask, 1);

/** @param {Pieces} pieces @param {Plane} mask */
function inPicture({ factor, rows, columns }, mask) {
  const large = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      large[row * columns + column] =
        mask.values[
          Math.floor(row / factor) * mask.columns + Math.floor(column / factor)
        ];
  return large;
}
