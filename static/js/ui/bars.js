/**
 * Bars: the terms of a sum to either side of zero, and the scores of all classes from 0 to
 * 1 in columns, and a few values from 0 to 1 with a mark across.
 */

import { clamp, ranked, reach } from "../lib/arithmetic.js";
import { restOf, tickDecimals, ticksTo } from "../lib/decimals.js";
import { fixed, signed } from "../lib/format.js";
import { make } from "./dom.js";
import { h } from "./h.js";

/**
 * A bar to either side of zero, in the cell of a table.
 * @param {string} name of its class
 * @param {number} share -1..1 of the half axis
 */
export function signedBar(name, share) {
  const element = make("i", name);
  element.style.left = `${50 + 50 * Math.min(0, share)}%`;
  element.style.width = `${50 * Math.abs(share)}%`;
  return element;
}

/**
 * The axis above bars to either side of zero.
 * @param {number[]} ticks of the positive side, 0 first
 */
function signedAxis(ticks) {
  const end = ticks[ticks.length - 1];
  const decimals = tickDecimals(ticks);
  const all = [...ticks.slice(1).map((tick) => -tick), ...ticks];
  return all.map((tick) => {
    const label = make("span", "", fixed(tick, decimals));
    const isInner = tick !== 0 && Math.abs(tick) !== end;
    label.classList.toggle("is-inner", isInner); // narrow screens leave it out
    label.style.left = `${50 + (50 * tick) / end}%`;
    return label;
  });
}

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
 * Show a sum as rows of a table: the largest terms with bars to either side of zero,
 * the rest in one row, the bias, and the total. What is written comes out.
 * @param {HTMLElement} axis filled
 * @param {HTMLElement} body filled with rows
 * @param {readonly Sum[]} sums bars and order are of the first; the others' terms stand
 *   beside as numbers
 * @param {Names} names
 * @param {number} shown terms with a row of their own
 */
export function fillSumRows(axis, body, sums, names, shown) {
  const { strongest, left, columns } = termsOf(sums, shown);
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
 * The terms of sums, so that what is written comes out: the strongest of the first sum, what
 * all others add together, the bias, the total.
 * @param {readonly Sum[]} sums @param {number} shown how many are named
 */
export function termsOf(sums, shown) {
  const [{ shares }] = sums;
  const strongest = ranked(Array.from(shares, Math.abs)).slice(0, shown);
  const columns = sums.map((sum) => {
    const named = strongest.map((term) => sum.shares[term]);
    const rest = restOf(sum.total, [...named, sum.bias], DECIMALS);
    return [...named, rest, sum.bias, sum.total];
  });
  return { strongest, left: shares.length - strongest.length, columns };
}

/**
 * @param {string | HTMLElement} name
 * @param {readonly number[]} values the first has the bar
 * @param {number | null} end of the axis, on either side of zero; null for no bar
 * @param {string} [kind]
 */
function sumRow(name, values, end, kind = "") {
  const row = make("tr", kind);
  const head = make("th", { scope: "row" }, name);
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
 * @param {string} name @param {number} term @param {(term: number) => void} choose
 */
export function termButton(name, term, choose) {
  const button = make("button", { "data-value": String(term) }, name);
  button.addEventListener("click", () => choose(term));
  return button;
}

/**
 * A column for each class, from 0 to 1.
 * @param {readonly string[]} names
 * @param {string} title what the scores are
 * @param {ArrayLike<number> | undefined} scores undefined while they are on their way
 * @param {readonly number[]} present @param {readonly number[]} followed
 */
export function scoreColumns(names, title, scores, present, followed) {
  const isOfWords = names.some((name) => name.length > 2);
  const look = { class: `lab-scores ${isOfWords ? "has-words" : ""}`.trim() };
  const columns = names.map((name, i) => {
    const is = [
      present.includes(i) && "is-read",
      followed.includes(i) && "is-followed",
    ];
    const said = scores && { title: `${name}: ${fixed(scores[i], 3)}` };
    return h(
      "li",
      { class: is.filter(Boolean).join(" "), ...said },
      h(
        "span",
        { class: "lab-score-track" },
        h("i", { "--height": `${100 * clamp(scores?.[i] ?? 0, 0, 1)}%` }),
      ),
      h("span", { class: "lab-score-name" }, name),
      h("span", { class: "unseen" }, scores && `: ${fixed(scores[i], 2)}`),
    );
  });
  return h("ol", { ...look, "aria-label": title }, columns);
}

/**
 * A bar from 0 to 1 for each of a few, and a mark across all; the last stands out.
 * @param {readonly { name: string, share: number, words: string, look?: string }[]} bars
 * @param {number | null} mark null for none
 */
export const markedBars = (bars, mark) =>
  h(
    "ul",
    { class: "marked-bars" },
    bars.map(({ name, share, words, look = "" }) =>
      h(
        "li",
        { class: look },
        h("span", {}, name),
        h(
          "span",
          { "--share": `${100 * clamp(share, 0, 1)}%` },
          h("i"),
          mark !== null && h("b", { "--from": `${100 * mark}%` }),
        ),
        h("output", {}, words),
      ),
    ),
  );
