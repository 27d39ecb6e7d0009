/**
 * The capsules of the chosen type at their places, coloured by their coupling to the digit
 * in focus; silent ones are crossed out.
 * @import { CapsuleScene } from "./index.js"
 * @import { Scene } from "../scene.js"
 * @import { Actions, RoutingState, RoutingStore } from "../../types.js"
 */

import { crosses } from "../../../../geometry/tiles.js";
import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { fixed } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { find, findCanvas, findElement, setAll } from "../../../../ui/dom.js";
import { pickFromGrid } from "../../../../ui/grid-picker.js";
import { showLegend } from "../../../../ui/pictures.js";
import { capsulePlace, fieldOfCapsule, sidesOf } from "../../places.js";
import { sizesOf } from "../../state.js";
import { beyondEven, ofType } from "../sums.js";
import { capsulesOfType, withSilence } from "../surgery/changes.js";

/** Of the scale, so that the first, even iteration does not show rounding as colour. */
const LEAST_REACH = 0.001;

/**
 * @param {HTMLElement} panel
 * @param {RoutingStore} store
 * @param {Actions} actions
 * @param {(term: string | null) => void} light
 */
export function mountGrid(panel, store, actions, light) {
  const canvas = findCanvas(panel, "[data-type-grid]");
  const marks = find(panel, "[data-type-marks]", SVGSVGElement);
  const silent = find(marks, "[data-silent]", SVGPathElement);
  const cell = find(marks, "[data-cell]", SVGRectElement);
  const readout = findElement(panel, "[data-type-readout]");
  const legend = findElement(panel, "[data-type-legend]");
  const silenceOne = find(panel, '[data-silence="capsule"]', HTMLButtonElement);
  const silenceType = find(panel, '[data-silence="type"]', HTMLButtonElement);
  /** @type {{ rows: number, columns: number, type: number } | null} */
  let at = null;
  /** @type {Scene | null} */
  let scene = null;
  /** @type {{ row: number, column: number } | null} */
  let pointed = null;

  const nameScale = memoize(
    (
      /** @type {number} */ most,
      /** @type {string} */ name,
      /** @type {number} */ classes,
    ) =>
      showLegend(legend, diverging(most), {
        unit: `coupling c to ${name}, beyond an even 1/${classes}`,
        decimals: 3,
      }),
  );

  /** @param {(state: RoutingState) => number[]} choose capsules */
  function toggle(choose) {
    // Asked of the state: a key may come before the picture of the choice before is drawn.
    const state = store.shown();
    if (state === null) return;
    const { surgery } = state;
    const capsules = choose(state);
    const areSilent = capsules.every((capsule) => surgery.silenced.includes(capsule));
    actions.operate(withSilence(surgery, capsules, !areSilent));
  }
  const toggleOne = () => toggle(({ capsule }) => [capsule]);
  const toggleType = () =>
    toggle(({ model, capsule }) => {
      const sizes = sizesOf(model);
      const cells = sidesOf(sizes).primary ** 2;
      return capsulesOfType(capsulePlace(sizes, capsule).type, cells);
    });
  silenceOne.addEventListener("click", toggleOne);
  silenceType.addEventListener("click", toggleType);
  panel.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.key === "x" || event.key === "Delete") toggleOne();
    else if (event.key === "X") toggleType();
    else return;
    event.preventDefault();
  });

  pickFromGrid(canvas, {
    layout: () =>
      at && { count: 1, across: 1, rows: at.rows, columns: at.columns, gap: 0 },
    step: "cell",
    chosen() {
      const state = store.shown();
      if (state === null) return { place: 0, row: 0, column: 0 };
      const { row, column } = capsulePlace(sizesOf(state.model), state.capsule);
      return { place: 0, row, column };
    },
    choose({ row, column }) {
      if (at === null) return;
      actions.chooseCapsule((at.type * at.rows + row) * at.columns + column);
    },
    hover(under) {
      const state = store.shown();
      if (state === null) return;
      const { model, capsule } = state;
      actions.lookAt(under && fieldOfCapsule(sizesOf(model), under.row, under.column));
      const cellUnder = under && at ? under.row * at.columns + under.column : null;
      const isChosen = at && cellUnder === capsule % (at.rows * at.columns);
      light(isChosen ? "c" : null);
      pointed = under;
      if (scene !== null) tell(scene);
    },
  });

  /**
   * Tell of a capsule of the type: the one that is pointed at, else the chosen one.
   * @param {Scene} scene
   */
  function tell({ trace, surgery, step, digit, name, capsule, place }) {
    const couplings = trace.tensors["routing.couplings"];
    const [, , rows, columns] = couplings.shape;
    const cell = pointed
      ? pointed.row * columns + pointed.column
      : capsule % (rows * columns);
    const own = place.type * rows * columns + cell;
    const coupling = ofType(couplings, step, place.type, digit)[cell];
    const length = trace.tensors["primary.lengths"].data[own];
    const where = `row ${Math.floor(cell / columns)}, column ${cell % columns}`;
    const silence = surgery.silenced.includes(own) ? "; silenced" : "";
    readout.textContent = `${where}: c to ${name} = ${fixed(coupling, 4)}; length ‖u‖ = ${fixed(length, 3)}${silence}`;
  }

  return {
    /** @param {CapsuleScene} capsuleScene */
    show({ scene: sceneNow }) {
      scene = sceneNow;
      const { trace, model, surgery, step, digit, name, capsule, place } = scene;
      const couplings = trace.tensors["routing.couplings"];
      const [, , rows, columns] = couplings.shape;
      at = { rows, columns, type: place.type };
      const beyond = beyondEven(
        ofType(couplings, step, place.type, digit),
        model.classes,
      );
      const scale = diverging(Math.max(reach(beyond), LEAST_REACH));
      paintHeatmap(canvas, beyond, { rows, columns, scale });
      setAll(marks, { viewBox: `0 0 ${columns} ${rows}` });
      setAll(cell, { x: place.column, y: place.row });
      nameScale(scale.high, name, model.classes);
      const silenced = silentCells(surgery.silenced, place.type, rows * columns);
      setAll(silent, { d: crosses(silenced, columns) });
      const isSilent = silenced.includes(capsule % (rows * columns));
      tell(scene);
      press(silenceOne, isSilent, "this capsule");
      press(silenceType, silenced.length === rows * columns, `type ${place.type}`);
    },
  };
}

/**
 * @param {readonly number[]} silenced
 * @param {number} type
 * @param {number} cells capsules of one type
 * @returns {number[]} which of its cells are silent
 */
function silentCells(silenced, type, cells) {
  return silenced
    .filter((capsule) => Math.floor(capsule / cells) === type)
    .map((capsule) => capsule % cells);
}

/**
 * @param {HTMLButtonElement} button
 * @param {boolean} isSilent
 * @param {string} what
 */
function press(button, isSilent, what) {
  button.setAttribute("aria-pressed", String(isSilent));
  findElement(button, "[data-word]").textContent = `Silence ${what}`;
}
