/**
 * A frame over a picture, to be dragged, or moved by arrow keys: what is inside counts.
 * @import { Box, Edge } from "../crop.js"
 */

import { percent } from "../../lib/format.js";
import { arrowOf } from "../../ui/controls.js";
import { findElement } from "../../ui/dom.js";
import { edgeRange, isWhole, moved, spanned, WHOLE, withEdge } from "../crop.js";

const EDGES = ["left", "top", "right", "bottom"];
const STEP = 0.01; // parts of the picture that an arrow key moves
const LEAP = 0.05; // with Shift

/**
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
      const [low, high] = edgeRange(box, /** @type {Edge} */ (i));
      edge.setAttribute("aria-valuemin", String(Math.round(100 * low)));
      edge.setAttribute("aria-valuemax", String(Math.round(100 * high)));
      edge.setAttribute("aria-valuenow", String(Math.round(100 * box[i])));
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

  root.addEventListener("pointerdown", (event) => {
    const grip = event.target instanceof HTMLElement ? event.target.dataset.grip : null;
    if (event.button !== 0) return;
    const drag = dragOf(grip ?? "", box, placeOf(event));
    // A finger on the picture scrolls the page; the frame's grips are for fingers, too.
    if (drag === spanned && event.pointerType === "touch") return;
    root.setPointerCapture(event.pointerId);
    const from = placeOf(event);
    /** @param {PointerEvent} move */
    const follow = (move) => become(drag(from, placeOf(move)));
    root.addEventListener("pointermove", follow);
    for (const end of ["pointerup", "pointercancel"])
      root.addEventListener(
        end,
        () => root.removeEventListener("pointermove", follow),
        {
          once: true,
        },
      );
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
    } else if (event.target === inside) become(moved(box, right, down));
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
    return (from, to) => moved(box, to.x - from.x, to.y - from.y);
  const edges = EDGES.flatMap((name, edge) =>
    grip.split(" ").includes(name) ? [edge] : [],
  );
  if (edges.length === 0) return spanned;
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
