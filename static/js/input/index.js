/**
 * The input, pixel by pixel, and how a picture became it.
 * @import { AppState, Overrides, Source } from "../types.js"
 * @import { Actions } from "../core/state.js"
 * @import { Store } from "../core/store.js"
 */
import { INPUT } from "../core/state.js";
import { selector } from "../core/store.js";
import { color, ink, readableOn } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import { inkOf, SIDE, sideOf } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement, svg } from "../ui/dom.js";
import { fitToPicture, pickFromGrid } from "../ui/grid-picker.js";
import { showLegend } from "../ui/pictures.js";
import { valueTable } from "../ui/tables.js";
import { mountIntake } from "./intake.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {(more: Partial<Overrides>) => void} correct decide something about the picture
 */
export function mountInput(root, store, actions, correct) {
  const open = selector(store, (state) => (state.view === INPUT ? state : null));
  const canvas = findCanvas(root, "[data-picture]");
  const numbers = find(root, "[data-numbers]", SVGSVGElement);
  const readout = findElement(root, "[data-readout]");
  const showNumbers = find(root, "[data-show-numbers]", HTMLInputElement);
  const table = findElement(root, "[data-table]");
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const size = findElement(root, "[data-size]");
  const made = findElement(root, "[data-made]");
  const summary = findElement(folder, "[data-count]");
  let layout = { count: 1, across: 1, rows: SIDE, columns: SIDE, gap: 0 };
  let cell = { row: SIDE / 2, column: SIDE / 2 };

  showLegend(findElement(root, "[data-legend]"), ink(), { unit: "ink", decimals: 0 });

  /** @param {{ row: number, column: number } | null} at */
  function read(at) {
    if (at !== null) cell = at;
    const { pixels } = store.get();
    const value = (pixels?.[cell.row * layout.columns + cell.column] ?? 0) / 255;
    readout.textContent = `row ${cell.row}, column ${cell.column}: ${fixed(value, 3)}`;
    actions.lookAt(at && { ...at, size: 1 });
  }
  pickFromGrid(canvas, {
    layout: () => layout,
    step: "cell",
    chosen: () => ({ place: 0, ...cell }),
    choose: read,
    hover: read,
  });

  function draw() {
    const { pixels, source } = store.get();
    const shown = pixels ?? new Uint8Array(SIDE ** 2);
    const side = sideOf(shown);
    const values = inkOf(shown);
    layout = { ...layout, rows: side, columns: side };
    size.textContent = `${side}×${side}`;
    made.textContent = madeInWords(source, side);
    summary.textContent = String(values.length);
    paintHeatmap(canvas, values, { ...layout, scale: ink() });
    fitToPicture(numbers, layout);
    numbers.replaceChildren(...(showNumbers.checked ? toTexts(values, side) : []));
    read(null);
    if (folder.open) table.replaceChildren(valueTable(values, layout));
  }
  open.watch(["pixels", "source"], draw);
  showNumbers.addEventListener("change", draw);
  folder.addEventListener("toggle", draw);

  mountIntake(findElement(root, "[data-intake]"), store, correct);
}

/**
 * How images of such a source come into the network's form.
 * @param {Source} source
 * @param {number} side pixels in a row that the network reads
 */
export function madeInWords(source, side) {
  const { kind } = source;
  const size = `${side}×${side}`;
  if (kind === "drawing" && source.on !== undefined)
    return "your strokes added to the image, all moved by whole pixels so that the centre of mass stays where it was";
  if (kind === "dataset")
    return side === SIDE
      ? "as in the data set"
      : `as in the data set, scaled to ${size} if its size differed`;
  const placed =
    "scaled to fit 20×20 and placed by its centre of mass, as MNIST’s digits are";
  return side === SIDE ? placed : `${placed}, then scaled to ${size}`;
}

/**
 * @param {Float64Array} values
 * @param {number} side
 */
function toTexts(values, side) {
  return Array.from(values, (value, i) => {
    const place = { x: (i % side) + 0.5, y: Math.floor(i / side) + 0.5 };
    const hundredths = Math.min(99, Math.round(100 * value));
    const fill = readableOn(color(ink(), value));
    return svg("text", { ...place, fill }, value === 0 ? "" : String(hundredths));
  });
}
