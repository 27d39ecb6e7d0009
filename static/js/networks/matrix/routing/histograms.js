/**
 * How far the votes for each capsule above lie from its mean, in each iteration: the
 * paper's figure 2, for this image. Each vote counts what it is assigned, R·a.
 * @import { Stage } from "../../../ui/stage.js"
 * @import { Actions } from "../types.js"
 * @import { Scene, Scenes } from "./scene.js"
 */
import { sum, weightedBins } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { histogramCells, paintHistograms } from "../../../paint/clusters.js";
import { arrowOf } from "../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../ui/dom.js";
import { createStage } from "../../../ui/stage.js";
import { chooseParent } from "./choose.js";
import { distancesOf, weightsOf } from "./sums.js";

const COLORS = /** @type {const} */ (["text", "muted", "line", "accent", "focus"]);
const BINS = 14;
const ROW = 62; // CSS pixels
const AROUND = 36; // above and below the rows

const binsOf = memoizeByObject(
  (/** @type {Scene["routed"]} */ routed) => routed,
  (routed) => {
    const { iterations, parents } = routed;
    const steps = Array.from({ length: iterations }, (_, step) => step);
    const each = Array.from({ length: parents }, (_, parent) => parent);
    const distances = steps.map((step) =>
      each.map((parent) => distancesOf(routed, step, parent)),
    );
    const high = Math.max(1, Math.ceil(Math.max(...distances.flat().map(largest))));
    const bars = steps.map((step) =>
      each.map((parent) =>
        weightedBins(distances[step][parent], weightsOf(routed, step, parent), {
          bins: BINS,
          high,
        }),
      ),
    );
    return { bars, high, most: Math.max(...bars.flat().map(largest)) || 1 };
  },
);

/** @param {Float64Array} values */
function largest(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountHistograms(root, scenes, actions) {
  const panel = findElement(root, "[data-histograms]");
  const canvas = findCanvas(panel, "canvas");
  const readout = findElement(panel, "[data-readout]");
  let size = { width: 1, height: 1 };

  const ask = createStage(
    canvas,
    COLORS,
    (/** @type {Stage<typeof COLORS[number]>} */ stage) => {
      const scene = scenes.shown();
      if (scene === null) return;
      const { context, width, height, colors, font } = stage;
      size = { width, height };
      const { course, routed, step, parent } = scene;
      const means = course.distances();
      const histograms = {
        ...binsOf(routed),
        means: binsOf(routed).bars.map((_, row) => means.map((each) => each[row])),
        names: routed.names,
        row: step,
        column: parent,
      };
      paintHistograms(context, histograms, size, colors, font);
    },
  );
  scenes.watch((scene) => {
    canvas.style.height = `${AROUND + ROW * scene.routed.iterations}px`;
    read(scene, scene.step, scene.parent);
    ask();
  });

  /** @param {Scene} scene @param {number} step @param {number} parent */
  function read({ routed, course }, step, parent) {
    const mean = course.distances()[parent][step];
    const lies = Number.isNaN(mean)
      ? "no vote counts"
      : `${fixed(mean, 2)} on average, weighted by R·a`;
    setText(
      readout,
      `iteration ${step + 1}, ${routed.names[parent]}: ${lies}; it gets Σ R·a = ${fixed(
        sum(weightsOf(routed, step, parent)),
        2,
      )}`,
    );
  }
  /** @param {MouseEvent} event */
  function under({ offsetX, offsetY }) {
    const scene = scenes.shown();
    if (scene === null) return null;
    const { iterations: rows, parents: columns } = scene.routed;
    return { scene, ...histogramCells(size, { rows, columns }).at(offsetX, offsetY) };
  }
  canvas.addEventListener("pointermove", (event) => {
    const found = under(event);
    if (found !== null) read(found.scene, found.row, found.column);
  });
  canvas.addEventListener("pointerleave", () => {
    const scene = scenes.shown();
    if (scene !== null) read(scene, scene.step, scene.parent);
  });
  canvas.addEventListener("click", (event) => {
    const found = under(event);
    if (found === null) return;
    actions.showStep(found.row + 1);
    chooseParent(found.scene, actions, found.column);
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    const scene = scenes.shown();
    if (arrow === null || scene === null) return;
    event.preventDefault();
    const [down, right] = arrow;
    const step = scene.step + down;
    if (step >= 0 && step < scene.routed.iterations) actions.showStep(step + 1);
    chooseParent(scene, actions, scene.parent + right);
  });
}
