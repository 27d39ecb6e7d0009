/**
 * Every assignment R of the iteration on show: a row for each capsule above, a column for
 * each capsule below, type by type.
 * @import { Actions } from "../types.js"
 * @import { Scene, Scenes } from "./scene.js"
 */
import { sequential } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import {
  find,
  findCanvas,
  findElement,
  setAll,
  setText,
  svg,
} from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { chooseChild, chooseParent } from "./choose.js";

/** Assignments are shares, whatever the image. */
const SCALE = sequential(0, 1);

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountMatrix(root, scenes, actions) {
  const panel = findElement(root, "[data-assignments]");
  const canvas = findCanvas(panel, "canvas");
  const marks = find(panel, "svg", SVGSVGElement);
  const rows = findElement(panel, "[data-row-names]");
  const columns = findElement(panel, "[data-column-names]");
  const readout = findElement(panel, "[data-readout]");
  showLegend(findElement(panel, "[data-legend]"), SCALE, {
    unit: "assignment R",
    decimals: 0,
  });

  const name = memoize((/** @type {Scene["routed"]} */ { names, children }) => {
    const types = [...new Set(children.map(({ type }) => type))];
    rows.replaceChildren(...names.map(toSpan));
    columns.replaceChildren(...types.map((type) => toSpan(String(type))));
  });

  /** @param {Scene} scene */
  function draw(scene) {
    const { routed, step, parent, child } = scene;
    const { parents, children } = routed;
    const shares = routed.assignments(step);
    const count = children.length;
    const values = shares.map(
      (_, i) => shares[(i % count) * parents + Math.floor(i / count)],
    );
    paintHeatmap(canvas, values, { rows: parents, columns: count, scale: SCALE });
    setAll(marks, { viewBox: `0 0 ${count} ${parents}`, preserveAspectRatio: "none" });
    marks.replaceChildren(
      ...edgesOf(scene).map((x) =>
        svg("line", { x1: x, x2: x, y1: 0, y2: parents, class: "type-edge" }),
      ),
      svg("rect", { x: 0, y: parent, width: count, height: 1, class: "chosen" }),
      svg("rect", { x: child, y: 0, width: 1, height: parents, class: "chosen" }),
    );
    read(scene, parent, child);
  }
  const ask = showSeenFirst(canvas, draw);
  scenes.watch((scene) => {
    name(scene.routed);
    ask(scene);
  });

  /** @param {Scene} scene @param {number} parent @param {number} child */
  function read({ routed, step }, parent, child) {
    const { type, row, column } = routed.children[child];
    const share = routed.assignments(step)[child * routed.parents + parent];
    setText(
      readout,
      `type ${type}, row ${row}, column ${column} → ${routed.names[parent]}: R = ${fixed(share, 4)}; the capsule is ${fixed(routed.presence[child], 3)} active`,
    );
  }

  pickFromGrid(canvas, {
    layout() {
      const scene = scenes.shown();
      if (scene === null) return null;
      const { parents, children } = scene.routed;
      return { count: 1, across: 1, rows: parents, columns: children.length, gap: 0 };
    },
    step: "cell",
    chosen() {
      const scene = scenes.shown();
      return { place: 0, row: scene?.parent ?? 0, column: scene?.child ?? 0 };
    },
    choose({ row, column }) {
      const scene = scenes.shown();
      if (scene === null) return;
      chooseChild(scene, actions, column);
      chooseParent(scene, actions, row);
    },
    hover(cell) {
      const scene = scenes.shown();
      if (scene !== null)
        read(scene, cell?.row ?? scene.parent, cell?.column ?? scene.child);
    },
  });
}

/**
 * Where one type of capsules below ends and the next begins.
 * @param {Scene} scene
 */
function edgesOf({ routed: { children } }) {
  return children.flatMap(({ type }, i) =>
    i > 0 && children[i - 1].type !== type ? [i] : [],
  );
}

/** @param {string} text */
function toSpan(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}
