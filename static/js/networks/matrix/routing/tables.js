/**
 * What the pictures of routing show, as tables: for reading, and for copying.
 * @import { Scene, Scenes } from "./scene.js"
 */
import { find, findElement } from "../../../ui/dom.js";
import { valueTable } from "../../../ui/tables.js";

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 */
export function mountTables(root, scenes) {
  for (const [name, tables] of /** @type {const} */ ([
    ["course", courseTables],
    ["assignments", assignmentTables],
  ])) {
    const folder = find(root, `[data-numbers="${name}"]`, HTMLDetailsElement);
    const place = findElement(folder, "[data-table]");
    const fill = () => {
      const scene = scenes.shown();
      if (folder.open && scene !== null) place.replaceChildren(...tables(scene));
    };
    scenes.watch(fill);
    folder.addEventListener("toggle", fill);
  }
}

/** @param {Scene} scene */
function courseTables({ routed, course }) {
  const columnNames = Array.from(
    { length: routed.iterations },
    (_, step) => `iteration ${step + 1}`,
  );
  const table = (
    /** @type {string} */ title,
    /** @type {readonly number[][]} */ all,
  ) => {
    const made = valueTable(all.flat(), {
      rows: routed.parents,
      columns: routed.iterations,
      rowNames: routed.names,
      columnNames,
      corner: routed.above === "classes" ? "class" : "type",
    });
    made.createCaption().textContent = title;
    return made;
  };
  return [
    table("Activation", course.activations()),
    table("Cost", course.costs()),
    table("Share of the votes", course.shares()),
    table(
      "Mean distance of the votes to the mean, weighted by R·a",
      course.distances(),
    ),
  ];
}

/** @param {Scene} scene */
function assignmentTables({ routed, step }) {
  return [
    valueTable(routed.assignments(step), {
      rows: routed.children.length,
      columns: routed.parents,
      rowNames: routed.children.map(
        ({ type, row, column }) => `type ${type}: ${row}, ${column}`,
      ),
      columnNames: routed.names,
      corner: "capsule below",
      decimals: 4,
    }),
  ];
}
