/**
 * One capsule under the microscope: its place among those of its type, and for each
 * digit its logit, coupling and agreement in the iteration on show.
 * @import { AppState, Trace } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { capsulePlace, fieldOfCapsule } from "../geometry/receptive-field.js";
import { diverging } from "../lib/color.js";
import { fixed, signed } from "../lib/number.js";
import { reach } from "../lib/rank.js";
import { beyondEven, ofCapsule, ofType } from "../lib/routing.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { setAll } from "../parts/svg.js";
import { focusedDigit, sizesOf } from "../state.js";
import { readyTrace, shownStep } from "./routing-trace.js";

/** Of the scale, so that the first, even iteration does not show rounding as colour. */
const LEAST_REACH = 0.001;

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountCapsule(root, store, actions) {
  const title = findElement(root, "[data-capsule-title]");
  const canvas = findCanvas(root, "[data-type-grid]");
  const marks = find(root, "[data-type-marks]", SVGSVGElement);
  const cell = find(marks, "[data-cell]", SVGRectElement);
  const readout = findElement(root, "[data-type-readout]");
  const legend = findElement(root, "[data-type-legend]");
  const caption = findElement(root, "[data-capsule-caption]");
  const rows = findElement(root, "[data-capsule-rows]");
  const softmax = findElement(root, "[data-softmax]");
  const growth = findElement(root, "[data-growth]");
  /** @type {{ rows: number, columns: number } | null} */
  let side = null;
  /** @type {Float32Array} */
  let grid = new Float32Array(1);

  store.watch(["trace", "step", "view", "digit", "capsule", "model"], (state) => {
    const trace = readyTrace(state);
    const digit = focusedDigit(state);
    const { model, capsule } = state;
    if (trace === null || model === null || digit === null) return;
    const step = shownStep(trace, state.step);
    const place = capsulePlace(sizesOf(model), capsule);
    const length = trace.tensors["primary.lengths"].data[capsule];
    const names = model.class_names;

    const [, , gridRows, gridColumns] = trace.tensors["routing.couplings"].shape;
    side = { rows: gridRows, columns: gridColumns };
    grid = ofType(trace.tensors["routing.couplings"], step, place.type, digit);
    const beyond = beyondEven(grid, model.classes);
    const scale = diverging(Math.max(reach(beyond), LEAST_REACH));
    paintHeatmap(canvas, beyond, { ...side, scale });
    setAll(marks, { viewBox: `0 0 ${side.columns} ${side.rows}` });
    setAll(cell, { x: place.column, y: place.row });
    showLegend(legend, scale, {
      unit: `coupling c to ${names[digit]}, beyond an even 1/${model.classes}`,
      decimals: 3,
    });

    title.textContent = `One capsule: type ${place.type}, row ${place.row}, column ${place.column}`;
    readout.textContent = `c to ${names[digit]} = ${fixed(grid[place.row * side.columns + place.column], 4)}; length ‖u‖ = ${fixed(length, 3)}`;
    caption.textContent = `Iteration ${step + 1} of ${trace.iterations}`;
    const table = numbersOf(trace, step, capsule);
    rows.replaceChildren(...names.map((name, j) => toRow(name, table, j, j === digit)));
    softmax.textContent = filledSoftmax(table, digit, names[digit]);
    growth.textContent = filledGrowth(table, digit);
  });

  /** @param {{ row: number, column: number }} at */
  const choose = ({ row, column }) => {
    const { model, capsule } = store.get();
    if (model === null || side === null) return;
    const { type } = capsulePlace(sizesOf(model), capsule);
    actions.chooseCapsule((type * side.rows + row) * side.columns + column);
  };
  pickFromGrid(canvas, {
    layout: () => side && { count: 1, across: 1, ...side, gap: 0 },
    step: "cell",
    chosen() {
      const { model, capsule } = store.get();
      return {
        place: 0,
        ...(model ? capsulePlace(sizesOf(model), capsule) : { row: 0, column: 0 }),
      };
    },
    choose,
    hover(at) {
      const { model } = store.get();
      actions.lookAt(
        at && model ? fieldOfCapsule(sizesOf(model), at.row, at.column) : null,
      );
    },
  });
}

/**
 * @typedef {object} Numbers of one capsule in one iteration, one for each class
 * @property {Float32Array} logits b
 * @property {Float32Array} couplings c
 * @property {Float32Array} agreement û·v
 */

/**
 * @param {Trace} trace
 * @param {number} step
 * @param {number} capsule
 * @returns {Numbers}
 */
function numbersOf({ tensors }, step, capsule) {
  return {
    logits: ofCapsule(tensors["routing.logits"], step, capsule),
    couplings: ofCapsule(tensors["routing.couplings"], step, capsule),
    agreement: ofCapsule(tensors["routing.agreement"], step, capsule),
  };
}

/**
 * @param {string} name
 * @param {Numbers} numbers
 * @param {number} j
 * @param {boolean} isFocused
 */
function toRow(name, { logits, couplings, agreement }, j, isFocused) {
  const row = document.createElement("tr");
  if (isFocused) row.className = "is-focused";
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = name;
  row.append(head);
  const cells = [
    signed(logits[j]),
    fixed(couplings[j], 4),
    signed(agreement[j]),
    signed(logits[j] + agreement[j]),
  ];
  for (const text of cells) row.insertCell().textContent = text;
  return row;
}

/**
 * @param {Numbers} numbers
 * @param {number} digit
 * @param {string} name
 */
function filledSoftmax({ logits, couplings }, digit, name) {
  const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0);
  return `for ${name}: e^(${fixed(logits[digit])}) ∕ ${fixed(sum)} = ${fixed(Math.exp(logits[digit]))} ∕ ${fixed(sum)} = ${fixed(couplings[digit], 4)}`;
}

/**
 * @param {Numbers} numbers
 * @param {number} digit
 */
function filledGrowth({ logits, agreement }, digit) {
  const next = logits[digit] + agreement[digit];
  return `${fixed(logits[digit])} ${agreement[digit] < 0 ? "−" : "+"} ${fixed(Math.abs(agreement[digit]))} = ${fixed(next)}`;
}
