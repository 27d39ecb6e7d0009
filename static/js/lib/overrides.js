/**
 * What a reader has decided about a picture in place of the intake.
 * @import { Overrides } from "../types.js"
 */

/** Nothing decided: the intake finds all of it. @type {Overrides} */
export const AUTOMATIC = Object.freeze({
  invert: false,
  threshold: null,
  crop: null,
  rotate: 0,
  thickness: null,
  part: null,
});

const NAMES = /** @type {(keyof Overrides)[]} */ (Object.keys(AUTOMATIC));

/** The names of what is decided. @param {Overrides} overrides */
export function decided(overrides) {
  return NAMES.filter((name) => overrides[name] !== AUTOMATIC[name]);
}

/**
 * Decide something more. Other light, or another part of the picture, may hold other
 * digits; the choice of one of them is then void.
 * @param {Overrides} overrides @param {Partial<Overrides>} more
 * @returns {Overrides}
 */
export function withMore(overrides, more) {
  const isOtherPicture = "crop" in more || "invert" in more;
  return { ...overrides, ...(isOtherPicture && { part: null }), ...more };
}

/**
 * As fields of a request.
 * @param {Overrides} overrides
 * @returns {[string, string][]} only what is decided
 */
export function toFields(overrides) {
  return decided(overrides).map((name) => [name, String(overrides[name])]);
}
