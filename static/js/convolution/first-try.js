/**
 * What to try first in a convolution of any network.
 * @import { LayerLook } from "./types.js"
 */

/**
 * The maps that respond most stand first.
 * @template {string} Key
 * @param {Key} layer the key of the slice that says how the layer is looked at
 */
export function strongestFirst(layer) {
  return {
    words: "See which maps respond most to this image.",
    button: "Put them first",
    at: "[data-sheet] canvas",
    change: (/** @type {{ readonly [key in Key]: LayerLook }} */ state) =>
      /** @type {{ [key in Key]: LayerLook }} */ ({
        [layer]: { ...state[layer], order: "energy" },
      }),
  };
}
