/**
 * The digit's own handles: to turn, shift, scale and shear it by mouse, finger and keys.
 * @import { Grid } from "../../types.js"
 * @import { Settings } from "../shared/knobs.js"
 * @import { Turn } from "../shared/sweep.js"
 * @import { Handle, Move } from "./moves.js"
 */

import { clamp } from "../../lib/arithmetic.js";
import { hasModifier, listenToDrag } from "../../ui/controls.js";
import { make, setAll, svg } from "../../ui/dom.js";

import { knobWords } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";
import { dragHandle, framePoints, halfOf, handlePlace } from "./moves.js";

/** As near to the picture's edge as a handle may come, as a share of half its side. */
const EDGE = 0.057;

/** The knobs of each handle: the first answers to ← and →, the last to ↑ and ↓. @type {Readonly<Record<Handle, readonly string[]>>} */
const KNOBS_OF = {
  shift: ["right", "down"],
  turn: ["turn"],
  scale: ["scale"],
  shear: ["shear"],
};

const TITLES = { shift: "Shift", turn: "Turn", scale: "Scale", shear: "Shear" };
const SIGNS = { shift: "✥", turn: "↻", scale: "⤡", shear: "⇄" };
const HANDLES = /** @type {Handle[]} */ (["shift", "turn", "scale", "shear"]);

/**
 * @param {HTMLElement} root over the picture
 * @param {() => Settings | null} settingsNow @param {object} turns
 * @param {Turn} turns.change by a key
 * @param {Turn} turns.drag by a hand that drags
 */
export function mountHandles(root, settingsNow, { change, drag }) {
  const overlay = svg("svg", {
    class: "pose-frame",
    "aria-hidden": "true",
  });
  const frame = svg("polygon");
  overlay.append(frame);
  const buttons = HANDLES.map((handle) => makeButton(handle));
  root.append(overlay, ...buttons);

  /** @type {Grid} */
  let size = { rows: 1, columns: 1 };

  /** @param {Handle} handle */
  function makeButton(handle) {
    const button = make(
      "button",
      { class: "pose-handle", "data-handle": handle },
      SIGNS[handle],
    );
    listenToDrag(button, (event) => {
      const start = /** @type {Move | null} */ (settingsNow());
      if (start === null) return null;
      // Asked for once: in every move, it would have the page laid out in every move.
      const box = overlay.getBoundingClientRect();
      const from = placeIn(box, size, event);
      return (move) => {
        const settings = dragHandle(
          start,
          handle,
          from,
          placeIn(box, size, move),
          halfOf(size),
        );
        const patch = snapToSteps(/** @type {Settings} */ (settings));
        drag(patch, mostMoved(patch, /** @type {any} */ (start)));
      };
    });
    button.addEventListener("keydown", (event) => {
      const settings = settingsNow();
      const step = settings && stepOf(handle, event.key);
      if (!step || settings === null || hasModifier(event)) return;
      event.preventDefault();
      const by = event.shiftKey ? 5 : 1;
      change(snapToSteps({ [step.id]: settings[step.id] + by * step.by }), step.id);
    });
    return button;
  }

  return {
    /** @param {Settings} settings @param {Grid} grid of the image's pixels */
    show(settings, grid) {
      const { rows, columns } = grid;
      size = grid;
      setAll(overlay, { viewBox: `${-columns / 2} ${-rows / 2} ${columns} ${rows}` });
      const move = /** @type {Move} */ (/** @type {unknown} */ (settings));
      setAll(frame, { points: framePoints(move, halfOf(grid)) });
      buttons.forEach((button, i) => {
        const point = handlePlace(move, HANDLES[i], halfOf(grid));
        button.style.left = `${within(point.x, columns)}%`;
        button.style.top = `${within(point.y, rows)}%`;
        button.setAttribute("aria-label", handleWords(HANDLES[i], settings));
      });
    },
  };
}

/**
 * @param {DOMRect} box of the picture
 * @param {Grid} grid @param {PointerEvent} event
 */
function placeIn(box, { rows, columns }, { clientX, clientY }) {
  return {
    x: ((clientX - box.left) / box.width - 0.5) * columns,
    y: ((clientY - box.top) / box.height - 0.5) * rows,
  };
}

/**
 * @param {number} coordinate in pixels from the picture's centre
 * @param {number} side of the picture
 * @returns {number} percent of it, within its edges
 */
function within(coordinate, side) {
  const reach = (side / 2) * (1 - EDGE);
  return (100 * (clamp(coordinate, -reach, reach) + side / 2)) / side;
}

/** @param {Handle} handle @param {Settings} settings */
function handleWords(handle, settings) {
  const values = KNOBS_OF[handle].map((id) => {
    const knob = knobOf(id);
    return `${KNOBS_OF[handle].length > 1 ? `${id} ` : ""}${knobWords(knob, settings[id])}`;
  });
  return `${TITLES[handle]}: ${values.join(", ")}. Drag, or press arrow keys.`;
}

/**
 * Values on the knobs' steps and within their limits.
 * @param {Settings} patch
 * @returns {Record<string, number>}
 */
export function snapToSteps(patch) {
  const fields = Object.entries(patch).map(([id, value]) => {
    const { low, high, step } = knobOf(id);
    const onStep = Number((Math.round(value / step) * step).toFixed(6));
    return [id, clamp(onStep, low, high)];
  });
  return Object.fromEntries(fields);
}

/**
 * Which knob a drag has moved the most, as a share of its range.
 * @param {Settings} patch @param {Settings} start
 */
export function mostMoved(patch, start) {
  const share = (/** @type {string} */ id) => {
    const { low, high } = knobOf(id);
    return Math.abs(patch[id] - start[id]) / (high - low);
  };
  return Object.keys(patch).reduce((most, id) => (share(id) > share(most) ? id : most));
}

/**
 * @param {Handle} handle @param {string} key
 * @returns {{ id: string, by: number } | null}
 */
export function stepOf(handle, key) {
  const ids = KNOBS_OF[handle];
  const [across, upright] = [ids[0], ids[ids.length - 1]];
  const isShift = handle === "shift";
  const large = (/** @type {string} */ id) => 2 * knobOf(id).step;
  if (key === "ArrowRight") return { id: across, by: large(across) };
  if (key === "ArrowLeft") return { id: across, by: -large(across) };
  // Down the picture for a shift, more for anything else.
  if (key === "ArrowUp")
    return { id: upright, by: (isShift ? -1 : 1) * large(upright) };
  if (key === "ArrowDown")
    return { id: upright, by: (isShift ? 1 : -1) * large(upright) };
  return null;
}

/** @param {string} id */
function knobOf(id) {
  const knob = KNOBS.find((knob) => knob.id === id);
  if (knob === undefined) throw new RangeError(`no knob ${id}`);
  return knob;
}
