/**
 * The strip: six live thumbnails, one for each layer, which are the page's tabs.
 * @import { AppState, Trace, ViewName } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { diverging, ink, sequential } from "../lib/color.js";
import { SIDE } from "../lib/pixels.js";
import { reach } from "../lib/rank.js";
import { beyondEven, couplingsByType } from "../lib/routing.js";
import { paintBars } from "../paint/bars.js";
import { paintHeatmap, paintTiles } from "../paint/heatmap.js";
import { find, findCanvas } from "../parts/find.js";
import { VIEWS } from "../state.js";

const CONV1_SHOWN = 16; // of the 256 maps, evenly apart
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
    const tab = tabs[VIEWS.indexOf(view)];
    root.scrollTo({ left: tab.offsetLeft - (root.clientWidth - tab.offsetWidth) / 2 });
    // A view opened from far down begins at its beginning, right under the strip.
    const stage = document.getElementById("stage");
    const isAbove = (stage?.getBoundingClientRect().top ?? 0) < root.offsetHeight;
    if (isAbove && window.scrollY > 0) stage?.scrollIntoView();
  });

  /** @param {ViewName} view */
  const thumb = (view) => findCanvas(tabs[VIEWS.indexOf(view)], "canvas");
  store.watch(["pixels"], ({ pixels }) => {
    const values = Float32Array.from(
      pixels ?? new Uint8Array(SIDE ** 2),
      (byte) => byte / 255,
    );
    paintHeatmap(thumb("input"), values, { rows: SIDE, columns: SIDE, scale: ink() });
  });
  store.watch(["trace"], ({ trace }) => {
    for (const view of VIEWS.slice(1)) {
      thumb(view).style.visibility = trace === null ? "hidden" : "visible";
    }
    if (trace !== null) paintThumbs(thumb, trace);
  });
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
  paintMaps(thumb("conv1"), tensors["conv1.relu"]);

  const {
    shape: [types, rows, columns],
    data: lengths,
  } = tensors["primary.lengths"];
  const layout = { count: types, across: Math.ceil(types / 4), rows, columns, gap: 1 };
  paintTiles(thumb("primary"), lengths, layout, () => sequential(0, 1));

  const couplings = couplingsByType(tensors["routing.couplings"]);
  const { types: below, classes, data } = couplings[couplings.length - 1];
  const beyond = transposed(beyondEven(data, classes), classes);
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

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("../types.js").Tensor} maps (kernels, rows, columns)
 */
function paintMaps(canvas, { shape: [count, rows, columns], data }) {
  const every = Math.max(1, Math.floor(count / CONV1_SHOWN));
  const shown = Math.min(count, CONV1_SHOWN);
  const size = rows * columns;
  const values = new Float32Array(shown * size);
  for (let i = 0; i < shown; i++) {
    const from = i * every * size;
    values.set(data.subarray(from, from + size), i * size);
  }
  const layout = { count: shown, across: 4, rows, columns, gap: 2 };
  const scale = sequential(0, reach(values) || 1);
  paintTiles(canvas, values, layout, () => scale);
}
