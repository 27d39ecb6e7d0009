/**
 * Wires everything: the only file that knows every other.
 * @import { AppState } from "./types.js"
 * @import { Store } from "./store.js"
 */

import { keepAddress, readAddress } from "./address.js";
import {
  ApiError,
  fetchDatasets,
  fetchDigits,
  fetchModels,
  fetchReconstructions,
  fetchSamples,
  fetchTraceFile,
} from "./api.js";
import { createIntake } from "./intake.js";
import { listenToKeys } from "./keys.js";
import { sampleSource } from "./link.js";
import { keepLive } from "./live.js";
import { findElement } from "./parts/find.js";
import { createActions, initialState } from "./state.js";
import { createStore } from "./store.js";
import { mountConv1 } from "./views/conv1.js";
import { mountDialogs } from "./views/dialogs.js";
import { mountDigits } from "./views/digits.js";
import { mountDrawing } from "./views/drawing.js";
import { mountHeader } from "./views/header.js";
import { mountInput } from "./views/input.js";
import { mountMessages } from "./views/messages.js";
import { mountPrimary } from "./views/primary.js";
import { mountReconstruction } from "./views/reconstruction.js";
import { mountRouting } from "./views/routing.js";
import { mountStrip } from "./views/strip.js";
import { mountToTry } from "./views/to-try.js";
import { mountUpload } from "./views/upload.js";
import { mountVerdict } from "./views/verdict.js";

const START_LABEL = 4; // the article's digit

/** @type {Store<AppState>} */
const store = createStore(initialState());
const actions = createActions(store);
const intake = createIntake(store, actions);

/** @param {string} name */
const part = (name) => findElement(document, `[data-part="${name}"]`);
/** @param {string} name */
const view = (name) => findElement(document, `[data-view="${name}"]`);

mountMessages(
  { problem: part("problem"), empty: part("empty"), announcer: part("announcer") },
  store,
);
mountHeader(part("header"), store, actions);
mountDialogs(document.body, store);
mountDrawing(part("drawing"), store, intake.readDrawing);
mountUpload({ drawing: part("drawing"), drop: part("drop") }, intake.readUpload);
mountVerdict(part("verdict"), store, actions);
mountToTry(part("to-try"), store, actions, { fetchDatasets, fetchDigits });
mountStrip(part("strip"), store, actions);
mountInput(view("input"), store, actions);
mountConv1(view("conv1"), store, actions);
mountPrimary(view("primary"), store, actions);
mountRouting(view("routing"), store, actions);
mountDigits(view("digits"), store, actions);
mountReconstruction(view("reconstruction"), store, actions, {
  fetchReconstructions,
  fetchTraceFile,
});
listenToKeys(store, actions);

start().catch((error) => {
  if (!(error instanceof ApiError)) throw error;
  actions.report(error.message);
});

async function start() {
  const [models, samples] = await Promise.all([fetchModels(), fetchSamples()]);
  const known = { models, samples };
  const linked = readAddress(known);
  const first = samples.find(({ label }) => label === START_LABEL) ?? samples[0];
  const image =
    "pixels" in linked ? {} : { pixels: first.pixels, source: sampleSource(first) };
  store.set({ ...known, ...linked, ...image });
  keepLive(store);
  keepAddress(store, known);
}
