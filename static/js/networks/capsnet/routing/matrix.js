/**
 * The mean coupling of each capsule type to each digit, in the iteration on show. The
 * scale is that of all iterations, so what changes in the picture changed in routing.
 * @import { Actions, CapsModel } from "../types.js"
 * @import { Scene, Scenes } from "./scene.js"
 */
import { diverging } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, setAll, setText } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { sameCell } from "./scene.js";
import { beyondEven } from "./sums.js";

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountMatrix(root, scenes, actions) {
  const canvas = findCanvas(root, "[data-matrix]");
  const marks = find(root, "[data-matrix-marks]", SVGSVGElement);
  const row = find(marks, "[data-row]", SVGRectElement);
  const column = find(marks, "[data-column]", SVGRectElement);
  const labels = findElement(root, "[data-matrix-labels]");
  const readout = findElement(root, "[data-matrix-readout]");
  const legend = findElement(root, "[data-matrix-legend]");

  /** @type {{ row: number, column: number } | null} */
  let pointed = null;

  const nameScale = memoize(
    (/** @type {number} */ most, /** @type {number} */ classes) =>
      showLegend(legend, diverging(most), {
        unit: `mean coupling c, beyond an even 1/${classes}`,
        decimals: 3,
      }),
  );
  /** @param {Scene} scene */
  function draw(scene) {
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
    read(scene);
  }
  const nameClasses = memoize((/** @type {CapsModel} */ { class_names }) =>
    labels.replaceChildren(...class_names.map(toSpan)),
  );
  const ask = showSeenFirst(canvas, draw);
  scenes.watch((scene) => {
    nameClasses(scene.model); // at once, for they take room
    ask(scene);
  });

  /** Tell what is pointed at, else what is chosen. @param {Scene} scene */
  function read(scene) {
    const type = pointed?.row ?? scene.place.type;
    const digit = pointed?.column ?? scene.digit;
    const { classes, data } = scene.figures.couplings(scene.step);
    const value = data[type * classes + digit];
    setText(
      readout,
      `type ${type} → ${scene.model.class_names[digit]}: c = ${fixed(value, 4)}`,
    );
  }

  pickFromGrid(canvas, {
    layout() {
      const scene = scenes.shown();
      if (scene === null) return null;
      const { types, classes } = scene.figures.couplings(scene.step);
      return { count: 1, across: 1, rows: types, columns: classes, gap: 0 };
    },
    step: "cell",
    chosen() {
      const scene = scenes.shown();
      return { place: 0, row: scene?.place.type ?? 0, column: scene?.digit ?? 0 };
    },
    choose({ row: type, column: digit }) {
      const scene = scenes.shown();
      if (scene === null) return;
      actions.chooseCapsule(sameCell(scene.model, scene.capsule, type));
      actions.focusDigit(digit);
    },
    hover(cell) {
      pointed = cell;
      const scene = scenes.shown();
      if (scene !== null) read(scene);
    },
  });
}

/** @param {string} text */
function toSpan(text) {
  const span = document.createElement("span");
  setText(span, text);
  return span;
}
