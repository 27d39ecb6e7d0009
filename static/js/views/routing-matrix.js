/**
 * The mean coupling of each capsule type to each digit, in the iteration on show. The
 * scale is that of all iterations, so what changes in the picture changed in routing.
 * @import { AppState } from "../types.js"
 * @import { ByType } from "../lib/routing.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { capsulePlace } from "../geometry/receptive-field.js";
import { diverging } from "../lib/color.js";
import { fixed } from "../lib/number.js";
import { reach } from "../lib/rank.js";
import { beyondEven, couplingsByType } from "../lib/routing.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { setAll } from "../parts/svg.js";
import { valueTable } from "../parts/value-table.js";
import { focusedDigit, sizesOf } from "../state.js";
import { readyTrace, sameCell, shownStep } from "./routing-trace.js";

/** Of the scale, so that one undecided iteration does not show rounding as colour. */
const LEAST_REACH = 0.001;

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountMatrix(root, store, actions) {
  const canvas = findCanvas(root, "[data-matrix]");
  const marks = find(root, "[data-matrix-marks]", SVGSVGElement);
  const row = find(marks, "[data-row]", SVGRectElement);
  const column = find(marks, "[data-column]", SVGRectElement);
  const labels = findElement(root, "[data-matrix-labels]");
  const readout = findElement(root, "[data-matrix-readout]");
  const legend = findElement(root, "[data-matrix-legend]");
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(root, "[data-table]");
  /** @type {{ trace: AppState["trace"], steps: ByType[], most: number }} */
  let known = { trace: null, steps: [], most: 1 };
  /** @type {ByType} */
  let shown = { types: 1, classes: 1, data: new Float32Array(1) };

  function draw() {
    const state = store.get();
    const trace = readyTrace(state);
    if (trace === null) return;
    if (known.trace !== trace) {
      const steps = couplingsByType(trace.tensors["routing.couplings"]);
      const most = Math.max(
        ...steps.map(({ data, classes }) => reach(beyondEven(data, classes))),
        LEAST_REACH,
      );
      known = { trace, steps, most };
      showLegend(legend, diverging(most), {
        unit: `mean coupling c, beyond an even 1/${steps[0].classes}`,
        decimals: 3,
      });
    }
    shown = known.steps[shownStep(trace, state.step)];
    const { types, classes, data } = shown;
    const beyond = beyondEven(data, classes);
    paintHeatmap(canvas, beyond, {
      rows: types,
      columns: classes,
      scale: diverging(known.most),
    });
    setAll(marks, { viewBox: `0 0 ${classes} ${types}`, preserveAspectRatio: "none" });
    const names = state.model?.class_names ?? [];
    if (folder.open) {
      const rowNames = Array.from({ length: types }, (_, type) => `type ${type}`);
      table.replaceChildren(
        valueTable(data, {
          rows: types,
          columns: classes,
          rowNames,
          columnNames: names,
          corner: "c",
          decimals: 4,
        }),
      );
    }
  }
  store.watch(["trace", "step", "view"], draw);
  folder.addEventListener("toggle", draw);

  store.watch(["model"], ({ model }) => {
    labels.replaceChildren(...(model?.class_names ?? []).map(toSpan));
  });

  function chosen() {
    const state = store.get();
    const type = state.model
      ? capsulePlace(sizesOf(state.model), state.capsule).type
      : 0;
    return { type, digit: focusedDigit(state) ?? 0 };
  }
  /** @param {{ type: number, digit: number }} at */
  function read({ type, digit }) {
    const name = store.get().model?.class_names[digit] ?? digit;
    const value = shown.data[type * shown.classes + digit];
    readout.textContent = `type ${type} → ${name}: c = ${fixed(value, 4)}`;
  }
  store.watch(["capsule", "digit", "trace", "step", "view", "model"], (state) => {
    if (readyTrace(state) === null) return;
    const { type, digit } = chosen();
    setAll(row, { x: 0, y: type, width: shown.classes, height: 1 });
    setAll(column, { x: digit, y: 0, width: 1, height: shown.types });
    read({ type, digit });
  });

  pickFromGrid(canvas, {
    layout: () =>
      known.trace && {
        count: 1,
        across: 1,
        rows: shown.types,
        columns: shown.classes,
        gap: 0,
      },
    step: "cell",
    chosen: () => ({ place: 0, row: chosen().type, column: chosen().digit }),
    choose({ row: type, column: digit }) {
      const { model, capsule } = store.get();
      if (model === null) return;
      actions.chooseCapsule(sameCell(model, capsule, type));
      actions.focusDigit(digit);
    },
    hover: (cell) =>
      read(cell === null ? chosen() : { type: cell.row, digit: cell.column }),
  });
}

/** @param {string} text */
function toSpan(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}
