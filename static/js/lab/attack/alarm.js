/**
 * The alarm over the test set: its ROC curve for the chosen attack, and what to say of
 * it.
 * @import { Attacked } from "./ask.js"
 * @import { AlarmEntry, AttackerEntry } from "./controls.js"
 * @import { Choices } from "./experiment.js"
 * @import { Values } from "../../ui/values.js"
 * @import { Model } from "../../types.js"
 */

import { plot } from "../../draw/plot.js";
import { fixed, grouped, percent } from "../../lib/format.js";
import { markedBars } from "../../ui/bars.js";
import { h } from "../../ui/h.js";
import { fold, valuesTable } from "../../ui/values.js";
import { nearestTo } from "../shared/words.js";
import { errorOf } from "./ask.js";
import { measuredAttacker, NAMES } from "./words.js";

/** How each measured attacker is called. */
const ATTACKERS = /** @type {Record<string, string>} */ ({
  ...NAMES,
  aware: `${NAMES.pgd} that avoids the alarm`,
});

/**
 * @typedef {object} Roc
 * @property {string} name of the attacker
 * @property {number} eps the measured value nearest to the knob's
 * @property {number} images of the test set
 * @property {readonly number[]} rates shares of unchanged images that raise an alarm
 * @property {readonly number[]} found shares of attacked ones that do, at the same limits
 * @property {number} area under the curve
 * @property {{ rate: number, found: number }} threshold the same two shares at the threshold
 * @property {{ found: readonly number[], area: number, atThreshold: number } | null} noise
 *   of the same ε; null where the attack is noise itself, or that was not measured
 */

/**
 * The ROC curve of the alarm for the chosen attack, over the test set.
 * @param {AlarmEntry | null} entry of the card of the attacked network
 * @param {Pick<Attacked, "model" | "from">} found @param {Choices} choices
 * @param {number} eps where the knob stands
 * @returns {Roc | null} null where this attack was not measured, or there is none
 */
export function rocOf(entry, { model, from }, choices, eps) {
  const key = measuredAttacker(choices);
  const isOwn = from === model || choices.method === "noise";
  const own = key === null || !isOwn ? undefined : entry?.attacks[key];
  if (entry === null || key === null || own === undefined || eps === 0) return null;
  const place = nearestTo(own.values, eps);
  return {
    ...{ name: ATTACKERS[key], eps: own.values[place], images: entry.images },
    ...{ rates: entry.false_alarms, found: own.roc[place], area: own.roc_area[place] },
    threshold: { rate: entry.clean.alarms, found: own.alarms[place] },
    noise: key === "noise" ? null : noiseAt(entry.attacks.noise, own.values[place]),
  };
}

/** @param {AttackerEntry | undefined} noise @param {number} eps */
function noiseAt(noise, eps) {
  const place = noise?.values.indexOf(eps) ?? -1;
  if (noise === undefined || place < 0) return null;
  return {
    found: noise.roc[place],
    area: noise.roc_area[place],
    atThreshold: noise.alarms[place],
  };
}

/** What the curve tells. @param {Roc} roc @param {number} eps where the knob stands */
export function rocWords({ name, images, threshold, area, noise, ...roc }, eps) {
  const nearest =
    fixed(roc.eps, 2) === fixed(eps, 2) ? "" : ", the nearest ε that was measured";
  const control =
    noise === null
      ? ""
      : ` Of random noise of the same ε it finds ${percent(noise.atThreshold, 1)}; area ${fixed(noise.area, 3)}.`;
  return `ROC curve of the alarm for ${name} with ε = ${fixed(roc.eps, 2)}${nearest}, ${grouped(images)} test images: at its threshold (the point) it finds ${percent(threshold.found, 1)} of the changed images, and ${percent(threshold.rate, 1)} of the unchanged ones raise it. Area under the curve ${fixed(area, 3)}.${control}`;
}

/**
 * Why there is no curve.
 * @param {AlarmEntry | null} entry
 * @param {Pick<Attacked, "from"> & { model: Model }} found @param {number} eps
 */
export function noRocWords(entry, { model }, eps) {
  if (!model.can.reconstruct) return "";
  if (entry === null)
    return "The alarm was not measured over test images of this network.";
  if (eps === 0) return "With ε = 0 nothing is changed, so there is nothing to find.";
  const known = Object.keys(entry.attacks).map((key) => ATTACKERS[key] ?? key);
  return `The alarm is not measured over test images for this attack. It is for ${known.join(", ")}: away from the class, by the network's own gradient of the gap, through all iterations.`;
}

