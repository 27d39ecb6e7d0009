/**
 * The drawing area: strokes by mouse, pen, finger or keyboard, read as they grow.
 * @import { AppState } from "../types.js"
 * @import { Drawing } from "../intake.js"
 * @import { Stroke } from "../paint/strokes.js"
 * @import { Store } from "../store.js"
 */
import { extentOf } from "../geometry/extent.js";
import { ink } from "../lib/color.js";
import { encodePgm } from "../lib/pgm.js";
import { inkOf, sideOf } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { paintStrokes } from "../paint/strokes.js";
import { find, findCanvas, findElement } from "../parts/find.js";

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
  const pen = findElement(root, "[data-pen]");
  const undo = find(root, "[data-undo]", HTMLButtonElement);
  const clear = find(root, "[data-clear]", HTMLButtonElement);
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  /** @type {Stroke[]} */
  let strokes = [];
  let drawing = 0; // counts up when another image takes the drawing's place
  let isDown = false;
  let keyboardPen = { x: canvas.width / 2, y: canvas.height / 2, isDown: false };

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
    const isFinished = !isDown && !keyboardPen.isDown;
    const started = drawing;
    const isWanted = () => started === drawing && !isDot();
    readDrawing({ picture, isFinished, isWanted });
  }

  /** @param {number} x @param {number} y in canvas pixels */
  function begin(x, y) {
    strokes = [...strokes, [{ x, y }]];
    read();
  }

  /** @param {{ x: number, y: number }[]} points */
  function extend(points) {
    const last = strokes.at(-1);
    if (!last) return;
    last.push(...points);
    read();
  }

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
    const { x, y } = place(event);
    begin(x, y);
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
      read();
    });
  }

  function showPen() {
    pen.hidden = document.activeElement !== canvas || !canvas.matches(":focus-visible");
    pen.classList.toggle("is-down", keyboardPen.isDown);
    pen.style.left = `${(100 * keyboardPen.x) / canvas.width}%`;
    pen.style.top = `${(100 * keyboardPen.y) / canvas.height}%`;
  }
  canvas.addEventListener("focus", showPen);
  canvas.addEventListener("blur", () => {
    pen.hidden = true;
    keyboardPen.isDown = false;
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") {
      keyboardPen.isDown = !keyboardPen.isDown;
      if (keyboardPen.isDown) begin(keyboardPen.x, keyboardPen.y);
      else read();
    } else {
      const direction = ARROWS[event.key];
      if (!direction) return;
      const [right, down] = direction;
      keyboardPen = {
        ...keyboardPen,
        x: Math.min(Math.max(keyboardPen.x + right * KEY_STEP, 0), canvas.width),
        y: Math.min(Math.max(keyboardPen.y + down * KEY_STEP, 0), canvas.height),
      };
      if (keyboardPen.isDown) extend([{ x: keyboardPen.x, y: keyboardPen.y }]);
    }
    event.preventDefault();
    showPen();
  });

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
    if (pixels === null) return;
    const small = document.createElement("canvas");
    const side = sideOf(pixels);
    paintHeatmap(small, inkOf(pixels), { rows: side, columns: side, scale: ink() });
    context.imageSmoothingQuality = "high";
    context.drawImage(small, 0, 0, canvas.width, canvas.height);
  });
}

/** @type {Record<string, readonly [right: number, down: number]>} */
const ARROWS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
