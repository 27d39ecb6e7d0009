/**
 * The Lab's shell: a tab for each experiment, which is opened with a network that it can ask.
 * Its scripts are fetched when it is first opened.
 * @import { Actions, AnyExperiment, AppState, LabServices, LabState, LabStore, Model, Store } from "../types.js"
 */

import { saidOf, scoresOf } from "../core/scores.js";
import {
  experimentSlice,
  knownLabel,
  LAB,
  openExperiment,
  switchedOn,
  trainedOn,
} from "../core/state.js";
import { selector } from "../core/store.js";
import { nextTab } from "../ui/controls.js";
import { findElement, make, setText } from "../ui/dom.js";
import { fail, keptWithin } from "../ui/guard.js";

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {LabServices} services @param {object} page
 * @param {(root: HTMLElement, script: string) => void} page.showMissing say that its scripts could not be had
 * @param {(root: HTMLElement, experiment: AnyExperiment, store: LabStore<object>) => void} page.offer
 *   say what to try first
 */
export function mountLab(root, store, actions, services, { showMissing, offer }) {
  const list = findElement(root, '[role="tablist"]');
  const { experiments } = store.get();
  const tabs = experiments.map(({ id, title }) => {
    const look = { id: `tab-lab-${id}`, role: "tab", "aria-controls": `lab-${id}` };
    const tab = make("button", look, title);
    tab.addEventListener("click", () => actions.openExperiment(id));
    return tab;
  });
  list.append(...tabs);
  list.addEventListener("keydown", (event) => {
    const from = tabs.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const to = from < 0 ? null : nextTab(event.key, from, tabs.length - 1);
    if (to === null) return;
    event.preventDefault();
    actions.openExperiment(experiments[to].id);
    tabs[to].focus();
  });
  /** @type {Set<AnyExperiment>} */
  const opened = new Set();
  /** @param {AnyExperiment} experiment */
  async function open(experiment) {
    opened.add(experiment);
    const panel = panelOf(root, experiment);
    panel.setAttribute("aria-busy", "true");
    let mounts = false;
    try {
      const { mount } = await experiment.load();
      mounts = true;
      const experimentStore = keptWithin(panel, labStore(store, experiment));
      mount(panel, experimentStore, services);
      offer(panel, experiment, experimentStore);
    } catch (error) {
      if (mounts) fail(panel, experiment, error);
      else showMissing(panel, experiment.script);
    } finally {
      panel.setAttribute("aria-busy", "false");
    }
  }

  // Its slices change with every move of a hand, which the shell need not hear of.
  const shell = selector(store, (state) => ({
    ...state,
    chosen: openExperiment(state),
  }));
  shell.watch(["mode", "chosen"], ({ mode, chosen }) => {
    experiments.forEach((experiment, i) => {
      const isOpen = experiment === chosen;
      tabs[i].setAttribute("aria-selected", String(isOpen));
      tabs[i].tabIndex = isOpen ? 0 : -1;
      panelOf(root, experiment).hidden = !isOpen;
      if (isOpen) list.scrollLeft = tabs[i].offsetLeft - list.offsetLeft;
    });
    if (mode === LAB && chosen !== null && !opened.has(chosen)) void open(chosen);
  });

  // A verdict stands beside networks of the images on which it was found, and no others.
  shell.watch(["model"], ({ model }) => {
    for (const claim of root.querySelectorAll("[data-claim-on]"))
      if (claim instanceof HTMLElement)
        claim.hidden = model === null || claim.dataset.claimOn !== trainedOn(model);
  });

  mountFitting(findElement(root, "[data-fitting]"), shell, actions, services);
}

/** What the shell hears of. @typedef {AppState & { chosen: AnyExperiment | null }} ShellState */

/**
 * Open an experiment with a network that it can ask, and say so. Where another network is
 * chosen that it cannot, the first experiment asks that one.
 * @param {HTMLElement} line
 * @param {Pick<Store<ShellState>, "watch">} shell
 * @param {Pick<Actions, "openExperiment">} actions @param {LabServices} services
 */
