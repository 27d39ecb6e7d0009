/**
 * The Lab's shell: a tab for each experiment, and the switches of the networks that
 * take part. An experiment's scripts are fetched when it is first opened.
 * @import { Actions, AnyExperiment, AppState, LabServices, LabState, LabStore, Model, Store } from "../types.js"
 */

import {
  comparableModels,
  experimentSlice,
  focusedClass,
  knownLabel,
  LAB,
  openExperiment,
  switchedOn,
  trainedOn,
} from "../core/state.js";
import { selector } from "../core/store.js";
import { nextTab } from "../ui/controls.js";
import { findElement, make } from "../ui/dom.js";
import { fail, keptWithin } from "../ui/guard.js";
import { fill, h } from "../ui/h.js";
import { shortNames } from "./shared/words.js";

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {LabServices} services @param {object} page
 * @param {(root: HTMLElement) => void} page.showMissing say that its scripts could not be had
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
  mountSwitches(findElement(root, "[data-networks]"), store, actions);

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
      const own = keptWithin(panel, labStore(store, experiment));
      mount(panel, own, services);
      offer(panel, experiment, own);
    } catch (error) {
      if (mounts) fail(panel, experiment, error);
      else showMissing(panel);
    } finally {
      panel.setAttribute("aria-busy", "false");
    }
  }

  // Its slices change with every move of a hand, which the shell need not hear of.
  const shell = selector(store, (state) => ({
    ...state,
    chosen: openExperiment(state),
    off: state.lab.off,
  }));
  shell.watch(["mode", "chosen"], ({ mode, chosen }) => {
    experiments.forEach((each, i) => {
      const isOpen = each === chosen;
      tabs[i].setAttribute("aria-selected", String(isOpen));
      tabs[i].tabIndex = isOpen ? 0 : -1;
      panelOf(root, each).hidden = !isOpen;
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

  const none = findElement(root, "[data-none]");
  shell.watch(["models", "model", "off"], (state) => {
    const all = comparableModels(state);
    none.hidden = all.length === 0 || all.some(({ id }) => !state.off.includes(id));
  });
}

/** @param {HTMLElement} root @param {AnyExperiment} experiment */
function panelOf(root, { id }) {
  return findElement(root, `[data-experiment="${id}"]`);
}

/**
 * Which networks take part: a checkbox for each that can read the image on show.
 * @param {HTMLElement} root filled
 * @param {Store<AppState>} store @param {Actions} actions
 */
function mountSwitches(root, store, actions) {
  store.watch(["models", "model", "lab"], (state) => {
    const models = comparableModels(state);
    const names = shortNames(models);
    const switches = models.map(({ id, title }, i) => {
      const checked = !state.lab.off.includes(id);
      const onchange = () => actions.switchNetwork(id);
      const box = h("input", { type: "checkbox", value: id, checked, onchange });
      return h("label", { title }, box, ` ${names[i]}`);
    });
    fill(root, switches);
  });
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
  const own = selector(store, (state) => {
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
    get: own.get,
    subscribe: own.subscribe,
    watch: own.watch,
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
 * @returns {number | null} null before the first answer
 */
function followedClass({ classIndex, source, model, trace }) {
  const label = model === null ? null : knownLabel(source, model);
  const own = trace?.model === model?.id ? trace : null;
  return focusedClass({ classIndex: classIndex ?? label, trace: own });
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
