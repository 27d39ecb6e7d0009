/**
 * Other networks' routing of the same image above this network's: scores and mean shares
 * over the iterations, and what corresponds to what.
 * @import { Beside, BesideRun, LayerStore, RoutingForm, RoutingTerm } from "../types.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { Side } from "./beside-words.js"
 */
import { createScenes } from "../../core/scenes.js";
import { ticksTo } from "../../lib/decimals.js";
import { capitalized, fixed, listed } from "../../lib/format.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { h } from "../../ui/h.js";
import { mountPanels } from "../../ui/panel.js";
import { valuesTable } from "../../ui/values.js";
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
 * What the networks are compared by: null while nothing has been asked for.
 * @typedef {{ model: BesideRun["model"], trace: BesideRun["trace"], beside: Beside | null, step: number }} Scene
 */

/** @typedef {{ scene: Scene, runs: readonly BesideRun[], reason: string }} Shown */

/**
 * @param {HTMLElement} root of the view
 * @param {LayerStore<any>} store of a view that needs what `own` does
 * @param {RoutingForm<any>} own of the layer that the view shows
 */
export function mountBeside(root, store, own) {
  const scenes = createScenes(
    store,
    ({ model, trace, beside, step = Number.POSITIVE_INFINITY }) => ({
      ...{ model, trace, beside, step: step - 1 },
    }),
  );
  mountPanels(root, { scenes, act: store.set }, [besidePanel(own)]);
}

const sideOf = memoizeByObject(
  (/** @type {Pick<BesideRun, "form" | "trace">} */ { trace }) => trace,
  ({ form, trace }) => ({
    ...{ form, course: form.courseOf(trace), present: trace.present },
  }),
);

/** @param {RoutingForm<any>} own @returns {Panel<Scene, Shown, (change: object) => void>} */
export const besidePanel = (own) => ({
  id: "beside",
  isFolded: true,
  title: ({ beside }) => {
    const names = listed((beside?.runs ?? []).map(({ form }) => form.name));
    return `Beside ${names || "other networks’ routing"}`;
  },
  line: () => "Opened, other networks route the image, too.",
  wait: "Other networks route the image …",
  numbers(scene) {
    const { model, trace, beside } = scene;
    const runs = (beside?.runs ?? []).filter(
      (/** @type {BesideRun} */ run) =>
        run.trace.pixels === trace.pixels && run.model !== model,
    );
    return { scene, runs, reason: beside?.reason ?? "" };
  },
  isLate: ({ runs, reason }) => runs.length === 0 && reason === "",
  picture({ scene: { model, trace, step }, runs, reason }, set) {
    if (runs.length === 0) return h("p", {}, reason);
    const sides = [...runs, { form: own, trace }].map(sideOf);
    const names = model.class_names;
    const most = Math.max(...sides.flatMap(({ course }) => course.shares.flat()));
    const titles = [
      ...runs.map((run) => `${run.form.name}, ${run.model.title}`),
      `${own.name}, here`,
    ];
    const showStep = (/** @type {number} */ step) => set({ step });
    const rows = sides.map((side, i) => [
      h("h4", {}, capitalized(titles[i])),
      chartsOf(side, names, ticksTo(most, 2)).map(([chart, words]) =>
        h(
          "figure",
          {},
          overSteps(chart, words, Math.min(step, lastOf(side.course)), showStep),
          h("figcaption", {}, words),
        ),
      ),
    ]);
    return h(
      "div",
      { class: "courses beside" },
      h("p", { "data-beside-words": "" }, besideWords(sides, names)),
      h(
        "div",
        { "data-rows": "" },
        rows.map((row) => h("div", { class: "beside-row" }, row)),
      ),
      h(
        "p",
        { class: "fine" },
        `The thickest line is the class with the highest score, the strong line the second; faint lines are the others. ${noteOf(runs, own, model)}`,
      ),
      h(
        "div",
        {
          ...{ class: "scroll", tabindex: "0", role: "region", "data-terms": "" },
          "aria-label": "Corresponding terms",
        },
        termsTable(sides, names),
      ),
    );
  },
});

/**
 * What shares sum to, and how many iterations run where.
 * @param {readonly BesideRun[]} runs @param {RoutingForm<any>} own
 * @param {BesideRun["model"]} model of its own
 */
function noteOf(runs, own, model) {
  const forms = runs.map(({ form }) => form);
  const withNone = [...runs, { form: own, model }]
    .filter(({ form, model }) => form.hasNone?.(model))
    .map(({ form }) => form.network);
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
 * One network's routing over its iterations: the scores of all classes, and the mean shares
 * that the first two get.
 * @param {Side} side @param {readonly string[]} names of the classes
 * @param {readonly number[]} ticks of the shares' axis
 */
function chartsOf({ form, course }, names, ticks) {
  const last = lastOf(course);
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
  return /** @type {const} */ ([
    [
      { lines: linesOf(course.scores, first, second), ticks: SHARES },
      `${score.name} ${score.symbol} of all classes: ${told(course.scores)}`,
    ],
    [
      { lines: linesOf(course.shares, first, second).slice(-2), ticks },
      `mean ${share.name} ${share.symbol} of ${course.capsules} capsules: ${told(course.shares)}`,
    ],
  ]);
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

/** @param {readonly Side[]} sides @param {readonly string[]} names */
function termsTable(sides, names) {
  return valuesTable({
    ...{ caption: "Corresponding terms", look: "values beside-terms", of: "in words" },
    names: TERMS.map(([, what]) => what),
    columns: sides.flatMap(({ form, course }) => {
      const [winner] = rankedAt(course.scores, lastOf(course));
      const values = { score: course.scores, share: course.shares, fit: course.fits };
      const means = TERMS.map(([term]) => {
        const found = term in values ? values[/** @type {"fit"} */ (term)] : null;
        return found ? fixed(found[winner][lastOf(course)], 3) : "";
      });
      return /** @type {const} */ ([
        [
          form.network,
          TERMS.map(([term]) => `${form.terms[term].name} ${form.terms[term].symbol}`),
        ],
        [`mean for ${names[winner]}`, means],
      ]);
    }),
  });
}
