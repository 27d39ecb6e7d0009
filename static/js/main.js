/**
 * Wires everything: the only file that knows every other.
 * @import { AppState, Model, View } from "./types.js"
 * @import { Named } from "./core/link.js"
 * @import { Store } from "./core/store.js"
 * @import { Deck } from "./page/presentation.js"
 */

import { atlasView } from "./atlas/view.js";
import { mountComparison, mountDoor } from "./bench/doors.js";
import { mountDrawing } from "./bench/drawing.js";
import { partsOfToys } from "./bench/examples.js";
import { createIntake, mountDoubts, mountUpload } from "./bench/intake.js";
import { mountStrip } from "./bench/strip.js";
import { mountToTry } from "./bench/to-try.js";
import { mountUnlike, mountVerdict } from "./bench/verdict.js";
import { compareView } from "./compare/view.js";
import { createActions, listenToKeys } from "./core/actions.js";
import { catchUp, keepAddress, readAddress, readView } from "./core/address.js";
import {
  complete,
  fetchDatasets,
  fetchGlossary,
  fetchGuide,
  fetchImage,
  fetchImages,
  fetchModel,
  fetchModels,
  fetchSamples,
  fetchToys,
  isStarting,
  weightsOpener,
} from "./core/api.js";
import { keepCompared } from "./core/comparison.js";
import { ApiError, askNow, onAbsence, onHeld } from "./core/connection.js";
import { keepIntact } from "./core/intact.js";
import { panelIn, sampleSource } from "./core/link.js";
import { createServices, keepLive } from "./core/live.js";
import { pairOn } from "./core/pair.js";
import { createRooms, mountWhenOpened } from "./core/rooms.js";
import {
  EXPLORE,
  INPUT,
  initialState,
  LAB,
  openExperiment,
  readsPairs,
  shownView,
  withFittingImages,
} from "./core/state.js";
import { createSteps } from "./core/steps.js";
import { createStore, selector } from "./core/store.js";
import { mountAsking } from "./guide/asking/door.js";
import { mountGuide } from "./guide/door.js";
import { browserMemory, createProgress, readStop } from "./guide/stops.js";
import { inputView } from "./input/view.js";
import { networkOf } from "./kinds/described.js";
import { EXPERIMENTS, experimentsFor } from "./lab/registry.js";
import { labView } from "./lab/view.js";
import { momentOf } from "./lib/moments.js";
import { AUTOMATIC } from "./lib/overrides.js";
import { shapeOf } from "./lib/pixels.js";
import { search } from "./lib/place.js";
import { whenIdle } from "./lib/timing.js";
import { mountOverview } from "./overview/index.js";
import { overviewView } from "./overview/view.js";
import { mountDialogs } from "./page/dialogs.js";
import { listenToSkip, mountCopyLink, mountHeader } from "./page/header.js";
import { forgiveSwipes, mountBars, mountNames } from "./page/layout.js";
import { mountMessages } from "./page/messages.js";
import { mountOwnNetwork, mountOwnWeights, weightsReader } from "./page/own.js";
import {
  beginAt,
  mountFolds,
  mountPanels,
  preload,
  rememberedPanels,
  showMissing,
} from "./page/panels.js";
import { mountPresentation } from "./page/presentation.js";
import { trainView } from "./train/view.js";
import { stayAt } from "./ui/controls.js";
import { findElement } from "./ui/dom.js";
import { fail, keptWithin } from "./ui/guard.js";
import { mountTryFirst } from "./ui/try-first.js";

const LOOK_AGAIN_MS = 300; // whether the networks are there
const START_LABEL = 4; // the article's digit

// On their way while everything is put up.
const asked = Promise.all([fetchModels(), fetchSamples()]);

catchUp();
const linkedPanel = panelIn(location.hash);
const memory = browserMemory();
/** @type {Store<AppState>} */
const store = createStore(
  {
    ...initialState(),
    experiments: EXPERIMENTS,
    view: readView(),
    opened: rememberedPanels(memory),
  },
  withFittingImages,
);
const actions = createActions(store, loadNetwork);
const bring = {
  loadNetwork,
  fetchModel,
  /** @param {Named} named @param {Model} model */
  async fetchPixels(named, model) {
    if (named.kind === "dataset")
      return (await fetchImage(named.id, named.index)).pixels;
    const { categories, toyPixels } = await partsOfToys({ fetchToys });
    return toyPixels(categories, named, shapeOf(model));
  },
};
onHeld((count) => store.set({ isHeld: count > 0 }));
onAbsence((isAway) => store.set({ isAway }));
/** Write the address now; does nothing before there is one to keep. */
let settle = () => {};
/** @type {(address: ReturnType<typeof keepAddress>) => void} */
let bringAddress = () => {};
/** A link that is opened earlier waits until there is an address to keep. @type {Promise<ReturnType<typeof keepAddress>>} */
const kept = new Promise((resolve) => {
  bringAddress = resolve;
});

