/**
 * How many windows of each kind there are, as a table: of the chosen map and of all.
 * @import { Counts, Kind } from "./comparison.js"
 */
import { grouped, percent } from "../../../../lib/format.js";
import { setText } from "../../../../ui/dom.js";

/**
 * What a column counts.
 * @typedef {object} Column
 * @property {Counts} windows
 * @property {{ active: number, kept: number }} pixels of the layer below
 */

/**
 * @param {HTMLElement} root holds a row with `data-count` for everything that is counted
 * @param {readonly Column[]} columns
 */
export function fillCounts(root, columns) {
  for (const row of root.querySelectorAll("tr[data-count]")) {
    const name = row.getAttribute("data-count") ?? "";
    [...row.querySelectorAll("td")].forEach((cell, i) => {
      setText(cell, countText(columns[i], name));
    });
  }
}

/**
 * @param {Column} column
 * @param {string} name
 */
function countText({ windows, pixels }, name) {
  if (name === "kept") return partText(windows.kept, windows.active);
  if (name === "rewon") return partText(windows.rewon, windows.contested);
  if (name === "below") return partText(pixels.kept, pixels.active);
  return grouped(windows[/** @type {Kind} */ (name)]);
}

/**
 * @param {number} count
 * @param {number} of
 */
function partText(count, of) {
  if (of === 0) return "none to count";
  return `${grouped(count)} of ${grouped(of)} (${percent(count / of, 1)})`;
}
