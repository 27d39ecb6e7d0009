/**
 * The capsules of the chosen type at their places, coloured by their coupling to the class
 * in focus; silent ones are crossed out.
 * @import { DynamicRoom, DynamicScene as Scene } from "../types.js"
 * @import { CapsuleScene } from "./index.js"
 */
import { crosses } from "../../../../geometry/tiles.js";
import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { fixed } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { hasModifier } from "../../../../ui/controls.js";
import { find, findCanvas, findElement, setAll, setText } from "../../../../ui/dom.js";
import { showLegend } from "../../../../ui/pictures.js";
import { numberOf, placeIn } from "../../../capsules/places.js";
import { capsulesOfType, withSilence } from "../../surgery/changes.js";
import { isOperable } from "../ends.js";
import { lookAtPlace, pickPlace } from "../scene.js";
import { beyondEven, ofClass } from "../sums.js";

/** Of the scale, so that the first, even iteration does not show rounding as colour. */
const LEAST_REACH = 0.001;

/**
 * @param {HTMLElement} panel @param {DynamicRoom} room
 * @param {(term: string | null) => void} light
 * @returns {(scene: CapsuleScene) => void} show it
 */
export function mountGrid(panel, room, light) {
  const { scenes } = room;
  const canvas = findCanvas(panel, "[data-type-grid]");
  const marks = find(panel, "[data-type-marks]", SVGSVGElement);
  const silent = find(marks, "[data-silent]", SVGPathElement);
  const cell = find(marks, "[data-cell]", SVGRectElement);
  const readout = findElement(panel, "[data-type-readout]");
  const legend = findElement(panel, "[data-type-legend]");
  const showSilence = mountSilencing(panel, room);
  /** @type {{ row: number, column: number } | null} */
  let pointed = null;

  const nameScale = memoize(
    (/** @type {number} */ most, /** @type {string} */ name, /** @type {number} */ n) =>
      showLegend(legend, diverging(most), {
        unit: `coupling c to ${name}, beyond an even 1/${n}`,
        decimals: 3,
      }),
  );
  pickPlace(canvas, room, (under) => {
    const scene = scenes.shown();
    if (scene === null) return;
    const { row, column } = scene.place;
    lookAtPlace(room, under);
    light(under?.row === row && under.column === column ? "c" : null);
    pointed = under;
    tell(scene);
  });

  /**
   * Tell of a capsule of the type: the one that is pointed at, else the chosen one.
   * @param {Scene} scene
   */
  function tell({ tensors, surgery, step, classIndex, name, grid, place }) {
    const { row, column } = pointed ?? place;
    const own = numberOf(grid, { type: place.type, row, column });
    const coupling = ofClass(tensors.couplings, step, classIndex)[own];
    const length = tensors.lengths.data[own];
    const silence = surgery.silenced.includes(own) ? "; silenced" : "";
    setText(
      readout,
      `row ${row}, column ${column}: c to ${name} = ${fixed(coupling, 4)}; length ‖u‖ = ${fixed(length, 3)}${silence}`,
    );
  }

  return ({ scene }) => {
    const { tensors, ends, surgery, step, classIndex, name, place, grid } = scene;
    const { rows, columns } = grid;
    const own = capsulesOfType(place.type, rows * columns);
    const all = ofClass(tensors.couplings, step, classIndex);
    const beyond = beyondEven(all.slice(own[0], own[0] + own.length), ends.length);
    const scale = diverging(Math.max(reach(beyond), LEAST_REACH));
    paintHeatmap(canvas, beyond, { rows, columns, scale });
    setAll(marks, { viewBox: `0 0 ${columns} ${rows}` });
    setAll(cell, { x: place.column, y: place.row });
    nameScale(scale.high, name, ends.length);
    const silenced = own.filter((each) => surgery.silenced.includes(each));
    const cells = silenced.map((each) => each - own[0]);
    setAll(silent, { d: crosses(cells, columns) });
    showSilence(scene, silenced);
    tell(scene);
  };
}

/**
 * Buttons and keys that silence the chosen capsule, or its type.
 * @param {HTMLElement} panel @param {DynamicRoom} room
 * @returns {(scene: Scene, silenced: readonly number[]) => void} silenced: of its type
 */
function mountSilencing(panel, { store, scenes, layer }) {
  const one = find(panel, '[data-silence="capsule"]', HTMLButtonElement);
  const all = find(panel, '[data-silence="type"]', HTMLButtonElement);

  /** @param {boolean} isType */
  function toggle(isType) {
    // Asked of the state: a key may come before the run of the choice before is here.
    const [state, scene] = [store.shown(), scenes.shown()];
    if (state === null || scene === null || !isOperable(layer, scene.model)) return;
    const { surgery, capsule } = state;
    const { rows, columns } = scene.grid;
    const { type } = placeIn(scene.grid, capsule);
    const capsules = isType ? capsulesOfType(type, rows * columns) : [capsule];
    const areSilent = capsules.every((each) => surgery.silenced.includes(each));
    store.set({ surgery: withSilence(surgery, capsules, !areSilent) });
  }
  one.addEventListener("click", () => toggle(false));
  all.addEventListener("click", () => toggle(true));
  panel.addEventListener("keydown", (event) => {
    if (hasModifier(event) || event.repeat) return;
    if (event.key === "x" || event.key === "Delete") toggle(false);
    else if (event.key === "X") toggle(true);
    else return;
    event.preventDefault();
  });
  return ({ capsule, place, grid }, silenced) => {
    press(one, silenced.includes(capsule), "this capsule");
    press(all, silenced.length === grid.rows * grid.columns, `type ${place.type}`);
  };
}

/** @param {HTMLButtonElement} button @param {boolean} isSilent @param {string} what */
function press(button, isSilent, what) {
  button.setAttribute("aria-pressed", String(isSilent));
  setText(findElement(button, "[data-word]"), `Silence ${what}`);
}