// First, so that questions are on their way before anything is drawn.
const services = createServices(store, (isBusy) =>
  document.body.setAttribute("aria-busy", String(isBusy)),
);
keepLive(store, services);
const intake = createIntake(store, actions, services, () => settle());
keepIntact(store, services);
keepCompared(store, services);
const roomOf = createRooms(store, actions, services);
const progress = createProgress(memory);
let comeToRest = () => {};
/** @type {Promise<void>} */
const atRest = new Promise((resolve) => {
  comeToRest = resolve;
});
/** @type {(explain: (root: HTMLElement, before: string) => void) => void} */
let bringGlossary = () => {};
/** @type {Promise<(root: HTMLElement, before: string) => void>} */
const glossary = new Promise((resolve) => {
  bringGlossary = resolve;
});

/** @param {string} name */
const part = (name) => findElement(document, `[data-part="${name}"]`);
const stage = findElement(document, "#stage");
/** When a pointer or the focus first comes to what opens views. @type {Promise<void>} */
const whenSought = new Promise((resolve) => {
  for (const place of [part("strip"), stage])
    for (const kind of ["pointerenter", "focusin"])
      place.addEventListener(kind, () => resolve(), { once: true });
});
const inputPanel = findElement(stage, `[data-view="${INPUT}"]`);

mountMessages(
  {
    problem: part("problem"),
    held: part("held"),
    away: part("away"),
    unread: part("unread"),
    empty: part("empty"),
    announcer: part("announcer"),
  },
  store,
  actions,
  {
    tryAgain: askNow,
    showExample() {
      const sample = firstOf(store.get().samples);
      const { pixels, source } = toTry.first() ?? {
        pixels: sample.pixels,
        source: sampleSource(sample),
      };
      actions.showImage(pixels, source);
    },
  },
);
mountNames(document.documentElement, store);
const readWeights =
  weightsOpener && weightsReader(store, actions, weightsOpener, complete);
const openOwn = readWeights
  ? mountOwnWeights(document.body, readWeights)
  : mountOwnNetwork(document.body, part("announcer"));
mountHeader(part("header"), store, actions, openOwn);
mountDialogs(document.body, store);
mountCopyLink(document.body, store, part("announcer"));
const steps = createSteps(store);
const drawing = mountDrawing(part("drawing"), store, actions, {
  readDrawing: intake.readDrawing,
  settle: () => settle(),
  steps,
});
mountUpload(
  { drawing: part("drawing"), drop: part("drop") },
  intake.readUpload,
  actions.report,
  readWeights,
);
mountDoubts(part("drawing"), store, () => {
  actions.openView(INPUT);
  // Once the strip has shown where the view begins: the panel stands below its pictures.
  const intakePanel = findElement(inputPanel, "[data-intake]");
  requestAnimationFrame(() => stayAt(intakePanel, [stage, document.body]));
});
mountVerdict(part("verdict"), store, actions);
mountUnlike(part("verdict"), store);
mountDoor(part("bench-door"), findElement(document, "#bench"), store);
mountComparison(part("comparison"), store, actions);
const toTry = mountToTry(part("to-try"), store, actions, {
  fetchDatasets,
  fetchImages,
  fetchToys,
});
mountStrip(part("strip"), store, actions, roomOf);
const panelOf = mountPanels(stage, part, store, roomOf);
mountFolds(stage, store, memory);
if (linkedPanel !== null && readStop(search()) === null)
  // What a link of an earlier version opens, the address says in words of today.
  atRest.then(() => beginAt(stage, store, panelIn(location.hash) ?? linkedPanel));
mountBars(document.documentElement, store);
// Before the keys of the page: Escape leaves the presentation first, then the guide.
mountPresentation(
  { bar: part("presentation"), start: findElement(document, "[data-present]") },
  store,
  { deckOf, roomOf, turnImage: toTry.turn, guideOf: () => guide },
);
// The same: Escape leaves the guide first.
/** @type {Parameters<typeof mountGuide>[2]} */
const guiding = {
  fetchGuide,
  open: async (link) => (await kept).open(link),
  keepDrawing: drawing.keep,
  roomOf,
  report: actions.report,
  progress,
  explain: async (root, before) => (await glossary)(root, before),
  atRest,
};
const guide = mountGuide(document.documentElement, store, guiding);
mountAsking(document.documentElement, store, guiding);
bringBarWithMoment();
bringNoteWithMistake();
listenToKeys(store, actions);
forgiveSwipes(document.body);
bringTheRestLater();
listenToSkip(findElement(document, "[data-skip]"), stage);
void tellOfStart();

