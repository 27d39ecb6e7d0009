/**
 * A CNN's slice of the state, and how it is changed.
 * @import { BeneathLook, LayerLook } from "../../convolution/types.js"
 * @import { NetworkStore } from "../../types.js"
 * @import { Cnn, CnnModel, CnnSizes, CnnSlice, PoolingLook, UnitsLook } from "./types.js"
 * @import { Shift } from "./pool/moved/shift.js"
 */
import { beneathActions, convolutionActions } from "../../convolution/actions.js";
import { BENEATH_LOOK, LAYER_LOOK, OWN_KERNEL } from "../../convolution/look.js";
import { startingPlaces } from "./places.js";
import { UNMOVED } from "./pool/moved/shift.js";

/**
 * How layers are looked at before anybody says otherwise.
 * @type {Pick<CnnSlice, "conv1" | "conv2" | "beneath" | "kernel" | "pooling" | "units" | "inputs">}
 */
export const LOOKS = {
  conv1: LAYER_LOOK,
  conv2: LAYER_LOOK,
  beneath: BENEATH_LOOK,
  kernel: OWN_KERNEL,
  pooling: { shown: "pooled", order: "number" },
  units: { shown: "after", order: "number" },
  inputs: { shown: "products", order: "share" },
};

/**
 * Where everything stands at first. How layers are looked at is taken over from another
 * CNN; what was chosen there means nothing here.
 * @param {CnnModel} model
 * @param {Pick<CnnSlice, keyof typeof LOOKS>} [before]
 * @returns {CnnSlice}
 */
export function initialSlice(model, before = LOOKS) {
  const { conv1, conv2, beneath, kernel, pooling, units, inputs } = before;
  return {
    kernels: null,
    kernels2: null,
    ...startingPlaces(sizesOf(model)),
    unit: null,
    conv1,
    conv2,
    beneath,
    kernel,
    pooling,
    shift: UNMOVED,
    moved: null,
    dense: null,
    output: null,
    units,
    inputs,
  };
}

/**
 * @param {CnnModel} model
 * @returns {CnnSizes}
 */
export function sizesOf(model) {
  return model.card.config;
}

/**
 * Every way in which views change the slice. They do nothing while another network is
 * chosen.
 * @param {NetworkStore<Cnn>} store
 */
export function createActions(store) {
  /** @param {(slice: CnnSlice) => Partial<CnnSlice>} change */
  function update(change) {
    const state = store.get();
    if (state !== null) store.set(change(state));
  }

  return {
    ...convolutionActions(store), // of Conv1
    ...beneathActions(store), // of what lies beneath Conv2

    /** @param {number} map2 of Conv2, and so of Pool2 */
    chooseMap2(map2) {
      store.set({ map2 });
    },

    /** @param {number} pixel2 row * 8 + column of a Conv2 map */
    choosePixel2(pixel2) {
      store.set({ pixel2 });
    },

    /** @param {number} unit of the hidden layer */
    chooseUnit(unit) {
      store.set({ unit });
    },

    /** @param {Partial<LayerLook>} look at Conv2 */
    lookAtLayer2(look) {
      update(({ conv2 }) => ({ conv2: { ...conv2, ...look } }));
    },

    /** @param {Partial<UnitsLook>} look at the hidden layer */
    lookAtUnits(look) {
      update(({ units }) => ({ units: { ...units, ...look } }));
    },

    /** @param {Partial<BeneathLook>} look at what lies beneath a hidden unit */
    lookAtInputs(look) {
      update(({ inputs }) => ({ inputs: { ...inputs, ...look } }));
    },

    /** @param {Partial<PoolingLook>} look */
    lookAtPooling(look) {
      update(({ pooling }) => ({ pooling: { ...pooling, ...look } }));
    },

    /** @param {Shift} shift of the image, where pooling is compared */
    moveImage(shift) {
      store.set({ shift });
    },
  };
}
