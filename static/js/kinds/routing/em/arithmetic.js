/**
 * The iteration on show with its numbers: from the deviations of a capsule's votes to its
 * cost and its activation, and what the E-step then assigns of one capsule below.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Entry } from "./sums.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */
import { grid } from "../../../draw/grid.js";
import { sum as worked } from "../../../draw/sum.js";
import { writtenTiles } from "../../../draw/tiles.js";
import { largestOf, reach, sum } from "../../../lib/arithmetic.js";
import { diverging, sequential } from "../../../lib/color.js";
import { compact, exactShare } from "../../../lib/decimals.js";
import { fixed, percent, signed } from "../../../lib/format.js";
import { differenceWords } from "../../../lib/precision.js";
import { h } from "../../../ui/h.js";
import { valuesTable } from "../../../ui/values.js";
import { placeInWords } from "../../capsules/places.js";
import { entryAt, entryPlace, SIDE } from "../../matrices.js";
import { claimsOn, costOf, entryOf } from "./sums.js";

/** The trace's numbers come in single and half precision. @param {number} value */
const plain = (value) => fixed(value, 3);

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
        sixteen(name, data, scale, entry, store),
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
  return `At a cost of ${cost}, the activation of ${name} is ${fixed(routed.activation(step, parent), 3)}.`;
}

/**
 * One of the 16 numbers: its mean and deviation from votes and weights.
 * @param {EmScene} scene
 */
function mStep({ routed, step, parent, entry, name }) {
  const found = entryOf(routed, step, parent, entry);
  const { row, column } = entryPlace(entry);
  const mean = plain(found.mean);
  const traced = {
    mean: routed.means(step, parent)[entry],
    deviation: routed.deviations(step, parent)[entry],
  };
  return [
    h("h4", {}, `M-step: the number in row ${row + 1}, column ${column + 1}`),
    worked(
      `μ {} = ${plain(found.weighted)} {Σ R·a·V} ÷ ${plain(found.mass)} {Σ R·a} = ${mean} {mean}`,
    ),
    worked(
      `σ {} = √( ${plain(found.variance)} {variance} + ${fixed(routed.floor, 2)} {floor} ) = ${plain(found.deviation)} {deviation}`,
    ),
    note(
      `Worked out from ${routed.children.length} votes for ${name}. ${checkWords(found, traced)}`,
    ),
  ];
}

/**
 * What the network's own mean and deviation are, and why they differ from those worked out.
 * @param {Pick<Entry, "mean" | "deviation" | "most">} worked
 * @param {{ mean: number, deviation: number }} traced
 */
export function checkWords({ most, ...worked }, traced) {
  const says = `The network’s trace says μ = ${fixed(traced.mean, 3)}, σ = ${fixed(traced.deviation, 3)}`;
  const apart = /** @type {const} */ (["mean", "deviation"]).map((name) => ({
    difference: traced[name] - worked[name],
    most: most[name],
    isSame: fixed(traced[name], 3) === fixed(worked[name], 3),
  }));
  if (apart.every(({ isSame }) => isSame)) return `${says}: the same.`;
  const beyond = apart.map(({ difference, most }) => Math.abs(difference) - most);
  const worst = apart[largestOf(beyond)];
  return `${says}; ${differenceWords(worst.difference, worst.most, "votes and assignments come in half precision, which keeps about three digits")}.`;
}

/** @param {EmScene & { cost: ReturnType<typeof costOf> }} scene */
function costAndActivation({ routed, step, parent, cost }) {
  const ratio = plain(cost.mass / (cost.even || 1));
  return [
    h("h4", {}, "Its cost and its activation"),
    worked(
      `${plain(cost.mass)} {Σ R·a} ÷ ${plain(cost.even)} {if all were even} × (16 · ${signed(cost.betaU, 3)} + ${plain(sum(cost.logs))}) {16 βᵤ + Σ log σ = ${plain(cost.each)}} = ${plain(cost.cost)} {cost: ${ratio} × it}`,
    ),
    worked(
      `${fixed(cost.lambda, 4)} {λ} × ( ${plain(cost.betaA)} {βₐ} − cost {} ) = ${plain(cost.logit)} {logit} → ${plain(cost.activation)} {activation, 1 / (1 + exp(−logit))}`,
    ),
    note(
      `The network’s trace says cost ${plain(routed.cost(step, parent))} and activation ${plain(routed.activation(step, parent))}.`,
    ),
  ];
}

/**
 * What the E-step that follows the iteration on show assigns of the chosen child; after
 * the last one, that which led to it.
 * @param {EmScene} scene
 */
function eStep({ routed, step, child, place }) {
  const heading = h("h4", {}, `E-step: who gets the capsule ${placeInWords(place)}`);
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
          ["log a", here.map(({ activation }) => activation)],
          ["− ½ Σ ((V − μ)/σ)²", here.map(({ distance }) => -distance)],
          ["− Σ log σ", here.map(({ logs }) => -logs)],
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

/** @param {string | false} text */
const note = (text) => h("p", { class: "fine" }, text);

/**
 * Sixteen numbers as a matrix, one of which is in focus.
 * @param {string} name @param {ArrayLike<number>} data
 * @param {import("../../../lib/color.js").Scale} scale @param {number} entry
 * @param {EmRoom["store"]} store
 */
function sixteen(name, data, scale, entry, store) {
  const places = Array.from({ length: SIDE }, (_, i) => String(i + 1));
  const format = (/** @type {number} */ value) => compact(value, 3);
  return grid({
    label: name,
    isBare: true,
    ...{ rows: { of: "row", names: places }, columns: { of: "column", names: places } },
    mark: writtenTiles({ name, data, scale, format }),
    chosen: entryPlace(entry),
    choose: (cell) => store.set({ entry: entryAt(cell) }),
  });
}
