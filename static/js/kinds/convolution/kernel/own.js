/**
 * A kernel of one's own: its editor, what it can begin with, and the network's map beside
 * the one that it makes.
 * @import { Field, Kernels, OwnKernel, ReadLayer, Reading, ConvolutionStore } from "../types.js"
 */
import { acrossSquare } from "../../../geometry/tiles.js";
import { fieldAt } from "../../../geometry/windows.js";
import { ranked, reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { Undo } from "../../../lib/history.js";
import { memoize } from "../../../lib/memoize.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { tileSheet } from "../../../ui/maps.js";
import { showLegend } from "../../../ui/pictures.js";
import { middleAt, pixelNear, placeOf } from "../field.js";
import { energies, mosaics } from "../maps.js";
import { gridOf, mountStages } from "../pictures.js";
import { trainedKernel } from "../reading.js";
import { mountBrush, mountEditor, mountTools } from "./editor.js";
import { kept, negated, preset, turned } from "./kernels.js";

/**
 * @typedef {object} Own
 * @property {ReadLayer} layer
 * @property {number} map the network's, for comparison
 * @property {Reading} trained that map
 * @property {OwnKernel} kernel
 * @property {number} centre the input pixel under its middle
 */

/**
 * @param {HTMLElement} root @param {ConvolutionStore} store
 * @param {(field: Field | null) => void} lookAt
 */
export function mountOwnKernel(root, store, lookAt) {
  const panel = findElement(root, "[data-own]");
  const undoButton = find(panel, "[data-undo]", HTMLButtonElement);
  const compare = mountComparison(
    findElement(root, "[data-comparison]"),
    store,
    lookAt,
  );
  /** @type {Undo<OwnKernel>} */
  const undo = new Undo();
  /** @type {Own | null} */
  let own = null;

  /** @param {OwnKernel} kernel @param {string} [kind] @param {{ map?: number }} [also] */
  function change(kernel, kind, also) {
    if (own !== null) undo.keep(own.kernel, kind);
    store.set({ kernel: kept(kernel), ...also });
  }

  const editor = mountEditor(panel, change);
  const tools = mountTools(panel, change);
  mountBrush(findElement(panel, "[data-brush]"), editor.grid, editor.paint);
  for (const button of panel.querySelectorAll("[data-nudge]")) {
    const steps = Number(button.getAttribute("data-nudge"));
    button.addEventListener("click", () => editor.nudge(steps));
  }
  undoButton.addEventListener("click", () => {
    const before = undo.back();
    if (before) store.set({ kernel: kept(before) });
  });

  const picker = mountPicker(
    find(panel, "[data-picker]", HTMLDetailsElement),
    (map) => {
      if (own !== null) change(trainedKernel(own.layer, map), "picker", { map });
    },
  );

  /** @type {Readonly<Record<string, (own: Own) => void>>} */
  const experiments = {
    edge: () => change(preset("vertical", 3)),
    other: ({ kernel }) => change(negated(kernel)),
    threshold: () => change({ ...preset("box", 5), bias: -0.6 }),
    turned({ layer }) {
      const [strongest] = ranked(energies(layer.relu));
      const kernel = turned(trainedKernel(layer, strongest));
      change(kernel, undefined, { map: strongest });
    },
  };
  for (const button of panel.querySelectorAll("[data-experiment]")) {
    const run = experiments[button.getAttribute("data-experiment") ?? ""];
    button.addEventListener("click", () => {
      if (own !== null) run(own);
    });
  }

  return {
    panel,
    /** @param {Own | null} ownNow null while trained kernels are looked at */
    show(ownNow) {
      own = ownNow;
      panel.hidden = own === null;
      compare(own);
      if (own === null) return;
      undoButton.disabled = undo.isEmpty;
      editor.show(own.kernel);
      tools.show(own.kernel);
      picker.show(own.layer, own.map);
    },
  };
}

/**
 * The network's map, to compare one's own with.
 * @param {HTMLElement} root @param {ConvolutionStore} store
 * @param {(field: Field | null) => void} lookAt
 */
function mountComparison(root, store, lookAt) {
  const title = findElement(root, "[data-comparison-title]");
  /** @type {Own | null} */
  let own = null;
  const maps = mountStages(root, ["trained-before", "trained-after"], {
    choose(place) {
      if (own === null) return;
      const middle = middleAt(own.trained.reach, place);
      store.set({ centre: middle.row * own.trained.pixels.columns + middle.column });
    },
    hover(place) {
      maps.point(place);
      lookAt(place && own && fieldAt(own.trained.reach, place));
    },
  });
  const show = memoize((/** @type {Reading} */ trained) => {
    setText(title, `For comparison: ${trained.mapName.toLowerCase()} of the network`);
    maps.show(trained);
  });

  return (/** @type {Own | null} */ ownNow) => {
    own = ownNow;
    root.hidden = own === null;
    if (own === null) return;
    const { trained, centre } = own;
    show(trained);
    const at = placeOf(centre, trained.pixels.columns);
    maps.choose(pixelNear(trained.reach, gridOf(trained), at, { row: 0, column: 0 }));
  };
}

/**
 * All trained kernels in one picture, to begin one's own with any of them.
 * @param {HTMLDetailsElement} folder @param {(kernel: number) => void} choose
 */
function mountPicker(folder, choose) {
  const readout = findElement(folder, "[data-picker-readout]");
  const legend = findElement(folder, "[data-legend]");
  /** @type {{ kernels: Kernels, current: number } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(folder, ".overlaid"), {
    across: ({ count }) => acrossSquare(count),
    choose,
    hover: (at) => tell(at?.tile ?? shown?.current),
  });
  const tilesOf = memoize((/** @type {Kernels} */ { kernels }) => {
    const scale = diverging(reach(kernels.data) || 1);
    const { shape, data } = mosaics(kernels);
    const [count, rows, columns] = shape;
    return {
      ...{ values: data, count, rows, columns, gap: kernels.shape[1] > 1 ? 3 : 1 },
      order: Array.from({ length: count }, (_, kernel) => kernel),
      scaleOf: () => scale,
    };
  });

  /** @param {number | undefined} kernel */
  function tell(kernel) {
    setText(readout, `kernel ${kernel}`);
  }

  function draw() {
    if (shown === null || !folder.open) return;
    const tiles = tilesOf(shown.kernels);
    sheet.show(tiles, tiles.order, shown.current);
    showLegend(legend, tiles.scaleOf(), { unit: "kernel weight", decimals: 3 });
    tell(shown.current);
  }
  folder.addEventListener("toggle", draw);

  return {
    /** @param {Kernels} kernels @param {number} current */
    show(kernels, current) {
      shown = { kernels, current };
      draw();
    },
  };
}
