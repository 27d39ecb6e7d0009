/**
 * The crop of a picture: a box in parts of its width and height, and the frame over the
 * picture by which it is dragged.
 */
import { clamp } from "../lib/arithmetic.js";
import { percent } from "../lib/format.js";
import { arrowOf, listenToDrag } from "../ui/controls.js";
import { findElement } from "../ui/dom.js";

/** @typedef {readonly [left: number, top: number, right: number, bottom: number]} Box */
/** @typedef {0 | 1 | 2 | 3} Edge which of a box's four numbers */

/** @type {Box} */
export const WHOLE = [0, 0, 1, 1];

/** Parts of the picture; a box is at least as wide and high. */
export const LEAST = 0.05;

/** Decimals of a box's numbers: a thousandth of a picture is less than a pixel. */
const DECIMALS = 3;

/** @param {Box} box */
export function isWhole(box) {
  return box.every((value, edge) => value === WHOLE[edge]);
}

/**
 * Move a box as far as the picture lets it.
 * @param {Box} box
 * @param {number} across to the right
 * @param {number} down
 * @returns {Box}
 */
export function move([left, top, right, bottom], across, down) {
  const x = clamp(across, -left, 1 - right);
  const y = clamp(down, -top, 1 - bottom);
  return round([left + x, top + y, right + x, bottom + y]);
}

/**
 * Put one edge elsewhere, as far as the picture and the opposite edge let it.
 * @param {Box} box @param {Edge} edge @param {number} to
 * @returns {Box}
 */
export function withEdge(box, edge, to) {
  const [low, high] = edgeRange(box, edge);
  return round(box.with(edge, clamp(to, low, high)));
}

/**
 * Between which values an edge can be.
 * @param {Box} box @param {Edge} edge
 * @returns {[low: number, high: number]}
 */
function edgeRange(box, edge) {
  return edge < 2 ? [0, box[edge + 2] - LEAST] : [box[edge - 2] + LEAST, 1];
}

/**
 * The box between two opposite corners.
 * @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to
 * @returns {Box | null} null when it is too small to be meant
 */
export function span(from, to) {
  const ends = (/** @type {number} */ a, /** @type {number} */ b) =>
    [a, b].map((value) => clamp(value, 0, 1)).sort((a, b) => a - b);
  const [left, right] = ends(from.x, to.x);
  const [top, bottom] = ends(from.y, to.y);
  if (right - left < LEAST || bottom - top < LEAST) return null;
  return round([left, top, right, bottom]);
}

/** @param {readonly number[]} box */
const round = (box) =>
  /** @type {Box} */ (
    /** @type {unknown} */ (box.map((value) => Number(value.toFixed(DECIMALS))))
  );

const EDGES = ["left", "top", "right", "bottom"];
const STEP = 0.01; // parts of the picture that an arrow key moves
const LEAP = 0.05; // with Shift

/**
 * A frame over a picture, to be dragged, or moved by arrow keys: what is inside counts.
 * @param {HTMLElement} root as large as the picture; holds what has a `data-grip`:
 *   `move`, an edge such as `left`, or two of them, a corner
 * @param {(box: Box) => void} change
 * @returns {(box: Box) => void} shows a box
 */
export function cropFrame(root, change) {
  const inside = findElement(root, '[data-grip="move"]');
  const edges = EDGES.map((edge) => findElement(root, `[data-grip="${edge}"]`));
  /** @type {Box} */
  let box = WHOLE;

  /** @param {Box} other */
  function show(other) {
    box = other;
    const [left, top, right, bottom] = box.map((value) => `${100 * value}%`);
    for (const [name, value] of Object.entries({ left, top, right, bottom }))
      root.style.setProperty(`--${name}`, value);
    root.classList.toggle("is-cropped", !isWhole(box));
    edges.forEach((edge, i) => {
      const [min, max] = edgeRange(box, /** @type {Edge} */ (i));
      for (const [name, value] of Object.entries({ min, max, now: box[i] }))
        edge.setAttribute(`aria-value${name}`, String(Math.round(100 * value)));
      edge.setAttribute("aria-valuetext", percent(box[i], 0));
    });
  }

  /** @param {Box | null} other */
  function become(other) {
    if (other === null || other.every((value, i) => value === box[i])) return;
    show(other);
    change(other);
  }

  /** @param {PointerEvent} event */
  function placeOf({ clientX, clientY }) {
    const { left, top, width, height } = root.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  listenToDrag(root, (event) => {
    const { target, pointerType } = event;
    const from = placeOf(event);
    const grip = target instanceof HTMLElement ? target.dataset.grip : null;
    const drag = dragOf(grip ?? "", box, from);
    // A finger on the picture scrolls the page; the frame's grips are for fingers, too.
    if (drag === span && pointerType === "touch") return null;
    return (move) => become(drag(from, placeOf(move)));
  });

  root.addEventListener("keydown", (event) => {
    if (event.target === inside && ["Delete", "Backspace"].includes(event.key)) {
      become(WHOLE);
      event.preventDefault();
      return;
    }
    const arrow = arrowOf(event);
    if (arrow === null || !(event.target instanceof HTMLElement)) return;
    const [down, right] = arrow.map((way) => way * (event.shiftKey ? LEAP : STEP));
    const edge = edges.indexOf(event.target);
    if (edge >= 0) {
      const by = right || down;
      become(withEdge(box, /** @type {Edge} */ (edge), box[edge] + by));
    } else if (event.target === inside) become(move(box, right, down));
    else return;
    event.preventDefault();
  });

  show(WHOLE);
  return show;
}

/**
 * What dragging from a place means.
 * @param {string} grip
 * @param {Box} box before
 * @param {{ x: number, y: number }} from
 * @returns {(from: { x: number, y: number }, to: { x: number, y: number }) => Box | null}
 */
function dragOf(grip, box, { x, y }) {
  const [left, top, right, bottom] = box;
  const isInside = x >= left && x <= right && y >= top && y <= bottom;
  if (grip === "move" && isInside && !isWhole(box))
    return (from, to) => move(box, to.x - from.x, to.y - from.y);
  const edges = EDGES.flatMap((name, edge) =>
    grip.split(" ").includes(name) ? [edge] : [],
  );
  if (edges.length === 0) return span;
  return (from, to) =>
    edges.reduce(
      (/** @type {Box} */ changed, edge) =>
        withEdge(
          changed,
          /** @type {Edge} */ (edge),
          box[edge] + (edge % 2 === 0 ? to.x - from.x : to.y - from.y),
        ),
      box,
    );
}
