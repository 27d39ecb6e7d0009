/** IEEE 754 half-precision numbers, decoded by a table of all 65 536. */

/** @type {Float32Array | null} */
let table = null;

/**
 * @param {Uint16Array} bits
 * @returns {Float32Array}
 */
export function decodeFloat16(bits) {
  table ??= buildTable();
  const values = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]];
  return values;
}

/**
 * The nearest half-precision number, of two equally near the even one.
 * @param {number} value from -65504 to 65504
 * @returns {number} its bits
 */
export function encodeFloat16(value) {
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  // Below 2^-14 all numbers are 2^-24 apart; above, 1024 fill each power of two.
  const exponent = size < 2 ** -14 ? -14 : Math.floor(Math.log2(size));
  const steps = roundToEven(size / 2 ** (exponent - 10));
  // Carrying into the exponent is what the sum of the two fields does by itself.
  return sign | ((exponent + 14) * 1024 + steps);
}

/**
 * @param {number} value from -65504 to 65504
 * @returns {number} the nearest that half precision can hold
 */
export function roundToFloat16(value) {
  return toNumber(encodeFloat16(value));
}

/** @param {number} value not negative */
function roundToEven(value) {
  const below = Math.floor(value);
  const beyond = value - below;
  return beyond > 0.5 || (beyond === 0.5 && below % 2 === 1) ? below + 1 : below;
}

function buildTable() {
  const all = new Float32Array(1 << 16);
  for (let bits = 0; bits < all.length; bits++) all[bits] = toNumber(bits);
  return all;
}

/** @param {number} bits sign 1, exponent 5, fraction 10 */
function toNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
