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
