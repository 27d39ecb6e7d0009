/**
 * How far the votes for each capsule above lie from its mean, in each iteration: the
 * paper's figure 2, for this image. Each vote counts what it is assigned, R·a.
 * @import { EmPanel, EmScene } from "./types.js"
 */
import { weightedBins } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { histogramCells, paintHistograms } from "../../../paint/clusters.js";
import { findCanvas, findElement, setText } from "../../../ui/dom.js";
import { sayFinding } from "../../../ui/panel.js";
import { listenToPicture } from "../../../ui/pointing.js";
import { createStage } from "../../../ui/stage.js";
import { moveParent } from "./scene.js";
import { distancesOf, massOf, weightsOf } from "./sums.js";

const COLORS = /** @type {const} */ (["text", "muted", "line", "accent", "focus"]);
const BINS = 14;
const ROW = 62; // CSS pixels
const AROUND = 36; // above and below the rows

const binsOf = memoizeByObject(
  (/** @type {EmScene["routed"]} */ routed) => routed,
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
 * @param {Pick<EmScene, "course" | "step" | "parent" | "name">} scene
 * @returns {string} how far the votes for the capsule in focus lie from their mean
 */
export function findDistance({ course, step, parent, name }) {
  const distances = course.distances()[parent];
  if (Number.isNaN(distances[step])) return `No active capsule votes for ${name}.`;
  const now = `The votes for ${name} lie ${fixed(distances[step], 2)} from their mean, weighted by R·a`;
  return step === 0 || Number.isNaN(distances[0])
    ? `${now}.`
    : `${now}; in the first iteration, ${fixed(distances[0], 2)}.`;
}

/** @type {EmPanel} */
export function mountHistograms(root, room) {
  const { scenes, store } = room;
  const panel = findElement(root, "[data-histograms]");
  const canvas = findCanvas(panel, "canvas");
  const readout = findElement(panel, "[data-readout]");
  let size = { width: 1, height: 1 };

  const ask = createStage(canvas, COLORS, (stage) => {
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
  });
  scenes.watch((scene) => {
    canvas.style.height = `${AROUND + ROW * scene.routed.iterations}px`;
    read(scene, scene.step, scene.parent);
    ask();
  });
  sayFinding(panel, scenes, findDistance);

  /** @param {EmScene} scene @param {number} step @param {number} parent */
  function read({ routed, course }, step, parent) {
    const mean = course.distances()[parent][step];
    const lies = Number.isNaN(mean)
      ? "no vote counts"
      : `${fixed(mean, 2)} on average, weighted by R·a`;
    const mass = fixed(massOf(routed, step, parent), 2);
    setText(
      readout,
      `iteration ${step + 1}, ${routed.names[parent]}: ${lies}; it gets Σ R·a = ${mass}`,
    );
  }
  /** @param {EmScene} scene */
  const cellsOf = ({ routed: { iterations: rows, parents: columns } }) =>
    histogramCells(size, { rows, columns });
  listenToPicture(canvas, {
    under({ x, y }) {
      const scene = scenes.shown();
      return scene && cellsOf(scene).at(x, y);
    },
    point(cell) {
      const scene = scenes.shown();
      if (scene !== null)
        read(scene, cell?.row ?? scene.step, cell?.column ?? scene.parent);
    },
    choose(cell) {
      const scene = scenes.shown();
      if (scene === null || cell === null) return;
      store.set({ step: cell.row + 1 });
      moveParent(room, { type: cell.column });
    },
    walk([down, right]) {
      const scene = scenes.shown();
      if (scene === null) return;
      const step = scene.step + down;
      if (step >= 0 && step < scene.routed.iterations) store.set({ step: step + 1 });
      moveParent(room, { type: scene.parent + right });
    },
    chosen() {
      const scene = scenes.shown();
      if (scene === null) return null;
      const { x, y, width } = cellsOf(scene).boxOf(scene.step, scene.parent);
      return { x: x + width / 2, y };
    },
  });
}
