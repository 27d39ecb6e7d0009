/** Numbers as bars to either side of zero. */
import { reach } from "../lib/arithmetic.js";
import { tickDecimals, ticksTo } from "../lib/decimals.js";
import { fixed, signed } from "../lib/format.js";
import { h } from "../ui/h.js";
import { button } from "../ui/inputs.js";

/**
 * A row for each term of a sum, which its button chooses.
 * @param {object} terms
 * @param {string} terms.caption what the table holds, for those who do not see it
 * @param {string} terms.of what the rows are
 * @param {readonly string[]} terms.names of the rows
 * @param {ArrayLike<number>} terms.values what each adds
 * @param {number} terms.pressed
 * @param {(term: number) => void} terms.choose
 */
export function addedBars({ caption, of, names, values, pressed, choose }) {
  const ticks = ticksTo(reach(values), 2);
  const end = ticks[ticks.length - 1];
  const rows = names.map((name, i) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        button(name, () => choose(i), { pressed: i === pressed }),
      ),
      h("td", { class: "signed-bars" }, bar(values[i] / end)),
      h("td", {}, signed(values[i], 3)),
    ),
  );
  const head = [
    h("th", { scope: "col" }, of),
    h("td", { class: "bars-axis" }, h("div", {}, axis(ticks))),
    h("th", { scope: "col" }, "adds"),
  ];
  return h(
    "table",
    { class: "bars-table" },
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows),
  );
}

/** @param {number} share -1..1 of the half axis */
const bar = (share) =>
  h("i", {
    class: "is-after",
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
