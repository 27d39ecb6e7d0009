/**
 * The lengths, how far votes agree, how decided the capsules below are, and how their
 * couplings spread, over the iterations.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { DynamicScene as Scene, PanelAct } from "./types.js"
 */
import { exactShare, ticksTo } from "../../../lib/decimals.js";
import { fixed, percent } from "../../../lib/format.js";
import { COURSES, coursesIn, focusLast, SHARES } from "../curves.js";

/** Bits; an axis that ends lower would show nothing but rounding. */
const LEAST_BITS = 0.001;

/** @type {Panel<Scene, Scene, PanelAct>} */
export const courses = {
  ...COURSES,
  picture: (scene, { set }) =>
    coursesIn(scene, chartsOf(scene), (step) => set({ step })),
  words({ ends, nouns: { one, many }, model }) {
    const hasNone = ends.length > model.classes;
    const [included, beside] = hasNone
      ? [", “none of the above” included,", ", or to “none of the above”"]
      : ["", ""];
    return [
      `Length: the other ${many} are faint. Agreement: Σ û·v of all votes with the capsule above. Decided: log₂${ends.length} minus the mean entropy of c${included} in bits: 0 when all couplings are even, ${Math.log2(ends.length).toFixed(2)} when each capsule sends everything to one ${one}${beside}. Largest c: faint are the 99th, 90th and 50th percentiles over all capsules.`,
    ];
  },
  table: { title: "Table: all iterations", of: (scene) => [valuesOf(scene)] },
};

/** @param {Scene} scene */
function chartsOf({ figures, step, classIndex, name }) {
  const [lengths, agreement] = [figures.lengths(), figures.agreement()];
  const decided = figures.decided();
  const spread = figures.spread(classIndex);
  return [
    {
      ...{ name: "lengths", title: `Length ‖v‖ of ${name}` },
      value: exactShare(lengths[classIndex][step], 3),
      ...{ lines: focusLast(lengths, classIndex), ticks: SHARES },
    },
    {
      ...{ name: "agreement", title: "Agreement" },
      value: fixed(agreement[classIndex][step], 2),
      lines: focusLast(agreement, classIndex),
      ticks: ticksAround(agreement.flat()),
    },
    {
      ...{ name: "decided", title: "Decided" },
      value: `${fixed(decided[step], 4)} bits`,
      lines: [{ values: decided, look: "is-set-off" }],
      ticks: ticksTo(Math.max(...decided, LEAST_BITS), 2),
    },
    {
      ...{ name: "spread", title: `Largest c to ${name}` },
      value: percent(spread[3][step], 0),
      ...{ lines: focusLast(spread, 3), ticks: SHARES },
    },
  ];
}

/** @param {readonly number[]} values */
function ticksAround(values) {
  const above = ticksTo(Math.max(...values), 2);
  const lowest = Math.min(...values);
  // Sums a hair below zero need no room of their own.
  if (lowest > -0.02 * above[above.length - 1]) return above;
  const below = ticksTo(-lowest, 1).slice(1).reverse();
  return [...below.map((tick) => -tick), ...above];
}

/** @param {number} value */
const exact = (value) => fixed(value, 4);

/** @param {Scene} scene @returns {import("../../../ui/values.js").Values} */
function valuesOf({ figures, classIndex, name, iterations, model }) {
  const [median, most90, most99, largest] = figures.spread(classIndex);
  /** @type {[string, readonly number[]][]} */
  const columns = [
    ...figures
      .lengths()
      .map(
        (values, i) =>
          /** @type {[string, number[]]} */ ([`‖v‖ ${model.class_names[i]}`, values]),
      ),
    [`agreement ${name}`, figures.agreement()[classIndex]],
    ["decided, bits", figures.decided()],
    [`largest c to ${name}`, largest],
    ["above 99 %", most99],
    ["above 90 %", most90],
    ["median", median],
  ];
  return {
    of: "iteration",
    names: Array.from({ length: iterations }, (_, step) => String(step + 1)),
    columns: columns.map(([head, values]) => [head, values, exact]),
  };
}
