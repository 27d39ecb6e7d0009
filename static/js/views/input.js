/**
 * The input, pixel by pixel, and how a picture became it.
 * @import { AppState, IntakeStep, Pixels, Source } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { color, ink, readableOn } from "../lib/color.js";
import { fixed } from "../lib/number.js";
import { PIXEL_COUNT, SIDE } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { valueTable } from "../parts/value-table.js";

const LAYOUT = { count: 1, across: 1, rows: SIDE, columns: SIDE, gap: 0 };

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountInput(root, store, actions) {
  const canvas = findCanvas(root, "[data-picture]");
  const numbers = find(root, "[data-numbers]", SVGSVGElement);
  const readout = findElement(root, "[data-readout]");
  const showNumbers = find(root, "[data-show-numbers]", HTMLInputElement);
  const table = findElement(root, "[data-table]");
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  let cell = { row: SIDE / 2, column: SIDE / 2 };

  showLegend(findElement(root, "[data-legend]"), ink(), { unit: "ink", decimals: 0 });

  /** @param {{ row: number, column: number } | null} at */
  function read(at) {
    if (at !== null) cell = at;
    const { pixels } = store.get();
    const value = (pixels?.[cell.row * SIDE + cell.column] ?? 0) / 255;
    readout.textContent = `row ${cell.row}, column ${cell.column}: ${fixed(value, 3)}`;
    actions.lookAt(at && { ...at, size: 1 });
  }
  pickFromGrid(canvas, {
    layout: () => LAYOUT,
    step: "cell",
    chosen: () => ({ place: 0, ...cell }),
    choose: read,
    hover: read,
  });

  function draw() {
    const { pixels, view } = store.get();
    if (view !== "input") return;
    const values = toValues(pixels);
    paintHeatmap(canvas, values, { rows: SIDE, columns: SIDE, scale: ink() });
    numbers.replaceChildren(...(showNumbers.checked ? toTexts(values) : []));
    read(null);
    if (folder.open)
      table.replaceChildren(valueTable(values, { rows: SIDE, columns: SIDE }));
  }
  store.watch(["pixels", "view"], draw);
  showNumbers.addEventListener("change", draw);
  folder.addEventListener("toggle", draw);

  const steps = findElement(root, "[data-steps]");
  const note = findElement(root, "[data-intake-note]");
  store.watch(["intake", "source", "view"], ({ intake, source, view }) => {
    if (view !== "input") return;
    steps.replaceChildren(...intake.map(toItem));
    note.textContent = intake.length > 0 ? "" : origin(source);
  });
}

/** @param {Pixels | null} pixels */
function toValues(pixels) {
  return Float32Array.from(pixels ?? new Uint8Array(PIXEL_COUNT), (byte) => byte / 255);
}

/** @param {Float32Array} values */
function toTexts(values) {
  return Array.from(values, (value, i) => {
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.setAttribute("x", String((i % SIDE) + 0.5));
    text.setAttribute("y", String(Math.floor(i / SIDE) + 0.5));
    text.setAttribute("fill", readableOn(color(ink(), value)));
    text.textContent = value === 0 ? "" : String(Math.min(99, Math.round(100 * value)));
    return text;
  });
}

/** @param {IntakeStep} step */
function toItem({ title, note, image }) {
  const item = document.createElement("li");
  const picture = document.createElement("img");
  picture.src = image;
  picture.alt = "";
  const name = document.createElement("strong");
  name.textContent = title;
  const words = document.createElement("p");
  words.className = "fine";
  words.textContent = note;
  item.append(picture, name, words);
  return item;
}

/** @param {Source} source */
function origin(source) {
  switch (source.kind) {
    case "sample":
      return `“${source.title}” was drawn for this project, in this form. Draw or upload a digit of your own to see how it gets here.`;
    case "dataset":
      return `Test digit ${source.index} of MNIST comes in this form. Draw or upload a digit of your own to see how it gets here.`;
    case "link":
      return "This image came with the link, in this form. Draw or upload a digit of your own to see how it gets here.";
    default:
      return "";
  }
}
