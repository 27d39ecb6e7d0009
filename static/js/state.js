/**
 * The state the page starts with, what can be derived from it, and how it is changed.
 * @import { AppState, BeneathLook, CapsNetSizes, Conv1Look, Model, OwnKernel, Pixels, RoutedLook, Source, Surgery, Trace, ViewName } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { startingPlaces } from "./geometry/receptive-field.js";
import { preset } from "./lib/kernel-presets.js";
import { kept } from "./lib/kernels.js";
import { AUTOMATIC } from "./lib/overrides.js";
import { NO_SURGERY } from "./lib/surgery.js";

/** What the samples are like: MNIST, by the name on cards. */
const DIGITS = "mnist";

/** The strip's order, left to right. */
export const VIEWS = /** @type {const} */ ([
  "input",
  "conv1",
  "primary",
  "routing",
  "digits",
  "reconstruction",
]);

/** What one network answered means nothing with another. */
export const NO_ANSWERS = {
  kernels: null,
  primaryKernels: null,
  trace: null,
  operated: null,
  decoded: null,
  field: null,
};

/** @returns {AppState} */
export function initialState() {
  return {
    models: [],
    model: null,
    kernels: null,
    primaryKernels: null,
    samples: [],
    pixels: null,
    source: { kind: "link" },
    intake: null,
    overrides: AUTOMATIC,
    trace: null,
    operated: null,
    decoded: null,
    view: "input",
    iterations: 3,
    step: 3,
    digit: null,
    map: 0,
    pixel: 0,
    capsule: 0,
    dimension: 0,
    conv1: { shown: "relu", order: "number", scale: "layer" },
    beneath: { shown: "window", order: "share" },
    routed: { flow: "moved", where: "for", scale: "all" },
    kernel: preset("vertical", 3),
    centre: 0,
    edits: {},
    surgery: NO_SURGERY,
    showsOperated: false,
    seesVotes: false,
    asked: [],
    field: null,
    waiting: 0,
    isHeld: false,
    problem: null,
  };
}

/**
 * The digit in focus: the chosen one, else the network's.
 * @param {Pick<AppState, "digit" | "trace">} state
 * @returns {number | null} null before the first answer
 */
export function focusedDigit({ digit, trace }) {
  return digit ?? trace?.prediction ?? null;
}

/**
 * @param {Model} model
 * @returns {CapsNetSizes}
 */
export function sizesOf(model) {
  return model.card.config;
}

/**
 * Whether a run is of the image, the network and the iterations as they are now.
 * @param {Trace | null} run
 * @param {Pick<AppState, "pixels" | "model" | "iterations">} state
 * @returns {run is Trace}
 */
export function isCurrent(run, { pixels, model, iterations }) {
  return (
    run !== null &&
    run.pixels === pixels &&
    run.model === model?.id &&
    run.iterations === iterations
  );
}

/**
 * The data set that a network learned from, by the name on its card.
 * @param {Pick<Model, "card">} model
 */
export function trainedOn({ card }) {
  return card.dataset ?? DIGITS; // cards of old name none
}

/**
 * The label of the image on show, where it is known and is one of the network's classes:
 * a 4 of MNIST is nothing to a network that has learned garments.
 * @param {Source} source
 * @param {Pick<Model, "card">} model
 * @returns {number | null}
 */
export function knownLabel(source, model) {
  const own = trainedOn(model);
  if (source.kind === "sample") return own === DIGITS ? source.label : null;
  return source.kind === "dataset" && source.id === `${own}-test` ? source.label : null;
}

/**
 * Every way in which views change the state.
 * @param {Store<AppState>} store
 */
