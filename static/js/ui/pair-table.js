/**
 * Numbers of two images and their difference as a table, with a pair of bars in each row
 * on one scale.
 */
import { fixed, signed } from "../lib/number.js";
import { fillRows } from "./rows.js";

/**
 * @typedef {object} Pair
 * @property {string} name
 * @property {number} kept
 * @property {number} shown
 * @property {boolean} [isFocused]
 * @property {string[]} [more] further cells
 */

/**
 * @param {HTMLElement} root filled
 * @param {object} options
 * @param {string} options.caption what the table holds
 * @param {string} options.of what the rows are
 * @param {string[]} [options.more] further columns
 */
export function pairTable(root, { caption, of, more = [] }) {
  const table = document.createElement("table");
  table.className = "values pair-table";
  table.createCaption().textContent = caption;
  table.caption?.classList.add("unseen");
  const head = table.createTHead().insertRow();
  const [first, bars, kept, shown, ...others] = [
    of,
    "",
    "kept",
    "shown",
    "difference",
    ...more,
  ].map(heading);
  kept.prepend(swatch("is-before"));
  shown.prepend(swatch("is-after"));
  bars.className = "pair-bars-head";
  head.append(first, bars, kept, shown, ...others);
  const body = table.createTBody();
  root.replaceChildren(table);

  return {
    /**
     * @param {readonly Pair[]} pairs
     * @param {object} scale
     * @param {number} scale.reach end of the bars' scale
     * @param {boolean} [scale.isSigned] whether it begins at −reach rather than at 0
     * @param {number} [scale.decimals]
     */
    show(pairs, { reach, isSigned = false, decimals = 3 }) {
      const end = fixed(reach, reach < 10 ? 2 : 0);
      bars.textContent = isSigned ? `−${end} to ${end}` : `0 to ${end}`;
      fillRows(
        body,
        pairs.map(
          ({ name, kept: before, shown: after, isFocused, more: cells = [] }) => ({
            head: { text: name },
            isFocused,
            cells: [
              { text: "" },
              { text: fixed(before, decimals) },
              { text: fixed(after, decimals) },
              { text: signed(after - before, decimals) },
              ...cells.map((text) => ({ text })),
            ],
          }),
        ),
      );
      pairs.forEach((pair, i) => {
        showBars(body.rows[i].cells[1], [pair.kept, pair.shown], reach, isSigned);
      });
    },
  };
}

/** @param {string} text */
function heading(text) {
  const cell = document.createElement("th");
  cell.scope = "col";
  cell.append(text);
  return cell;
}

/** @param {string} name of its class */
function swatch(name) {
  const mark = document.createElement("i");
  mark.className = `swatch ${name}`;
  return mark;
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {readonly number[]} values kept, shown
 * @param {number} reach
 * @param {boolean} isSigned
 */
function showBars(cell, values, reach, isSigned) {
  if (cell.childElementCount === 0) {
    cell.className = "pair-bars";
    cell.append(bar("is-before"), bar("is-after"));
  }
  cell.classList.toggle("is-signed", isSigned);
  values.forEach((value, i) => {
    const { left, width } = extentOf(value, reach, isSigned);
    const { style } = /** @type {HTMLElement} */ (cell.children[i]);
    style.left = `${left}%`;
    style.width = `${width}%`;
  });
}

/**
 * Where a bar begins and how wide it is.
 * @param {number} value
 * @param {number} reach more than 0
 * @param {boolean} isSigned
 * @returns {{ left: number, width: number }} in percent of the track
 */
export function extentOf(value, reach, isSigned) {
  const share = Math.min(1, Math.abs(value) / reach);
  if (!isSigned) return { left: 0, width: 100 * share };
  return { left: value < 0 ? 50 - 50 * share : 50, width: 50 * share };
}

/** @param {string} name of its class */
function bar(name) {
  const made = document.createElement("i");
  made.className = name;
  return made;
}
