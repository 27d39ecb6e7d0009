/**
 * A canvas that is as sharp as the screen, drawn in the theme's colours, and drawn
 * again whenever its size or the theme changes.
 */
import { onPrinting, showSeenFirst } from "./visibility.js";

/** CSS pixels of 1rem. */
const USUAL_TYPE = 16;

/**
 * @template {string} Name
 * @typedef {object} Stage
 * @property {CanvasRenderingContext2D} context in CSS pixels, cleared; where type is larger
 *   than usual, everything is
 * @property {number} width in these pixels
 * @property {number} height
 * @property {Record<Name, string>} colors
 * @property {string} font family of the canvas
 */

/** @typedef {(context: CanvasRenderingContext2D) => void} Painter */

/** Makes a painter of each stage. @type {WeakMap<HTMLCanvasElement, () => Painter>} */
const painters = new WeakMap();

/**
 * What draws a canvas on another context, at its size in CSS pixels and in the colours that
 * it has when this is called.
 * @param {HTMLCanvasElement} canvas
 * @returns {Painter | null} null: its pixels are values
 */
export function painterOf(canvas) {
  return painters.get(canvas)?.() ?? null;
}

/** @param {HTMLCanvasElement} canvas @param {() => Painter} painter */
export function keepPainter(canvas, painter) {
  painters.set(canvas, painter);
}

/**
 * @template {string} Name
 * @param {HTMLCanvasElement} canvas CSS gives it its size
 * @param {readonly Name[]} names custom properties without their dashes
 * @param {(stage: Stage<Name>) => void} paint
 * @param {(isSeen: boolean) => void} [onChange] see `showSeenFirst`
 * @returns {() => void} ask for it to be painted
 */
export function createStage(canvas, names, paint, onChange) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  let [width, height] = [0, 0];
  /** @type {{ colors: Record<Name, string>, font: string } | null} */
  let look = null;

  function draw() {
    // Unfolded to be printed, it has a size of which nobody has told yet.
    if (width === 0) ({ width, height } = canvas.getBoundingClientRect());
    if (width === 0 || height === 0) return;
    look ??= readLook(canvas, names);
    fit(canvas, width, height);
    const scale = typeScale();
    const size = { width: width / scale, height: height / scale };
    const [across, down] = [canvas.width / size.width, canvas.height / size.height];
    context.setTransform(across, 0, 0, down, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    paint({ context, ...size, ...look });
  }
  keepPainter(canvas, () => {
    const look = readLook(canvas, names);
    const scale = typeScale();
    return (other) => {
      other.scale(scale, scale);
      paint({ context: other, width: width / scale, height: height / scale, ...look });
    };
  });
  canvas.classList.add("is-stage");
  const ask = showSeenFirst(canvas, draw, onChange);

  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === 0) return; // hidden; its size comes back as it was
    ({ width, height } = contentRect);
    ask();
  }).observe(canvas);
  onTheme(() => {
    look = null;
    ask();
  });
  return ask;
}

/**
 * Where a pointer is on a stage, in the pixels that it is painted in.
 * @param {MouseEvent} event
 */
export function pointOn({ offsetX, offsetY }) {
  const scale = typeScale();
  return { x: offsetX / scale, y: offsetY / scale };
}

/**
 * Where a point of a stage is in the window.
 * @param {HTMLElement} canvas
 * @param {{ x: number, y: number }} point in the pixels that it is painted in
 */
export function placeOn(canvas, point) {
  const scale = typeScale();
  const box = canvas.getBoundingClientRect();
  const [x, y] = [box.left + point.x * scale, box.top + point.y * scale];
  return { left: x, right: x, top: y, bottom: y };
}

/** The size of type; 1 by default. */
function typeScale() {
  const { fontSize } = getComputedStyle(document.documentElement);
  return Number.parseFloat(fontSize) / USUAL_TYPE;
}

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
function fit(canvas, width, height) {
  const [across, down] = [width, height].map((side) =>
    Math.max(1, Math.round(side * devicePixelRatio)),
  );
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
}

/**
 * @template {string} Name
 * @param {HTMLElement} element
 * @param {readonly Name[]} names
 */
function readLook(element, names) {
  const style = getComputedStyle(element);
  /** @type {[Name, string][]} */
  const values = names.map((name) => {
    // Through a property that takes colours: light-dark() is resolved only there.
    element.style.color = `var(--${name})`;
    return [name, style.color];
  });
  element.style.color = "";
  const colors = /** @type {Record<Name, string>} */ (Object.fromEntries(values));
  return { colors, font: style.fontFamily };
}

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Be told when the page turns light or dark; on paper it is light.
 * @param {() => void} listener told after every change, by the reader, the system or the printer
 */
export function onTheme(listener) {
  if (listeners.size === 0) observe();
  listeners.add(listener);
}

function observe() {
  const tell = () => {
    for (const listener of listeners) listener();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  onPrinting(tell);
  new MutationObserver(tell).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
}
