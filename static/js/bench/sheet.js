/**
 * What lies on the drawing area: an image or nothing, and the strokes on it.
 * @import { AppState, Source } from "../types.js"
 * @import { Stroke } from "../paint/pad.js"
 */

import { AUTOMATIC } from "../lib/overrides.js";
import { extentOf } from "../paint/pad.js";

const LEAST_EXTENT = 24; // canvas pixels; less is a dot, and no digit yet

/** An image as it was shown. @typedef {Pick<AppState, "pixels" | "source" | "intake" | "overrides">} Shown */

/**
 * @typedef {object} Sheet
 * @property {Shown | null} base the image that is drawn on
 * @property {readonly Stroke[]} strokes
 * @property {AppState["overrides"]} overrides what was decided about the drawing
 */

/** @type {Source} one for all, so that a stroke changes nothing but pixels */
export const DRAWING = { kind: "drawing" };

/** @type {Sheet} */
export const EMPTY = { base: null, strokes: [], overrides: AUTOMATIC };

/** @type {WeakMap<Source, Source>} */
const drawingsOn = new WeakMap();

/**
 * @param {Shown} shown
 * @returns {Sheet}
 */
export function sheetOf(shown) {
  const { pixels, source, intake, overrides } = shown;
  if (pixels === null) return EMPTY;
  return { ...EMPTY, base: { pixels, source, intake, overrides } };
}

/**
 * Where the image that a sheet is read as comes from: the same object for every stroke.
 * @param {Sheet} sheet
 * @returns {Source}
 */
export function sourceOf({ base, strokes }) {
  if (base === null) return DRAWING;
  if (strokes.length === 0) return base.source;
  const { source } = base;
  const drawing = drawingsOn.get(source) ?? { kind: "drawing", on: source };
  drawingsOn.set(source, drawing);
  return drawing;
}

/** @param {Sheet} sheet */
export function isEmpty({ base, strokes }) {
  return base === null && strokes.length === 0;
}

/**
 * Whether there is something, but not enough of it to be a digit.
 * @param {Sheet} sheet
 */
export function isDot({ base, strokes }) {
  return base === null && strokes.length > 0 && extentOf(strokes) < LEAST_EXTENT;
}

/**
 * With another stroke, what was decided about the drawing is decided anew.
 * @param {Sheet} sheet
 * @param {Stroke} stroke
 * @returns {Sheet}
 */
export function withStroke({ base, strokes }, stroke) {
  return { base, strokes: [...strokes, stroke], overrides: AUTOMATIC };
}
