/**
 * Networks that name two classes: the two answers, each with a colour of its own, as where
 * the decoder tells whose ink is whose.
 * @import { Source } from "../types.js"
 * @import { Scene } from "./types.js"
 */
import { orderByLabels } from "../lib/overlap.js";

/**
 * @param {Scene} scene @param {Source} source
 * @returns {readonly number[]} two, or none; that of the first digit first, where labels tell
 */
export function ownersOf({ present, pixels }, source) {
  if (present.length !== 2 || pixels.channels > 1) return [];
  const labels =
    source.kind === "pair" ? source.digits.map((each) => each?.label ?? null) : [];
  return orderByLabels(labels, present)?.isTurned ? present.toReversed() : present;
}

/**
 * The classes that pictures at parts are of: the one chosen, else those that the network says.
 * @param {Scene} scene @param {number | null} held the class chosen
 * @param {readonly number[]} owners two classes that have colours of their own, or none
 */
export function answersOf({ prediction }, held, owners) {
  if (held !== null) return [held];
  return owners.length > 0 ? owners : [prediction];
}

/** @param {readonly number[]} owners @param {number} classIndex @returns {string | null} for CSS */
export function ownColor(owners, classIndex) {
  const at = owners.indexOf(classIndex);
  return at < 0 ? null : `var(--owner-${at + 1})`;
}
