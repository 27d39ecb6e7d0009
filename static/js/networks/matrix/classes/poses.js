/**
 * The poses of all classes as matrices side by side, in the iteration on show, and that of
 * the class in focus with its numbers.
 * @import { TraceOf } from "../../../types.js"
 * @import { Actions, MatrixModel } from "../types.js"
 */
import { numberGrid } from "../../../convolution/number-grid.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { compact } from "../../../lib/decimals.js";
import { signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { POSE, SIDE } from "../places.js";

/**
 * @typedef {object} Shown
 * @property {TraceOf<"routing.means" | "scores">} trace
 * @property {MatrixModel} model
 * @property {number} entry 0..15
 * @property {number} step 1 first
 * @property {number} digit in focus
 */

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountPoses(root, actions) {
  const list = findElement(root, "[data-all]");
  const grid = numberGrid(findElement(root, "[data-pose]"));
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const steps = findElement(root, "[data-steps]");
  const slider = find(steps, "input", HTMLInputElement);
  /** @type {HTMLCanvasElement[]} */
  let canvases = [];
  let entry = 0;

  slider.addEventListener("input", () => actions.showStep(Number(slider.value)));
  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: Math.floor(entry / SIDE), column: entry % SIDE }),
    choose: ({ row, column }) => actions.chooseEntry(row * SIDE + column),
    hover: grid.point,
  });
  const name = memoize((/** @type {MatrixModel} */ { class_names }) => {
    const made = class_names.map((text, digit) => poseButton(text, digit, actions));
    canvases = made.map(({ canvas }) => canvas);
    list.replaceChildren(...made.map(({ button }) => button));
  });

  return {
    /** @param {Shown} shown */
    show({ trace, model, entry: entryNow, step: asked, digit }) {
      entry = entryNow;
      name(model);
      const { shape, data } = trace.tensors["routing.means"];
      const [iterations, classes] = shape;
      const step = Math.min(asked, iterations);
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
        const button = canvas.closest("button");
        button?.setAttribute("aria-pressed", String(each === digit));
      });
      const format = (/** @type {number} */ value) => compact(value, 3);
      grid.show(poseOf(digit), { rows: SIDE, columns: SIDE, scale, format });
      grid.choose({ row: Math.floor(entry / SIDE), column: entry % SIDE });
      showLegend(legend, scale, { unit: "number in the pose" });
      const where = `row ${Math.floor(entry / SIDE) + 1}, column ${(entry % SIDE) + 1}`;
      setText(
        readout,
        `class ${model.class_names[digit]}, ${where}: ${signed(poseOf(digit)[entry])}`,
      );
      setText(
        findElement(root, "[data-pose-title]"),
        `Pose matrix of class ${model.class_names[digit]}`,
      );
    },
  };
}

/**
 * @param {string} text
 * @param {number} digit
 * @param {Actions} actions
 */
function poseButton(text, digit, actions) {
  const button = document.createElement("button");
  const canvas = document.createElement("canvas");
  const label = document.createElement("span");
  button.type = "button";
  label.textContent = text;
  canvas.setAttribute("aria-hidden", "true");
  button.append(label, canvas);
  button.addEventListener("click", () => actions.focusDigit(digit));
  return { button, canvas };
}
