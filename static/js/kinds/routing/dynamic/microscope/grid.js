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
import { find, findCanvas, findElement, setAll, setText } from "../../../../ui/dom.js";
import { pickFromGrid } from "../../../../ui/grid-picker.js";
import { showLegend } from "../../../../ui/pictures.js";
import { numberOf, placeIn } from "../../scenes.js";
import { beyondEven, ofDigit } from "../sums.js";
import { capsulesOfType, withSilence } from "../surgery/changes.js";

/** Of the scale, so that the first, even iteration does not show rounding as colour. */
const LEAST_REACH = 0.001;

/**
 * @param {HTMLElement} panel
 * @param {DynamicRoom} room
 * @param {(term: string | null) => void} light
 * @returns {(scene: CapsuleScene) => void} show it
 */
export function mountGrid(panel, { store, layer, hand }, light) {
  const canvas = findCanvas(panel, "[data-type-grid]");
  const marks = find(panel, "[data-type-marks]", SVGSVGElement);
  const silent = find(marks, "[data-silent]", SVGPathElement);
  const cell = find(marks, "[data-cell]", SVGRectElement);
  const readout = findElement(panel, "[data-type-readout]");
  const legend = findElement(panel, "[data-type-legend]");
  const silenceOne = find(panel, '[data-silence="capsule"]', HTMLButtonElement);
  const silenceType = find(panel, '[data-silence="type"]', HTMLButtonElement);
  /** @type {Scene | null} */
  let scene = null;
  /** @type {{ row: number, column: number } | null} */
  let pointed = null;

  const nameScale = memoize(
    (/** @type {number} */ most, /** @type {string} */ name, /** @type {number} */ n) =>
      showLegend(legend, diverging(most), {
        unit: `coupling c to ${name}, beyond an even 1/${n}`,
        decimals: 3,
      }),
  );

  // Asked of the state: a key may come before the picture of the choice before is drawn.
  const now = () => {
    const state = store.shown();
    if (state === null) return null;
    const [types, rows, columns] = layer.shapeOf(state.model, "lengths");
    const grid = { types, rows, columns };
    return { ...state, grid, place: placeIn(grid, state.capsule) };
  };
  /** @param {(state: NonNullable<ReturnType<typeof now>>) => number[]} choose capsules */
  function toggle(choose) {
    const state = now();
    if (state === null) return;
    const { surgery } = state;
    const capsules = choose(state);
    const areSilent = capsules.every((capsule) => surgery.silenced.includes(capsule));
    hand.operate(withSilence(surgery, capsules, !areSilent));
  }
  const toggleOne = () => toggle(({ capsule }) => [capsule]);
  const toggleType = () =>
    toggle(({ grid, place }) => capsulesOfType(place.type, grid.rows * grid.columns));
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
    layout: () => scene && { ...scene.grid, count: 1, across: 1, gap: 0 },
    step: "cell",
    chosen: () => ({ row: 0, column: 0, ...now()?.place, place: 0 }),
    choose({ row, column }) {
      if (scene !== null)
        hand.capsule(numberOf(scene.grid, { type: scene.place.type, row, column }));
    },
    hover(under) {
      const state = now();
      if (state === null) return;
      const { row, column } = state.place;
      hand.lookAt(under);
      light(under?.row === row && under.column === column ? "c" : null);
      pointed = under;
      if (scene !== null) tell(scene);
    },
  });

  /**
   * Tell of a capsule of the type: the one that is pointed at, else the chosen one.
   * @param {Scene} scene
   */
  function tell({ tensors, surgery, step, digit, name, grid, place }) {
    const { row, column } = pointed ?? place;
    const own = numberOf(grid, { type: place.type, row, column });
    const coupling = ofDigit(tensors.couplings, step, digit)[own];
    const length = tensors.lengths.data[own];
    const silence = surgery.silenced.includes(own) ? "; silenced" : "";
    setText(
      readout,
      `row ${row}, column ${column}: c to ${name} = ${fixed(coupling, 4)}; length ‖u‖ = ${fixed(length, 3)}${silence}`,
    );
  }

  return ({ scene: sceneNow }) => {
    scene = sceneNow;
    const { tensors, model, surgery, step, digit, name, capsule, place, grid } = scene;
    const { rows, columns } = grid;
    const own = capsulesOfType(place.type, rows * columns);
    const couplings = ofDigit(tensors.couplings, step, digit);
    const beyond = beyondEven(
      couplings.subarray(own[0], own[0] + own.length),
      model.classes,
    );
    const scale = diverging(Math.max(reach(beyond), LEAST_REACH));
    paintHeatmap(canvas, beyond, { rows, columns, scale });
    setAll(marks, { viewBox: `0 0 ${columns} ${rows}` });
    setAll(cell, { x: place.column, y: place.row });
    nameScale(scale.high, name, model.classes);
    const silenced = own.filter((each) => surgery.silenced.includes(each));
    setAll(silent, {
      d: crosses(
        silenced.map((each) => each - own[0]),
        columns,
      ),
    });
    tell(scene);
    press(silenceOne, silenced.includes(capsule), "this capsule");
    press(silenceType, silenced.length === own.length, `type ${place.type}`);
  };
}

/** @param {HTMLButtonElement} button @param {boolean} isSilent @param {string} what */
function press(button, isSilent, what) {
  button.setAttribute("aria-pressed", String(isSilent));
  setText(findElement(button, "[data-word]"), `Silence ${what}`);
}
