/**
 * A capsule network's slice of the state, and how it is changed.
 * @import { NetworkStore } from "../../types.js"
 * @import { CapsModel, CapsNet, CapsNetSizes, CapsSlice } from "./types.js"
 */
import { beneathActions, convolutionActions } from "../../convolution/actions.js";
import { BENEATH_LOOK, LAYER_LOOK, OWN_KERNEL } from "../../convolution/look.js";
import { startingPlaces } from "./places.js";

/**
 * How layers are looked at before anybody says otherwise.
 * @type {Pick<CapsSlice, "conv1" | "beneath" | "kernel">}
 */
export const LOOKS = {
  conv1: LAYER_LOOK,
  beneath: BENEATH_LOOK,
  kernel: OWN_KERNEL,
};

/**
 * Where everything stands at first. How layers are looked at is taken over from another
 * capsule network; what was chosen there means nothing here.
 * @param {CapsModel} model
 * @param {Pick<CapsSlice, keyof typeof LOOKS>} [before]
 * @returns {CapsSlice}
 */
export function initialSlice(model, before = LOOKS) {
  const { conv1, beneath, kernel } = before;
  return {
    kernels: null,
    primaryKernels: null,
    portraits: null,
    ...startingPlaces(sizesOf(model)),
    followsStrongest: true,
    seesTree: false,
    conv1,
    beneath,
    kernel,
  };
}

/**
 * @param {CapsModel} model
 * @returns {CapsNetSizes}
 */
export function sizesOf(model) {
  return model.card.config;
}

/**
 * Every way in which views change the slice. They do nothing while another network is
 * chosen.
 * @param {NetworkStore<CapsNet>} store
 */
export function createActions(store) {
  return {
    ...beneathActions(store),
    ...convolutionActions(store),
    ...choosing(store),
  };
}

/**
 * What is in focus.
 * @param {NetworkStore<CapsNet>} store
 */
function choosing(store) {
  return {
    /** @param {number} capsule (type * 6 + row) * 6 + column */
    chooseCapsule(capsule) {
      store.set({ capsule, followsStrongest: false });
    },

    /** @param {number} dimension which of a capsule's numbers */
    chooseDimension(dimension) {
      store.set({ dimension });
    },
  };
}
