/**
 * The lengths, and how the couplings of the capsules below spread, over the iterations.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { DynamicScene as Scene, PanelAct } from "./types.js"
 */
import { presence } from "../../../lib/decimals.js";
import { fixed, numbered } from "../../../lib/format.js";
import { COURSES, coursesIn, focusLast, SHARES } from "../curves.js";
import { couplingText } from "./course.js";

/** @type {Panel<Scene, Scene, PanelAct>} */
export const courses = {
  ...COURSES,
  picture: (scene, { set }) =>
    coursesIn(scene, chartsOf(scene), (step) => set({ step })),
  words: ({ nouns: { plural: many } }) => [
    `Length: the other ${many} are faint. Largest c: faint are the 99th, 90th and 50th percentiles over all capsules.`,
  ],
  table: { title: "Table: all iterations", of: (scene) => [valuesOf(scene)] },
};

/** @param {Scene} scene */
function chartsOf({ figures, step, classIndex, name }) {
  const lengths = figures.lengths();
  const spread = figures.spread(classIndex);
  return [
    {
      name: "lengths",
      title: `Length ‖v‖ of ${name}`,
      value: presence(lengths[classIndex][step]),
      lines: focusLast(lengths, classIndex),
      ticks: SHARES,
    },
    {
      name: "spread",
      title: `Largest c to ${name}`,
      value: couplingText(spread[3][step]),
      lines: focusLast(spread, 3),
      ticks: SHARES,
    },
  ];
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
    [`largest c to ${name}`, largest],
    ["above 99 %", most99],
    ["above 90 %", most90],
    ["median", median],
  ];
  return {
    of: "iteration",
    names: numbered(iterations, 1),
    columns: columns.map(([head, values]) => [head, values, exact]),
  };
}
