/**
 * The input, pixel by pixel, and how a picture became it.
 * @import { Actions, AppState, ImageShape, Overrides, Pixels, Services, Source, Store } from "../types.js"
 */
import { INPUT, readsPairs } from "../core/state.js";
import { selector } from "../core/store.js";
import { oneTile } from "../geometry/tiles.js";
import { color, ink, readableOn } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import {
  channelName,
  DIGIT,
  greyOf,
  inkOf,
  isColour,
  isSameShape,
  pixelsOf,
  planesOf,
  shapeOf,
  sizeWords,
} from "../lib/pixels.js";
import { paintPixels } from "../paint/heatmap.js";
import { find, findCanvas, findElement, svg, writer } from "../ui/dom.js";
import { fitToPicture, pickFromGrid } from "../ui/grid-picker.js";
import { pixelWords, showLegend } from "../ui/pictures.js";
import { valueTable } from "../ui/tables.js";
import { inkIn } from "./facts.js";
import { mountIntake } from "./intake.js";
import { mountPair } from "./pair.js";
import { mountTurntable } from "./turntable.js";

const IN_GREY = "light ink on a dark background";
const IN_COLOUR = "its red, green and blue";

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {object} does
 * @param {(more: Partial<Overrides>) => void} does.correct decide something about the picture
 * @param {Services} does.services
 */
export function mountInput(root, store, actions, { correct, services }) {
  const open = selector(store, (state) => (state.view === INPUT ? state : null));
  const canvas = findCanvas(root, "[data-picture]");
  const numbers = find(root, "[data-numbers]", SVGSVGElement);
  const marks = find(root, "[data-ink]", SVGSVGElement);
  const showNumbers = find(root, "[data-show-numbers]", HTMLInputElement);
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const write = writer(root);
  const legend = findElement(root, "[data-legend]");
  let pixelsShown = pixelsOf(DIGIT);
  let layout = oneTile(pixelsShown);
  let cell = { row: DIGIT.rows / 2, column: DIGIT.columns / 2 };

  showLegend(legend, ink(), { unit: "ink", decimals: 0 });

  /** @param {{ row: number, column: number } | null} at */
  function read(at) {
    if (at !== null) cell = at;
    const values = pixelWords(inkOf(pixelsShown), pixelsShown, cell, (value) =>
      fixed(value, 3),
    );
    write("readout", `row ${cell.row}, column ${cell.column}: ${values}`);
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
    const { pixels, source, model, intake } = store.get();
    pixelsShown = pixels ?? pixelsOf(DIGIT);
    const values = inkOf(pixelsShown);
    layout = oneTile(pixelsShown);
    if (pixels !== null) write("size", sizeWords(pixelsShown));
    write("kind", isColour(pixelsShown) ? IN_COLOUR : IN_GREY);
    legend.hidden = isColour(pixelsShown);
    write(
      "made",
      madeInWords(source, pixelsShown, model !== null && readsPairs(model)),
    );
    write("count", String(values.length));
    paintPixels(canvas, pixelsShown);
    fitToPicture(numbers, layout);
    const mean = greyOf(values, pixelsShown);
    numbers.replaceChildren(...(showNumbers.checked ? toTexts(mean, pixelsShown) : []));
    fitToPicture(marks, layout);
    marks.replaceChildren(...(intake === null ? marksOf(pixelsShown) : []));
    read(null);
    if (!folder.open) return;
    const tables = planesOf(values, pixelsShown).map((plane, channel) => {
      const table = valueTable(plane, layout);
      if (pixelsShown.channels > 1)
        table.createCaption().textContent = channelName(channel, pixelsShown.channels);
      return table;
    });
    findElement(root, "[data-table]").replaceChildren(...tables);
  }
  open.watch(["pixels", "model"], ({ pixels, model }) => {
    findElement(root, "[data-none]").hidden = pixels !== null;
    findElement(root, "[data-told]").hidden = pixels === null;
    if (pixels === null && model !== null) write("size", sizeWords(shapeOf(model)));
  });
  open.watch(["pixels", "source", "intake"], draw);
  showNumbers.addEventListener("change", draw);
  folder.addEventListener("toggle", draw);

  mountPair(findElement(root, "[data-pair]"), store, actions);
  mountTurntable(findElement(root, "[data-turntable]"), store, actions, services);
  mountIntake(findElement(root, "[data-intake]"), store, correct);
}

/**
 * How images of such a source come into the network's form.
 * @param {Source} source
 * @param {ImageShape} shape of what the network reads
 * @param {boolean} [isCanvas] on which digits of another size lie as they are
 */
function madeInWords(source, shape, isCanvas = false) {
  const { kind } = source;
  if (kind === "link") return "its values as they came, for instance with the link";
  if (kind === "pair") return "the sum of two digits, clipped at 1";
  if (kind === "toy" && isColour(shape)) return "a toy that the page drew";
  if (kind === "toy") return "a toy on the ground; plain ground is 0";
  const isDrawnOn = kind === "drawing" && source.on !== undefined;
  if (isDrawnOn)
    return isColour(shape)
      ? "your strokes in white over the image"
      : "your strokes added to the image, all moved by whole pixels so that the centre of mass stays where it was";
  const size = sizeWords(shape);
  if (isColour(shape) && kind !== "dataset" && kind !== "sample")
    return `the middle of the picture, scaled to ${size.replace(/^\d+×/, "")}`;
  if (kind === "dataset" && isCanvas)
    return "as in the data set, in the middle of the canvas";
  return kind === "dataset" ? asStored(shape) : placedWords(kind, shape, isCanvas);
}

/** An image of a data set. @param {ImageShape} shape of what the network reads */
const asStored = (shape) =>
  isSameShape(shape, DIGIT)
    ? "as in the data set"
    : `as in the data set, scaled to ${sizeWords(shape)} if its size differed`;

/**
 * An image whose ink has been placed.
 * @param {Source["kind"]} kind @param {ImageShape} shape @param {boolean} isCanvas
 */
function placedWords(kind, shape, isCanvas) {
  const scaled = "scaled to fit 20×20 and placed by its centre of mass";
  const placed = `${scaled}, as MNIST’s digits are`;
  if (isSameShape(shape, DIGIT)) return placed;
  if (isCanvas && kind !== "sample")
    return "one digit or two, each scaled to about 20×20, around the middle of the canvas";
  return isCanvas
    ? `${placed}, in the middle of the canvas`
    : `${scaled}, then scaled to ${sizeWords(shape)}`;
}

/** The frame of an image's ink, and its centre of mass. @param {Pixels} pixels */
function marksOf(pixels) {
  const extent = isColour(pixels) ? null : inkIn(pixels);
  if (extent === null) return [];
  const [x, y] = [extent.centre.column + 0.5, extent.centre.row + 0.5];
  const cross = `M${x - 1} ${y}h2M${x} ${y - 1}v2`;
  return [svg("rect", { ...extent.box }), svg("path", { d: cross })];
}

/** @param {Float32Array | Float64Array} values @param {ImageShape} shape */
function toTexts(values, { columns }) {
  return Array.from(values, (value, i) => {
    const position = { x: (i % columns) + 0.5, y: Math.floor(i / columns) + 0.5 };
    const hundredths = Math.min(99, Math.round(100 * value));
    const fill = readableOn(color(ink(), value));
    return svg("text", { ...position, fill }, value === 0 ? "" : String(hundredths));
  });
}
