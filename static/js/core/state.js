/**
 * The state that every network shares: what it starts with, what can be derived from it,
 * and how it is changed. A network's own slice is in `networks/`.
 * @import { Network, AppState, Model, Pixels, Source, Trace } from "../types.js"
 * @import { Store } from "./store.js"
 */
import { AUTOMATIC } from "../lib/overrides.js";
import { EXPLORE, LAB } from "./lab.js";

/** The view that every network begins with. */
export const INPUT = "input";

/** The view that shows the kept image beside the one on show, whatever the network. */
export const COMPARE = "compare";

/** What the samples are like: MNIST, by the name on cards. */
const DIGITS = "mnist";

/** @returns {AppState} */
export function initialState() {
  return {
    models: [],
    model: null,
    network: null,
    slices: {},
    samples: [],
    pixels: null,
    source: { kind: "link" },
    intake: null,
    overrides: AUTOMATIC,
    trace: null,
    kept: null,
    keptTrace: null,
    beside: null,
    mode: EXPLORE,
    view: INPUT,
    experiments: [],
    lab: { experiment: "", off: [], slices: {} },
    digit: null,
    field: null,
    isHeld: false,
    isAway: false,
    unread: [],
    problem: null,
  };
}

const SHARED = new Set(Object.keys(initialState()));

/**
 * Whether a key is of the state that all networks share, or one of a network's own.
 * @param {string} key
 */
export function isShared(key) {
  return SHARED.has(key);
}

/**
 * Hold the keys of a network's own state against those that all networks share: of two
 * with one name, one would be changed in place of the other.
 * @param {readonly string[]} keys
 * @throws {Error} where one is shared
 */
export function checkOwnKeys(keys) {
  const found = keys.filter(isShared);
  if (found.length > 0)
    throw new Error(`The page's own state has ${found.join(", ")} already.`);
}

/**
 * The class in focus: the chosen one, else the network's.
 * @template {Pick<Trace, "prediction"> | null} Run
 * @param {{ digit: number | null, trace: Run }} state
 * @returns {Run extends null ? number | null : number} null before the first answer
 */
export function focusedDigit({ digit, trace }) {
  return /** @type {any} */ (digit ?? trace?.prediction ?? null); // too deep for tsc
}

/**
 * The ids of the views of a network, in the strip's order.
 * @param {Network | null} network null while it is on its way
 */
export function viewIds(network) {
  return [INPUT, ...(network?.views ?? []).map(({ id }) => id)];
}

/**
 * Whether a network, or the page whatever the network, has such a view.
 * @param {Network} network
 * @param {string} id
 */
export function hasView(network, id) {
  return id === COMPARE || viewIds(network).includes(id);
}

/**
 * What changes with the network: image and view stay where they can, the class in focus
 * where the classes are the same, and whatever was chosen in that network before.
 * @param {AppState} state
 * @param {Model} model
 * @param {Network} network that of the model
 * @returns {Partial<AppState>}
 */
export function withModel(state, model, network) {
  const { model: before, slices, view, digit } = state;
  const isSameKind = before !== null && state.network === network;
  const isSameClasses =
    before !== null && before.class_names.join() === model.class_names.join();
  return {
    model,
    network,
    slices: {
      ...slices,
      [model.id]:
        slices[model.id] ??
        network.slice(model, isSameKind ? slices[before.id] : undefined),
    },
    view: hasView(network, view) ? view : INPUT,
    digit: isSameClasses ? digit : null,
    // What one network answered means nothing with another.
    trace: null,
    keptTrace: null,
    field: null,
  };
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
 * Every way in which views change what all networks share.
 * @param {Store<AppState>} store
 * @param {(model: Model) => Promise<Network>} loadNetwork brings what shows a model
 */
export function createActions(store, loadNetwork) {
  let wishes = 0;

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

    /** @param {number | null} digit null to follow the prediction */
    focusDigit(digit) {
      store.set({ digit });
    },

    /** Keep the image on show, to compare others with it. */
    keepImage() {
      const { pixels, source } = store.get();
      if (pixels !== null) store.set({ kept: { pixels, source }, keptTrace: null });
    },

    /** Keep no image any more; a comparison that is open gives way to the input. */
    letGo() {
      const { view } = store.get();
      store.set({
        kept: null,
        keptTrace: null,
        view: view === COMPARE ? INPUT : view,
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

/** @typedef {ReturnType<typeof createActions>} Actions */
