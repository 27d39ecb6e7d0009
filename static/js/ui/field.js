/**
 * The frame around what a unit saw, on any picture of the input.
 * @import { Field } from "../types.js"
 */

/**
 * @param {SVGRectElement} frame in an SVG whose viewBox counts input pixels
 * @param {Field | null} field
 */
export function showField(frame, field) {
  frame.style.visibility = field === null ? "hidden" : "visible";
  if (field === null) return;
  frame.setAttribute("x", String(field.column));
  frame.setAttribute("y", String(field.row));
  frame.setAttribute("width", String(field.size));
  frame.setAttribute("height", String(field.size));
}
