/**
 * Tables whose numbers light up wherever they stand: see linked-terms.js.
 * @import { Content } from "../../../../ui/h.js"
 */
import { h } from "../../../../ui/h.js";

/**
 * @typedef {object} Cell
 * @property {string} text
 * @property {string} [term] what it shows
 * @property {string} [partOf] what it is a part of
 * @property {string} [color] behind the text
 * @property {string} [ink] of the text, on that colour
 */

/**
 * @param {Content} name @param {readonly Cell[]} cells
 * @param {boolean} [isFocused] @param {() => void} [choose] with a click
 */
export const rowOf = (name, cells, isFocused = false, choose) =>
  h(
    "tr",
    { class: isFocused && "is-focused", onclick: choose },
    h("th", { scope: "row" }, name),
    cells.map(({ text, term, partOf, color, ink }) =>
      h(
        "td",
        {
          ...{ "data-term": term, "data-part-of": partOf },
          ...(color && { "--ground": color, "--ink": ink }),
        },
        text,
      ),
    ),
  );

/**
 * @param {object} of
 * @param {string} of.label what it shows, where it is scrolled
 * @param {string} of.look its class
 * @param {Content} of.caption
 * @param {readonly Content[]} of.head the names of its columns
 * @param {Content} of.rows
 * @param {Record<string, string>} [of.bodyLook]
 * @param {Content} [of.foot] cells of a last row
 */
export const table = ({ label, look, caption, head, rows, bodyLook = {}, foot }) =>
  h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      { class: `values ${look}` },
      caption,
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h("tbody", bodyLook, rows),
      foot && h("tfoot", {}, h("tr", {}, foot)),
    ),
  );

/**
 * The names of a number: its own, and that of the number in focus where it is that.
 * @param {boolean} isFocused
 * @param {string} mark such as ".7" or "@0"
 */
export function termsOf(isFocused, mark) {
  return (/** @type {string} */ term) =>
    isFocused ? `${term} ${term}${mark}` : `${term}${mark}`;
}
