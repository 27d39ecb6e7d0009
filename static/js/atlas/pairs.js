/**
 * Test images of two digits, made in the page of those of single digits, and counted.
 * @import { ImageShape, Laid, Pixels } from "../types.js"
 * @import { Atlas, Pairs } from "../lib/tested.js"
 */
import { apart, merged } from "../lib/overlap.js";
import { entries, isMisread, labelsOf } from "../lib/tested.js";

/**
 * Both digits of each image, as they lie on the canvas.
 * @param {Pick<Atlas, "perImage" | "labels">} atlas @param {Pairs} pairs
 * @param {readonly number[]} indexes
 * @param {(indexes: readonly number[]) => Promise<Pixels[]>} fetchDigits
 * @returns {Promise<[Laid, Laid][]>}
 */
export async function laidOut(atlas, { digits, shifts }, indexes, fetchDigits) {
  const wanted = [...new Set(indexes.flatMap((index) => entries(digits, 2, index)))];
  const fetched = await fetchDigits(wanted);
  const pixels = new Map(wanted.map((digit, i) => [digit, fetched[i]]));
  return indexes.map((index) => {
    const labels = labelsOf(atlas, index);
    const [first, second] = entries(digits, 2, index).map((digit, k) => {
      const [down, right] = entries(shifts, 2, 2 * index + k);
      const digitPixels = /** @type {Pixels} */ (pixels.get(digit));
      return { pixels: digitPixels, label: labels[k], right, down };
    });
    return [first, second];
  });
}

/** @param {readonly Laid[]} digits @param {ImageShape} canvas */
export const pairPicture = (digits, canvas) => merged(apart(digits, canvas));

/**
 * @param {Atlas} atlas of two labels an image
 * @returns {{ count: number, wrong: number }[][]} [lower label][higher label]
 */
export function pairCounts(atlas) {
  const counts = atlas.names.map(() => atlas.names.map(() => ({ count: 0, wrong: 0 })));
  for (let i = 0; i < atlas.count; i++) {
    const [low, high] = labelsOf(atlas, i).sort((a, b) => a - b);
    counts[low][high].count++;
    if (isMisread(atlas, i)) counts[low][high].wrong++;
  }
  return counts;
}
