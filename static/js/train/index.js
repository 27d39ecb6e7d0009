/**
 * Train: start a run, watch and steer it, go back to any moment of it.
 * @import { Actions, AppState, Model, Network, OwnSet, Recipes, Run, Services, Store } from "../types.js"
 * @import { Drawn } from "./curves.js"
 */
import { ApiError } from "../core/connection.js";
import { TRAIN } from "../core/state.js";
import { selector } from "../core/store.js";
import { asSentence, capitalized } from "../lib/format.js";
import { inFrame } from "../lib/timing.js";
import { lead, listenToChoices, pressChoice } from "../ui/controls.js";
import { fillMenu, find, findElement, setText, unfold, writer } from "../ui/dom.js";
import { mountCurves } from "./curves.js";
import { createFollower } from "./follow.js";
import { hasEnded, nearestPlace } from "./history.js";
import { mountKnobs } from "./knobs.js";
import { mountDrawnDigits, mountMissing } from "./missing.js";
import { mountOwn } from "./own.js";
import { mountSets } from "./sets/index.js";
import { datasetOf, recipeOf } from "./sets/words.js";
import { channelsOf, originWords, startsOf, startWords } from "./starts.js";
import { mountSteering } from "./steering.js";
import { mountStored } from "./stored.js";
import { mountTime, placeOf } from "./time.js";
import {
  countWords,
  nameNetworks,
  namesBeside,
  networkTitle,
  runTitle,
  stateWords,
  testedOn,
  yourImage,
} from "./words.js";

/** @typedef {AppState["train"]["tab"]} Tab */
/** Told what is wrong with a recipe, and with which setting. @typedef {(message: string, field: string | null) => void} Fail */

const DRAWN = "drawn";
const QUARTERS = 4; // a screen reader hears of each

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {Services} services @param {(model: Model) => Promise<Network>} loadNetwork
 * @param {() => void} clearDrawing
 */
