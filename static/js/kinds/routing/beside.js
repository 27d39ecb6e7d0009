/**
 * Other networks' routing of the same image above this network's: scores and mean shares
 * over the iterations, and what corresponds to what.
 * @import { BesideRun, LayerStore, RoutingForm, RoutingTerm } from "../types.js"
 * @import { Side } from "./beside-words.js"
 */
import { ticksTo } from "../../lib/decimals.js";
import { capitalized, fixed, listed } from "../../lib/format.js";
import { findElement, make, setText } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { fillRows } from "../../ui/tables.js";
import { besideWords, lastOf, rankedAt } from "./beside-words.js";
import { overSteps, SHARES } from "./curves.js";

/** @type {readonly [RoutingTerm, string][]} */
const TERMS = [
  ["vote", "what a capsule below predicts for a class"],
  ["share", "the share of a capsule that goes to a class"],
  ["weight", "what weighs a vote in the sum"],
  ["against", "what a vote is compared with"],
  ["fit", "how well it fits; this decides the share"],
  ["result", "the pose that the votes are combined into"],
  ["score", "how present the class is"],
];

/**
 * @param {HTMLElement} root
 * @param {LayerStore<any>} store of a view that needs what `own` does
 * @param {object} options
 * @param {RoutingForm<any>} options.own of the layer that the view shows
 * @param {(step: number) => void} options.showStep 1 first
 */
export function mountBeside(root, store, { own, showStep }) {
  const reason = findElement(root, "[data-reason]");
  const both = findElement(root, "[data-both]");
  const words = findElement(root, "[data-beside-words]");
  const other = findElement(root, "[data-other]");
  const note = findElement(root, "[data-beside-note]");
  const table = makeTable(findElement(root, "[data-terms]"));
  const place = findElement(root, "[data-rows]");
  /** @type {ReturnType<typeof makeRow>[]} */
  const rows = [];

  /** @param {number} count */
  function fitRows(count) {
    while (rows.length > count) rows.pop()?.root.remove();
    while (rows.length < count) {
      const row = makeRow(make("div", "beside-row"), showStep);
      rows.push(row);
      place.append(row.root);
    }
  }
  store.watch(["trace", "beside", "model"], ({ trace, beside, model }) => {
    const hasRuns = beside !== null && beside.runs.length > 0;
    both.hidden = !hasRuns;
    reason.hidden = beside === null || hasRuns;
    if (beside === null) return;
    if (!hasRuns) return setText(reason, beside.reason);
    /** @type {BesideRun[]} */
    const runs = beside.runs.filter(
      (/** @type {BesideRun} */ run) =>
        run.trace.pixels === trace.pixels && run.model !== model,
    );
    root.classList.toggle("is-old", runs.length === 0);
    if (runs.length === 0) return;
    /** @type {Side[]} */
    const sides = [
      ...runs.map((run) => ({
        ...{ form: run.form, course: run.form.courseOf(run.trace) },
        present: run.trace.present,
      })),
      { form: own, course: own.courseOf(trace), present: trace.present },
    ];
    /** @type {string[]} */
    const names = model.class_names;
    setText(other, listed(runs.map(({ form }) => form.name)));
    setText(words, besideWords(sides, names));
    const others = runs.filter(({ form, model }) => form.hasNone?.(model));
    const withNone = [
      ...others.map(({ form }) => form.network),
      ...(own.hasNone?.(model) ? [own.network] : []),
    ];
    setText(note, noteOf(runs, own, withNone));
    const most = Math.max(...sides.flatMap(({ course }) => course.shares.flat()));
    const titles = [
      ...runs.map((run) => `${run.form.name}, ${run.model.title}`),
      `${own.name}, here`,
    ];
    fitRows(sides.length);
    sides.forEach((side, i) => {
      rows[i].fill(side, capitalized(titles[i]), names, ticksTo(most, 2));
    });
    fillTable(table, sides, names);
  });
  store.watch(["step", "beside", "trace"], ({ step = Number.POSITIVE_INFINITY }) => {
    for (const { mark } of rows) mark(step - 1);
  });
}

