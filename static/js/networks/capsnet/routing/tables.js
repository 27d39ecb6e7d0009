/**
 * Routing in numbers: the couplings of the iteration on show, and how everything goes
 * over the iterations.
 * @import { Scene, Scenes } from "./scene.js"
 */
import { find, findElement } from "../../../ui/dom.js";
import { valueTable } from "../../../ui/tables.js";

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 */
export function mountTables(root, scenes) {
  for (const [name, tableOf] of /** @type {const} */ ([
    ["couplings", tableOfCouplings],
    ["course", tableOfCourse],
  ])) {
    const folder = find(root, `[data-numbers="${name}"]`, HTMLDetailsElement);
    const place = findElement(folder, "[data-table]");
    const draw = () => {
      const scene = scenes.shown();
      if (scene !== null && folder.open) place.replaceChildren(tableOf(scene));
    };
    scenes.watch(draw);
    folder.addEventListener("toggle", draw);
  }
}

/** @param {Scene} scene */
function tableOfCouplings({ figures, step, model }) {
  const { types, classes, data } = figures.couplings(step);
  return valueTable(data, {
    rows: types,
    columns: classes,
    rowNames: Array.from({ length: types }, (_, type) => `type ${type}`),
    columnNames: model.class_names,
    corner: "c",
    decimals: 4,
  });
}

/** @param {Scene} scene */
function tableOfCourse({ figures, digit, name, iterations, model }) {
  const spread = figures.spread(digit);
  const columns = [
    ...figures.lengths(),
    figures.agreement()[digit],
    figures.decided(),
    ...spread.toReversed(),
  ];
  const values = Array.from({ length: iterations }, (_, step) =>
    columns.map((each) => each[step]),
  ).flat();
  return valueTable(values, {
    rows: iterations,
    columns: columns.length,
    rowNames: Array.from({ length: iterations }, (_, i) => String(i + 1)),
    columnNames: [
      ...model.class_names.map((each) => `‖v‖ ${each}`),
      `agreement ${name}`,
      "decided, bits",
      `largest c to ${name}`,
      "above 99 %",
      "above 90 %",
      "median",
    ],
    corner: "iteration",
    decimals: 4,
  });
}