start()
  .catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    actions.report(error.message);
  })
  // Now, so that the first question is on its way before the scripts of a view.
  .finally(() =>
    mountWhenOpened(store, viewsOf, {
      load: (view) => {
        if ("needs" in view) return loadView(view);
        if (view === labView) return loadLab();
        if (view === atlasView) return loadAtlas();
        if (view === trainView) return loadTrain();
        if (view === overviewView) return loadOverview();
        return view === compareView ? loadCompare() : loadInput();
      },
      preload: (view) => "script" in view && preload(view.script),
      isNear: (view) => !MODES.some((mode) => mode === view),
      whenIdle: (job) => whenSought.then(() => whenIdle(job)),
      setBusy: (view, isBusy) =>
        panelOf(view).setAttribute("aria-busy", String(isBusy)),
      showMissing: (view) =>
        showMissing(panelOf(view), "script" in view ? view.script : "main.js"),
      showFailed: (view, error) => fail(panelOf(view), view, error),
    }),
  );

async function start() {
  const [{ models, refused }, samples] = await asked;
  const first = firstOf(samples);
  const image = { pixels: first.pixels, source: sampleSource(first) };
  store.set({ models, refused, samples, experiments: experimentsFor(models) });
  let linked, hash;
  do {
    hash = location.hash; // Back, pressed meanwhile, changes it
    linked = await readAddress(store.get(), bring).catch((error) => {
      actions.report(error.message);
      return null;
    });
  } while (hash !== location.hash);
  // Where the link says no image, a network for two digits begins with two.
  const { model = null } = linked ?? {};
  const isPair = model !== null && readsPairs(model);
  const own = isPair ? pairOn(first.id, model, samples) : image;
  store.set({ ...own, ...linked });
  const address = keepAddress(store, bring);
  settle = address.flush;
  bringAddress(address);
  drawing.begin();
}

/** @param {AppState["samples"]} samples @returns the one that the page begins with */
function firstOf(samples) {
  return samples.find(({ label }) => label === START_LABEL) ?? samples[0];
}

/**
 * Say in a view that any network has what to try first.
 * @param {typeof inputView | typeof compareView} view
 */
function offerShared(view) {
  const own = selector(store, (state) =>
    shownView(state) === view.id && state.pixels !== null && state.network !== null
      ? state
      : null,
  );
  offer(panelOf(view), view.id, { ...own, set: store.set }, view.tryFirst);
}

/**
 * Say what to try first in a panel, as long as this browser knows nothing of it.
 * @template {object} State
 * @template {object} Patch
 * @param {HTMLElement} panel
 * @param {string} name under which the browser remembers
 * @param {Parameters<typeof mountTryFirst<State, Patch>>[1]} own its store
 * @param {import("./types.js").FirstTry<State, Patch> | undefined} first
 */
function offer(panel, name, own, first) {
  if (first === undefined) return;
  mountTryFirst(panel, own, first, {
    isKept: () => progress.get().tried.includes(name),
    keep: () => progress.try(name),
  });
}

/** Modes that are one panel. */
const WHOLE = [atlasView, trainView];

/** Modes in place of a network's views; their scripts wait until they are opened. */
const MODES = [labView, ...WHOLE];

/** @typedef {typeof labView | typeof atlasView | typeof trainView} ModeView */

/**
 * @param {AppState["network"]} network
 * @returns {readonly (View | typeof overviewView | typeof inputView | typeof compareView | ModeView)[]}
 */
function viewsOf(network) {
  return [overviewView, inputView, compareView, ...MODES, ...(network?.views ?? [])];
}

/** @param {AppState} state @returns {Deck} what there is to present in its mode */
function deckOf(state) {
  const { mode, network, kept, view, experiments } = state;
  const turnTo = actions.openExperiment;
  if (mode === LAB)
    return { views: experiments, open: openExperiment(state)?.id ?? "", turnTo };
  const whole = WHOLE.find(({ id }) => id === mode);
  if (whole !== undefined) return { views: [whole], open: whole.id, turnTo() {} };
  const views = viewsOf(network).filter(
    (each) =>
      !MODES.some((other) => other === each) && (each !== compareView || kept !== null),
  );
  return { views, open: view, turnTo: actions.openView };
}

