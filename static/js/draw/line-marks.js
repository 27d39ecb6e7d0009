/**
 * What tells lines of a plot apart without their colours: marks along each, of a shape of its
 * own, and its name at its end.
 * @import { Content } from "../ui/h.js"
 */
import { h } from "../ui/h.js";

const SIZE = 3.6; // px from a mark's middle to its corners
const APART = 48; // px from mark to mark, at least
const HIGH = 12; // px of a name
const LETTER = 6.4; // px of a name's letter

/** Around (0, 0), in units of a mark's size. */
const SHAPES = [
  "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0Z",
  "M0 -1.2L1.1 0.9H-1.1Z",
  "M-0.9 -0.9H0.9V0.9H-0.9Z",
  "M0 -1.3L1.3 0L0 1.3L-1.3 0Z",
];

/**
 * @param {number} kind the first four are full, the next four hollow
 * @param {number} x @param {number} y px
 */
export const markAt = (kind, x, y) =>
  h("path", {
    d: SHAPES[kind % SHAPES.length],
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${SIZE})`,
    class: `curve-mark ${kind < SHAPES.length ? "" : "is-hollow"}`.trim(),
  });

/**
 * @param {number} kind of mark
 * @param {readonly (readonly number[])[]} points x and y in px, from left to right
 */
export function marksAlong(kind, points) {
  // Those of several lines do not hide each other.
  let next = (points[0]?.[0] ?? 0) + (kind % SHAPES.length) * (APART / SHAPES.length);
  return points
    .filter(([x]) => {
      if (x < next) return false;
      next = x + APART;
      return true;
    })
    .map(([x, y]) => markAt(kind, x, y));
}

/** Px that names need at the right. @param {readonly { name?: string }[]} lines */
export const roomForNames = (lines) =>
  8 + LETTER * Math.max(-1, ...lines.map(({ name = "" }) => name.length));

/**
 * Names at the ends of lines, moved apart where they would cover each other.
 * @param {readonly { name: string, look: string, y: number }[]} ends px
 * @param {{ x: number, top: number, bottom: number }} room px
 * @returns {Content}
 */
export function namesAtEnds(ends, { x, top, bottom }) {
  let free = Number.NEGATIVE_INFINITY;
  const placed = ends
    .toSorted((a, b) => a.y - b.y)
    .map((end) => {
      const y = Math.max(end.y, free, top);
      free = y + HIGH;
      return { ...end, y };
    });
  const over = Math.max(0, free - HIGH - bottom);
  return placed.map(({ name, look, y }) =>
    h("text", { x: x + 6, y: y - over, class: `line-name ${look}` }, name),
  );
}
