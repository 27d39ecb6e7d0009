/**
 * The poses of all classes as matrices side by side, in the iteration on show, and that of
 * the class in focus with its numbers.
 * @import { Actions } from "../../core/actions.js"
 * @import { ClassesModel, ClassesStore } from "./types.js"
 */

import { focusedClass } from "../../core/state.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { compact } from "../../lib/decimals.js";
import { signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { paintHeatmap } from "../../paint/heatmap.js";
import { find, findElement, make, setText } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { numberGrid } from "../../ui/number-grid.js";
import { showLegend } from "../../ui/pictures.js";
import { entryAt, entryPlace, POSE, SIDE } from "../matrices.js";

/** @param {HTMLElement} view @param {ClassesStore} store @param {Actions} actions */
export function mountPoses(view, store, actions) {
  const root = findElement(view, "[data-poses]");
  const list = findElement(root, "[data-all]");
  const grid = numberGrid(findElement(root, "[data-pose]"));
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const steps = findElement(root, "[data-steps]");
  const slider = find(steps, "input", HTMLInputElement);
  const title = findElement(root, "[data-pose-title]");
  /** @type {HTMLCanvasElement[]} */
  let canvases = [];
  let entry = 0;

  slider.addEventListener("input", () => store.set({ step: Number(slider.value) }));
  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, ...entryPlace(entry) }),
    choose: (cell) => store.set({ entry: entryAt(cell) }),
    hover: grid.point,
  });
  const name = memoize((/** @type {ClassesModel} */ { class_names }) => {
    const made = class_names.map((text, classIndex) =>
      poseButton(text, classIndex, actions),
    );
    canvases = made.map(({ canvas }) => canvas);
    list.replaceChildren(...made.map(({ button }) => button));
  });

  store.watch(["classIndex", "trace", "model", "entry", "step"], (state) => {
    const { trace, model } = state;
    const names = model.class_names;
    const classIndex = focusedClass(state);
    entry = state.entry;
    name(model);
    const { shape, data } = trace.tensors.means;
    const [iterations, classes] = shape;
    const step = Math.min(state.step, iterations);
    slider.max = String(iterations);
    slider.value = String(step);
    slider.disabled = iterations === 1;
    setText(findElement(steps, "output"), `${step} of ${iterations}`);
    const now = data.subarray((step - 1) * classes * POSE, step * classes * POSE);
    // One scale for all iterations: what changes in the pictures changed in the poses.
    const scale = diverging(reach(data) || 1);
    const poseOf = (/** @type {number} */ each) =>
      now.subarray(each * POSE, (each + 1) * POSE);
    canvases.forEach((canvas, each) => {
      paintHeatmap(canvas, poseOf(each), { rows: SIDE, columns: SIDE, scale });
      canvas
        .closest("button")
        ?.setAttribute("aria-pressed", String(each === classIndex));
    });
    const format = (/** @type {number} */ value) => compact(value, 3);
    const place = entryPlace(entry);
    grid.show(poseOf(classIndex), { rows: SIDE, columns: SIDE, scale, format });
    grid.choose(place);
    showLegend(legend, scale, { unit: "number in the pose" });
    const where = `row ${place.row + 1}, column ${place.column + 1}`;
    setText(
      readout,
      `class ${names[classIndex]}, ${where}: ${signed(poseOf(classIndex)[entry])}`,
    );
    setText(title, `Pose matrix of class ${names[classIndex]}`);
  });
}

/** @param {string} text @param {number} classIndex @param {Actions} actions */
function poseButton(text, classIndex, actions) {
  const canvas = make("canvas", { "aria-hidden": "true" });
  const button = make("button", "", make("span", "", text), canvas);
  button.addEventListener("click", () => actions.focusClass(classIndex));
  return { button, canvas };
}
