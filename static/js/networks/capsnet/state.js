/**
 * A capsule network's slice of the state, and how it is changed.
 * @import { NetworkState, NetworkStore } from "../../types.js"
 * @import { CapsModel, CapsNet, CapsNetSizes, CapsSlice, RoutedLook, Surgery } from "./types.js"
 */
import { beneathActions, convolutionActions } from "../../convolution/actions.js";
import { BENEATH_LOOK, LAYER_LOOK, OWN_KERNEL } from "../../convolution/look.js";
import { startingPlaces } from "./places.js";
import { NO_SURGERY } from "./routing/surgery/changes.js";

/**
 * How layers are looked at before anybody says otherwise.
 * @type {Pick<CapsSlice, "conv1" | "beneath" | "routed" | "kernel">}
 */
export const LOOKS = {
  conv1: LAYER_LOOK,
  beneath: BENEATH_LOOK,
  routed: { flow: "moved", where: "for", scale: "all", pace: "usual" },
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
  const { conv1, beneath, routed, kernel } = before;
  const { routing_iterations: iterations } = model;
  return {
    kernels: null,
    primaryKernels: null,
    operated: null,
    portraits: null,
    iterations,
    step: iterations,
    ...startingPlaces(sizesOf(model)),
    followsStrongest: true,
    conv1,
    beneath,
    routed,
    kernel,
    surgery: NO_SURGERY,
    showsOperated: false,
    seesVotes: false,
    seesTree: false,
    compares: [],
    asked: [],
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
    ...looking(store),
    ...changing(store),
  };
}

/**
 * What is in focus.
 * @param {NetworkStore<CapsNet>} store
 */
function choosing(store) {
  return {
    /**
     * Run so many routing iterations and show the last.
     * @param {number} iterations
     */
    runIterations(iterations) {
      store.set({ iterations, step: iterations });
    },

    /** @param {number} step 1..iterations */
    showStep(step) {
      store.set({ step });
    },

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

/**
 * How it is looked at, and what is fetched for that.
 * @param {NetworkStore<CapsNet>} store
 */
function looking(store) {
  const update = updater(store);
  return {
    /** @param {Partial<RoutedLook>} look */
    lookAtRouting(look) {
      update(({ routed }) => ({ routed: { ...routed, ...look } }));
    },

    /** @param {boolean} showsOperated in the pictures of routing */
    showOperated(showsOperated) {
      store.set({ showsOperated });
    },

    /** @param {boolean} seesVotes whether their picture is on the screen */
    seeVotes(seesVotes) {
      store.set({ seesVotes });
    },

    /** @param {boolean} seesTree whether the parse trees are on the screen */
    seeTree(seesTree) {
      store.set({ seesTree });
    },

    /** @param {readonly number[]} compares digits whose votes are compared */
    compareVotes(compares) {
      store.set({ compares });
    },

    /**
     * Ask for tensors that are too large to come with every image: they come at rest.
     * @param {readonly string[]} asked
     */
    ask(asked) {
      store.set({ asked });
    },
  };
}

/**
 * What is changed in the network to see what comes of it.
 * @param {NetworkStore<CapsNet>} store
 */
function changing(store) {
  return {
    /**
     * Change what is changed in routing. Like edits it stays while the image changes.
     * @param {Surgery} surgery
     */
    operate(surgery) {
      store.set({ surgery });
    },
  };
}

/**
 * @param {NetworkStore<CapsNet>} store
 * @returns {(change: (state: NetworkState<CapsNet>) => Partial<CapsSlice>) => void}
 */
function updater(store) {
  return (change) => {
    const state = store.get();
    if (state !== null) store.set(change(state));
  };
}
