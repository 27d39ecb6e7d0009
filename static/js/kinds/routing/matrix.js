/**
 * Which share of its output each capsule below, or type of them, sends to which capsule
 * above, as a picture to choose from.
 * @import { Scale } from "../../lib/color.js"
 * @import { Scenes } from "../../core/scenes.js"
 */
import { paintHeatmap } from "../../paint/heatmap.js";
import {
  find,
  findCanvas,
  findElement,
  make,
  setAll,
  setText,
  svg,
} from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { showSeenFirst } from "../../ui/seen.js";

/**
 * @typedef {object} Shares
 * @property {ArrayLike<number>} values row by row
 * @property {number} rows
 * @property {number} columns
 * @property {Scale} scale
 * @property {readonly number[]} [edges] columns before which a line is drawn
 */

/** @typedef {{ row: number, column: number }} Cell */

/**
 * @template {object} Scene
 * @param {HTMLElement} panel
 * @param {Scenes<Scene>} scenes
 * @param {object} matrix
 * @param {(scene: Scene) => void} matrix.name write what takes room: at once
 * @param {(scene: Scene) => Shares} matrix.sharesOf
 * @param {(scene: Scene) => Cell} matrix.chosenIn
 * @param {(scene: Scene, cell: Cell) => string} matrix.read
 * @param {(scene: Scene, cell: Cell) => void} matrix.choose
 */
export function mountMatrix(panel, scenes, { name, sharesOf, chosenIn, read, choose }) {
  const canvas = findCanvas(panel, "canvas");
  const marks = find(panel, "svg", SVGSVGElement);
  const readout = findElement(panel, ".readout");
  /** @type {Cell | null} */
  let pointed = null;
  /** @type {Shares | null} */
  let shown = null;

  /** @param {Scene} scene */
  function draw(scene) {
    shown = sharesOf(scene);
    const { values, rows, columns, scale, edges = [] } = shown;
    const { row, column } = chosenIn(scene);
    paintHeatmap(canvas, values, { rows, columns, scale });
    setAll(marks, { viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: "none" });
    marks.replaceChildren(
      ...edges.map((x) =>
        svg("line", { x1: x, x2: x, y1: 0, y2: rows, class: "type-edge" }),
      ),
      svg("rect", { x: 0, y: row, width: columns, height: 1, class: "chosen" }),
      svg("rect", { x: column, y: 0, width: 1, height: rows, class: "chosen" }),
    );
    tell(scene);
  }
  /** @param {Scene} scene */
  const tell = (scene) => setText(readout, read(scene, pointed ?? chosenIn(scene)));
  const ask = showSeenFirst(canvas, draw);
  scenes.watch((scene) => {
    name(scene);
    ask(scene);
  });

  pickFromGrid(canvas, {
    layout: () =>
      shown && {
        count: 1,
        across: 1,
        rows: shown.rows,
        columns: shown.columns,
        gap: 0,
      },
    step: "cell",
    chosen() {
      const scene = scenes.shown();
      return { place: 0, ...(scene ? chosenIn(scene) : { row: 0, column: 0 }) };
    },
    choose(cell) {
      const scene = scenes.shown();
      if (scene !== null) choose(scene, cell);
    },
    hover(cell) {
      pointed = cell;
      const scene = scenes.shown();
      if (scene !== null) tell(scene);
    },
  });
}

/** @param {HTMLElement} place filled @param {readonly string[]} names */
export function writeNames(place, names) {
  place.replaceChildren(...names.map((name) => make("span", "", name)));
}
