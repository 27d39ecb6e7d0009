/**
 * The alarm over the test set: its ROC curve for the chosen attack, and what to say of it.
 * @import { Model } from "../../types.js"
 * @import { Attacked } from "./ask.js"
 * @import { Choices } from "./choices.js"
 * @import { AlarmEntry, AttackerEntry } from "./measured.js"
 */
import { fixed, grouped, percent } from "../../lib/format.js";
import { measuringCommand } from "../shared/measured.js";
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
 * @param {AlarmEntry | null} entry of the card of the attacked network
 * @param {Pick<Attacked, "model" | "from">} found
 * @param {Choices} choices
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

/**
 * @param {AttackerEntry | undefined} noise
 * @param {number} eps
 */
function noiseAt(noise, eps) {
  const place = noise?.values.indexOf(eps) ?? -1;
  if (noise === undefined || place < 0) return null;
  return {
    found: noise.roc[place],
    area: noise.roc_area[place],
    atThreshold: noise.alarms[place],
  };
}

/**
 * What the curve tells.
 * @param {Roc} roc
 * @param {number} eps where the knob stands
 */
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
 * @param {Pick<Attacked, "from"> & { model: Model }} found
 * @param {number} eps
 */
export function noRocWords(entry, { model }, eps) {
  if (!model.can.reconstruct) return "";
  if (entry === null)
    return `The alarm is not measured over test images: run ${measuringCommand(model, "alarm")}`;
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
 * @param {Roc} roc
 * @returns {import("../shared/table.js").Numbers}
 */
export function rocNumbers({ rates, found, noise, threshold, name }) {
  const heads = ["Unchanged images that raise it", `${name}: found`];
  const rows = [
    ...rates.map((rate, i) => ({ rate, own: found[i], control: noise?.found[i] })),
    { rate: threshold.rate, own: threshold.found, control: noise?.atThreshold },
  ];
  const last = rows.length - 1;
  return {
    heads: noise === null ? heads : [...heads, "random noise: found"],
    rows: rows.map(({ rate, own, control }, i) => [
      `${percent(rate, 1)}${i === last ? " (threshold)" : ""}`,
      percent(own, 1),
      ...(control === undefined ? [] : [percent(control, 1)]),
    ]),
  };
}
