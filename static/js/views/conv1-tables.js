/**
 * The kernel in focus and both its maps as tables.
 * @import { Reading } from "./conv1-reading.js"
 */
import { onChange } from "../lib/on-change.js";
import { find, findElement } from "../parts/find.js";
import { valueTable } from "../parts/value-table.js";

/** @param {HTMLElement} root */
export function mountTables(root) {
  const folder = find(root, "details.conv1-numbers", HTMLDetailsElement);
  const tables = findElement(folder, "[data-tables]");
  /** @type {Reading | null} */
  let reading = null;

  const fill = onChange((/** @type {Reading} */ shown) => {
    const { kernelName, mapName, weights, size, before, after, across } = shown;
    tables.replaceChildren(
      ...captioned(kernelName, weights, size),
      ...captioned(`${mapName} before ReLU`, before, across),
      ...captioned(`${mapName} after ReLU`, after, across),
    );
  });
  function draw() {
    if (folder.open && reading !== null) fill(reading);
  }
  folder.addEventListener("toggle", draw);

  return {
    /** @param {Reading} readingNow */
    show(readingNow) {
      reading = readingNow;
      draw();
    },
  };
}

/**
 * @param {string} name
 * @param {ArrayLike<number>} values
 * @param {number} side
 */
function captioned(name, values, side) {
  const heading = document.createElement("h4");
  heading.textContent = name[0].toUpperCase() + name.slice(1);
  return [heading, valueTable(values, { rows: side, columns: side, corner: "row" })];
}