function mountFitting(line, shell, { openExperiment }, { useModel }) {
  /** @type {AnyExperiment | null} */
  let open = null;
  /** What was changed, by the network on show since. */
  let notice = { words: "", model: "" };
  shell.watch(["mode", "chosen", "model", "models", "experiments"], (state) => {
    const { mode, chosen, model, models, experiments } = state;
    const isNew = chosen !== open || mode !== LAB;
    open = mode === LAB ? chosen : null;
    if (model !== null && notice.model !== model.id) notice = { words: "", model: "" };
    setText(line, notice.words);
    if (open?.suits === undefined || model === null || open.suits(model)) return;
    const other = models.find((candidate) => open?.suits?.(candidate));
    if (other !== undefined && !isNew) return openExperiment(experiments[0].id);
    notice = fittingWords(open, model, other);
    setText(line, notice.words);
    if (other !== undefined) useModel(other);
  });
}

/**
 * @param {AnyExperiment} experiment @param {Model} model that it cannot ask
 * @param {Model | undefined} other that it asks in its place; undefined: there is none
 */
function fittingWords({ title, needs }, model, other) {
  return other === undefined
    ? {
        words: `“${title}” needs a network that ${needs}, and none is here.`,
        model: model.id,
      }
    : {
        words: `“${title}” needs a network that ${needs}: in place of ${model.title}, this is ${other.title}.`,
        model: other.id,
      };
}

/** @param {HTMLElement} root @param {AnyExperiment} experiment */
function panelOf(root, { id }) {
  return findElement(root, `[data-experiment="${id}"]`);
}

/**
 * The store as an experiment sees it.
 * @template {object} Slice
 * @param {Store<AppState>} store
 * @param {AnyExperiment} experiment
 * @returns {LabStore<Slice>}
 */
function labStore(store, experiment) {
  /** @type {readonly Model[]} */
  let networks = [];
  const selected = selector(store, (state) => {
    const { mode, pixels, model } = state;
    if (mode !== LAB || openExperiment(state) !== experiment) return null;
    if (pixels === null || model === null) return null;
    networks = sameOr(networks, switchedOn(state));
    const slice = experimentSlice(state, experiment);
    return /** @type {LabState<Slice>} */ ({
      ...state,
      ...slice,
      pixels,
      model,
      networks,
      followed: followedClass(state),
    });
  });
  return {
    get: selected.get,
    subscribe: selected.subscribe,
    watch: selected.watch,
    set(patch) {
      const state = store.get();
      const { slices } = state.lab;
      const slice = { ...experimentSlice(state, experiment), ...patch };
      store.set({
        lab: { ...state.lab, slices: { ...slices, [experiment.id]: slice } },
      });
    },
  };
}

/**
 * The class whose scores are followed: the one in focus, else the image's label, else what
 * the chosen network reads.
 * @param {Pick<AppState, "classIndex" | "source" | "model" | "trace">} state
 * @returns {number | null} null before the first answer, and where the network names none
 */
export function followedClass({ classIndex, source, model, trace }) {
  const label = model === null ? null : knownLabel(source, model);
  const scores = model !== null && trace?.model === model.id ? scoresOf(trace) : null;
  if (model === null || scores === null) return classIndex ?? label;
  const { state, named } = saidOf(scores, model);
  const read = state === "undecided" ? null : (named[0] ?? null);
  return classIndex ?? label ?? read;
}

/**
 * Keep the list from before if it holds the same, so that no watcher is called
 * needlessly.
 * @template Item
 * @param {readonly Item[]} before
 * @param {readonly Item[]} now
 */
function sameOr(before, now) {
  const isSame =
    before.length === now.length && before.every((item, i) => item === now[i]);
  return isSame ? before : now;
}