/**
 * This digit's reconstruction error as it was, with noise, and attacked.
 * @param {Attacked} found
 * @returns {{ title: string, error: number }[] | null} null without a reconstruction
 */
export function errorsOf({ clean, noisy, attacked }) {
  const reads = { unchanged: clean, noise: noisy, attacked };
  const errors = Object.entries(reads).flatMap(([title, read]) => {
    const error = errorOf(read);
    return error === null ? [] : [{ title, error }];
  });
  return errors.length === Object.keys(reads).length ? errors : null;
}

/**
 * The same figures as a table.
 * @param {Roc} roc @returns {Values}
 */
export function rocNumbers({ rates, found, noise, threshold, name }) {
  const share = (/** @type {number} */ value) => percent(value, 1);
  return {
    of: "Unchanged images that raise it",
    names: [...rates.map(share), `${share(threshold.rate)} (threshold)`],
    columns: [
      [`${name}: found`, [...found, threshold.found], share],
      ...(noise === null
        ? []
        : [
            /** @type {const} */ ([
              "random noise: found",
              [...noise.found, noise.atThreshold],
              share,
            ]),
          ]),
    ],
  };
}

/** Rates of false alarms, logarithmic, since an alarm must be rare among unchanged images. */
const RATES = [0.001, 0.01, 0.1, 1];

/** The diagonal: an alarm there finds as many as it raises falsely, so it tells nothing. */
const BLIND = Array.from({ length: 41 }, (_, i) => RATES[0] ** (1 - i / 40));

/** How far the scale of errors reaches beyond the largest. */
const ROOM = 1.1;

/**
 * This digit's reconstruction errors against the threshold, and the ROC curve over test
 * images before that of random noise.
 * @param {readonly { title: string, error: number }[]} errors
 * @param {number | null} threshold @param {Roc | null} roc
 * @param {string} told of the ROC curve, or why there is none
 */
export const alarm = (errors, threshold, roc, told) => [
  errorBars(errors, threshold),
  h("p", { class: "fine" }, told),
  roc &&
    h(
      "figure",
      { class: "alarm-roc" },
      drawnRoc(roc, told),
      fold("Numbers", () => valuesTable(rocNumbers(roc)), { class: "numbers" }),
    ),
];

/**
 * A bar for each of this digit's errors, and the threshold across all.
 * @param {readonly { title: string, error: number }[]} errors
 * @param {number | null} threshold
 */
function errorBars(errors, threshold) {
  const end = ROOM * Math.max(...errors.map(({ error }) => error), threshold ?? 0);
  const limit =
    threshold === null ? "" : `; the line: alarm above ${fixed(threshold, 4)}`;
  const bars = errors.map(({ title, error }) => ({
    ...{ name: title, share: error / end, words: fixed(error, 4) },
    look: threshold !== null && error > threshold ? "is-alarm" : "",
  }));
  return h(
    "div",
    { class: "alarm-errors" },
    h("p", { class: "fine" }, `Reconstruction error of this image${limit}`),
    markedBars(bars, threshold === null ? null : threshold / end),
  );
}

/** @param {Roc} roc @param {string} label */
function drawnRoc({ name, rates, found, threshold, noise }, label) {
  const x = [...rates, 1]; // it ends where every image raises the alarm
  const { rate, found: atThreshold } = threshold;
  const point = { x: [rate], y: [atThreshold], as: /** @type {const} */ ("dots") };
  return plot(
    [
      { x: BLIND, y: BLIND, name: "an alarm at random", look: "is-blind" },
      ...(noise
        ? [
            {
              x,
              y: [...noise.found, 1],
              name: "random noise of the same ε",
              look: "is-noise",
            },
          ]
        : []),
      { x, y: [...found, 1], name, look: "is-own" },
      { ...point, look: "is-threshold" },
    ],
    {
      ...{ label, height: 176 },
      x: {
        ...{ low: RATES[0], high: 1, ticks: RATES, isLog: true },
        title: "unchanged images that raise the alarm",
        write: (rate) => percent(rate, rate < 0.01 ? 1 : 0),
      },
      y: {
        ...{ low: 0, high: 1, ticks: [0, 0.5, 1], title: "changed images found" },
        write: (share) => percent(share, 0),
      },
    },
  );
}