/**
 * What shares sum to, and how many iterations run where.
 * @param {readonly BesideRun[]} runs
 * @param {Pick<RoutingForm<any>, "isOnce" | "network">} own
 * @param {readonly string[]} withNone networks whose routing has none of the above
 */
function noteOf(runs, own, withNone) {
  const forms = runs.map(({ form }) => form);
  const trained = forms.filter(({ isOnce }) => !isOnce).map(({ network }) => network);
  return [
    withNone.length > 0
      ? `A capsule’s shares sum to 1, in ${listed(withNone)} with that of “none of the above”.`
      : "A capsule’s shares sum to 1.",
    trained.length > 0
      ? `As many iterations run in ${listed(trained)} as in training.`
      : "",
    own.isOnce ? "" : `In ${own.network} as many run as you choose.`,
    [...forms, own].some(({ isOnce }) => isOnce)
      ? "Attention compares votes once, so its charts have one point."
      : "",
    "Charts of the same kind have the same axes.",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/**
 * One network's routing over its iterations: the scores of all classes, and the mean
 * shares that the first two get.
 * @param {HTMLElement} root filled
 * @param {(step: number) => void} showStep 1 first
 */
function makeRow(root, showStep) {
  let last = -1;
  let now = 0;
  /** @type {(at: number) => void} */
  let draw = () => {};
  const markAll = () => last < 0 || draw(Math.min(now, last));
  return {
    root,

    /** @param {number} step 0 first; the last one stands for those that did not run */
    mark(step) {
      now = step;
      markAll();
    },

    /**
     * @param {Side} side
     * @param {string} text the title
     * @param {readonly string[]} names of the classes
     * @param {readonly number[]} ticks of the shares' axis
     */
    fill({ form, course }, text, names, ticks) {
      last = lastOf(course);
      const [first, second] = rankedAt(course.scores, last);
      const told = (/** @type {readonly number[][]} */ values) =>
        [
          `${names[first]} ${form.isOnce ? "is" : "ends"} at ${fixed(values[first][last], 3)}`,
        ]
          .concat(
            second === undefined
              ? []
              : `${names[second]} at ${fixed(values[second][last], 3)}`,
          )
          .join(", ");
      const { score, share } = form.terms;
      const charts = /** @type {const} */ ([
        [
          { lines: linesOf(course.scores, first, second), ticks: SHARES },
          `${score.name} ${score.symbol} of all classes: ${told(course.scores)}`,
        ],
        [
          { lines: linesOf(course.shares, first, second).slice(-2), ticks },
          `mean ${share.name} ${share.symbol} of ${course.capsules} capsules: ${told(course.shares)}`,
        ],
      ]);
      draw = (at) =>
        fill(
          root,
          h("h4", {}, text),
          charts.map(([chart, words]) =>
            h(
              "figure",
              {},
              overSteps(chart, words, at, showStep),
              h("figcaption", {}, words),
            ),
          ),
        );
      markAll();
    },
  };
}

/**
 * @param {readonly number[][]} values [class][iteration]
 * @param {number} first set off
 * @param {number | undefined} second set off less
 * @returns {import("./curves.js").Line[]} those set off last
 */
function linesOf(values, first, second) {
  const others = [...values.keys()].filter((each) => each !== first && each !== second);
  return [...others, ...(second === undefined ? [] : [second]), first].map((each) => ({
    values: values[each],
    look: each === first ? "is-focused" : each === second ? "is-set-off" : "",
  }));
}

/** @param {HTMLElement} place filled */
function makeTable(place) {
  const table = make("table", "values beside-terms");
  table.createCaption().textContent = "Corresponding terms";
  const head = table.createTHead().insertRow();
  place.replaceChildren(table);
  return { head, body: table.createTBody() };
}

/**
 * @param {ReturnType<typeof makeTable>} table @param {readonly Side[]} sides
 * @param {readonly string[]} names
 */
function fillTable({ head, body }, sides, names) {
  const winners = sides.map(({ course }) => rankedAt(course.scores, lastOf(course))[0]);
  const headings = sides.flatMap(({ form }, i) => [
    form.network,
    `mean for ${names[winners[i]]}`,
  ]);
  head.replaceChildren(
    ...["in words", ...headings].map((text) => make("th", { scope: "col" }, text)),
  );
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
