/**
 * Edits of poses: for each class, differences from the network's own numbers.
 * A class without edits has no entry.
 */
import { readWhole } from "./links.js";

/** @typedef {Readonly<Record<number, readonly number[]>>} Edits */

/** Decimals of an edit in a link; a slider's step is 0.001. */
const EDIT_DECIMALS = 3;

/**
 * @param {Edits} edits
 * @param {object} edit
 * @param {number} edit.digit
 * @param {number} edit.place which of the numbers
 * @param {number} edit.difference 0 takes the edit back
 * @param {number} edit.count numbers in a pose
 * @returns {Edits}
 */
export function withEdit(edits, { digit, place, difference, count }) {
  const before = edits[digit] ?? Array.from({ length: count }, () => 0);
  const after = before.with(place, difference);
  const { [digit]: _, ...others } = edits;
  const isEdited = after.some((value) => value !== 0);
  return isEdited ? { ...others, [digit]: after } : others;
}

/**
 * @param {Edits} edits
 * @param {number | null} digit null: of every class
 * @returns {Edits}
 */
export function withoutEdits(edits, digit) {
  if (digit === null) return {};
  const { [digit]: _, ...others } = edits;
  return others;
}

/**
 * @param {URLSearchParams} link an `edit` is added to it for each class that has one
 * @param {Edits} edits
 */
export function writeEdits(link, edits) {
  for (const [digit, differences] of Object.entries(edits))
    link.append("edit", `${digit}:${packed(differences)}`);
}

/** @param {readonly number[]} differences */
function packed(differences) {
  return differences
    .map((value, place) => ({ value: Number(value.toFixed(EDIT_DECIMALS)), place }))
    .filter(({ value }) => value !== 0)
    .map(({ value, place }) => `${place}=${value}`)
    .join(";");
}

/**
 * @param {readonly string[]} texts such as `4:3=0.12;7=-0.05`
 * @param {{ classes: number, count: number, reach: number }} sizes count: numbers in a
 *   pose; reach: the largest difference that makes sense
 * @returns {Edits}
 */
export function readEdits(texts, { classes, count, reach }) {
  /** @type {Record<number, number[]>} */
  const edits = {};
  for (const text of texts) {
    const [, digitText, list] = /^(\d+):(.*)$/.exec(text) ?? [];
    const digit = readWhole(digitText ?? null, 0, classes - 1);
    if (digit === null) continue;
    const differences = Array.from({ length: count }, () => 0);
    for (const item of list.split(";")) {
      const [, placeText, value] = /^(\d+)=(-?\d*\.?\d+)$/.exec(item) ?? [];
      const place = readWhole(placeText ?? null, 0, count - 1);
      if (place !== null && Math.abs(Number(value)) <= reach)
        differences[place] = Number(value);
    }
    if (differences.some((value) => value !== 0)) edits[digit] = differences;
  }
  return edits;
}
