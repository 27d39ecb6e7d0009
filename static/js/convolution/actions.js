/**
 * How readers change what is chosen in a convolution that reads the image, and how the
 * convolutions are looked at: the same in every network.
 * @import { BeneathLook, LayerLook, OwnKernel } from "./types.js"
 */
import { kept } from "./kernel/changes.js";

/**
 * The part of a slice that is changed.
 * @typedef {object} Chosen
 * @property {number} map in focus
 * @property {number} pixel in focus, row * across + column of a map
 * @property {LayerLook} conv1
 * @property {OwnKernel} kernel
 * @property {number} centre the input pixel under the middle of one's own kernel
 */

/**
 * @typedef {object} ChosenStore
 * @property {() => Chosen | null} get null while another network is chosen
 * @property {(patch: Partial<Chosen>) => void} set
 */

/** @param {ChosenStore} store */
export function convolutionActions(store) {
  /** @param {(chosen: Chosen) => Partial<Chosen>} change */
  function update(change) {
    const chosen = store.get();
    if (chosen !== null) store.set(change(chosen));
  }

  return {
    /** @param {number} map */
    chooseMap(map) {
      store.set({ map });
    },

    /** @param {number} pixel row * across + column of a Conv1 map */
    choosePixel(pixel) {
      store.set({ pixel });
    },

    /** @param {Partial<LayerLook>} look at Conv1 */
    lookAtLayer(look) {
      update(({ conv1 }) => ({ conv1: { ...conv1, ...look } }));
    },

    /** @param {OwnKernel} kernel */
    useKernel(kernel) {
      store.set({ kernel: kept(kernel) });
    },

    /** @param {number} centre row * side + column of the input */
    chooseCentre(centre) {
      store.set({ centre });
    },
  };
}

/**
 * How readers change the way in which the sum over the maps below a unit is looked at.
 * @param {{ get: () => { beneath: BeneathLook } | null, set: (patch: { beneath: BeneathLook }) => void }} store
 */
export function beneathActions(store) {
  return {
    /** @param {Partial<BeneathLook>} look */
    lookBeneath(look) {
      const chosen = store.get();
      if (chosen !== null) store.set({ beneath: { ...chosen.beneath, ...look } });
    },
  };
}
