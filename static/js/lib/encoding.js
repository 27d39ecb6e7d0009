/**
 * Bytes and what they stand for: base64 in links, PGM pictures, half-precision numbers.
 */

import { memoize } from "./memoize.js";

// Text that is safe in a link: base64 with - and _, without padding.

/** @param {readonly number[] | Uint8Array} bytes */
export function toBase64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * @param {string} text
 * @returns {Uint8Array | null} null when the text is not base64
 */
export function fromBase64(text) {
  try {
    const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

// PGM, the plainest picture format: encoding one costs no compression.

export const PGM = "image/x-portable-graymap";

/**
 * @param {Uint8ClampedArray} rgba a grey picture; its red channel is taken
 * @param {number} width
 * @param {number} height
 * @param {number} [shrink] by how much each side shrinks; both must divide by it
 * @returns {Uint8Array<ArrayBuffer>} a whole file, each pixel the mean of a block
 */
export function encodePgm(rgba, width, height, shrink = 1) {
  const [columns, rows] = [width / shrink, height / shrink];
  const header = new TextEncoder().encode(`P5\n${columns} ${rows}\n255\n`);
  const file = new Uint8Array(header.length + columns * rows);
  file.set(header);
  let to = header.length;
  for (let top = 0; top < height; top += shrink)
    for (let start = 0; start < width; start += shrink) {
      let sum = 0;
      for (let y = top; y < top + shrink; y++)
        for (let x = start; x < start + shrink; x++) sum += rgba[4 * (y * width + x)];
      file[to++] = Math.round(sum / shrink ** 2);
    }
  return file;
}

// IEEE 754 half-precision numbers, decoded by a table of all 65 536.

const allNumbers = memoize(buildTable);

/** @param {Uint16Array} bits @returns {Float32Array} */
export function decodeFloat16(bits) {
  const values = new Float32Array(bits.length);
  const all = allNumbers();
  for (let i = 0; i < bits.length; i++) values[i] = all[bits[i]];
  return values;
}

/**
 * How far from a half-precision number any number can be that is rounded to it.
 * @param {number} value one that half precision can hold
 */
export function roundingOf(value) {
  return 2 ** (exponentOf(Math.abs(value)) - 11);
}

/**
 * Below 2^-14 all numbers are 2^-24 apart; above, 1024 fill each power of two.
 * @param {number} size not negative
 */
const exponentOf = (size) => (size < 2 ** -14 ? -14 : Math.floor(Math.log2(size)));

/**
 * All of them, by their bits: sign 1, exponent 5, fraction 10. The first picture waits for
 * this, so that each is a product only.
 */
function buildTable() {
  const all = new Float32Array(1 << 16).fill(Number.NaN);
  for (let exponent = 0; exponent < 31; exponent++) {
    const least = exponent === 0 ? 0 : 1024;
    const step = 2 ** (Math.max(exponent, 1) - 25);
    for (let fraction = 0; fraction < 1024; fraction++) {
      const index = exponent * 1024 + fraction;
      all[index] = (least + fraction) * step;
      all[index + 0x8000] = -all[index];
    }
  }
  all[0x7c00] = Number.POSITIVE_INFINITY;
  all[0xfc00] = Number.NEGATIVE_INFINITY;
  return all;
}
