/** Numbers of any size: as a factor and a power of ten. */
import { fixed } from "./number.js";

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Down to so many zeros behind the point, a plain number is easier to read. */
const FEW_ZEROS = 2;

/** More decimals than this single precision does not hold. */
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
  const rounded = Number(share.toFixed(decimals));
  if (rounded === 0 && share > 0) return powerOfE(Math.log(share), 2);
  if (rounded !== 1 || share >= 1) return fixed(share, decimals);
  const nines = Math.floor(-Math.log10(1 - share));
  return fixed(share, Math.max(decimals, Math.min(nines + 1, MOST_DECIMALS)));
}

/** @param {number} exponent a whole number */
function superscript(exponent) {
  const digits = [...String(Math.abs(exponent))].map(
    (digit) => SUPERSCRIPT[Number(digit)],
  );
  return `${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}
