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
  return { ...labelled(mask), factor, rows, columns };
}

/**
 * Parts that hang together at edges or corners, in the order in which rows meet them.
 * @param {Plane} mask its pixels above 0
 * @returns {{ labels: Plane, parts: Part[] }} labels: 0 outside, 1, 2, ... inside
 */
export function labelled(mask) {
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
  return { count, mask: inPicture(pieces, grown(grown(flagged(pieces, away)))) };
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
  const all = areas.reduce((sum, each) => sum + each, 0);
  return Math.max(...areas) < DUST_SHARE * all && parts.length > DUST_COUNT;
}

/** Which parts form the digit: `cleaning.chosen`. @param {Pieces} pieces */
function digitParts(pieces) {
  const { parts } = pieces;
  const { junk, main } = junkAndMain(pieces);
  const stray = strays(pieces, main);
  const size = sizeOf(parts[main]);
  return parts.map(
    (part, place) =>
      gapOf(part, parts[main]) <= NEAR * size &&
      part.area >= SPECK_SHARE * parts[main].area &&
      !junk[place] &&
      !stray[place],
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

/** The mean width of a part's strokes. @param {Pieces} pieces @param {number} place */
function strokeWidth({ labels, parts }, place) {
  const { top, left } = parts[place];
  const own = empty(heightOf(parts[place]), widthOf(parts[place]));
  for (let row = 0; row < own.rows; row++)
    for (let column = 0; column < own.columns; column++) {
      const label = labels.values[(top + row) * labels.columns + left + column];
      own.values[row * own.columns + column] = label === place + 1 ? 1 : 0;
    }
  return thickness(own);
}

/** @param {Pieces} pieces @returns {{ junk: boolean[], main: number }} */
function junkAndMain(pieces) {
  const { parts, labels } = pieces;
  const lines = parts.map(
    (part, place) => crosses(part, labels) || isFrame(pieces, place),
  );
  const edge = fromEdge(pieces);
  let junk = lines.map((isLine, place) => isLine || edge[place]);
  const rest = parts.map((part, place) => (junk[place] ? 0 : part.area));
  if (Math.max(...rest) < SPECK_SHARE * Math.max(...parts.map(areaOf)))
    junk = junk.map(() => false);
  const main = mainOf(parts, junk);
  if (touchesEdge(parts[main], labels))
    junk = junk.map((is, place) => is && lines[place]);
  return { junk, main };
}

/** The largest part that is not junk, rather an upright one. @param {Part[]} parts @param {boolean[]} junk */
function mainOf(parts, junk) {
  const areas = parts.map((part, place) => (junk[place] ? 0 : part.area));
  const upright = parts.map((part, place) =>
    heightOf(part) < FLATTEST * widthOf(part) ? 0 : areas[place],
  );
  const isUpright = Math.max(...upright) >= UPRIGHT_SHARE * Math.max(...areas);
  return mostOf(isUpright ? upright : areas);
}

/** The distance between two boxes. @param {Part} one @param {Part} other */
function gapOf(one, other) {
  const across = Math.max(one.left - other.right, other.left - one.right);
  return Math.max(across, one.top - other.bottom, other.top - one.bottom, 0);
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
    (part, place) => touchesEdge(part, labels) && !central.has(place + 1),
  );
}

/** Whether a part runs from edge to edge, and is thin. @param {Part} part @param {Plane} labels */
function crosses(part, { rows, columns }) {
  const thin = THIN * Math.min(rows, columns);
  const across = part.left === 0 && part.right === columns && heightOf(part) <= thin;
  return across || (part.top === 0 && part.bottom === rows && widthOf(part) <= thin);
}

/** Whether a part lies along its own box, with other ink inside. @param {Pieces} pieces @param {number} place */
function isFrame({ labels, parts }, place) {
  const part = parts[place];
  if (part.area < SPECK_SHARE * Math.max(...parts.map(areaOf))) return false;
  const encloses = parts.some(
    (each) =>
      each.top > part.top &&
      each.left > part.left &&
      each.bottom < part.bottom &&
      each.right < part.right &&
      each.area >= ENCLOSED_SHARE * part.area,
  );
  if (!encloses) return false;
  const [down, across] = [heightOf(part), widthOf(part)].map((size) =>
    Math.max(1, Math.round(RIM * size)),
  );
  let inner = 0;
  for (let row = part.top + down; row < part.bottom - down; row++)
    for (let column = part.left + across; column < part.right - across; column++)
      if (labels.values[row * labels.columns + column] === place + 1) inner++;
  return inner <= (1 - FRAME_SHARE) * part.area;
}

/** The digits, in reading order; a broken one counts once. @param {Pieces} pieces @returns {Digit[]} */
function digitsIn(pieces) {
  const { parts } = pieces;
  const owners = ownersOf(pieces);
  const sumOf = (/** @type {number[]} */ group) =>
    group.reduce((sum, place) => sum + parts[place].area, 0);
  const groups = [...new Set(owners)]
    .filter((owner) => owner !== NOBODY)
    .sort((a, b) => a - b)
    .map((owner) => [...parts.keys()].filter((place) => owners[place] === owner))
    .sort((a, b) => sumOf(b) - sumOf(a))
    .slice(0, MOST);
  const ink = groups.reduce((sum, group) => sum + sumOf(group), 0);
  return inReadingOrder(parts, groups).map((group) => ({
    box: boxOf(pieces, group),
    share: sumOf(group) / ink,
    mask: maskOf(
      pieces,
      parts.map((_, place) => group.includes(place)),
    ),
  }));
}

/** The first part of the digit of each part, or nobody's. @param {Pieces} pieces */
function ownersOf(pieces) {
  const { parts } = pieces;
  const { junk, main } = junkAndMain(pieces);
  const isDigit = parts.map(
    (part, place) =>
      place === main ||
      (!junk[place] &&
        heightOf(part) >= LOWEST * heightOf(parts[main]) &&
        heightOf(part) >= FLATTEST * widthOf(part) &&
        part.area >= LEAST_SHARE * parts[main].area),
  );
  const digits = [...parts.keys()].filter((place) => isDigit[place]);
  const reach = Math.max(
    Math.round(APART * heightOf(parts[main])),
    Math.ceil(STROKES * strokeWidth(pieces, main)),
  );
  const owners = parts.map(() => NOBODY);
  for (const [at, owner] of joined(pieces, digits, reach).entries())
    owners[digits[at]] = owner;
  const stray = strays(pieces, main);
  for (const [place, part] of parts.entries()) {
    const isLarge = part.area >= SPECK_SHARE * parts[main].area;
    if (junk[place] || isDigit[place] || !isLarge || stray[place]) continue;
    const gaps = digits.map((digit) => gapOf(part, parts[digit]));
    const nearest = digits[gaps.indexOf(Math.min(...gaps))];
    if (Math.min(...gaps) <= NEAR * sizeOf(parts[nearest]))
      owners[place] = owners[nearest];
  }
  return owners;
}

/** Whether two parts stack, or come within reach of each other. @param {Pieces} pieces @param {number} one @param {number} other @param {number} reach */
function belongTogether(pieces, one, other, reach) {
  const [a, b] = [pieces.parts[one], pieces.parts[other]];
  return isStacked(a, b) || (gapOf(a, b) <= reach && touch(pieces, one, other, reach));
}

/** The first member of each one's group. @param {Pieces} pieces @param {number[]} digits @param {number} reach */
function joined(pieces, digits, reach) {
  const owners = [...digits];
  for (const [place, part] of digits.entries())
    for (let other = 0; other < place; other++) {
      if (owners[other] === owners[place]) continue;
      if (!belongTogether(pieces, part, digits[other], reach)) continue;
      const [first, second] = [owners[other], owners[place]].sort((a, b) => a - b);
      for (const [at, owner] of owners.entries())
        if (owner === second) owners[at] = first;
    }
  return owners;
}

/** Whether one part is above or below another, and near it. @param {Part} one @param {Part} two */
function isStacked(one, two) {
  const gap = Math.max(two.top - one.bottom, one.top - two.bottom);
  const height = Math.max(one.bottom, two.bottom) - Math.min(one.top, two.top);
  const shared = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  const narrower = Math.min(widthOf(one), widthOf(two));
  return shared >= SHARED * narrower && gap <= BETWEEN * height;
}

/** Whether two parts come within reach of each other. @param {Pieces} pieces @param {number} one @param {number} other @param {number} reach */
function touch({ labels, parts }, one, other, reach) {
  const pair = [parts[one], parts[other]];
  const [top, left] = [
    Math.min(...pair.map((p) => p.top)),
    Math.min(...pair.map((p) => p.left)),
  ];
  const bottom = Math.max(...pair.map((p) => p.bottom));
  const right = Math.max(...pair.map((p) => p.right));
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    labels.values[(top + row) * labels.columns + left + column];
  const own = empty(bottom - top, right - left);
  own.values.forEach((_, i) => {
    own.values[i] =
      at(Math.floor(i / own.columns), i % own.columns) === one + 1 ? 1 : 0;
  });
  return windowMax(own, reach).values.some(
    (value, i) =>
      value > 0 && at(Math.floor(i / own.columns), i % own.columns) === other + 1,
  );
}

/** By lines, and each from left to right. @param {Part[]} parts @param {number[][]} groups */
function inReadingOrder(parts, groups) {
  const least = (/** @type {number[]} */ group, /** @type {"top" | "left"} */ side) =>
    Math.min(...group.map((place) => parts[place][side]));
  const end = (/** @type {number[]} */ group) =>
    Math.max(...group.map((place) => parts[place].bottom));
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
  const own = group.map((place) => parts[place]);
  const [wide, high] = [columns / factor, rows / factor];
  return [
    Math.min(...own.map(({ left }) => left)) / wide,
    Math.min(...own.map(({ top }) => top)) / high,
    Math.min(Math.max(...own.map(({ right }) => right)) / wide, 1),
    Math.min(Math.max(...own.map(({ bottom }) => bottom)) / high, 1),
  ];
}

/** The ink of some parts, edges included, and of no other. @param {Pieces} pieces @param {boolean[]} isOwn */
function maskOf(pieces, isOwn) {
  const own = grown(flagged(pieces, isOwn));
  const labels = pieces.labels.values;
  for (let at = 0; at < labels.length; at++)
    if (labels[at] > 0 && !isOwn[labels[at] - 1]) own.values[at] = 0;
  return inPicture(pieces, own);
}

/** @param {Pieces} pieces @param {boolean[]} isOwn @returns {Plane} */
const flagged = ({ labels }, isOwn) => ({
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
