/**
 * Keeps the browser's address and history in step with the state.
 * @import { AppState, Model, Network, Pixels, Store } from "../types.js"
 * @import { Known, Named } from "./link.js"
 */
import { messageOf } from "../lib/format.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { put } from "../lib/place.js";
import {
  fromHash,
  LINKED,
  linkIn,
  modelIn,
  momentIn,
  namedIn,
  toHash,
  viewIn,
} from "./link.js";
import { isSameNetwork } from "./state.js";

/** Browsers refuse more than about 100 changes in 10 seconds. */
const QUIET_MS = 250;

/**
 * What the address says now.
 * @param {Known} state @param {Bring} bring
 * @returns {Promise<Partial<AppState> | null>} null where there is no model
 * @throws {Error} for people: the page cannot show the model
 */
export async function readAddress(state, bring) {
  const hash = linkIn(location);
  const models = await withMoment(hash, state.models, bring.fetchModel);
  const model = modelIn(hash, models);
  if (model === null) return null;
  const network = await bring.loadNetwork(model);
  const known = { ...state, models, model, network };
  const linked = {
    ...fromHash(hash, known),
    ...(models === state.models ? {} : { models }),
  };
  return withNamed(linked, namedIn(hash, known), (named) =>
    bring.fetchPixels(named, model),
  );
}

/**
 * A link's state with the images that it only names. One that is not to be had is told of.
 * @template {{ unread: string[] }} Linked
 * @param {Linked} linked @param {ReturnType<typeof namedIn>} named
 * @param {(named: Named) => Promise<Pixels>} fetchPixels
 * @returns {Promise<Linked & Partial<Pick<AppState, "pixels" | "source" | "kept">>>}
 */
export async function withNamed(linked, { shown, kept }, fetchPixels) {
  const [image, other] = await Promise.all(
    [shown, kept].map((each) => each && fetchPixels(each).catch(() => null)),
  );
  const missing = [
    ...(shown && !image
      ? ["the test image (its data set is not in the data folder)"]
      : []),
    ...(kept && !other ? ["the image to compare with"] : []),
  ];
  return {
    ...linked,
    ...(image && { pixels: image }),
    ...(shown && !image && { source: { kind: /** @type {const} */ ("link") } }),
    ...(kept && other && { kept: { pixels: other, source: kept } }),
    unread: [...linked.unread, ...missing],
  };
}

/**
 * What an address may name that is not there yet.
 * @typedef {object} Bring
 * @property {(model: Model) => Promise<Network>} loadNetwork
 * @property {(id: string) => Promise<Model>} fetchModel
 * @property {(named: Named, model: Model) => Promise<Pixels>} fetchPixels of a toy, or of an
 *   image of a data set
 */

/**
 * The models, with the moment of a run that a link names: no list has these. What is gone is
 * left to the link, which says that it cannot be read.
 * @param {string} hash @param {Model[]} models @param {Bring["fetchModel"]} fetchModel
 */
async function withMoment(hash, models, fetchModel) {
  const id = momentIn(hash);
  if (id === null || models.some((each) => each.id === id)) return models;
  const found = await fetchModel(id).catch(() => null);
  return found === null ? models : [...models, found];
}

/** The view that the address names: known before models and samples are. */
export function readView() {
  return viewIn(linkIn(location));
}

/** Where the tab remembers the address that was left, and when. */
const LEFT = "address";
const SLACK_MS = 1_000; // between the clocks

function keepLeft() {
  try {
    const left = { hash: location.hash, at: Date.now() };
    sessionStorage.setItem(LEFT, JSON.stringify(left));
  } catch {
    // No memory: what was put off is lost.
  }
}

/**
 * A page that is loaded again is loaded by the address of the moment when that was asked
 * for; put the one in its place that was written last, before the page went. To be called
 * before the address is read.
 */
export function catchUp() {
  const [entry] = performance.getEntriesByType("navigation");
  if (/** @type {PerformanceNavigationTiming} */ (entry)?.type !== "reload") return;
  try {
    const { hash, at } = JSON.parse(sessionStorage.getItem(LEFT) ?? "{}");
    // The page went while this one was on its way, or it was not left for this one.
    if (typeof hash === "string" && at > performance.timeOrigin - SLACK_MS) put(hash);
  } catch {
    // No memory, or not ours.
  }
}

/**
 * Write every change into the address: a new view or image as a new entry of the
 * history, anything else into the present one. Back and pasted links change the state.
 * @param {Store<AppState>} store @param {Bring} bring
 * @returns {{ flush: () => void, open: (address: string) => Promise<void> }} flush: write
 *   now what is put off; open: show a link to a state of the page, such as `#view=input`
 */
export function keepAddress(store, bring) {
  let written = store.get();
  let timer = 0; // 0: nothing is put off
  let readings = 0;

  function dropPending() {
    clearTimeout(timer);
    timer = 0;
  }

  /** @param {boolean} isNewEntry */
  function write(isNewEntry) {
    dropPending();
    const hash = `#${toHash(store.get())}`;
    if (hash === location.hash) return;
    put(hash, isNewEntry);
  }

  store.watch(LINKED, () => {
    const before = written;
    written = store.get();
    const isNew = isNewPlace(before, written);
    // What was put off belongs to the place that is left.
    if (isNew && timer !== 0) put(`#${toHash(before)}`);
    dropPending();
    if (isNew) write(true);
    else timer = setTimeout(write, QUIET_MS, false);
  });

  /** What is put off is not lost with the page. */
  function flush() {
    if (timer !== 0) write(false);
  }
  window.addEventListener("pagehide", () => {
    flush();
    keepLeft();
  });
  document.addEventListener("visibilitychange", flush);

  write(false); // so that Back to the very first place finds it
  window.addEventListener("popstate", follow);

  async function follow() {
    dropPending(); // the address is the newer of the two
    const reading = ++readings;
    try {
      const linked = await readAddress(store.get(), bring);
      // An older place knows nothing of what has been kept since.
      const { kept } = store.get();
      if (linked !== null && reading === readings)
        show({ ...linked, kept: linked.kept ?? kept });
    } catch (error) {
      store.set({ problem: messageOf(error) });
    }
  }

  /** @param {string} address relative to the page */
  async function open(address) {
    put(address, true);
    await follow();
  }

  /** @param {Partial<AppState>} linked */
  function show(linked) {
    const isOtherModel = linked.model !== store.get().model;
    written = { ...store.get(), ...linked };
    store.set({
      ...linked,
      intake: null,
      overrides: AUTOMATIC,
      problem: null,
      ...((linked.pixels === null || isOtherModel) && { trace: null }),
    });
    dropPending();
  }

  return { flush, open };
}

/**
 * Whether Back should lead from `after` to `before`. Strokes of one drawing are one
 * place, and so are moments of one run.
 * @param {Pick<AppState, "mode" | "lab" | "view" | "model" | "source">} before
 * @param {Pick<AppState, "mode" | "lab" | "view" | "model" | "source">} after
 */
export function isNewPlace(before, after) {
  if (before.view !== after.view) return true;
  if (!isSameNetwork(before.model, after.model)) return true;
  if (before.mode !== after.mode) return true;
  if (before.lab.experiment !== after.lab.experiment) return true;
  const isDrawing = before.source.kind === "drawing" && after.source.kind === "drawing";
  return before.source !== after.source && !isDrawing;
}
