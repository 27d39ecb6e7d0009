/**
 * Brings images to the shape that the network reads: digits have 28 x 28 pixels, a network
 * may have learned from images of another size, or from several channels.
 * @import { AppState, ImageShape, Pixels } from "../types.js"
 */
import { fitTo, isSameShape, shapeOf } from "../lib/pixels.js";

/**
 * What was given, by what was made of it: the way back to the first network loses nothing.
 * @type {WeakMap<Pixels, Pixels>}
 */
const originals = new WeakMap();

/**
 * @param {Pixels} pixels
 * @param {ImageShape} shape
 */
function fitted(pixels, shape) {
  if (isSameShape(pixels, shape)) return pixels;
  const original = originals.get(pixels) ?? pixels;
  const found = fitTo(original, shape);
  if (found !== original) originals.set(found, original);
  return found;
}

/**
 * The state with images of the shape that its network reads.
 * @template {Pick<AppState, "pixels" | "kept" | "model">} State
 * @param {State} state
 * @returns {State} the same where they have it
 */
export function withFittingImages(state) {
  const { model, pixels: given, kept: before } = state;
  if (model === null) return state;
  const shape = shapeOf(model);
  const pixels = given && fitted(given, shape);
  const kept = before && { ...before, pixels: fitted(before.pixels, shape) };
  const isKept = kept?.pixels === before?.pixels;
  if (pixels === given && isKept) return state;
  return { ...state, pixels, kept: isKept ? before : kept };
}
