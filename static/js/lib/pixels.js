/**
 * A digit's 784 bytes: as numbers for the server, as text for a link.
 * @import { Pixels } from "../types.js"
 */

export const SIDE = 28;
export const PIXEL_COUNT = SIDE * SIDE;

/**
 * @param {Pixels} pixels
 * @returns {number[][]} rows of values in 0..1
 */
export function toRows(pixels) {
  return Array.from({ length: SIDE }, (_, row) =>
    Array.from(pixels.subarray(row * SIDE, (row + 1) * SIDE), (byte) => byte / 255),
  );
}

/**
 * @param {number[][]} rows of values in 0..1
 * @returns {Pixels}
 */
export function fromRows(rows) {
  return Uint8Array.from(rows.flat(), (value) => Math.round(value * 255));
}

/**
 * Pack a digit into text that is safe in a link. Most pixels are empty, so a run of
 * zeros is written as a zero and the run's length.
 * @param {Pixels} pixels
 */
export function pack(pixels) {
  /** @type {number[]} */
  const bytes = [];
  for (let i = 0; i < pixels.length; ) {
    if (pixels[i] !== 0) {
      bytes.push(pixels[i++]);
      continue;
    }
    let run = 0;
    while (run < 255 && i < pixels.length && pixels[i] === 0) {
      run++;
      i++;
    }
    bytes.push(0, run);
  }
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * @param {string} text made by `pack`
 * @returns {Pixels | null} null when the text is not a packed digit
 */
export function unpack(text) {
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (bytes === null) return null;
  const pixels = new Uint8Array(PIXEL_COUNT);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0) at += bytes[++i] ?? 0;
    else if (at < PIXEL_COUNT) pixels[at++] = bytes[i];
    else return null;
  }
  return at === PIXEL_COUNT ? pixels : null;
}

/**
 * @param {string} text
 * @returns {number[] | null}
 */
function fromBase64(text) {
  try {
    return Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * @param {Pixels} a
 * @param {Pixels} b
 */
export function samePixels(a, b) {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]));
}
