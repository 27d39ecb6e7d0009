/** Numbers for places where every character counts. */
import { fixed } from "./number.js";

/**
 * With so many decimals, and without the zero before the point: −0.1310 -> "−.1310".
 * @param {number} value
 * @param {number} decimals
 */
export function bare(value, decimals) {
  return fixed(value, decimals).replace(/^(\D?)0\./, "$1.");
}

/**
 * Without the zero before the point, and a decimal less for each digit before it:
 * −0.131 -> "−.131", 1.25 -> "1.25", 0 -> "0". What only rounds to zero shows so: ".000".
 * @param {number} value
 * @param {number} decimals below 1
 */
export function compact(value, decimals) {
  if (Number.isInteger(value)) return fixed(value, 0);
  const digitsBefore = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return bare(value, Math.max(0, decimals - digitsBefore));
}
