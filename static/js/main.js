/**
 * Wires everything: the only file that knows every other.
 * @import { AppState } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { keepAddress, readAddress, readView } from "./address.js";
import {
  ApiError,
  fetchDatasets,
  fetchDigits,
  fetchModels,
  fetchReconstructions,
  fetchSamples,
  fetchTraceFile,
  onHeld,
} from "./api.js";
import { keepAsked } from "./asked.js";
import { keepFitted } from "./fitted.js";
import { createIntake } from "./intake.js";
import { listenToKeys } from "./keys.js";
import { sampleSource } from "./link.js";
import { keepLive } from "./live.js";
import { mountWhenOpened } from "./opening.js";
import { keepOperated } from "./operated.js";
import { findElement } from "./parts/find.js";
import { showMissing } from "./parts/missing.js";
import { preload } from "./parts/preload.js";
import { listenToSkip } from "./parts/skip.js";
import { createActions, initialState } from "./state.js";
import { createStore } from "./store.js";
import { mountDialogs } from "./views/dialogs.js";
import { mountDoubts } from "./views/doubts.js";
import { mountDrawing } from "./views/drawing.js";
import { mountHeader } from "./views/header.js";
import { mountMessages } from "./views/messages.js";
import { mountNames } from "./views/names.js";
import { mountStrip } from "./views/strip.js";
import { mountSurgeryBadge } from "./views/surgery-badge.js";
import { mountToTry } from "./views/to-try.js";
import { mountUpload } from "./views/upload.js";
import { mountVerdict } from "./views/verdict.js";

const START_LABEL = 4; // the article's digit

// On their way while everything is put up.
const asked = Promise.all([fetchModels(), fetchSamples()]);

/** @type {Store<AppState>} */
const store = createStore({ ...initialState(), view: readView() });
const actions = createActions(store);
onHeld((count) => store.set({ isHeld: count > 0 }));
const intake = createIntake(store, actions);

// First, so that questions are on their way before anything is drawn.
keepFitted(store);
keepLive(store);
keepOperated(store);
keepAsked(store);

/** @param {string} name */
const part = (name) => findElement(document, `[data-part="${name}"]`);
/** @param {string} name */
const view = (name) => findElement(document, `[data-view="${name}"]`);

mountMessages(
  {
    problem: part("problem"),
    held: part("held"),
    empty: part("empty"),
    announcer: part("announcer"),
  },
  store,
  actions,
);
mountNames(document.documentElement, store);
mountHeader(part("header"), store, actions);
mountDialogs(document.body, store);
mountDrawing(part("drawing"), store, intake.readDrawing);
mountUpload({ drawing: part("drawing"), drop: part("drop") }, intake.readUpload);
mountDoubts(part("drawing"), store, () => {
  actions.openView("input");
  findElement(view("input"), "[data-intake]").scrollIntoView({ block: "nearest" });
});
mountVerdict(part("verdict"), store, actions);
mountToTry(part("to-try"), store, actions, { fetchDatasets, fetchDigits });
mountStrip(part("strip"), store, actions);
mountSurgeryBadge(part("surgery"), store, actions);
listenToKeys(store, actions);
listenToSkip(findElement(document, "[data-skip]"), findElement(document, "#stage"));

/** Each fetches a view's scripts and brings what mounts it. */
const loads = {
  async input() {
    const { mountInput } = await import("./views/input.js");
    return () => mountInput(view("input"), store, actions, intake.correct);
  },
  async conv1() {
    const { mountConv1 } = await import("./views/conv1.js");
    return () => mountConv1(view("conv1"), store, actions);
  },
  async primary() {
    const { mountPrimary } = await import("./views/primary.js");
    return () => mountPrimary(view("primary"), store, actions);
  },
  async routing() {
    const { mountRouting } = await import("./views/routing.js");
    return () => mountRouting(view("routing"), store, actions);
  },
  async digits() {
    const { mountDigits } = await import("./views/digits.js");
    return () => mountDigits(view("digits"), store, actions);
  },
  async reconstruction() {
    const { mountReconstruction } = await import("./views/reconstruction.js");
    return () =>
      mountReconstruction(view("reconstruction"), store, actions, {
        fetchReconstructions,
        fetchTraceFile,
      });
  },
};

start()
  .catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    actions.report(error.message);
  })
  // Now, so that the first question is on its way before the scripts of a view.
  .finally(() =>
    mountWhenOpened(store, loads, {
      preload,
      whenIdle: window.requestIdleCallback ?? setTimeout,
      setBusy: (name, isBusy) => view(name).setAttribute("aria-busy", String(isBusy)),
      showMissing: (name) => showMissing(view(name)),
    }),
  );

async function start() {
  const [models, samples] = await asked;
  const known = { models, samples };
  const linked = readAddress(known);
  const first = samples.find(({ label }) => label === START_LABEL) ?? samples[0];
  const image =
    "pixels" in linked ? {} : { pixels: first.pixels, source: sampleSource(first) };
  store.set({ ...known, ...linked, ...image });
  keepAddress(store, known);
}
