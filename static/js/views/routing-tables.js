/**
 * Routing in numbers: the couplings of the iteration on show, and how everything goes
 * over the iterations.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../store.js"
 * @import { Scene } from "./routing-trace.js"
 */
import { find, findElement } from "../parts/find.js";
import { valueTable } from "../parts/value-table.js";
import { SCENE, sceneOf } from "./routing-trace.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 */
export function mountTables(root, store) {
  for (const [name, tableOf] of /** @type {const} */ ([
    ["couplings", tableOfCouplings],
    ["course", tableOfCourse],
  ])) {
    const folder = find(root, `[data-numbers="${name}"]`, HTMLDetailsElement);
    const place = findElement(folder, "[data-table]");
    const draw = () => {
      const scene = sceneOf(store.get());
      if (scene !== null && folder.open) place.replaceChildren(tableOf(scene));
    };
    store.watch(SCENE, draw);
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
function tableOfCourse({ figures, digit, name, trace, model }) {
  const spread = figures.spread(digit);
  const columns = [
    ...figures.lengths(),
    figures.agreement()[digit],
    figures.decided(),
    ...spread.toReversed(),
  ];
  const values = Array.from({ length: trace.iterations }, (_, step) =>
    columns.map((each) => each[step]),
  ).flat();
  return valueTable(values, {
    rows: trace.iterations,
    columns: columns.length,
    rowNames: Array.from({ length: trace.iterations }, (_, i) => String(i + 1)),
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
