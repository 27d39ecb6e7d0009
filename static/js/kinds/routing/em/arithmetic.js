/**
 * The iteration on show with its numbers: from the deviations of a capsule's votes to its
 * cost and its activation, and what the E-step then assigns of one capsule below.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Cost, Entry } from "./sums.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */
import { sum as worked } from "../../../draw/sum.js";
import { largestOf, reach, sum } from "../../../lib/arithmetic.js";
import { diverging, sequential } from "../../../lib/color.js";
import { exactShare, presence } from "../../../lib/decimals.js";
import { roundingOf } from "../../../lib/encoding.js";
import { fixed, percent, roundedTogether, withSign } from "../../../lib/format.js";
import { differenceWords, HALF, SAME } from "../../../lib/precision.js";
import { written } from "../../../lib/written.js";
import { h, note } from "../../../ui/h.js";
import { valuesTable } from "../../../ui/values.js";
import { positionWords } from "../../capsules/places.js";
import { entryPlace, POSE } from "../../matrices.js";
import { matrixGrid } from "../../matrix-grid.js";
import { claimsOn, costOf, entryOf } from "./sums.js";

/** The trace's numbers come in single and half precision. */
const DECIMALS = 3;

/** What the numbers here and the network's can differ by. */
const HALVES =
  "votes and assignments come in half precision, which keeps about three digits";

/** @type {Panel<EmScene, EmScene & { cost: ReturnType<typeof costOf> }>} */
export const arithmetic = {
  id: "numbers",
  hook: "arithmetic",
  isFolded: true,
  numbers: (scene) => ({
    ...scene,
    cost: costOf(scene.routed, scene.step, scene.parent),
  }),
  title: ({ name }) => `This iteration with its numbers: ${name}`,
  line: findCost,
  picture(n, { store }) {
    const { routed, step, parent, entry, cost } = n;
    const costs = cost.logs.map((log) => cost.betaU + log);
    const deviations = routed.deviations(step, parent);
    const part = (
      /** @type {string} */ name,
      /** @type {ArrayLike<number>} */ data,
      scale = diverging(reach(data) || 1),
    ) =>
      h(
        "figure",
        {},
        matrixGrid({
          label: name,
          name,
          data,
          scale,
          entry,
          set: store.set,
          words: undefined,
        }),
        h("figcaption", {}, name),
      );
    return h(
      "div",
      { class: "em-arithmetic" },
      h("div", { class: "em-sixteens" }, [
        part("mean μ, the pose", routed.means(step, parent)),
        part("deviation σ", deviations, sequential(0, reach(deviations) || 1)),
        part("β_u + log σ, what each costs", costs),
      ]),
      mStep(n),
      costAndActivation(n),
      eStep(n),
    );
  },
};

/**
 * @param {Pick<EmScene, "routed" | "step" | "parent" | "name">} scene
 * @returns {string} what the capsule in focus costs, and how active that makes it
 */
export function findCost({ routed, step, parent, name }) {
  const cost = fixed(routed.cost(step, parent), 2);
  return `At a cost of ${cost}, the activation of ${name} is ${presence(routed.activation(step, parent))}.`;
}

/**
 * One of the 16 numbers: its mean and deviation from votes and weights.
 * @param {EmScene} scene
 */
function mStep({ routed, step, parent, entry, name }) {
  const numbers = entryOf(routed, step, parent, entry);
  const { row, column } = entryPlace(entry);
  const { floor } = routed;
  const mean = written(
    [numbers.weighted, numbers.mass],
    [[([a, b]) => a / b]],
    DECIMALS,
  );
  const deviation = written(
    [numbers.variance],
    [[([variance]) => Math.sqrt(variance + floor)]],
    DECIMALS,
  );
  const traced = {
    mean: routed.means(step, parent)[entry],
    deviation: routed.deviations(step, parent)[entry],
  };
  return [
    h("h4", {}, `M-step: the number in row ${row + 1}, column ${column + 1}`),
    worked(
      `μ {} = ${mean.inputs[0]} {Σ R·a·V} ÷ ${mean.inputs[1]} {Σ R·a} = ${mean.steps[0]} {mean}`,
    ),
    worked(
      `σ {} = √( ${deviation.inputs[0]} {variance} + ${floor} {floor} ) = ${deviation.steps[0]} {deviation}`,
    ),
    note(
      `Worked out from ${routed.children.length} votes for ${name}. ${checkWords(numbers, traced)}`,
    ),
  ];
}

/**
 * What the network's own mean and deviation are, and why they differ from those worked out.
 * @param {Pick<Entry, "mean" | "deviation" | "most">} worked
 * @param {{ mean: number, deviation: number }} traced
 */
