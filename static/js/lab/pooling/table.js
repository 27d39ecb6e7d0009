/**
 * What a move changes in a network's layers, as a table.
 * @import { Told } from "./words.js"
 */
import { grouped, percent } from "../../lib/format.js";

const HEADS = [
  ["layer", ""],
  ["changes by", "sum of all changes, as a share of the sum before"],
  ["stay within 1\u202f%", "of the units that are not 0 both times"],
  ["within 10\u202f%", "of the units that are not 0 both times"],
  ["another pixel wins", "of the windows with a winner both times"],
];

/** @param {HTMLElement} root filled */
export function layerTable(root) {
  const table = document.createElement("table");
  table.className = "pooling-table";
  const caption = table.createCaption();
  caption.className = "unseen";
  const head = table.createTHead().insertRow();
  for (const [title, meaning] of HEADS) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = title;
    cell.title = meaning;
    head.append(cell);
  }
  const body = table.createTBody();
  const holder = document.createElement("div");
  holder.className = "scroll";
  const none = document.createElement("p");
  none.className = "fine";
  none.textContent = "This network does not say which of its layers to compare.";
  holder.append(table);
  root.append(holder, none);

  return {
    /** @param {readonly Told[]} all */
    show(all) {
      holder.hidden = all.length === 0;
      none.hidden = all.length > 0;
      if (all.length > 0)
        caption.textContent = `What the move changes in ${all[0].network}`;
      body.replaceChildren(...all.map(rowOf));
      const hasWinners = all.some(({ change }) => change.winners !== null);
      table.classList.toggle("has-no-winners", !hasWinners);
    },
  };
}

/** @param {Told} told */
function rowOf({ layer, change }) {
  const row = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  const numbers = layer.size === 1 ? "" : ` of ${layer.size} numbers`;
  name.textContent = `${layer.title}, ${layer.many}${numbers}`;
  row.append(name);
  for (const text of cellsOf(change)) row.insertCell().textContent = text;
  return row;
}

/**
 * @param {Told["change"]} change
 * @returns {string[]}
 */
export function cellsOf({ share, near, rough, active, winners }) {
  const part = (/** @type {number} */ count, /** @type {number} */ of) =>
    of === 0 ? "–" : percent(count / of, 1);
  return [
    Number.isFinite(share) ? percent(share, 1) : "–",
    part(near, active),
    part(rough, active),
    winners === null
      ? ""
      : `${part(winners.rewon, winners.contested)} of ${grouped(winners.contested)}`,
  ];
}
