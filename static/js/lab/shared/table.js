/**
 * A curve's numbers as a table that opens.
 * @import { CurveData } from "./curve.js"
 */
import { fixed, percent } from "../../lib/number.js";

const SAME = 1e-6; // values of a knob that differ by less

export function numberTable() {
  const element = document.createElement("details");
  element.className = "numbers lab-numbers";
  const summary = document.createElement("summary");
  summary.textContent = "Numbers";
  const holder = document.createElement("div");
  element.append(summary, holder);
  /** @type {CurveData | null} */
  let data = null;

  function fill() {
    if (!element.open || data === null) return;
    holder.replaceChildren(tableOf(data));
  }
  element.addEventListener("toggle", fill);

  return {
    element,
    /** @param {CurveData} next */
    show(next) {
      data = next;
      fill();
    },
  };
}

/** @param {CurveData} data */
function tableOf({ axis, score, knobs, shares, test }) {
  const table = document.createElement("table");
  const heads = [
    axis.title,
    score,
    ...(test === null ? [] : ["test images read right"]),
  ];
  const head = table.createTHead().insertRow();
  for (const title of heads) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  knobs.forEach((knob, i) => {
    const row = body.insertRow();
    const cell = document.createElement("th");
    cell.scope = "row";
    cell.textContent = fixed(knob, axis.decimals);
    row.append(cell);
    row.insertCell().textContent = shares ? fixed(shares[i], 2) : "…";
    if (test === null) return;
    const place = test.values.findIndex((value) => Math.abs(value - knob) < SAME);
    row.insertCell().textContent = place < 0 ? "–" : percent(test.accuracy[place], 1);
  });
  return table;
}
