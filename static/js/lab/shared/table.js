/**
 * A picture's numbers as a table that opens.
 * @import { Band, CurveData } from "./curve.js"
 */

import { fixed } from "../../lib/format.js";
import { make } from "../../ui/dom.js";

const SAME = 1e-6; // values of a knob that differ by less

/** A row's first cell is its head. @typedef {{ heads: readonly string[], rows: readonly (readonly string[])[] }} Numbers */

export function numberTable() {
  const element = make("details", "numbers lab-numbers");
  const summary = make("summary", "", "Numbers");
  const holder = make("div");
  element.append(summary, holder);
  /** @type {(() => Numbers) | null} */
  let numbers = null;

  function fill() {
    if (!element.open || numbers === null) return;
    holder.replaceChildren(tableOf(numbers()));
  }
  element.addEventListener("toggle", fill);

  return {
    element,
    /** @param {() => Numbers} next called while the table is open */
    show(next) {
      numbers = next;
      fill();
    },
  };
}

/** @param {Numbers} numbers */
function tableOf({ heads, rows }) {
  const table = make("table");
  const head = table.createTHead().insertRow();
  for (const title of heads) head.append(make("th", { scope: "col" }, title));
  const body = table.createTBody();
  for (const [first, ...others] of rows) {
    const row = body.insertRow();
    row.append(make("th", { scope: "row" }, first));
    for (const text of others) row.insertCell().textContent = text;
  }
  return table;
}

/**
 * What a curve shows, as numbers.
 * @param {CurveData} data
 * @param {readonly Band[]} bands behind its lines, as far as they were measured
 * @returns {Numbers}
 */
export function curveNumbers({ axis, score, knobs, shares, second }, bands) {
  const lines = [{ title: score, shares }, ...(second ? [second] : [])];
  return {
    heads: [axis.title, ...[...lines, ...bands].map(({ title }) => title)],
    rows: knobs.map((knob, i) => [
      fixed(knob, axis.decimals),
      ...lines.map((line) => (line.shares ? fixed(line.shares[i], 2) : "…")),
      ...bands.map(({ values, shares: found, words }) => {
        const place = values.findIndex((value) => Math.abs(value - knob) < SAME);
        return place < 0 ? "–" : words(found[place]);
      }),
    ]),
  };
}
