/**
 * The drawing area: strokes by mouse, pen, finger or keyboard, read as they grow.
 * @import { AppState, Pixels } from "../types.js"
 * @import { Drawing } from "./intake.js"
 * @import { Stroke } from "../paint/strokes.js"
 * @import { Store } from "../core/store.js"
 */
import { extentOf } from "../geometry/extent.js";
import { ink } from "../lib/color.js";
import { encodePgm } from "../lib/pgm.js";
import { inkOf, sideOf } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { paintStrokes } from "../paint/strokes.js";
import { find, findCanvas, findElement } from "../ui/find.js";

const PEN = 20; // canvas pixels; 1/14 of the area, as thick as MNIST's strokes
const LEAST_EXTENT = 24; // canvas pixels; less is a dot, and no digit yet
const LARGE_EXTENT = 112; // canvas pixels; from here, half of each side says it all
const KEY_STEP = 10; // canvas pixels that an arrow key moves the pen

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {(drawing: Drawing) => void} readDrawing called with every change
 */
export function mountDrawing(root, store, readDrawing) {
  const canvas = findCanvas(root, "[data-pad]");
  const hint = findElement(root, "[data-hint]");
  const undo = find(root, "[data-undo]", HTMLButtonElement);
  const clear = find(root, "[data-clear]", HTMLButtonElement);
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  /** @type {Stroke[]} */
  let strokes = [];
  let drawing = 0; // counts up when another image takes the drawing's place

  function isDot() {
    return strokes.length > 0 && extentOf(strokes) < LEAST_EXTENT;
  }

  function show() {
    paintStrokes(context, strokes, PEN);
    undo.disabled = strokes.length === 0;
    hint.textContent = isDot() ? "Go on: a dot is no digit yet" : "Draw a digit here";
    hint.hidden = strokes.length > 0 && !isDot();
  }

  function picture() {
    if (strokes.length === 0) return null;
    const { width, height } = canvas;
    const { data } = context.getImageData(0, 0, width, height);
    return encodePgm(data, width, height, extentOf(strokes) < LARGE_EXTENT ? 1 : 2);
  }

  function read() {
    show();
    if (isDot()) return;
    const isFinished = pens.every(({ isDown }) => !isDown());
    const started = drawing;
    const isWanted = () => started === drawing && !isDot();
    readDrawing({ picture, isFinished, isWanted });
  }

  /** @type {Hand} */
  const hand = {
    begin(point) {
      strokes = [...strokes, [point]];
      read();
    },
    extend(points) {
      const last = strokes.at(-1);
      if (!last) return;
      last.push(...points);
      read();
    },
    lift: read,
  };
  const pens = [
    listenToPointer(canvas, hand),
    listenToArrows(canvas, findElement(root, "[data-pen]"), hand),
  ];

  undo.addEventListener("click", () => {
    strokes = strokes.slice(0, -1);
    read();
  });
  clear.addEventListener("click", () => {
    strokes = [];
    read();
    canvas.focus({ focusVisible: false });
  });

  // A digit that was not drawn here is shown as a backdrop, until a stroke replaces it.
  store.watch(["pixels", "source"], ({ pixels, source }) => {
    if (source.kind === "drawing") return;
    drawing++;
    strokes = [];
    show();
    if (pixels !== null) paintBackdrop(context, pixels);
  });
}

/**
 * What pens do.
 * @typedef {object} Hand
 * @property {(point: Point) => void} begin a stroke
 * @property {(points: Point[]) => void} extend the last stroke
 * @property {() => void} lift the pen
 */

/** @typedef {{ x: number, y: number }} Point in canvas pixels */

/**
 * Draw with mouse, pen or finger.
 * @param {HTMLCanvasElement} canvas
 * @param {Hand} hand
 */
function listenToPointer(canvas, { begin, extend, lift }) {
  let isDown = false;

  /** @param {PointerEvent} event */
  function place({ clientX, clientY }) {
    const box = canvas.getBoundingClientRect();
    return {
      x: ((clientX - box.left) / box.width) * canvas.width,
      y: ((clientY - box.top) / box.height) * canvas.height,
    };
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    isDown = true;
    begin(place(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!isDown) return;
    const events = event.getCoalescedEvents?.() ?? [];
    extend((events.length > 0 ? events : [event]).map(place));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, () => {
      if (!isDown) return;
      isDown = false;
      lift();
    });
  }
  return { isDown: () => isDown };
}

/** @type {Record<string, readonly [right: number, down: number]>} */
const ARROWS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * Draw with arrow keys; the space bar lowers and lifts the pen.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} mark shows where the pen is
 * @param {Hand} hand
 */
function listenToArrows(canvas, mark, { begin, extend, lift }) {
  let pen = { x: canvas.width / 2, y: canvas.height / 2 };
  let isDown = false;

  function showPen() {
    mark.hidden =
      document.activeElement !== canvas || !canvas.matches(":focus-visible");
    mark.classList.toggle("is-down", isDown);
    mark.style.left = `${(100 * pen.x) / canvas.width}%`;
    mark.style.top = `${(100 * pen.y) / canvas.height}%`;
  }

  /** @param {readonly [right: number, down: number]} direction */
  function move([right, down]) {
    const within = (/** @type {number} */ at, /** @type {number} */ end) =>
      Math.min(Math.max(at, 0), end);
    pen = {
      x: within(pen.x + right * KEY_STEP, canvas.width),
      y: within(pen.y + down * KEY_STEP, canvas.height),
    };
    if (isDown) extend([pen]);
  }

  canvas.addEventListener("focus", showPen);
  canvas.addEventListener("blur", () => {
    mark.hidden = true;
    isDown = false;
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") {
      isDown = !isDown;
      if (isDown) begin(pen);
      else lift();
    } else if (ARROWS[event.key]) move(ARROWS[event.key]);
    else return;
    event.preventDefault();
    showPen();
  });
  return { isDown: () => isDown };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Pixels} pixels
 */
function paintBackdrop(context, pixels) {
  const small = document.createElement("canvas");
  const side = sideOf(pixels);
  paintHeatmap(small, inkOf(pixels), { rows: side, columns: side, scale: ink() });
  context.imageSmoothingQuality = "high";
  context.drawImage(small, 0, 0, context.canvas.width, context.canvas.height);
}
