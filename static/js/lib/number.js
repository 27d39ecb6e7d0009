/** Numbers as people read them. */

const MINUS = "\u2212";

/**
 * With so many decimals and a true minus sign: -0.5 -> "−0.500".
 * @param {number} value
 * @param {number} [decimals]
 */
export function fixed(value, decimals = 3) {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/**
 * Always with a sign: 0.5 -> "+0.500".
 * @param {number} value
 * @param {number} [decimals]
 */
export function signed(value, decimals = 3) {
  const text = fixed(value, decimals);
  return text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;
}

/**
 * Thousands apart by thin spaces: 8215568 -> "8 215 568".
 * @param {number} value a whole number
 */
export function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/**
 * @param {number} share in 0..1
 * @param {number} [decimals]
 */
export function percent(share, decimals = 2) {
  return `${(100 * share).toFixed(decimals)}\u202f%`;
}

/**
 * A number of things: 1 -> "1 window", 1152 -> "1 152 windows".
 * @param {number} count
 * @param {string} one what one of them is called
 * @param {string} [many] of several; with an s when absent
 */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
