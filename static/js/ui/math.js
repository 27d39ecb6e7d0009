/**
 * Formulas, as described markup.
 * @import { Content } from "./h.js"
 */
import { h } from "./h.js";

const element =
  (/** @type {string} */ tag, look = {}) =>
  (/** @type {Content[]} */ ...content) =>
    h(tag, look, content);

export const formula = element("math", { display: "block" });
export const mi = element("mi");
export const mo = element("mo");
export const mn = element("mn");
export const mrow = element("mrow");
export const mfrac = element("mfrac");
export const msup = element("msup");
export const msub = element("msub");
export const munder = element("munder");
export const mover = element("mover");

/** A vector. */
export const bold = element("mi", { mathvariant: "normal", class: "vector" });
