/**
 * What cards say of attacks besides curves.
 * @import { Model } from "../../types.js"
 */

/**
 * How one attacker fares, by ε. `roc` has the share of attacked images found at each of the
 * entry's `false_alarms`.
 * @typedef {{ values: number[], accuracy: number[], alarms: number[], unseen: number[], roc_area: number[], roc: number[][] }} AttackerEntry
 */
/** Of `measure --only alarm`. @typedef {{ images: number, false_alarms: number[], clean: { alarms: number }, attacks: Record<string, AttackerEntry> }} AlarmEntry */
/** Of one loss: share of images without any gradient, mean share of pixels. @typedef {{ images: number, pixels: number }} ZeroShares */
/** Of `measure --only zero_gradients`. @typedef {{ images: number, gap: ZeroShares, trained: ZeroShares }} ZeroEntry */

/**
 * @param {Model} model
 * @returns {AlarmEntry | null}
 */
export function alarmEntry(model) {
  return /** @type {AlarmEntry | null} */ (entryOf(model, "alarm"));
}

/**
 * @param {Model} model
 * @returns {ZeroEntry | null}
 */
export function zeroEntry(model) {
  return /** @type {ZeroEntry | null} */ (entryOf(model, "zero_gradients"));
}

/**
 * These entries have no values of a knob, as those for curves have.
 * @param {Model} model
 * @param {string} name
 * @returns {unknown}
 */
function entryOf({ card }, name) {
  return card.measurements?.[name] ?? null;
}

/**
 * Above which reconstruction error a network's alarm is raised.
 * @param {Model} model
 * @returns {number | null}
 */
export function alarmThreshold({ card }) {
  return card.outliers?.measures?.error?.threshold ?? null;
}
