/** Rounding, so that what is written can be checked with pencil and paper. */

/** More decimals than any sum on the page needs to come out. */
const MOST = 10;

/**
 * @param {number} value
 * @param {number} decimals
 * @returns {number} as `fixed` writes it, and no minus zero
 */
export function rounded(value, decimals) {
  return Number(value.toFixed(decimals)) + 0;
}

/**
 * The fewest decimals with which a calculation comes out as it is written.
 * @param {number} least
 * @param {(decimals: number) => boolean} comesOut
 * @returns {number} from `least` to 10, where it need not come out any more
 */
export function fewestDecimals(least, comesOut) {
  let decimals = least;
  while (decimals < MOST && !comesOut(decimals)) decimals++;
  return decimals;
}
