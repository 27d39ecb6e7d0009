/**
 * What the tile and the portrait of a part show, for who cannot see them.
 * @import { Column, Sought } from "./types.js"
 */
import { largestOf } from "../lib/arithmetic.js";
import { presence } from "../lib/decimals.js";
import { fixed } from "../lib/format.js";
import { memoizeByIndex, memoizeByObject } from "../lib/memoize.js";
import { greyOf } from "../lib/pixels.js";

/** A stroke spreads this much more along itself than across. */
const LONG = 1.8;

/**
 * Where the strongest cell of a tile stands, such as "strongest capsule at row 3, column 4,
 * length 0.87".
 * @param {Pick<Column, "numbers" | "rows" | "columns" | "values" | "cell" | "value">} column
 * @param {number} tile @returns {string} empty while its values have not come
 */
export function standsWords({ numbers, rows, columns, values, cell, value }, tile) {
  const at = numbers.indexOf(tile);
  const size = rows * columns;
  if (at < 0 || size < 2) return "";
  const own = values.subarray(at * size, (at + 1) * size);
  const best = largestOf(own);
  const [row, column] = [Math.floor(best / columns), best % columns];
  // A capsule's is less than 1, also where single precision rounds it; a map's has no end.
  const text = (cell === "capsule" ? presence : fixed)(own[best], 2);
  return `strongest ${cell} at row ${row}, column ${column}, ${value} ${text}`;
}

/**
 * Where the ink of a type's portrait lies and which way it runs, such as "seeks ink at the
 * upper left, rising".
 * @param {Sought | undefined} sought @param {number} type
 * @returns {string} empty where no picture shows what it seeks
 */
export function seeksWords(sought, type) {
  if (!sought?.pictures || sought.isOfAnything(type)) return "";
  return inkWords({ pictures: sought.pictures, shape: sought.shape })(type);
}

/** The same of each type, once for all images. */
const inkWords = memoizeByObject(
  (/** @type {Portraits} */ { pictures }) => pictures,
  (portraits) => memoizeByIndex((type) => inkWordsOf(portraits, type)),
);

/** @typedef {{ pictures: Float32Array, shape: Sought["shape"] }} Portraits */

/** @param {Portraits} portraits @param {number} type */
function inkWordsOf({ pictures, shape }, type) {
  const size = shape.channels * shape.rows * shape.columns;
  const ink = greyOf(pictures.subarray(type * size, (type + 1) * size), shape);
  const { total, x, y, wide, high, both } = spreadOf(ink, shape.columns);
  if (!(total > 0)) return "";
  const down = thirdOf((y + 0.5) / shape.rows, ["upper", "middle", "lower"]);
  const across = thirdOf((x + 0.5) / shape.columns, ["left", "middle", "right"]);
  const place = down === across ? "" : ` at the ${placeOf(down, across)}`;
  const apart = Math.hypot(wide - high, 2 * both);
  const isStroke = wide + high + apart >= LONG * (wide + high - apart);
  if (!isStroke) return `seeks ink${place}, running no one way`;
  // Rows count downwards: what falls to the right has both coordinates grow.
  const angle = (90 / Math.PI) * Math.atan2(-2 * both, wide - high);
  return `seeks ink${place}, ${runOf(angle)}`;
}

/** @param {string} down @param {string} across */
function placeOf(down, across) {
  if (across === "middle") return down === "upper" ? "top" : "bottom";
  return down === "middle" ? across : `${down} ${across}`;
}

/** @param {number} share @param {readonly string[]} names */
const thirdOf = (share, names) => names[Math.min(2, Math.floor(3 * share))];

/** @param {number} angle degrees, −90 to 90, rising to the right above 0 */
function runOf(angle) {
  if (Math.abs(angle) < 22.5) return "level";
  if (Math.abs(angle) > 67.5) return "upright";
  return angle > 0 ? "rising" : "falling";
}

/** Mean place of ink, and how it spreads around it. @param {ArrayLike<number>} ink @param {number} columns */
function spreadOf(ink, columns) {
  const sum = (/** @type {(column: number, row: number) => number} */ of) =>
    Array.from(ink).reduce(
      (so, value, i) => so + value * of(i % columns, Math.floor(i / columns)),
      0,
    );
  const total = sum(() => 1);
  const [x, y] = [sum((column) => column), sum((_, row) => row)].map((s) => s / total);
  return {
    ...{ total, x, y },
    wide: sum((column) => (column - x) ** 2),
    high: sum((_, row) => (row - y) ** 2),
    both: sum((column, row) => (column - x) * (row - y)),
  };
}
