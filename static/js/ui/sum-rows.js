/**
 * A sum as rows of a table: the largest terms with bars to either side of zero, the rest in
 * one row, the bias, and the total. What is written comes out.
 */
import { restOf } from "../lib/coming-out.js";
import { signed } from "../lib/number.js";
import { ranked, reach } from "../lib/rank.js";
import { ticksTo } from "../lib/ticks.js";
import { signedAxis, signedBar } from "./signed-bars.js";

const DECIMALS = 3;

/**
 * @typedef {object} Sum
 * @property {ArrayLike<number>} shares what each term adds
 * @property {number} bias
 * @property {number} total
 */

/**
 * @typedef {object} Names
 * @property {(term: number) => string | HTMLElement} term
 * @property {(count: number) => string} rest so many other terms
 * @property {string} total
 */

/**
 * @param {HTMLElement} axis filled
 * @param {HTMLElement} body filled with rows
 * @param {readonly Sum[]} sums bars and order are of the first; the others' terms stand
 *   beside as numbers
 * @param {Names} names
 * @param {number} shown terms with a row of their own
 */
export function fillSumRows(axis, body, sums, names, shown) {
  const [{ shares }] = sums;
  const strongest = ranked(Array.from(shares, Math.abs)).slice(0, shown);
  const left = shares.length - strongest.length;
  const columns = sums.map((sum) => {
    const named = strongest.map((term) => sum.shares[term]);
    const rest = restOf(sum.total, [...named, sum.bias], DECIMALS);
    return [...named, rest, sum.bias, sum.total];
  });
  const heads = [
    ...strongest.map(names.term),
    left === 0 ? "rounding" : names.rest(left),
    "bias",
    names.total,
  ];
  // Beside the rest and the total, which sum up hundreds, a single term's bar would vanish.
  const ticks = ticksTo(reach(columns[0].slice(0, strongest.length)), 2);
  const end = ticks[ticks.length - 1];
  axis.replaceChildren(...signedAxis(ticks));
  body.replaceChildren(
    ...heads.map((head, i) => {
      const values = columns.map((column) => column[i]);
      const isTerm = i < strongest.length;
      const kind = i === heads.length - 1 ? "is-total" : "";
      return sumRow(head, values, isTerm ? end : null, kind);
    }),
  );
}

/**
 * @param {string | HTMLElement} name
 * @param {readonly number[]} values the first has the bar
 * @param {number | null} end of the axis, on either side of zero; null for no bar
 * @param {string} [kind]
 */
export function sumRow(name, values, end, kind = "") {
  const row = document.createElement("tr");
  row.className = kind;
  const head = document.createElement("th");
  head.scope = "row";
  head.append(name);
  row.append(head);
  const bars = row.insertCell();
  bars.className = "signed-bars";
  if (end !== null) bars.append(signedBar("is-after", values[0] / end));
  for (const value of values) row.insertCell().textContent = signed(value, DECIMALS);
  return row;
}

/**
 * A button that chooses a term; `pressChoice` presses it by the term's number, so that rows,
 * and the focus, stay where they are.
 * @param {string} name
 * @param {number} term
 * @param {(term: number) => void} choose
 */
export function termButton(name, term, choose) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.dataset.value = String(term);
  button.addEventListener("click", () => choose(term));
  return button;
}
