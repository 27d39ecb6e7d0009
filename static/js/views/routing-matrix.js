/**
 * The mean coupling of each capsule type to each digit, in the iteration on show. The
 * scale is that of all iterations, so what changes in the picture changed in routing.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { diverging } from "../lib/color.js";
import { fixed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { beyondEven } from "../lib/routing.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { say } from "../parts/say.js";
import { whileSeen } from "../parts/seen.js";
import { setAll } from "../parts/svg.js";
import { SCENE, sameCell, sceneOf } from "./routing-trace.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountMatrix(root, store, actions) {
  const canvas = findCanvas(root, "[data-matrix]");
  const marks = find(root, "[data-matrix-marks]", SVGSVGElement);
  const row = find(marks, "[data-row]", SVGRectElement);
  const column = find(marks, "[data-column]", SVGRectElement);
  const labels = findElement(root, "[data-matrix-labels]");
  const readout = findElement(root, "[data-matrix-readout]");
  const legend = findElement(root, "[data-matrix-legend]");

  const nameScale = onChange(
    (/** @type {number} */ most, /** @type {number} */ classes) =>
      showLegend(legend, diverging(most), {
        unit: `mean coupling c, beyond an even 1/${classes}`,
        decimals: 3,
      }),
  );
  function draw() {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const { types, classes, data } = scene.figures.couplings(scene.step);
    const most = scene.figures.mostCoupling();
    nameScale(most, classes);
    const beyond = beyondEven(data, classes);
    paintHeatmap(canvas, beyond, {
      rows: types,
      columns: classes,
      scale: diverging(most),
    });
    setAll(marks, { viewBox: `0 0 ${classes} ${types}`, preserveAspectRatio: "none" });
    setAll(row, { x: 0, y: scene.place.type, width: classes, height: 1 });
    setAll(column, { x: scene.digit, y: 0, width: 1, height: types });
    read(scene.place.type, scene.digit);
  }
  store.watch(SCENE, whileSeen(canvas, draw));

  store.watch(["model"], ({ model }) => {
    labels.replaceChildren(...(model?.class_names ?? []).map(toSpan));
  });

  /** @param {number} type @param {number} digit */
  function read(type, digit) {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const { classes, data } = scene.figures.couplings(scene.step);
    const value = data[type * classes + digit];
    say(
      readout,
      `type ${type} → ${scene.model.class_names[digit]}: c = ${fixed(value, 4)}`,
    );
  }

  pickFromGrid(canvas, {
    layout() {
      const scene = sceneOf(store.get());
      if (scene === null) return null;
      const { types, classes } = scene.figures.couplings(scene.step);
      return { count: 1, across: 1, rows: types, columns: classes, gap: 0 };
    },
    step: "cell",
    chosen() {
      const scene = sceneOf(store.get());
      return { place: 0, row: scene?.place.type ?? 0, column: scene?.digit ?? 0 };
    },
    choose({ row: type, column: digit }) {
      const { model, capsule } = store.get();
      if (model === null) return;
      actions.chooseCapsule(sameCell(model, capsule, type));
      actions.focusDigit(digit);
    },
    hover(cell) {
      const scene = sceneOf(store.get());
      if (scene === null) return;
      read(cell?.row ?? scene.place.type, cell?.column ?? scene.digit);
    },
  });
}

/** @param {string} text */
function toSpan(text) {
  const span = document.createElement("span");
  say(span, text);
  return span;
}
