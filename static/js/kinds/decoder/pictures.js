/**
 * Input, reconstruction and difference, pixel beside pixel.
 * @import { Actions, ImageShape } from "../../types.js"
 * @import { Pictured } from "./pose.js"
 * @import { DecoderModel, DecoderStore } from "./types.js"
 */
import { oneTile } from "../../geometry/tiles.js";
import { differenceOf, meanSquare } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { greyOf, inkOf } from "../../lib/pixels.js";
import { paintHeatmap, paintImage } from "../../paint/heatmap.js";
import { find, findCanvas, findElement, setText, svg } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { MEAN, pixelWords, showInkLegend, showLegend } from "../../ui/pictures.js";
import { decodedImage } from "./pose.js";

const NAMES = /** @type {const} */ (["input", "reconstruction", "difference"]);

/** The same for every picture, so that differences can be compared. */
const DIFFERENCE_SCALE = diverging(1);

/**
 * @typedef {object} Pictures
 * @property {ImageShape} shape of each
 * @property {Float64Array} input
 * @property {Float32Array} reconstruction
 * @property {Float32Array} difference reconstruction - input
 * @property {boolean} isCurrent of the pose on the bench as it is now; false while the
 *   answer is on its way
 */

const WATCHED = /** @type {const} */ ([
  "trace",
  "classIndex",
  "edits",
  "decoded",
  "model",
]);

/**
 * Pictures to walk through pixel by pixel.
 * @param {HTMLElement} root @param {DecoderStore} store @param {Actions} actions
 */
export function mountPictures(root, store, actions) {
  const canvases = NAMES.map((name) => findCanvas(root, `[data-${name}]`));
  const marks = NAMES.map((name) => find(root, `[data-${name}-mark]`, SVGSVGElement));
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const differenceLegend = findElement(root, "[data-difference-legend]");
  const showLegends = memoize((/** @type {number} */ channels) => {
    showInkLegend(legend, { channels });
    const unit = `reconstruction − input${channels > 1 ? MEAN : ""}`;
    showLegend(differenceLegend, DIFFERENCE_SCALE, { unit, decimals: 0 });
  });
  /** @type {Pictures | null} */
  let current = null;
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
      layout: () => current && oneTile(current.shape),
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
    if (current === null || !isPointed) return;
    const { shape, input, reconstruction, difference } = current;
    const { rows, columns } = shape;
    const { row, column } = cell;
    /** @param {Float32Array | Float64Array} values @param {typeof fixed} write */
    const at = (values, write) => pixelWords(values, shape, cell, write);
    const between = shape.channels > 1 ? "; " : ", ";
    const values = [
      `input ${at(input, fixed)}`,
      `reconstruction ${at(reconstruction, fixed)}`,
      `difference ${at(difference, signed)}`,
    ];
    readout.textContent = `row ${row}, column ${column}: ${values.join(between)}`;
    const box = { x: column, y: row, width: 1, height: 1, class: "chosen" };
    for (const mark of marks) {
      mark.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
      mark.append(svg("rect", box));
    }
  }

  store.watch(WATCHED, (state) => {
    const pictures = picturesOf(state);
    current = pictures;
    root.classList.toggle("is-empty", pictures === null);
    root.classList.toggle("is-late", pictures !== null && !pictures.isCurrent);
    if (pictures !== null) {
      const { shape, difference } = pictures;
      showLegends(shape.channels);
      paintImage(canvases[0], pictures.input, shape);
      paintImage(canvases[1], pictures.reconstruction, shape);
      const { rows, columns } = shape;
      const change = { rows, columns, scale: DIFFERENCE_SCALE };
      paintHeatmap(canvases[2], greyOf(difference, shape), change);
      const { error, usual } = errorsOf(pictures, state.model);
      setText(findElement(root, "[data-error]"), error);
      setText(findElement(root, "[data-error-usual]"), usual);
    }
    showCell();
  });
}

/**
 * @param {Pictured} state
 * @returns {Pictures | null} null when nothing has been decoded yet
 */
export function picturesOf(state) {
  const { trace } = state;
  const decoded = decodedImage(state);
  if (decoded === null) return null;
  const { data: reconstruction, isCurrent } = decoded;
  const input = inkOf(trace.pixels);
  const difference = differenceOf(reconstruction, input);
  return { shape: trace.pixels, input, reconstruction, difference, isCurrent };
}

/** @param {Pictures} pictures @param {Pick<DecoderModel, "card">} model */
function errorsOf({ difference }, { card: { reconstruction_mse: usual } }) {
  return {
    error: fixed(meanSquare(difference), 4),
    usual: usual === undefined ? "" : `mean over the test set: ${fixed(usual, 4)}`,
  };
}