export function checkWords({ most, ...worked }, traced) {
  const apart = /** @type {const} */ (["mean", "deviation"]).map((name) => ({
    difference: traced[name] - worked[name],
    most: most[name],
    isSame: fixed(traced[name], 3) === fixed(worked[name], 3),
  }));
  const beyond = apart.map(({ difference, most, isSame }) =>
    isSame ? 0 : Math.abs(difference) - most,
  );
  if (beyond.every((far) => far <= 0)) return SAME;
  const worst = apart[largestOf(beyond)];
  return `The network’s trace says μ = ${fixed(traced.mean, 3)}, σ = ${fixed(traced.deviation, 3)}; ${differenceWords(worst.difference, worst.most, HALVES)}.`;
}

/** @param {EmScene & { cost: ReturnType<typeof costOf> }} scene */
function costAndActivation({ routed, step, parent, cost }) {
  const { inputs: figures, steps } = writtenCost(cost);
  const [mass, even, betaU, logs, lambda, betaA] = figures;
  const [perEntry, total, , logit, activation] = steps;
  return [
    h("h4", {}, "Its cost and its activation"),
    worked(
      `${mass} {Σ R·a} ÷ ${even} {if all were even} × (16 · ${withSign(betaU)} + ${logs}) {16 βᵤ + Σ log σ = ${perEntry}} = ${total} {cost}`,
    ),
    worked(
      `${lambda} {λ} × ( ${betaA} {βₐ} − ${negative(total)} {cost} ) = ${logit} {logit} → ${activation} {activation, 1 / (1 + exp(−logit))}`,
    ),
    note(costWords(cost, routed.cost(step, parent), routed.activation(step, parent))),
  ];
}

/** A number after a sign. @param {string} text */
const negative = (text) => (withSign(text) === text ? `(${text})` : text);

/** A capsule's cost, logit and activation, step by step. @param {Cost} cost */
const writtenCost = ({ mass, even, betaU, logs, lambda, betaA }) =>
  written(
    [mass, even || 1, betaU, sum(logs), lambda, betaA],
    [
      [([, , u, all]) => 16 * u + all],
      [
        ([gets, all], [perEntry]) => (gets / all) * perEntry,
        ([gets, all, u, logs]) => (gets / all) * (16 * u + logs),
      ],
      [([, , , , by, a], [, total]) => by * (a - total)],
      [(_, [, , , logit]) => 1 / (1 + Math.exp(-logit))],
    ],
    DECIMALS,
  );

/**
 * What the network's own cost and activation are, and why they differ from those worked out.
 * @param {Cost} cost @param {number} traced the network's @param {number} activation the network's
 */
function costWords(cost, traced, activation) {
  const text = (/** @type {number} */ value) => fixed(value, DECIMALS);
  const ratio = cost.mass / (cost.even || 1);
  const most = HALF * (3 * Math.abs(cost.cost) + POSE * ratio) + roundingOf(traced);
  const isSame = text(traced) === text(cost.cost);
  if (isSame || Math.abs(traced - cost.cost) <= most) return SAME;
  return `The network’s trace says cost ${text(traced)} and activation ${presence(activation)}; ${differenceWords(traced - cost.cost, most, HALVES)}.`;
}

/**
 * What the E-step that follows the iteration on show assigns of the chosen child; after
 * the last one, that which led to it.
 * @param {EmScene} scene
 */
function eStep({ routed, step, child, childPosition }) {
  const heading = h(
    "h4",
    {},
    `E-step: who gets the capsule ${positionWords(childPosition)}`,
  );
  const from = step === routed.iterations - 1 ? step - 1 : step;
  if (from < 0)
    return [
      heading,
      note("One iteration runs: there is no E-step, and assignments stay even."),
    ];
  const claims = claimsOn(routed, from, child);
  const used = routed.assignments(from + 1);
  const here = claims.filter(({ parent }) => parent >= 0);
  const away = claims.filter(({ parent }) => parent < 0);
  const shares = here.map(({ share }) => share);
  const parts = here.map(({ activation, distance, logs, total }) =>
    roundedTogether([activation, -distance, -logs], total, DECIMALS),
  );
  const total = sum(away.map(({ share }) => share));
  return [
    heading,
    note(
      `The E-step after iteration ${from + 1} assigns it anew. The claim of each capsule above is log a + log p, and R is the softmax of the claims. Beside it stands the R that iteration ${from + 2} used.`,
    ),
    h(
      "div",
      {
        class: "scroll",
        tabindex: 0,
        role: "region",
        "aria-label": "Claims on the chosen capsule",
      },
      valuesTable({
        of: routed.isToClasses ? "class" : "type",
        names: here.map(({ parent }) => routed.names[parent]),
        columns: [
          ["log a", parts.map(([activation]) => activation)],
          ["− ½ Σ ((V − μ)/σ)²", parts.map(([, distance]) => distance)],
          ["− Σ log σ", parts.map(([, , logs]) => logs)],
          ["claim", here.map(({ total }) => total)],
          ["R", shares, exactShare],
          [
            "used",
            here.map(({ parent }) => used[child * routed.parents + parent]),
            exactShare,
          ],
        ],
        focused: shares.indexOf(Math.max(...shares)),
      }),
    ),
    note(
      away.length > 0 &&
        `${away.length} capsules at other places see it too; together they get ${percent(total, 1)}.`,
    ),
  ];
}