/** Once the first reading is on show, if there is anything to read, and nothing else to do. */
function bringTheRestLater() {
  const stop = store.watch(["trace", "pixels", "network"], (state) => {
    const { trace, pixels, network } = state;
    if (trace === null && (pixels !== null || network === null)) return;
    queueMicrotask(() => stop());
    whenIdle(async () => {
      comeToRest();
      const { atRest: late } = await import("./page/at-rest.js");
      late.mountSaving(stage, store, actions);
      const terms = await fetchGlossary();
      bringGlossary(late.mountGlossary(stage, store, actions, terms));
    });
  });
}

/** The slider over a run's moments, once one of them is the page's network. */
function bringBarWithMoment() {
  const stop = store.watch(["model"], async ({ model }) => {
    if (model === null || momentOf(model.id) === null) return;
    queueMicrotask(() => stop());
    const { mountBar } = await import("./train/bar.js");
    mountBar(part("moment"), store, actions, services);
  });
}

/** What is to be known of a network that computes otherwise, once there may be one. */
function bringNoteWithMistake() {
  const stop = store.watch(["model"], async ({ model }) => {
    const { config, described } = model?.card ?? {};
    if ((config?.mistake ?? "none") === "none" && described === undefined) return;
    queueMicrotask(() => stop());
    const { mountNote } = await import("./train/note.js");
    mountNote(part("mistake"), store);
  });
}

async function loadOverview() {
  return () => mountOverview(panelOf(overviewView), store, roomOf, services, steps);
}

async function loadInput() {
  const { mountInput } = await inputView.load();
  return () => {
    mountInput(inputPanel, store, actions, { correct: intake.correct, services });
    offerShared(inputView);
  };
}

async function loadCompare() {
  const [{ mountCompare }, { mountPair }] = await Promise.all([
    compareView.load(),
    import("./overview/pair.js"),
  ]);
  return () => {
    mountCompare(panelOf(compareView), store, actions, roomOf);
    mountPair(part("networks"), store, actions, { ...services, loadNetwork, roomOf });
    offerShared(compareView);
  };
}

/** A picture that comes before the networks waits for them: say so meanwhile. */
async function tellOfStart() {
  const note = document.querySelector('[data-part="starting"]');
  if (!(note instanceof HTMLElement)) return;
  part("drawing").addEventListener("pointerdown", () => {
    note.hidden = false;
  });
  while (await isStarting().catch(() => false))
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  note.remove();
}

/** What shows a model, once all is known of it. @param {Model} model */
async function loadNetwork(model) {
  await complete([model]);
  return networkOf(model);
}

/** For modes that compare what was measured on networks. */
const completeAll = () => complete(store.get().models);

async function loadLab() {
  const [{ mountLab }] = await Promise.all([labView.load(), completeAll()]);
  /** @type {import("./types.js").LabServices} */
  const lab = {
    ...services,
    loadNetwork,
    useModel: (model) => void actions.useModel(model),
    switchNetwork: actions.switchNetwork,
    openInExplore: (model, pixels, source = { kind: "link" }) =>
      void actions.useModel(model, {
        mode: EXPLORE,
        pixels,
        source,
        intake: null,
        overrides: AUTOMATIC,
        unread: [],
        problem: null,
      }),
  };
  return () =>
    mountLab(panelOf(labView), store, actions, lab, {
      showMissing,
      offer: (panel, { id, tryFirst }, own) =>
        offer(panel, `${labView.id}/${id}`, own, tryFirst),
    });
}

async function loadAtlas() {
  const [{ mountAtlas }] = await Promise.all([atlasView.load(), completeAll()]);
  return () => mountAtlas(panelOf(atlasView), store, actions, services);
}

async function loadTrain() {
  const { mountTrain } = await trainView.load();
  const panel = panelOf(trainView);
  return () => mountTrain(panel, store, actions, services, loadNetwork, drawing.clear);
}

/** @param {View} view of the chosen network */
async function loadView(view) {
  const { network, model } = store.get();
  const { mount } = await view.load();
  if (network === null || model === null) return () => {};
  const { architecture } = model;
  const room = roomOf(network);
  return () => {
    const panel = panelOf(view);
    const own = keptWithin(panel, room.storeOf(view));
    mount(panel, own, room.actions, services);
    // Those of panels that other layers of its kind have.
    for (const slot of panel.querySelectorAll("slot")) slot.remove();
    panel.dispatchEvent(new Event("panels", { bubbles: true }));
    offer(panel, `${architecture}/${view.id}`, own, view.tryFirst);
  };
}
