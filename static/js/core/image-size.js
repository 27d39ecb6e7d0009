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

  store.watch(["pixels", "model"], ({ pixels, model }) => {
    if (pixels === null || model === null) return;
    const [side] = model.input_shape;
    if (sideOf(pixels) === side) return;
    const original = originals.get(pixels) ?? pixels;
    const fitted = fitTo(original, side);
    if (fitted !== original) originals.set(fitted, original);
    store.set({ pixels: fitted });
  });
}
