/**
 * How many decimals a number is written with. A reader can check written calculations
 * with pencil and paper; axes and narrow places have needs of their own.
 */
import { fixed } from "./format.js";

/** No calculation on the page needs more decimals. */
const MOST = 10;

/**
 * Round, as `fixed` does when it writes.
 * @param {number} value @param {number} decimals
 * @returns {number} as `fixed` writes it, and no minus zero
 */
export function rounded(value, decimals) {
  return Number(value.toFixed(decimals)) + 0;
}

/**
 * The fewest decimals with which a written calculation is right.
 * @param {number} least @param {(decimals: number) => boolean} comesOut
 * @returns {number} from `least` to 10, where it need not come out any more
 */
export function fewestDecimals(least, comesOut) {
  let decimals = least;
  while (decimals < MOST && !comesOut(decimals)) decimals++;
  return decimals;
}

/**
 * What must be added to `parts` to make `total`, when all are rounded to so many
 * decimals. It may differ in the last digit from the rounded true rest.
 * @param {number} total @param {readonly number[]} parts @param {number} decimals
 */
export function restOf(total, parts, decimals) {
  return parts.reduce(
    (rest, part) => rounded(rest - rounded(part, decimals), decimals),
    rounded(total, decimals),
  );
}

/**
 * With so many decimals, and without the zero before the point: −0.1310 -> "−.1310".
 * @param {number} value @param {number} decimals
 */
export function bare(value, decimals) {
  return fixed(value, decimals).replace(/^(\D?)0\./, "$1.");
}

/**
 * Without the zero before the point, and with one decimal less for each digit before
 * it: −0.131 -> "−.131", 1.25 -> "1.25", 0 -> "0". A value that only rounds to zero
 * keeps its decimals: ".000".
 * @param {number} value
 * @param {number} decimals below 1
 */
export function compact(value, decimals) {
  if (Number.isInteger(value)) return fixed(value, 0);
  const digitsBefore = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return bare(value, Math.max(0, decimals - digitsBefore));
}

/**
 * The same of a share of 1, which is 0 or 1 only where it is exactly that: 0.9974 with two
 * decimals -> ">.99", 0.0001 -> "<.01".
 * @param {number} value
 * @param {number} decimals
 */
export function compactShare(value, decimals) {
  const text = rounded(value, decimals);
  const least = 10 ** -decimals;
  if (text === 0 && value > 0) return `<${bare(least, decimals)}`;
  if (text === 1 && value < 1) return `>${bare(1 - least, decimals)}`;
  return compact(value, decimals);
}

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** With up to so many zeros after the point, a plain number is easier to read. */
const FEW_ZEROS = 2;

/** Single precision holds no more decimals. */
const MOST_DECIMALS = 7;

/**
 * e to some power, although it may be larger or smaller than a double can hold:
 * 1 -> "2.72", 20 -> "4.85 × 10⁸", 1000 -> "1.97 × 10⁴³⁴".
 * @param {number} power
 * @param {number} [digits] of the factor
 */
export function powerOfE(power, digits = 3) {
  const log = power / Math.LN10;
  let exponent = Math.floor(log);
  let factor = 10 ** (log - exponent);
  // A factor that rounds to 10 belongs to the next power.
  if (Number(factor.toFixed(digits - 1)) >= 10) {
    factor /= 10;
    exponent += 1;
  }
  if (exponent >= -FEW_ZEROS - 1 && exponent < digits)
    return fixed(factor * 10 ** exponent, digits - 1 - exponent);
  return `${fixed(factor, digits - 1)}\u00a0×\u00a010${superscript(exponent)}`;
}

/**
 * A share of 1 with so many decimals, and with more where these would make it all or
 * nothing: 0.25 -> "0.2500", 0.000002 -> "2.0 × 10⁻⁶", 0.999993 -> "0.999993".
 * @param {number} share in 0..1
 * @param {number} [decimals]
 */
export function exactShare(share, decimals = 4) {
  const digits = digitsOf(share, decimals);
  return digits === null ? powerOfE(Math.log(share), 2) : fixed(share, digits);
}

/**
 * How present something is, everywhere with the same decimals. What squash, softmax and the
 * logistic function make is always less than 1, and single precision rounds it to 1 all the
 * same: 0.99997 and 1 -> ">0.999", 0.000002 -> "2.0 × 10⁻⁶".
 * @param {number} value 0 or more
 * @param {number} [decimals]
 */
export function presence(value, decimals = 3) {
  const isAlmost = value <= 1 && rounded(value, decimals) === 1;
  return isAlmost
    ? `>${fixed(1 - 10 ** -decimals, decimals)}`
    : exactShare(value, decimals);
}

/**
 * Any value with so many decimals, and with more where these would make it 0, or 1 of what is
 * less: 0.99998 -> "0.99998", −0.00002 -> "−2.0 × 10⁻⁵".
 * @param {number} value
 * @param {number} [decimals]
 */
export const exactly = (value, decimals = 3) =>
  `${value < 0 ? "\u2212" : ""}${exactShare(Math.abs(value), decimals)}`;

/** As `exactShare` writes it. @param {number} share @param {number} decimals */
export function roundedShare(share, decimals) {
  const digits = digitsOf(share, decimals);
  return digits === null ? Number(share.toPrecision(2)) : rounded(share, digits);
}

/**
 * @param {number} share @param {number} decimals
 * @returns {number | null} how many decimals a share is written with; null: as a power of ten
 */
function digitsOf(share, decimals) {
  const rounded = Number(share.toFixed(decimals));
  if (rounded === 0 && share > 0) return null;
  if (rounded !== 1 || share >= 1) return decimals;
  const nines = Math.floor(-Math.log10(1 - share));
  return Math.max(decimals, Math.min(nines + 1, MOST_DECIMALS));
}

/** @param {number} exponent a whole number */
function superscript(exponent) {
  const digits = [...String(Math.abs(exponent))].map(
    (digit) => SUPERSCRIPT[Number(digit)],
  );
  return `${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

/**
 * Ticks at multiples of 1, 2 or 5 times a power of ten, from 0 to the first that is not
 * below `most`.
 * @param {number} most the largest value that must find room
 * @param {number} [count] about how many steps
 * @returns {number[]} at least 0 and one more
 */
export function ticksTo(most, count = 4) {
  const end = most > 0 ? most : 1;
  const step = roundStep(end / count);
  // What a product of decimals misses by is no reason for one more tick.
  const steps = Math.max(1, Math.ceil(end / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
}

/** @param {number} least the step may not be smaller */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor =
    [1, 2, 5].find((multiple) => multiple * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** How many decimals the ticks of an axis need. @param {readonly number[]} ticks */
export function tickDecimals(ticks) {
  return Math.max(...ticks.map((tick) => String(tick).split(".")[1]?.length ?? 0));
}
