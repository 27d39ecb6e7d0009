/**
 * The colours of values, and of what routing has moved; the latter are mixed from the theme's.
 * @import { Column } from "./types.js"
 */
import { diverging, sequential } from "../lib/color.js";

/** @param {Pick<Column, "most" | "isSigned">} column */
export const scaleOf = ({ most, isSigned }) =>
  isSigned ? diverging(most) : sequential(0, most);

/**
 * On a square-root scale, so that what is small is told from nothing.
 * @param {number} share -1 to 1, clipped
 * @returns {string} for CSS
 */
export function movedColor(share) {
  const strength = Math.round(100 * Math.sqrt(Math.min(1, Math.abs(share))));
  if (strength === 0) return "var(--even)";
  const end = share > 0 ? "--gain" : "--loss";
  return `color-mix(in oklab, var(${end}) ${strength}%, var(--even))`;
}
