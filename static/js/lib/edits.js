/**
 * Edits of poses: for each class, differences from the network's own numbers.
 * A class without edits has no entry.
 */
import { readWhole } from "./links.js";

/** @typedef {Readonly<Record<number, readonly number[]>>} Edits */

/** Decimals of an edit in a link; a slider's step is 0.001. */
const EDIT_DECIMALS = 3;

/**
 * @param {Edits} edits @param {object} edit
 * @param {number} edit.classIndex
 * @param {number} edit.index which of the numbers
 * @param {number} edit.difference 0 takes the edit back
 * @param {number} edit.count numbers in a pose
 * @returns {Edits}
 */
export function withEdit(edits, { classIndex, index, difference, count }) {
  const before = edits[classIndex] ?? Array.from({ length: count }, () => 0);
  const after = before.with(index, difference);
  const { [classIndex]: _, ...others } = edits;
  const isEdited = after.some((value) => value !== 0);
  return isEdited ? { ...others, [classIndex]: after } : others;
}

/**
 * @param {Edits} edits
 * @param {number | null} classIndex null: of every class
 * @returns {Edits}
 */
export function withoutEdits(edits, classIndex) {
  if (classIndex === null) return {};
  const { [classIndex]: _, ...others } = edits;
  return others;
}

/**
 * @param {URLSearchParams} link an `edit` is added to it for each class that has one
 * @param {Edits} edits
 */
export function writeEdits(link, edits) {
  for (const [classIndex, differences] of Object.entries(edits))
    link.append("edit", `${classIndex}:${packed(differences)}`);
}

/** @param {readonly number[]} differences */
function packed(differences) {
  return differences
    .map((value, index) => ({ value: Number(value.toFixed(EDIT_DECIMALS)), index }))
    .filter(({ value }) => value !== 0)
    .map(({ value, index }) => `${index}=${value}`)
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
    const [, classText, list] = /^(\d+):(.*)$/.exec(text) ?? [];
    const classIndex = readWhole(classText ?? null, 0, classes - 1);
    if (classIndex === null) continue;
    const differences = Array.from({ length: count }, () => 0);
    for (const item of list.split(";")) {
      const [, placeText, value] = /^(\d+)=(-?\d*\.?\d+)$/.exec(item) ?? [];
      const index = readWhole(placeText ?? null, 0, count - 1);
      if (index !== null && Math.abs(Number(value)) <= reach)
        differences[index] = Number(value);
    }
    if (differences.some((value) => value !== 0)) edits[classIndex] = differences;
  }
  return edits;
}
