/**
 * Tables of one capsule's numbers, whose rows may be chosen.
 * @import { Content } from "../../../../ui/h.js"
 */
import { h } from "../../../../ui/h.js";

/**
 * @typedef {object} Cell
 * @property {string} text
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
    { class: isFocused && "is-focused", "data-choice": choose && "", onclick: choose },
    h("th", { scope: "row" }, name),
    cells.map(({ text, color, ink }) =>
      h("td", color ? { "--ground": color, "--ink": ink } : {}, text),
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
