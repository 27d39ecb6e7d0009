/**
 * Pens: mouse, pen and finger, and arrow keys.
 * @import { Point } from "../paint/pad.js"
 */

import { clamp } from "../lib/arithmetic.js";
import { arrowOf, hasModifier } from "./controls.js";

const KEY_STEP = 10; // canvas pixels that an arrow key moves the pen
const FINENESS = 10; // parts of a canvas pixel that points are rounded to

/**
 * What pens do.
 * @typedef {object} Hand
 * @property {(point: Point) => void} begin a stroke
 * @property {(points: Point[]) => void} extend the last stroke
 * @property {() => void} lift the pen
 */

/**
 * Draw with mouse, pen or finger.
 * @param {HTMLCanvasElement} canvas @param {Hand} hand
 */
export function listenToPointer(canvas, hand) {
  /** The pointer that draws: a second finger does not, nor a palm beside the pen. */
  let drawing = /** @type {number | null} */ (null);
  let isPen = false;
  const isDrawing = (/** @type {PointerEvent} */ { pointerId }) =>
    pointerId === drawing;

  /** @param {PointerEvent} event */
  function pointOf({ clientX, clientY }) {
    const box = canvas.getBoundingClientRect();
    return {
      x: rounded(((clientX - box.left) / box.width) * canvas.width),
      y: rounded(((clientY - box.top) / box.height) * canvas.height),
    };
  }

  /** @param {PointerEvent} event */
  function start(event) {
    const comesAsPen = event.pointerType === "pen";
    if (drawing !== null && (isPen || !comesAsPen)) return;
    if (drawing !== null) hand.lift(); // the palm came first
    canvas.setPointerCapture(event.pointerId);
    [drawing, isPen] = [event.pointerId, comesAsPen];
    hand.begin(pointOf(event));
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button === 0) start(event);
  });
  const isBeside = listenBeside(canvas);
  canvas.addEventListener("pointerenter", (event) => {
    if (event.buttons === 1 && isBeside()) start(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!isDrawing(event)) return;
    const events = event.getCoalescedEvents?.() ?? [];
    hand.extend((events.length > 0 ? events : [event]).map(pointOf));
  });
  // The last of these comes, however the pointer goes.
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(end, (event) => {
      if (!isDrawing(/** @type {PointerEvent} */ (event))) return;
      drawing = null;
      hand.lift();
    });
  }
  return { isDown: () => drawing !== null };
}

/**
 * A drag that begins a little beside the canvas is meant for it: it selects no text, and
 * draws from where it comes in.
 * @param {HTMLCanvasElement} canvas
 * @returns {() => boolean} whether the button was pressed on nothing
 */
function listenBeside(canvas) {
  let isOnNothing = false;
  document.addEventListener("mousedown", (event) => {
    const { target } = event;
    isOnNothing =
      target instanceof HTMLElement && target !== canvas && target.contains(canvas);
    if (!isOnNothing || event.button !== 0) return;
    event.preventDefault();
    // What a press on nothing does besides: a field is left, and its value taken.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  return () => isOnNothing;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * FINENESS) / FINENESS;
}

/**
 * Draw with arrow keys; the space bar lowers and lifts the pen.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} mark shows where the pen is
 * @param {Hand} hand
 */
export function listenToArrows(canvas, mark, hand) {
  let pen = { x: canvas.width / 2, y: canvas.height / 2 };
  let isDown = false;

  function showPen() {
    mark.hidden =
      document.activeElement !== canvas || !canvas.matches(":focus-visible");
    mark.classList.toggle("is-down", isDown);
    mark.style.left = `${(100 * pen.x) / canvas.width}%`;
    mark.style.top = `${(100 * pen.y) / canvas.height}%`;
  }

  /** @param {readonly [down: number, right: number]} direction */
  function move([down, right]) {
    const within = (/** @type {number} */ at, /** @type {number} */ end) =>
      clamp(at, 0, end);
    pen = {
      x: within(pen.x + right * KEY_STEP, canvas.width),
      y: within(pen.y + down * KEY_STEP, canvas.height),
    };
    if (isDown) hand.extend([pen]);
  }

  canvas.addEventListener("focus", showPen);
  canvas.addEventListener("blur", () => {
    mark.hidden = true;
    if (!isDown) return;
    isDown = false;
    hand.lift();
  });
  canvas.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return;
    const direction = arrowOf(event);
    if (event.key === " ") {
      isDown = !isDown;
      if (isDown) hand.begin(pen);
      else hand.lift();
    } else if (direction !== null) move(direction);
    else return;
    event.preventDefault();
    showPen();
  });
  return { isDown: () => isDown };
}
