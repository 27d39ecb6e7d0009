/**
 * The strip: six live thumbnails, one for each layer, which are the page's tabs.
 * @import { AppState, Model, Trace, ViewName } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { sidesOf } from "../geometry/receptive-field.js";
import { diverging, ink, sequential } from "../lib/color.js";
import { inkOf, SIDE, sideOf } from "../lib/pixels.js";
import { reach } from "../lib/rank.js";
import { beyondEven } from "../lib/routing.js";
import { paintBars } from "../paint/bars.js";
import { paintHeatmap, paintTiles } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { VIEWS } from "../state.js";
import { hoverThumbs, mapTiles, typeTiles } from "./strip-hover.js";

const BAR_SIZE = { width: 100, height: 64 };

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountStrip(root, store, actions) {
  const tabs = VIEWS.map((view) =>
    find(root, `[data-tab="${view}"]`, HTMLButtonElement),
  );
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => actions.openView(VIEWS[i]));
    tab.addEventListener("keydown", (event) => {
      const next = nextTab(event.key, i);
      if (next === null) return;
      event.preventDefault();
      actions.openView(VIEWS[next]);
      tabs[next].focus();
    });
  });

  store.watch(["view"], ({ view }) => {
    VIEWS.forEach((name, i) => {
      const isOpen = name === view;
      tabs[i].setAttribute("aria-selected", String(isOpen));
      tabs[i].tabIndex = isOpen ? 0 : -1;
      const panel = document.getElementById(`view-${name}`);
      if (panel) panel.hidden = !isOpen;
    });
    // With the frame, which lays the page out anyway.
    requestAnimationFrame(() => showOpened(root, tabs[VIEWS.indexOf(view)]));
  });

  store.watch(["model"], ({ model }) => {
    if (model === null) return;
    const shapes = shapesOf(model);
    tabs.forEach((tab, i) => {
      findElement(tab, "[data-shape]").textContent = shapes[VIEWS[i]];
    });
  });

  /** @param {ViewName} view */
  const thumb = (view) => findCanvas(tabs[VIEWS.indexOf(view)], "canvas");
  store.watch(["pixels"], ({ pixels }) => {
    const shown = pixels ?? new Uint8Array(SIDE ** 2);
    const side = sideOf(shown);
    const picture = { rows: side, columns: side, scale: ink() };
    paintHeatmap(thumb("input"), inkOf(shown), picture);
  });
  store.watch(["trace"], ({ trace }) => {
    for (const view of VIEWS.slice(1)) {
      thumb(view).style.visibility = trace === null ? "hidden" : "visible";
    }
    if (trace !== null) paintThumbs(thumb, trace);
  });
  hoverThumbs(thumb, store, actions);
}

/**
 * What each layer's answer is made of.
 * @param {Model} model
 * @returns {Record<ViewName, string>}
 */
function shapesOf({ card: { config } }) {
  const { conv1, primary } = sidesOf(config);
  const image = `${config.image_size}×${config.image_size}`;
  const capsules = config.primary_types * primary ** 2;
  return {
    input: image,
    conv1: `${config.conv1_kernels}×${conv1}×${conv1}`,
    primary: `${config.primary_types}×${primary}×${primary}×${config.primary_dim}`,
    routing: `${capsules}→${config.classes}`,
    digits: `${config.classes}×${config.digit_dim}`,
    reconstruction: image,
  };
}

/**
 * Scroll to what has been opened, where it is out of sight.
 * @param {HTMLElement} root
 * @param {HTMLElement} tab
 */
function showOpened(root, tab) {
  root.scrollTo({ left: tab.offsetLeft - (root.clientWidth - tab.offsetWidth) / 2 });
  // A view opened from far down begins at its beginning, right under the strip.
  const stage = document.getElementById("stage");
  const isAbove = (stage?.getBoundingClientRect().top ?? 0) < root.offsetHeight;
  if (isAbove && window.scrollY > 0) stage?.scrollIntoView();
}

/**
 * @param {string} key
 * @param {number} from
 * @returns {number | null}
 */
function nextTab(key, from) {
  const last = VIEWS.length - 1;
  if (key === "ArrowRight") return from === last ? 0 : from + 1;
  if (key === "ArrowLeft") return from === 0 ? last : from - 1;
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

/**
 * @param {(view: ViewName) => HTMLCanvasElement} thumb
 * @param {Trace} trace
 */
function paintThumbs(thumb, { tensors, prediction }) {
  const maps = tensors["conv1.glimpse"];
  const brightest = sequential(0, reach(maps.data) || 1);
  paintTiles(thumb("conv1"), maps.data, mapTiles(maps), () => brightest);

  const lengths = tensors["primary.lengths"];
  paintTiles(thumb("primary"), lengths.data, typeTiles(lengths), () =>
    sequential(0, 1),
  );

  const {
    shape: [below, classes],
    data: couplings,
  } = tensors["routing.types"];
  const beyond = transposed(beyondEven(couplings, classes), classes);
  const scale = diverging(reach(beyond) || 1);
  paintHeatmap(thumb("routing"), beyond, { rows: classes, columns: below, scale });

  paintBars(thumb("digits"), tensors["digits.lengths"].data, {
    ...BAR_SIZE,
    emphasized: prediction,
  });

  const {
    shape: [height, width],
    data: pixels,
  } = tensors.reconstruction;
  paintHeatmap(thumb("reconstruction"), pixels, {
    rows: height,
    columns: width,
    scale: ink(),
  });
}

/**
 * @param {Float32Array} values row by row
 * @param {number} columns
 * @returns {Float32Array} column by column
 */
function transposed(values, columns) {
  const rows = values.length / columns;
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
}
