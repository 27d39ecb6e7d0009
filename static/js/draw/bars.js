/**
 * Numbers as bars to either side of zero.
 * @import { Content } from "../ui/h.js"
 */
import { ranked, reach } from "../lib/arithmetic.js";
import { restOf, tickDecimals, ticksTo } from "../lib/decimals.js";
import { fixed, signed } from "../lib/format.js";
import { h } from "../ui/h.js";
import { button } from "../ui/inputs.js";

/**
 * A row for each number, which its button chooses.
 * @param {object} terms
 * @param {string} terms.caption what the table holds, for those who do not see it
 * @param {string} terms.of what the rows are
 * @param {readonly string[]} terms.names of the rows
 * @param {string} terms.shows what the numbers are
 * @param {ArrayLike<number>} terms.values
 * @param {number} terms.pressed
 * @param {(term: number) => void} terms.choose
 */
export function choiceBars({ caption, of, shows, names, values, pressed, choose }) {
  const rows = names.map((name, i) => {
    const named = button(name, () => choose(i), {
      pressed: i === pressed,
      dir: "auto",
    });
    return { name: named, bars: [values[i]], values: [signed(values[i], 3)] };
  });
  return barsTable(caption, [of, shows], rows);
}

const DECIMALS = 3;

/**
 * @typedef {object} Sum
 * @property {ArrayLike<number>} shares what each term adds
 * @property {number} bias
 * @property {number} total
 */

/**
 * Sums beside each other: the strongest terms of the first, which buttons choose, what all
 * others add, the bias and the total. What is written comes out.
 * @param {object} of
 * @param {string} of.caption what the table holds, for those who do not see it
 * @param {readonly string[]} of.heads what the rows are, then a name for each sum
 * @param {readonly Sum[]} of.sums
 * @param {number} of.shown terms with a row of their own
 * @param {string} of.term what one is
 * @param {string} of.total what the sum is
 * @param {number} of.pressed
 * @param {(term: number) => void} of.choose
 */
export function sumBars({ caption, heads, sums, shown, term, total, pressed, choose }) {
  const { strongest, left, columns } = termsOf(sums, shown);
  const names = [
    ...strongest.map((each) =>
      button(`${term} ${each}`, () => choose(each), { pressed: each === pressed }),
    ),
    left === 0 ? "rounding" : `the other ${left} ${term}s`,
    "bias",
    total,
  ];
  const rows = names.map((name, i) => ({
    name,
    values: columns.map((column) => signed(column[i], 3)),
    // Beside what sums up hundreds, a single term's bar would vanish.
    bars: i < strongest.length ? [columns[0][i]] : [],
    isTotal: i === names.length - 1,
  }));
  return barsTable(caption, heads, rows);
}

/**
 * The terms of sums, so that what is written comes out: the strongest of the first sum, what
 * all others add together, the bias, the total.
 * @param {readonly Sum[]} sums @param {number} shown how many are named
 */
function termsOf(sums, shown) {
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
 * @param {string} caption @param {readonly Content[]} heads
 * @param {readonly { name: Content, bars: readonly number[], values: readonly string[], isTotal?: boolean }[]} rows
 *   of two bars, the first is of before
 */
export function barsTable(caption, [of, ...heads], rows) {
  const ticks = ticksTo(reach(rows.flatMap(({ bars }) => bars)), 2);
  const end = ticks[ticks.length - 1];
  const column = (/** @type {Content} */ name) => h("th", { scope: "col" }, name);
  const axisCell = h("td", { class: "bars-axis" }, h("div", {}, axis(ticks)));
  return h(
    "table",
    { class: "bars-table" },
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, column(of), axisCell, heads.map(column))),
    h(
      "tbody",
      {},
      rows.map(({ name, bars, values, isTotal }) =>
        h(
          "tr",
          { class: isTotal && "is-total" },
          h("th", { scope: "row" }, name),
          h(
            "td",
            { class: "signed-bars" },
            bars.map((value, i) => bar(value / end, i < bars.length - 1)),
          ),
          values.map((value) => h("td", {}, value)),
        ),
      ),
    ),
  );
}

/** @param {number} share -1..1 of the half axis @param {boolean} isBefore */
const bar = (share, isBefore) =>
  h("i", {
    class: isBefore ? "is-before" : "is-after",
    "--left": `${50 + 50 * Math.min(0, share)}%`,
    "--width": `${50 * Math.abs(share)}%`,
  });

/** @param {readonly number[]} ticks of the positive side, 0 first */
function axis(ticks) {
  const end = ticks[ticks.length - 1];
  const all = [...ticks.slice(1).map((tick) => -tick), ...ticks];
  return all.map((tick) => {
    const isInner = tick !== 0 && Math.abs(tick) !== end; // narrow screens leave it out
    const look = {
      class: isInner && "is-inner",
      "--left": `${50 + (50 * tick) / end}%`,
    };
    return h("span", look, fixed(tick, tickDecimals([...ticks])));
  });
}
