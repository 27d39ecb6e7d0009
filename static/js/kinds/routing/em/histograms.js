/**
 * How far the votes for each capsule above lie from its mean, in each iteration: the
 * paper's figure 2, for this image. Each vote counts what it is assigned, R·a.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */
import { grid } from "../../../draw/grid.js";
import { histograms } from "../../../draw/histograms.js";
import { weightedBins } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { h } from "../../../ui/h.js";
import { moveParent } from "./scene.js";
import { distancesOf, massOf, weightsOf } from "./sums.js";

const BINS = 14;

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

/** @type {Panel<EmScene>} */
export const distances = {
  id: "distances",
  isFolded: true,
  title: "How far votes lie from the mean, in each iteration",
  line: findDistance,
  picture(scene, /** @type {EmRoom} */ room) {
    const { course, routed, step, parent } = scene;
    const { bars, high, most } = binsOf(routed);
    const means = bars.map((_, row) => course.distances().map((each) => each[row]));
    return [
      grid({
        label: "Histograms of the votes’ distances to the mean",
        rows: { of: "iteration", names: bars.map((_, row) => String(row + 1)) },
        columns: { of: "capsule above", names: routed.names },
        mark: histograms({ bars, means, high, most }),
        chosen: { row: step, column: parent },
        choose({ row, column }) {
          room.store.set({ step: row + 1 });
          moveParent(room, { type: column });
        },
        words({ row, column }) {
          const mean = means[row][column];
          const lies = Number.isNaN(mean)
            ? "no vote counts"
            : `${fixed(mean, 2)} on average, weighted by R·a`;
          const mass = fixed(massOf(routed, row, column), 2);
          return `iteration ${row + 1}, ${routed.names[column]}: ${lies}; it gets Σ R·a = ${mass}`;
        },
      }),
      h(
        "p",
        { class: "fine" },
        `Across: the distance ‖V − μ‖, 0 to ${high}; up: Σ R·a of the votes that lie so far. All have the same axes. The mark is their mean. As in figure 2 of the paper, for this image.`,
      ),
    ];
  },
};

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
