/**
 * A curve's numbers as a table that opens.
 * @import { Band, CurveData } from "./curve.js"
 */
import { fixed } from "../../lib/number.js";

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
  /** @type {Band | null} */
  let band = null;

  function fill() {
    if (!element.open || data === null) return;
    holder.replaceChildren(tableOf(data, band));
  }
  element.addEventListener("toggle", fill);

  return {
    element,
    /** @param {CurveData} next @param {Band | null} nextBand */
    show(next, nextBand) {
      data = next;
      band = nextBand;
      fill();
    },
  };
}

/**
 * @param {CurveData} data
 * @param {Band | null} band
 */
function tableOf({ axis, score, knobs, shares, test }, band) {
  const table = document.createElement("table");
  const heads = [axis.title, score, ...(band === null ? [] : [band.title])];
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
    if (test === null || band === null) return;
    const place = test.values.findIndex((value) => Math.abs(value - knob) < SAME);
    row.insertCell().textContent = place < 0 ? "–" : band.words(band.shares[place]);
  });
  return table;
}
