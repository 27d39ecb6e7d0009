/**
 * Values as tables, filled while they are open.
 */
import { memoize } from "../lib/memoize.js";
import { find, findElement } from "../ui/dom.js";
import { valueTable } from "../ui/tables.js";

/**
 * @typedef {object} Listed
 * @property {string} name
 * @property {ArrayLike<number>} values row by row
 * @property {Parameters<typeof valueTable>[1]} options
 */

/** @param {HTMLElement} root */
export function mountTables(root) {
  const folder = find(root, "details.layer-numbers", HTMLDetailsElement);
  const tables = findElement(folder, "[data-tables]");
  /** @type {Listed[]} */
  let listed = [];

  const fill = memoize((/** @type {Listed[]} */ shown) =>
    tables.replaceChildren(...shown.flatMap(captioned)),
  );
  function draw() {
    if (folder.open) fill(listed);
  }
  folder.addEventListener("toggle", draw);

  return {
    /** @param {Listed[]} listedNow the same array as long as nothing has changed */
    show(listedNow) {
      listed = listedNow;
      draw();
    },
  };
}

/**
 * @param {string} name
 * @param {ArrayLike<number>} values
 * @param {number} side
 * @returns {Listed}
 */
export function square(name, values, side) {
  return { name, values, options: { rows: side, columns: side, corner: "row" } };
}

/** @param {Listed} listed */
function captioned({ name, values, options }) {
  const heading = document.createElement("h4");
  heading.textContent = name[0].toUpperCase() + name.slice(1);
  return [heading, valueTable(values, options)];
}
