/**
 * The state the page starts with, what can be derived from it, and how it is changed.
 * @import { AppState, CapsNetSizes, Model, Pixels, Source, ViewName } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { startingPlaces } from "./geometry/receptive-field.js";

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
export const NO_ANSWERS = { kernels: null, trace: null, decoded: null, field: null };

/** @returns {AppState} */
export function initialState() {
  return {
    models: [],
    model: null,
    kernels: null,
    samples: [],
    pixels: null,
    source: { kind: "link" },
    intake: [],
    trace: null,
    decoded: null,
    view: "input",
    iterations: 3,
    step: 3,
    digit: null,
    map: 0,
    pixel: 0,
    capsule: 0,
    edits: {},
    field: null,
    waiting: 0,
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
 * The label of the image on show, where it is known.
 * @param {Source} source
 * @returns {number | null}
 */
export function knownLabel(source) {
  return source.kind === "sample" || source.kind === "dataset" ? source.label : null;
}

/**
 * Every way in which views change the state.
 * @param {Store<AppState>} store
 */
export function createActions(store) {
  return {
    /**
     * Show another image. Edits stay: they are differences, and go on applying.
     * @param {Pixels | null} pixels null for an empty canvas
     * @param {Source} source
     * @param {AppState["intake"]} [intake] the steps that led to it
     */
    showImage(pixels, source, intake = []) {
      const { trace } = store.get();
      store.set({
        pixels,
        source,
        intake,
        problem: null,
        trace: pixels === null ? null : trace,
        decoded: pixels === null ? null : store.get().decoded,
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

    /** @param {string | null} problem */
    report(problem) {
      store.set({ problem });
    },
  };
}

/** @typedef {ReturnType<typeof createActions>} Actions */