export function mountTrain(root, store, actions, services, loadNetwork, clearDrawing) {
  const { server, guarded } = services;
  const write = writer(root);
  const start = find(root, "[data-start]", HTMLButtonElement);
  const menus = ["learn", "begin", "runs", "besides"];
  const [learn, begin, runsMenu, besides] = menus.map((name) =>
    find(root, `[data-${name}]`, HTMLSelectElement),
  );
  /** @type {Recipes | null} */
  let recipes = null;
  /** @type {readonly OwnSet[]} */
  let sets = [];

  const shown = selector(store, (state) => (state.mode === TRAIN ? state : null));
  const set = (/** @type {Partial<AppState["train"]>} */ patch) =>
    store.set({ train: { ...store.get().train, ...patch } });

  const follower = createFollower(server, {
    changed: () => inFrame(draw),
    failed: tell,
  });
  const recipeForm = find(root, "[data-recipe]", HTMLFormElement);
  const knobs = mountKnobs(recipeForm, startAnew);
  const curves = mountCurves(
    findElement(root, ".train-curves"),
    (value, over) => {
      const { snapshots } = follower.historyOf(runNow()?.id ?? "");
      const index = nearestPlace(snapshots, value, over);
      if (index >= 0) set({ step: snapshots[index].step });
    },
    (over) => set({ over }),
  );
  const time = mountTime(root, services, loadNetwork, (step) => set({ step }));
  /** @type {(recipe: Readonly<Record<string, unknown>>, fail?: Fail) => void} */
  const train = (recipe, fail = toldAbove) => void startRun(recipe, fail);
  const ownSymbols = mountOwn(root, store, { clearDrawing, train });
  const ownSets = mountSets(root, services, {
    train,
    known(ready) {
      sets = ready;
      if (recipes !== null) offerData(recipes);
    },
    starts: originsFor,
  });
  const steering = mountSteering(root, {
    services,
    store,
    actions,
    follower,
    set,
    changed: () => void stored.look(),
    leave: (id) => leave((key) => key.startsWith(`${id}@`)),
    now: () => ({ run: runNow(), moment: time.moment() }),
    fork(from) {
      startAnew();
      knobs.startFrom(from);
      openTab("learn");
      unfold(recipeForm);
      lead(findElement(recipeForm, "[data-from]"));
    },
  });

  const teach = findElement(root, "[data-teach]");
  teach.addEventListener("click", () => {
    openTab("learn");
    lead(findElement(root, "[data-symbol]"));
  });

  const tabs = findElement(root, "[data-tabs]");
  /** @param {Tab} tab */
  function openTab(tab) {
    if (shown.get()?.train.tab !== tab) set({ tab });
    showTab(tab);
  }
  /** @param {Tab} tab */
  function showTab(tab) {
    pressChoice(tabs, tab);
    hide("[data-of-tab]", ({ dataset }) => dataset.ofTab !== tab);
    findElement(root, "[data-bar]").hidden = runNow() === null || tab === "runs";
  }
  listenToChoices(tabs, (tab) => openTab(/** @type {Tab} */ (tab)));

  /** @param {string} parts @param {(part: HTMLElement) => boolean} isHidden */
  function hide(parts, isHidden) {
    for (const part of root.querySelectorAll(parts))
      if (part instanceof HTMLElement) part.hidden = isHidden(part);
  }

  /** @param {unknown} error */
  function tell(error) {
    if (!(error instanceof ApiError)) throw error;
    store.set({ problem: error.message });
  }
  let isNew = true; // no run has been shown yet
  /** Say of a run that a link names in vain. */
  function tellMissing() {
    const { run = "" } = shown.get()?.train ?? {};
    const runs = follower.runs();
    if (run === "" || runs === null || runs.some(({ id }) => id === run)) return;
    const words = `the run “${run}”`;
    const { unread } = store.get();
    if (!unread.includes(words)) store.set({ unread: [...unread, words] });
    set({ run: "", step: null });
  }
  function runNow() {
    const runs = follower.runs() ?? [];
    return runs.find(({ id }) => id === shown.get()?.train.run) ?? runs[0] ?? null;
  }
  function besideNow() {
    const first = runNow();
    const run = follower.runs()?.find(({ id }) => id === shown.get()?.train.beside);
    return run === undefined || run === first ? null : run;
  }

  /**
   * The page goes on without models that are no more.
   * @param {(id: string) => boolean} isGone
   */
  async function leave(isGone) {
    const { models, model } = store.get();
    const remaining = models.filter(({ id }) => !isGone(id));
    const usual = remaining.find((candidate) => candidate.default);
    if (model !== null && isGone(model.id) && usual) await actions.useModel(usual);
    store.set({ models: remaining });
  }

  const stored = mountStored(root, {
    server,
    store,
    failed: tell,
    leave: (id) => leave((key) => key === id),
  });
  const drawnDigits = mountDrawnDigits(root, services);
  const missing = mountMissing(root, server, tell, bringRecipes);

  let isShown = false;
  function whenCome() {
    const isNow = shown.get() !== null;
    if (isNow && !isShown) {
      follower.turn(true);
      void stored.look();
    }
    isShown = isNow;
  }
  shown.subscribe(whenCome);
  whenCome();
  shown.watch(["train"], ({ train }) => showTab(train.tab));
  shown.whenGone(() => {
    follower.turn(false);
    time.rest();
  });
  document.addEventListener("visibilitychange", () =>
    follower.turn(shown.get() !== null && !document.hidden),
  );
  shown.watch(["train", "pixels", "source"], draw);
  void guarded(bringRecipes)(null);

  async function bringRecipes() {
    recipes = await server.fetchRecipes();
    nameNetworks(recipes);
    showRecipes(recipes);
    draw();
  }

  /** @param {Recipes} known */
  function showRecipes(known) {
    findElement(root, "[data-none]").hidden = known.allowed;
    write("reason", known.reason === null ? "" : asSentence(known.reason));
    teach.hidden = known.allowed || known.symbols === undefined;
    findElement(root, "[data-starting]").hidden = !known.allowed;
    findElement(root, "[data-file]").hidden = known.symbols === undefined;
    missing.show(known);
    ownSymbols.show(known);
    ownSets.show(known);
    offerData(known);
    knobs.show(known);
  }

  /** Have the reader choose what to learn from. @param {Recipes} known */
  function offerData(known) {
    const options = dataOf(known, sets);
    const chosen = options.some(({ id }) => id === learn.value) ? learn.value : null;
    fillMenu(learn, options, chosen ?? usualData(known) ?? "");
    const images = learn.value === DRAWN ? " on drawn digits" : "";
    const usual = `Train a small ${networkTitle(known.default)}${images}`;
    drawnDigits(learn.value === DRAWN, known);
    offerStarts();
    setText(start, begin.value === "" ? usual : "Train from these weights");
  }
  learn.addEventListener("change", () => {
    const hasStart = begin.value !== "";
    if (recipes) offerData(recipes);
    if (hasStart) showStart();
  });

  /** What a run can start from. @param {number | null} channels of its images */
  function originsFor(channels) {
    const runs = follower.runs() ?? [];
    if (recipes === null) return [];
    return startsOf(store.get().models, runs, recipes, sets, channels);
  }
  function offerStarts() {
    const origins = originsFor(channelsOf(learn.value, sets));
    const options = [{ id: "", words: "random weights" }, ...origins];
    const isThere = options.some(({ id }) => id === begin.value);
    fillMenu(begin, options, isThere ? begin.value : "");
    return origins;
  }
  /** The next run starts from random weights. */
  function startAnew() {
    begin.value = "";
    showStart();
    if (recipes) offerData(recipes);
  }
  /** Have the settings follow what the next run starts from. */
  function showStart() {
    const origin = offerStarts().find(({ id }) => id === begin.value);
    knobs.startFrom(origin ? { ...origin, words: startWords(origin) } : null);
  }
  begin.addEventListener("change", () => {
    showStart();
    if (recipes) offerData(recipes);
  });
  /**
   * A recipe with the data that was chosen; a fork keeps the data of its run.
   * @param {Readonly<Record<string, unknown>>} recipe
   */
  function withData(recipe) {
    if ("start" in recipe && recipe.start !== begin.value) return recipe;
    const origin = originsFor(null).find(({ id }) => id === recipe.start);
    const architecture = origin?.architecture ?? recipes?.default ?? "";
    const data = learntFrom(learn.value, sets, architecture);
    return origin
      ? { ...data, dataset: learn.value, ...recipe }
      : { ...data, ...recipe };
  }

  /**
   * Start a run, and show it.
   * @param {Readonly<Record<string, unknown>>} recipe
   * @param {Fail} fail
   */
  async function startRun(recipe, fail = knobs.fail) {
    knobs.clear();
    start.disabled = true;
    try {
      const run = await server.startRun(withData(recipe));
      await follower.look();
      set({ run, beside: "", step: null });
      openTab("learn");
      lead(findElement(root, ".train-run"));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fail(error.message, error.field ?? null);
    } finally {
      start.disabled = false;
    }
  }
  /** What is wrong with a run that was not asked for in the form. @param {string} message */
  const toldAbove = (message) => store.set({ problem: message });
  start.addEventListener("click", () => {
    void startRun(begin.value === "" ? {} : { start: begin.value }, toldAbove);
  });
  recipeForm.addEventListener("submit", (event) => {
    event.preventDefault();
    void startRun(knobs.recipe());
  });
  runsMenu.addEventListener("change", () => set({ run: runsMenu.value, step: null }));
  besides.addEventListener("change", () => set({ beside: besides.value }));
  function draw() {
    const state = shown.get();
    const runs = follower.runs();
    if (state === null || runs === null || recipes === null) return;
    if (isNew) tellMissing();
    isNew = false;
    const [run, beside] = [runNow(), besideNow()];
    hide("[data-run]", () => run === null);
    hide("[data-no-run]", () => run !== null);
    showTab(state.train.tab);
    showMenus(runs, run, beside);
    const from = begin.value;
    offerStarts();
    if (begin.value !== from) showStart(); // its run was thrown away
    ownSets.offerStarts();
    if (run === null) return;
    const { step, over: axis } = state.train;
    const shownRuns = beside === null ? [run] : [run, beside];
    follower.follow(shownRuns.map(({ id }) => id));
    const names = beside === null ? [yourImage(run)] : namesBeside(run, beside);
    /** @type {Drawn[]} */
    const drawn = shownRuns.map((run, i) => ({
      run,
      name: names[i],
      history: follower.historyOf(run.id),
    }));
    showStates(drawn);
    time.show(drawn, step, axis, state, state.pixels);
    const [{ history }] = drawn;
    const moment = history.snapshots[placeOf(history, step)];
    curves.show(drawn, axis, moment?.[axis] ?? null, recipes);
    const until = moment?.step ?? 0;
    const counts = history.counts.filter(({ step }) => step <= until);
    const model = foundOf(run);
    write("count", countWords(counts, model?.classes, testedOn(run)));
    steering.show(run, history);
    write("origin", originWords(run, model?.card.start));
  }

  /** The moment on show, once it is one of this run. @param {Run} run */
  function foundOf({ id }) {
    const model = time.moment()?.model;
    return model?.id.startsWith(`${id}@`) ? model : undefined;
  }

  /** @param {readonly Run[]} runs @param {Run | null} run @param {Run | null} beside */
  function showMenus(runs, run, beside) {
    const options = runs.map((run) => ({
      id: run.id,
      // What has been heard of it since it was listed: it may train by now.
      words: `${runTitle(run)} (${follower.historyOf(run.id).state ?? run.state})`,
    }));
    fillMenu(runsMenu, options, run?.id ?? "");
    const others = options.filter(({ id }) => id !== run?.id);
    fillMenu(besides, [{ id: "", words: "none" }, ...others], beside?.id ?? "");
  }

  /** @param {readonly Drawn[]} drawn */
  function showStates(drawn) {
    const [first, second] = drawn.map(({ run, history, name }) => {
      const words = stateWords(run, history);
      return drawn.length === 1 ? words : `${capitalized(name)}: ${words}`;
    });
    write("state", first);
    findElement(root, "[data-state-beside]").hidden = second === undefined;
    write("state-beside", second ?? "");
    const mark = drawn.map(milestoneOf).join();
    if (mark === announced) return;
    announced = mark;
    const [{ run, history }] = drawn;
    const counts = hasEnded(history) || history.now.step > 0 ? history.counts : [];
    const tested = countWords(counts, foundOf(run)?.classes, testedOn(run));
    write("said", counts.length === 0 ? first : `${first} ${tested}`);
  }
  let announced = "";
}