export function createActions(store) {
  return {
    /**
     * Show another image. Edits stay: they are differences, and go on applying. What
     * was decided about a picture stays while the image comes from that picture.
     * @param {Pixels | null} pixels null for an empty canvas
     * @param {Source} source
     * @param {AppState["intake"]} [intake] how it was read
     * @param {AppState["trace"]} [trace] its own, where it came along; else the last one
     *   stays until there is a newer
     */
    showImage(pixels, source, intake = null, trace = null) {
      const { model, trace: before, operated, decoded } = store.get();
      const { source: shown, overrides } = store.get();
      const isUsable = trace !== null && trace.model === model?.id;
      const isEmpty = pixels === null;
      store.set({
        pixels,
        source,
        intake,
        overrides: source === shown ? overrides : AUTOMATIC,
        problem: null,
        trace: isEmpty ? null : isUsable ? trace : before,
        operated: isEmpty ? null : operated,
        decoded: isEmpty ? null : decoded,
      });
    },

    /**
     * Change the network. What was chosen in the other one means nothing in this one.
     * @param {Model} model
     */
    useModel(model) {
      const { routing_iterations: iterations } = model;
      store.set({
        model,
        iterations,
        step: iterations,
        digit: null,
        ...startingPlaces(sizesOf(model)),
        edits: {},
        surgery: NO_SURGERY,
        showsOperated: false,
        ...NO_ANSWERS,
      });
    },

    /** @param {ViewName} view */
    openView(view) {
      store.set({ view, field: null });
    },

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

    /** @param {number | null} digit null to follow the prediction */
    focusDigit(digit) {
      store.set({ digit });
    },

    /** @param {number} map */
    chooseMap(map) {
      store.set({ map });
    },

    /** @param {number} pixel row * 20 + column of a Conv1 map */
    choosePixel(pixel) {
      store.set({ pixel });
    },

    /** @param {number} capsule (type * 6 + row) * 6 + column */
    chooseCapsule(capsule) {
      store.set({ capsule });
    },

    /** @param {number} dimension which of a capsule's numbers */
    chooseDimension(dimension) {
      store.set({ dimension });
    },

    /** @param {Partial<Conv1Look>} look */
    lookAtConv1(look) {
      store.set({ conv1: { ...store.get().conv1, ...look } });
    },

    /** @param {Partial<BeneathLook>} look */
    lookBeneath(look) {
      store.set({ beneath: { ...store.get().beneath, ...look } });
    },

    /** @param {Partial<RoutedLook>} look */
    lookAtRouting(look) {
      store.set({ routed: { ...store.get().routed, ...look } });
    },

    /** @param {OwnKernel} kernel */
    useKernel(kernel) {
      store.set({ kernel: kept(kernel) });
    },

    /** @param {number} centre row * 28 + column of the input */
    chooseCentre(centre) {
      store.set({ centre });
    },

    /** @param {AppState["field"]} field null when the pointer leaves */
    lookAt(field) {
      store.set({ field });
    },

    /**
     * Move one number of one digit's capsule away from what the network found.
     * @param {number} digit
     * @param {number} dimension
     * @param {number} difference 0 takes the edit back
     */
    edit(digit, dimension, difference) {
      const { edits, model } = store.get();
      const length = model?.pose_dim ?? 16;
      const before = edits[digit] ?? Array.from({ length }, () => 0);
      const after = before.with(dimension, difference);
      const { [digit]: _, ...others } = edits;
      const isEdited = after.some((value) => value !== 0);
      store.set({ edits: isEdited ? { ...others, [digit]: after } : others });
    },

    /**
     * Take back every edit of one digit's capsule, or of all.
     * @param {number | null} digit
     */
    resetEdits(digit) {
      if (digit === null) return store.set({ edits: {} });
      const { [digit]: _, ...others } = store.get().edits;
      store.set({ edits: others });
    },

    /**
     * Change what is changed in routing. Like edits it stays while the image changes.
     * @param {Surgery} surgery
     */
    operate(surgery) {
      store.set({ surgery });
    },

    /** @param {boolean} showsOperated in the pictures of routing */
    showOperated(showsOperated) {
      store.set({ showsOperated });
    },

    /** @param {boolean} seesVotes whether their picture is on the screen */
    seeVotes(seesVotes) {
      store.set({ seesVotes });
    },

    /**
     * Ask for tensors that are too large to come with every image: they come at rest.
     * @param {readonly string[]} asked
     */
    ask(asked) {
      store.set({ asked });
    },

    /** @param {string | null} problem */
    report(problem) {
      store.set({ problem });
    },
  };
}

/** @typedef {ReturnType<typeof createActions>} Actions */
