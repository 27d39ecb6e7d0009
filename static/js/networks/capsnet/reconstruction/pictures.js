/**
 * Input, reconstruction and difference, pixel beside pixel.
 * @import { Actions, DecodingState, DecodingStore } from "../types.js"
 */

import { differenceOf, meanSquare } from "../../../lib/arithmetic.js";
import { diverging, ink } from "../../../lib/color.js";
import { fixed, signed } from "../../../lib/format.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, svg } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { decodedImage } from "./decoded.js";

const NAMES = /** @type {const} */ (["input", "reconstruction", "difference"]);

/** The same for every picture, so that differences can be compared. */
const DIFFERENCE_SCALE = diverging(1);

/**
 * @typedef {object} Pictures
 * @property {number} rows
 * @property {number} columns
 * @property {Float32Array} input
 * @property {Float32Array} reconstruction
 * @property {Float32Array} difference reconstruction - input
 * @property {boolean} isCurrent of the capsule on the bench as it is now; false while
 *   the answer is on its way
 */

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 * @returns {() => Pictures | null} what is on show
 */
export function mountPictures(root, store, actions) {
  const canvases = NAMES.map((name) => findCanvas(root, `[data-${name}]`));
  const marks = NAMES.map((name) => find(root, `[data-${name}-mark]`, SVGSVGElement));
  const readout = findElement(root, "[data-readout]");
  const error = findElement(root, "[data-error]");
  const errorUsual = findElement(root, "[data-error-usual]");
  showLegend(findElement(root, "[data-legend]"), ink(), { unit: "ink", decimals: 0 });
  showLegend(findElement(root, "[data-difference-legend]"), DIFFERENCE_SCALE, {
    unit: "reconstruction − input",
    decimals: 0,
  });

  /** @type {Pictures | null} */
  let shown = null;
  let cell = { row: 0, column: 0 };
  let isPointed = false;

  /** @param {{ row: number, column: number } | null} at null when the pointer leaves */
  function read(at) {
    isPointed = at !== null;
    if (at !== null) cell = { row: at.row, column: at.column };
    actions.lookAt(at && { ...cell, size: 1 });
    showCell();
  }
  for (const canvas of canvases) {
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
      chosen: () => ({ place: 0, ...cell }),
      choose: read,
      hover: read,
    });
    canvas.addEventListener("blur", () => read(null));
  }

  function showCell() {
    for (const mark of marks) mark.replaceChildren();
    readout.textContent = "";
    if (shown === null || !isPointed) return;
    const { rows, columns, input, reconstruction, difference } = shown;
    const { row, column } = cell;
    const at = row * columns + column;
    readout.textContent = `row ${row}, column ${column}: input ${fixed(input[at])}, reconstruction ${fixed(reconstruction[at])}, difference ${signed(difference[at])}`;
    for (const mark of marks) {
      mark.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
      mark.append(
        svg("rect", { x: column, y: row, width: 1, height: 1, class: "chosen" }),
      );
    }
  }

  store.watch(["trace", "digit", "edits", "decoded", "model"], (state) => {
    shown = picturesOf(state);
    root.classList.toggle("is-empty", shown === null);
    root.classList.toggle("is-late", shown !== null && !shown.isCurrent);
    if (shown !== null) {
      const { rows, columns, difference } = shown;
      const scales = [ink(), ink(), DIFFERENCE_SCALE];
      NAMES.forEach((name, i) => {
        if (shown !== null)
          paintHeatmap(canvases[i], shown[name], { rows, columns, scale: scales[i] });
      });
      error.textContent = fixed(meanSquare(difference), 4);
      const usual = state.model.card.reconstruction_mse;
      errorUsual.textContent =
        usual === undefined ? "" : `mean over the test set: ${fixed(usual, 4)}`;
    }
    showCell();
  });

  return () => shown;
}

/**
 * @param {Pick<DecodingState, "trace" | "digit" | "edits" | "decoded">} state
 * @returns {Pictures | null} null when nothing has been decoded yet
 */
export function picturesOf(state) {
  const { trace } = state;
  const { shape } = trace.tensors.reconstruction;
  const decoded = decodedImage(state);
  if (decoded === null) return null;
  const { data: reconstruction, isCurrent } = decoded;
  const input = inputOf(trace);
  return {
    rows: shape[0],
    columns: shape[1],
    input,
    reconstruction,
    difference: differenceOf(reconstruction, input),
    isCurrent,
  };
}

/** @param {Pick<DecodingState["trace"], "pixels">} trace */
function inputOf({ pixels }) {
  return Float32Array.from(pixels, (byte) => byte / 255);
}
