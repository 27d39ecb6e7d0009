/**
 * Brings images to the size that the network reads: digits have 28 x 28 pixels, a network
 * may have learned from images of another size.
 * @import { AppState, Pixels } from "../types.js"
 * @import { Store } from "./store.js"
 */
import { fitTo, sideOf } from "../lib/pixels.js";

/**
 * To be called before any view watches, so that none sees an image that does not fit.
 * @param {Store<AppState>} store
 */
export function keepFitted(store) {
  /**
   * What was given, by what was made of it: the way back to the first network loses
   * nothing.
   * @type {WeakMap<Pixels, Pixels>}
   */
  const originals = new WeakMap();

  /**
   * @param {Pixels} pixels
   * @param {number} side
   */
  function fitted(pixels, side) {
    const original = originals.get(pixels) ?? pixels;
    const found = fitTo(original, side);
    if (found !== original) originals.set(found, original);
    return found;
  }

  store.watch(["pixels", "kept", "model"], ({ pixels, kept, model }) => {
    if (model === null) return;
    const [side] = model.input_shape;
    if (pixels !== null && sideOf(pixels) !== side)
      store.set({ pixels: fitted(pixels, side) });
    if (kept !== null && sideOf(kept.pixels) !== side)
      store.set({ kept: { ...kept, pixels: fitted(kept.pixels, side) } });
  });
}
