/**
 * Another network's routing of the same image above this network's: scores and mean shares
 * over the iterations, and what corresponds to what.
 * @import { AnyTenant, RoutingForm, RoutingTerm, ViewStore } from "../types.js"
 * @import { Side } from "./words.js"
 */

import { ticksTo } from "../lib/decimals.js";
import { fixed } from "../lib/format.js";
import { findElement, setText } from "../ui/dom.js";
import { fillRows } from "../ui/tables.js";
import { lastOf, rankedAt } from "./course.js";
import { fillRow, makeRow } from "./row.js";
import { besideWords } from "./words.js";

/** @type {readonly [RoutingTerm, string][]} */
const TERMS = [
  ["vote", "what a capsule below predicts for a class"],
  ["share", "the share of a capsule that goes to a class; its shares sum to 1"],
  ["result", "the pose that the votes are combined into"],
  ["fit", "how well a vote fits that pose; this changes the share"],
  ["score", "how present the class is"],
];

/**
 * @param {HTMLElement} root
 * @param {any} store of a view that needs what `own` does
 * @param {object} options
 * @param {RoutingForm<any>} options.own of the network that the view belongs to
 * @param {(step: number) => void} options.showStep 1 first
 */
export function mountBeside(root, store, { own, showStep }) {
  /** @type {Pick<ViewStore<AnyTenant, string>, "watch">} */
  const { watch } = store;
  const reason = findElement(root, "[data-reason]");
  const both = findElement(root, "[data-both]");
  const words = findElement(root, "[data-beside-words]");
  const table = makeTable(findElement(root, "[data-terms]"));
  const rows = ["above", "below"].map((name) =>
    makeRow(findElement(root, `[data-row-${name}]`), showStep),
  );

  watch(["trace", "beside", "model"], ({ trace, beside, model }) => {
    both.hidden = beside === null || beside.model === null;
    reason.hidden = beside === null || beside.model !== null;
    if (beside === null) return;
    if (beside.model === null) return setText(reason, beside.reason);
    root.classList.toggle("is-old", beside.trace.pixels !== trace.pixels);
    if (beside.trace.pixels !== trace.pixels) return;
    const { form } = beside;
    /** @type {Side[]} */
    const sides = [
      { form, course: form.courseOf(beside.trace) },
      { form: own, course: own.courseOf(trace) },
    ];
    const names = model.class_names;
    setText(findElement(root, "[data-other]"), form.name);
    setText(words, besideWords(sides[0], sides[1], names));
    const most = Math.max(...sides.flatMap(({ course }) => course.shares.flat()));
    const ticks = ticksTo(most, 2);
    sides.forEach((side, i) => {
      const title =
        i === 0 ? `${form.name}, ${beside.model.title}` : `${own.name}, here`;
      fillRow(rows[i], side, { title: capitalised(title), names, ticks });
    });
    fillTable(table, sides, names);
  });
  watch(["step"], ({ step }) => {
    for (const { mark } of rows) mark(step - 1);
  });
}

/** @param {HTMLElement} place filled */
function makeTable(place) {
  const table = document.createElement("table");
  table.className = "values beside-terms";
  table.createCaption().textContent = "Corresponding terms";
  const head = table.createTHead().insertRow();
  const cells = Array.from({ length: 5 }, () => {
    const cell = document.createElement("th");
    cell.scope = "col";
    head.append(cell);
    return cell;
  });
  place.replaceChildren(table);
  return { cells, body: table.createTBody() };
}

/**
 * @param {ReturnType<typeof makeTable>} table
 * @param {readonly Side[]} sides
 * @param {readonly string[]} names
 */
function fillTable({ cells, body }, sides, names) {
  const winners = sides.map(({ course }) => rankedAt(course.scores, lastOf(course))[0]);
  const [one, other] = sides.map(({ form }) => form.network);
  const headings = [
    "in words",
    one,
    `mean for ${names[winners[0]]}`,
    other,
    `mean for ${names[winners[1]]}`,
  ];
  headings.forEach((text, i) => {
    setText(cells[i], text);
  });
  fillRows(
    body,
    TERMS.map(([term, what]) => ({
      head: { text: what },
      cells: sides.flatMap(({ form, course }, i) => {
        const { name, symbol } = form.terms[term];
        const values = { score: course.scores, share: course.shares, fit: course.fits };
        const found = term in values ? values[/** @type {"fit"} */ (term)] : null;
        return [
          { text: `${name} ${symbol}` },
          { text: found ? fixed(found[winners[i]][lastOf(course)], 3) : "" },
        ];
      }),
    })),
  );
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
