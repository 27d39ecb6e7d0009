/**
 * Every way in which the shared state is changed, by views and by keys that work anywhere
 * on the page.
 * @import { AppState, Model, Network, Pixels, Source, Store } from "../types.js"
 */
import { digitOf, latinOf } from "../lib/keys.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { COMPARE, EXPLORE, LAB, OVERVIEW, viewIds, withModel } from "./state.js";

/**
 * Every way in which views change what all networks share.
 * @param {Store<AppState>} store
 * @param {(model: Model) => Promise<Network>} loadNetwork brings what shows a model
 */
export function createActions(store, loadNetwork) {
  let wishes = 0;

  return {
    ...imageActions(store),
    ...placeActions(store),

    /**
     * Change the network, once its part of the page has come. The last wish counts.
     * @param {Model} model
     * @param {Partial<AppState>} [patch] what changes with it
     */
    async useModel(model, patch = {}) {
      const wish = ++wishes;
      const network = await loadNetwork(model).catch((/** @type {Error} */ error) => {
        store.set({ problem: error.message });
        return null;
      });
      if (network === null || wish !== wishes) return;
      store.set({ ...withModel(store.get(), model, network), ...patch });
    },

    /** @param {number | null} classIndex null to follow the prediction */
    focusClass(classIndex) {
      store.set({ classIndex });
    },

    /** @param {AppState["field"]} field null when the pointer leaves */
    lookAt(field) {
      store.set({ field });
    },

    /** @param {string | null} problem */
    report(problem) {
      store.set({ problem });
    },
  };
}

/**
 * The image on show, and the one that others are compared with.
 * @param {Store<AppState>} store
 */
function imageActions(store) {
  return {
    /**
     * Show another image. What was decided about a picture stays while the image comes
     * from that picture.
     * @param {Pixels | null} pixels null for an empty canvas
     * @param {Source} source
     * @param {AppState["intake"]} [intake] how it was read
     * @param {AppState["trace"]} [trace] its own, where it came along; else the last one
     *   stays until there is a newer
     * @param {AppState["overrides"]} [decided] about its picture, where it is shown again
     */
    showImage(pixels, source, intake = null, trace = null, decided = undefined) {
      const { model, trace: before, source: shown, overrides } = store.get();
      const isUsable = trace !== null && trace.model === model?.id;
      store.set({
        pixels,
        source,
        intake,
        overrides: decided ?? (source === shown ? overrides : AUTOMATIC),
        unread: [],
        problem: null,
        trace: pixels === null ? null : isUsable ? trace : before,
      });
    },

    /** Keep the image on show, to compare others with it. */
    keepImage() {
      const { pixels, source } = store.get();
      if (pixels !== null) store.set({ kept: { pixels, source }, keptTrace: null });
    },

    /** Keep no image any more; a comparison that is open gives way to the overview. */
    letGo() {
      const { view } = store.get();
      store.set({
        kept: null,
        keptTrace: null,
        view: view === COMPARE ? OVERVIEW : view,
      });
    },

    /** Show the kept image, and keep the one on show. */
    swapKept() {
      const { pixels, source, kept, trace, keptTrace } = store.get();
      if (pixels === null || kept === null) return;
      store.set({
        ...kept,
        kept: { pixels, source },
        trace: keptTrace ?? trace,
        keptTrace: keptTrace === null ? null : trace,
        intake: null,
        overrides: AUTOMATIC,
      });
    },
  };
}

/** What is open. @param {Store<AppState>} store */
function placeActions(store) {
  return {
    /** @param {string} view of the network, or "input" */
    openView(view) {
      store.set({ mode: EXPLORE, view, field: null });
    },

    /** @param {AppState["mode"]} mode */
    openMode(mode) {
      store.set({ mode, field: null });
    },

    /** @param {string} experiment of the Lab */
    openExperiment(experiment) {
      store.set({ mode: LAB, lab: { ...store.get().lab, experiment }, field: null });
    },

    /**
     * Let a network take part in the experiments, or not.
     * @param {string} id of its model
     */
    switchNetwork(id) {
      const { lab } = store.get();
      const others = lab.off.filter((each) => each !== id);
      const isOff = others.length < lab.off.length;
      store.set({ lab: { ...lab, off: isOff ? others : [...lab.off, id] } });
    },
  };
}

/** @typedef {ReturnType<typeof createActions>} Actions */

/** @param {Store<AppState>} store @param {Actions} actions */
export function listenToKeys(store, actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey)
      return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const digit = digitOf(event);
    if (digit !== null) openNumbered(digit - 1, store, actions);
    else if (event.key === "Escape") goUp(store, actions);
  });
}

/** A view of Explore, or an experiment of the Lab, by its place. @param {number} place @param {Store<AppState>} store @param {Actions} actions */
function openNumbered(place, store, actions) {
  const { mode, network, experiments } = store.get();
  const [experiment, view] = [experiments[place], viewIds(network)[place]];
  if (mode === LAB && experiment) actions.openExperiment(experiment.id);
  else if (mode === EXPLORE && view) actions.openView(view);
}

/**
 * One level up: from a digit of one's own choice to the network's, then from a layer to the
 * whole network. Other modes stay open, so that the link still says what is there.
 * @param {Store<AppState>} store @param {Actions} actions
 */
function goUp(store, actions) {
  if (store.get().classIndex !== null) actions.focusClass(null);
  else if (store.get().mode === EXPLORE) actions.openView(OVERVIEW);
}

/**
 * Ctrl+Z takes back what was done to the drawing; Ctrl+Shift+Z and Ctrl+Y do it again. In
 * a field, these keys are the field's own.
 * @param {{ undo: () => void, redo: () => void }} does
 */
export function listenToUndo({ undo, redo }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey))
      return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const key = latinOf(event);
    if (key === "z" && !event.shiftKey) undo();
    else if (key === "z" || (key === "y" && !event.shiftKey)) redo();
    else return;
    event.preventDefault();
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      target.type !== "checkbox" &&
      target.type !== "range")
  );
}
