/**
 * A slice of the state for matrix capsules, and how it is changed.
 * @import { NetworkStore } from "../../types.js"
 * @import { LayerName, Matrix, MatrixModel, MatrixSizes, MatrixSlice } from "./types.js"
 */
import { convolutionActions } from "../../convolution/actions.js";
import { LAYER_LOOK, OWN_KERNEL } from "../../convolution/look.js";
import { startingPlaces } from "./places.js";

/**
 * How Conv1 is looked at before anybody says otherwise.
 * @type {Pick<MatrixSlice, "conv1" | "kernel">}
 */
export const LOOKS = { conv1: LAYER_LOOK, kernel: OWN_KERNEL };

/**
 * Where everything stands at first. How Conv1 is looked at is taken over from another
 * network of matrix capsules; what was chosen there means nothing here.
 * @param {MatrixModel} model
 * @param {Pick<MatrixSlice, keyof typeof LOOKS>} [before]
 * @returns {MatrixSlice}
 */
export function initialSlice(model, { conv1, kernel } = LOOKS) {
  return {
    kernels: null,
    caps1Learned: null,
    caps2Learned: null,
    classesLearned: null,
    iterations: model.routing_iterations,
    step: model.routing_iterations,
    ...startingPlaces(sizesOf(model)),
    conv1,
    kernel,
  };
}

/**
 * @param {MatrixModel} model
 * @returns {MatrixSizes}
 */
export function sizesOf(model) {
  return model.card.config;
}

/**
 * Every way in which views change the slice. They do nothing while another network is
 * chosen.
 * @param {NetworkStore<Matrix>} store
 */
export function createActions(store) {
  return { ...convolutionActions(store), ...choosing(store) };
}

/** @param {NetworkStore<Matrix>} store */
function choosing(store) {
  return {
    /** @param {number} step 1..iterations */
    showStep(step) {
      store.set({ step });
    },

    /**
     * @param {LayerName} layer
     * @param {number} capsule (type * side + row) * side + column
     */
    chooseCapsule(layer, capsule) {
      store.set({ [layer]: capsule });
    },

    /** @param {number} entry of a pose, row by row */
    chooseEntry(entry) {
      store.set({ entry });
    },
  };
}
