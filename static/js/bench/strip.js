/**
 * The strip: a live thumbnail for each layer of the chosen network. They are the page's
 * tabs.
 * @import { Actions, AppState, Network, Store, View } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 */

import { compareView } from "../compare/view.js";
import { holds } from "../core/rooms.js";
import { barsOf, scoresOf } from "../core/scores.js";
import { COMPARE, OVERVIEW, shownView } from "../core/state.js";
import { selector } from "../core/store.js";
import { inputView } from "../input/view.js";
import { DIGIT } from "../lib/pixels.js";
import { paintBeside, paintSmall } from "../overview/thumbnail.js";
import { overviewView } from "../overview/view.js";
import { paintPixels } from "../paint/heatmap.js";
import { nextTab, stayAt } from "../ui/controls.js";
import { findCanvas, findElement, make } from "../ui/dom.js";

/** A window in which the drawing area stands above the view. */
const STACKED = "(max-width: 900px)";

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {(network: Network) => Room} roomOf
 */
export function mountStrip(root, store, actions, roomOf) {
  const list = findElement(root, '[role="tablist"]');
  const overview = createTab(overviewView.id, overviewView.title);
  const input = createTab(inputView.id, inputView.title);
  const canvasOf = (/** @type {HTMLElement} */ tab) => findCanvas(tab, "canvas");
  const paintSeen = whenSeen(store);
  store.watch(["pixels"], ({ pixels }) => {
    const canvas = canvasOf(input);
    paintSeen(canvas, () => paintPixels(canvas, pixels));
  });
  store.watch(["pixels", "trace", "model"], ({ pixels, trace, model }) => {
    const scores = trace && scoresOf(trace);
    const bars = scores && model ? barsOf(scores, model.scores) : scores;
    const canvas = canvasOf(overview);
    paintSeen(canvas, () => paintSmall(canvas, pixels, bars));
  });
  const compare = createTab(compareView.id, compareView.title);
  // Two networks that are compared read the same image.
  store.watch(["kept", "pixels"], ({ kept, pixels }) => {
    const canvas = canvasOf(compare);
    paintSeen(canvas, () => paintBeside(canvas, [kept?.pixels ?? pixels, pixels]));
  });
  findElement(compare, "[data-shape]").textContent = compareView.shape();
  /** @type {Map<Network, HTMLButtonElement[]>} */
  const made = new Map();
  let tabs = [overview, input];
  list.append(...tabs);

  list.addEventListener("click", (event) => {
    const tab = tabs.find((each) => each.contains(/** @type {Node} */ (event.target)));
    if (!tab?.dataset.tab) return;
    actions.openView(tab.dataset.tab);
    const stage = document.getElementById("stage");
    // The view begins far below its tab there, and grows as it comes.
    if (stage && matchMedia(STACKED).matches)
      stayAt(stage, [stage, root, document.body]);
  });
  list.addEventListener("keydown", (event) => {
    const from = tabs.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const next = from < 0 ? null : nextTab(event.key, from, tabs.length - 1);
    if (next === null) return;
    event.preventDefault();
    actions.openView(tabs[next].dataset.tab ?? overviewView.id);
    tabs[next].focus();
  });

  store.watch(["network", "kept", "view"], ({ network, kept, view }) => {
    if (network === null) return;
    const own = made.get(network) ?? createTabs(roomOf(network), paintSeen);
    made.set(network, own);
    const isCompared = kept !== null || view === COMPARE;
    const now = [overview, input, ...own, ...(isCompared ? [compare] : [])];
    if (now.length === tabs.length && now.every((tab, i) => tab === tabs[i])) return;
    tabs = now;
    list.replaceChildren(...tabs);
    list.style.setProperty("--tabs", String(tabs.length));
  });
  store.watch(["view", "network", "kept"], ({ view }) => {
    for (const tab of tabs) {
      const isOpen = tab.dataset.tab === view;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      // With the frame, which lays the page out anyway.
      if (isOpen) requestAnimationFrame(() => showOpened(root, tab));
    }
  });
  store.watch(["model", "network"], ({ model, network }) => {
    if (model === null || network === null) return;
    [overviewView, inputView, ...network.views].forEach(({ shape }, i) => {
      findElement(tabs[i], "[data-shape]").textContent = shape(model);
    });
  });
}

/**
 * Beside the Overview no thumbnail is in sight: each is painted once it is.
 * @param {Store<AppState>} store
 * @returns {(canvas: HTMLCanvasElement, paint: () => void) => void}
 */
function whenSeen(store) {
  /** @type {Map<HTMLCanvasElement, () => void>} */
  const waiting = new Map();
  const isHidden = () => shownView(store.get()) === OVERVIEW;
  store.watch(["view", "mode"], () => {
    if (isHidden()) return;
    for (const paint of waiting.values()) paint();
    waiting.clear();
  });
  return (canvas, paint) => {
    if (isHidden()) waiting.set(canvas, paint);
    else paint();
  };
}

/**
 * The tabs of a network's own views.
 * @param {Room} room @param {ReturnType<typeof whenSeen>} paintSeen
 */
function createTabs({ network, store }, paintSeen) {
  return network.views.map((view) => {
    const tab = createTab(view.id, view.title);
    const canvas = findCanvas(tab, "canvas");
    store.watch(["trace"], ({ trace }) => {
      canvas.style.visibility = trace === null ? "hidden" : "visible";
    });
    showThumbnail(canvas, view, store, paintSeen);
    return tab;
  });
}

/**
 * @param {HTMLCanvasElement} canvas @param {View} view @param {Room["store"]} store
 * @param {ReturnType<typeof whenSeen>} paintSeen
 */
function showThumbnail(canvas, { thumbnail }, store, paintSeen) {
  const { needs, follows = [], paint } = thumbnail;
  const complete = selector(store, (state) =>
    holds(state.trace, state.model, needs) ? { ...state, trace: state.trace } : null,
  );
  complete.watch(["trace", ...follows], () => {
    const now = complete.get();
    if (now !== null) paintSeen(canvas, () => paint(canvas, now.trace, now));
  });
}

/**
 * @param {string} id of the view
 * @param {string} title
 */
function createTab(id, title) {
  const tab = make("button");
  tab.id = `tab-${id}`;
  tab.dataset.tab = id;
  tab.tabIndex = -1;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", `view-${id}`);
  tab.setAttribute("aria-selected", "false");
  const name = make("span", "tab-name", title);
  const canvas = make("canvas", { "aria-hidden": "true" });
  canvas.width = canvas.height = DIGIT.rows; // until there is an image
  const shape = make("span", { class: "tab-shape", "data-shape": "" });
  shape.textContent = "\u00a0"; // keeps its line until a model is known
  tab.append(name, canvas, shape);
  return tab;
}

/**
 * Scroll to what has been opened, where it is out of sight.
 * @param {HTMLElement} root @param {HTMLElement} tab
 */
function showOpened(root, tab) {
  root.scrollTo({ left: tab.offsetLeft - (root.clientWidth - tab.offsetWidth) / 2 });
  // A view opened from far down begins at its beginning, right under the strip.
  const stage = document.getElementById("stage");
  const isAbove = (stage?.getBoundingClientRect().top ?? 0) < root.offsetHeight;
  if (isAbove && window.scrollY > 0) stage?.scrollIntoView();
}
