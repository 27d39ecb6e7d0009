/**
 * Routing with two winners, in networks that name two classes: what support each gets,
 * which capsules changed sides, and how long both become.
 * @import { Content } from "../../../ui/h.js"
 * @import { DynamicScene as Scene, DynamicState, PanelAct } from "./types.js"
 */
import { ranked, sum } from "../../../lib/arithmetic.js";
import { counted, fixed, grouped } from "../../../lib/format.js";
import { memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { orderByLabels } from "../../../lib/overlap.js";
import { h } from "../../../ui/h.js";
import { fold } from "../../../ui/values.js";
import { capsuleInWords, choosing } from "../../capsules/places.js";

/** How many of the capsules that changed sides are told. */
const MOST_TOLD = 5;

/** A capsule that adds so little more to one than to the other takes no side. */
const LEAST_LEAD = 1e-4;

/**
 * How long both are, what capsules add to each, and which changed sides.
 * @param {Scene} scene @param {PanelAct} act
 * @returns {Content}
 */
export function wordsOfTwo(scene, act) {
  const { model, figures, step } = scene;
  const colors = colorsOf(scene, act.store.get());
  const support = supportIn(scene);
  const told = support.changed.slice(0, MOST_TOLD);
  const bars = winnersOf(scene).map((each, i) => {
    const length = figures.lengths()[each][step];
    return h(
      "li",
      {},
      h("span", { class: i < 2 && `owner-${colors[i]}` }, model.class_names[each]),
      h("span", { class: "two-bar", "aria-hidden": "true", "--length": length }),
      h("output", {}, fixed(length, 3)),
    );
  });
  const lengths = {
    ...{ class: "two-lengths", "data-two-lengths": "" },
    "--threshold": model.present.threshold ?? 0,
  };
  return [
    h("ol", lengths, bars),
    h("p", { class: "fine" }, thresholdWords(scene)),
    h("p", { "data-two-words": "" }, supportWords(scene, support)),
    told.length > 0 &&
      fold(
        told.length === 1
          ? "The capsule that changed sides"
          : `The ${told.length} capsules that changed sides the most`,
        () => [
          h(
            "ol",
            { class: "two-changed", "data-two-capsules": "" },
            told.map((capsule) => {
              const onclick = () => act.set(choosing(capsule));
              const words = changedWords(scene, capsule);
              return h("li", {}, h("button", { class: "quiet", onclick }, words));
            }),
          ),
        ],
        { "data-two-changed": "" },
      ),
  ];
}

/**
 * The colours of both winners, the longer first: the digits of a pair keep theirs.
 * @param {Pick<Scene, "figures" | "iterations">} scene
 * @param {Pick<DynamicState, "source"> | null} state
 */
export const colorsOf = (scene, state) =>
  isSecondFirst(scene, state) ? [2, 1] : [1, 2];

/** @param {Pick<Scene, "model">} scene */
export const namesTwo = ({ model }) => model.present.at_most > 1;

/**
 * Whether the longer winner is the second digit, which has the second colour.
 * @param {Pick<Scene, "figures" | "iterations">} scene
 * @param {Pick<DynamicState, "source"> | null} state
 */
export function isSecondFirst(scene, state) {
  if (state?.source.kind !== "pair") return false;
  const labels = state.source.digits.map((each) => each?.label ?? null);
  return orderByLabels(labels, winnersOf(scene))?.isTurned ?? false;
}

/**
 * The three longest capsules after the last iteration, longest first: the same in all.
 * @param {Pick<Scene, "figures" | "iterations">} scene
 */
export function winnersOf({ figures, iterations }) {
  return ranked(figures.lengths().map((lengths) => lengths[iterations - 1])).slice(
    0,
    3,
  );
}

/**
 * @typedef {object} Support
 * @property {number[]} whole what capsules add to each of both
 * @property {Float32Array[]} places the same, place by place
 * @property {number[]} sides how many capsules add more to each of both than to the other
 * @property {number[]} changed the capsules that added more to one in the first iteration
 *   and do to the other now; the largest change first
 */

/**
 * What capsules add to the lengths of both winners, before squash.
 * @param {Pick<Scene, "figures" | "iterations" | "step" | "grid">} scene
 * @returns {Support}
 */
export const supportIn = (scene) => supportsOf(scene)(scene.step);

const supportsOf = memoizeByObject(
  (/** @type {Pick<Scene, "figures">} */ { figures }) => figures,
  (/** @type {Parameters<typeof supportIn>[0]} */ scene) =>
    memoizeByIndex((step) => worked({ ...scene, step })),
);

/** @param {Parameters<typeof supportIn>[0]} scene @returns {Support} */
function worked(scene) {
  const { step, grid } = scene;
  const cells = grid.rows * grid.columns;
  const [one, other] = addedIn(scene, step);
  const places = [one, other].map((added) => {
    const sums = new Float32Array(cells);
    added.forEach((value, capsule) => {
      sums[capsule % cells] += value;
    });
    return sums;
  });
  const leads = one.map((value, i) => value - other[i]);
  const [firstOne, firstOther] = addedIn(scene, 0);
  const first = firstOne.map((value, i) => value - firstOther[i]);
  const changed = [...leads.keys()]
    .filter((i) => sideOf(leads[i]) * sideOf(first[i]) < 0)
    .sort((a, b) => Math.abs(leads[b] - first[b]) - Math.abs(leads[a] - first[a]));
  return {
    whole: [one, other].map((added) => sum(added)),
    places,
    sides: [
      leads.filter((lead) => sideOf(lead) > 0).length,
      leads.filter((lead) => sideOf(lead) < 0).length,
    ],
    changed,
  };
}

/**
 * What all capsules of a type add to each of both winners, before squash, as ribbons have
 * it: (types, classes), 0 for all other classes.
 * @param {Pick<Scene, "figures" | "iterations" | "grid" | "model">} scene
 * @param {number} step
 */
export function supportByType(scene, step) {
  const { types, rows, columns } = scene.grid;
  const { classes } = scene.model;
  const amounts = new Float32Array(types * classes);
  const winners = winnersOf(scene);
  addedIn(scene, step).forEach((added, i) => {
    added.forEach((value, capsule) => {
      const type = Math.floor(capsule / (rows * columns));
      amounts[type * classes + winners[i]] += value;
    });
  });
  return amounts;
}

/** @param {number} lead what a capsule adds to one, less what to the other */
const sideOf = (lead) => (Math.abs(lead) < LEAST_LEAD ? 0 : Math.sign(lead));

/**
 * What each capsule adds to each winner in an iteration; 0 where it takes away.
 * @param {Pick<Scene, "figures" | "iterations">} scene @param {number} step
 */
function addedIn(scene, step) {
  return winnersOf(scene)
    .slice(0, 2)
    .map((each) =>
      Float64Array.from(scene.figures.evidenceOf(step, each), (value) =>
        Math.max(0, value),
      ),
    );
}

/** @param {Pick<Scene, "figures" | "iterations" | "model">} scene */
export function thresholdWords(scene) {
  const { figures, iterations, model } = scene;
  const { threshold } = model.present;
  if (threshold === null) return "The network always names the two longest.";
  const lengths = winnersOf(scene).map(
    (each) => figures.lengths()[each][iterations - 1],
  );
  const named = lengths.slice(0, 2).filter((length) => length >= threshold).length;
  const names = ["neither of the two", "the longest alone", "both"][named];
  return `The line marks the threshold, ${threshold}: after the last iteration the network names ${names}.`;
}

/**
 * How many do something: none has, 1 has, 2 have.
 * @param {number} count @param {string} one @param {string} many
 */
function some(count, one, many) {
  return count === 0 ? `none ${one}` : counted(count, one, many);
}

/**
 * @param {Pick<Scene, "figures" | "iterations" | "step" | "model" | "grid">} scene
 * @param {Support} support
 */
export function supportWords(scene, { whole, sides, changed }) {
  const [one, other] = winnersOf(scene).map((each) => scene.model.class_names[each]);
  const { types, rows, columns } = scene.grid;
  const all = `${grouped(types * rows * columns)} capsules`;
  const words = [
    `Capsules add ${fixed(whole[0], 2)} to ${one} and ${fixed(whole[1], 2)} to ${other}.`,
    `Of ${all}, ${some(sides[0], "adds", "add")} more to ${one}, ${some(sides[1], "adds", "add")} more to ${other}, by ${LEAST_LEAD} or more.`,
  ];
  if (scene.step > 0)
    words.push(
      `Since iteration 1, ${some(changed.length, "has", "have")} changed sides.`,
    );
  return words.join(" ");
}

/**
 * A capsule that changed sides: what it added to both at first, and what it does now.
 * @param {Pick<Scene, "figures" | "iterations" | "step" | "model" | "grid">} scene
 * @param {number} capsule
 */
export function changedWords(scene, capsule) {
  const [one, other] = winnersOf(scene).map((each) => scene.model.class_names[each]);
  const told = [0, scene.step].map((step) => {
    const [to, toOther] = addedIn(scene, step).map((added) => fixed(added[capsule], 4));
    return `${to} to ${one}, ${toOther} to ${other}`;
  });
  return `${capsuleInWords(scene.grid, capsule)}: first ${told[0]}; now ${told[1]}`;
}