/**
 * What a run learns from where nothing else is said: drawn digits where MNIST is missing.
 * @param {Pick<Recipes, "datasets">} recipes
 */
export function usualData({ datasets: [first] }) {
  return first?.ready === false ? DRAWN : first?.name;
}

/** Data sets that cannot be learnt from with any recipe, or need what is not asked here. */
const NOT_OFFERED = ["overlapping", "symbols"];

/**
 * What can be learnt from here: what is there, and sets of one's own.
 * @param {Pick<Recipes, "datasets">} recipes
 * @param {readonly Pick<OwnSet, "id" | "title">[]} sets
 */
export function dataOf({ datasets }, sets) {
  const there = datasets.filter(
    ({ name, ready }) => ready && !NOT_OFFERED.includes(name),
  );
  return [
    ...there.map(({ name, title }) => ({ id: name, words: title })),
    ...sets.map(({ id, title }) => ({ id: datasetOf(id), words: `${title} (yours)` })),
  ];
}

/**
 * What a recipe says of the data that was chosen.
 * @param {string} chosen @param {readonly OwnSet[]} sets @param {string} architecture
 * @returns {Readonly<Record<string, unknown>>}
 */
function learntFrom(chosen, sets, architecture) {
  const set = sets.find(({ id }) => datasetOf(id) === chosen);
  if (set !== undefined) return recipeOf(set, architecture);
  return chosen === "" || chosen === "mnist" ? {} : { dataset: chosen };
}

/**
 * What is worth being said aloud: another state, another quarter of the run.
 * @param {Pick<Drawn, "run" | "history">} drawn
 */
export function milestoneOf({ run, history }) {
  const { state, total, now } = history;
  // That it trains is news, and then each quarter.
  const quarter =
    total === 0 ? -1 : Math.floor((QUARTERS * now.step) / total) + Number(now.step > 0);
  return `${run.id} ${state ?? run.state} ${quarter}`;
}
