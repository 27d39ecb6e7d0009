/**
 * Which numbers of a pose follow a toy’s turn, the camera’s height and the light, as measured
 * on toys that nothing was fitted to: in words, and as a table.
 * @import { Model } from "../types.js"
 */

import { TOYS } from "../core/state.js";
import { largestOf } from "../lib/arithmetic.js";
import { color, cssColor, readableOn, sequential } from "../lib/color.js";
import { capitalized, fixed, grouped, listed } from "../lib/format.js";
import { findElement, setText } from "../ui/dom.js";
import { valueTable } from "../ui/tables.js";

/** What a number can follow, and how it is called in a sentence and in the table. */
const KNOBS = {
  azimuth: ["the turn", "turned by"],
  elevation: ["the camera’s height", "camera’s height"],
  light: ["the lamp’s side", "lamp’s side"],
};

const SHARE = sequential(0, 1);

/**
 * R² by category; null: does not vary.
 * @typedef {object} Follow
 * @property {Record<"code" | "pixels" | "shuffled", (number | null)[]>} largest
 * @property {(number | null)[][]} [classes] of each number of a pose
 */
/** @typedef {{ code: string, images: number, knobs: Record<string, { follow?: Follow }> }} Entry */

/**
 * What the card tells of each knob.
 * @param {Pick<Model, "card">} model
 * @returns {{ entry: Entry, follows: Follow[] } | null} null where it was not measured
 */
export function followOf({ card }) {
  const found = /** @type {unknown} */ (card.measurements?.pose_reading ?? null);
  const entry = /** @type {Entry | null} */ (found);
  const follows = Object.keys(KNOBS).flatMap(
    (name) => entry?.knobs[name]?.follow ?? [],
  );
  return entry !== null && follows.length === Object.keys(KNOBS).length
    ? { entry, follows }
    : null;
}

/**
 * What each knob tells of the numbers, beside the controls.
 * @param {NonNullable<ReturnType<typeof followOf>>} found @param {number} label
 */
export function followWords({ entry, follows }, label) {
  const r2 = (/** @type {number | null} */ value) => fixed(Math.max(0, value ?? 0), 2);
  const told = Object.values(KNOBS).map(([knob], i) => {
    const { largest, classes } = follows[i];
    const share = `${knob} ${r2(largest.code[label])}`;
    if (classes === undefined || largest.code[label] === null) return share;
    return `${share} (number ${largestOf(classes[label].map((value) => value ?? -1)) + 1})`;
  });
  const most = (/** @type {"pixels" | "shuffled"} */ what) =>
    listed(follows.map(({ largest }) => r2(largest[what][label])));
  return `Which number of the ${entry.code} depends most on the view, and how much (R²)? Over test toys of category ${TOYS[label]}: on ${listed(told)}. For the best single pixel it is ${most("pixels")}; for the best number with the views shuffled, ${most("shuffled")}.`;
}

/** @param {HTMLElement} root */
export function mountFollow(root) {
  /** @param {Model} model @param {string} category of the toy on the turntable */
  return function show(model, category) {
    const found = followOf(model);
    root.hidden = found === null;
    if (found === null) return;
    const label = TOYS.indexOf(category);
    const { entry, follows } = found;
    setText(findElement(root, "[data-follow-words]"), followWords(found, label));
    setText(findElement(root, "[data-follow-images]"), grouped(entry.images));
    const rows = follows.flatMap(({ classes }) => (classes ? [classes[label]] : []));
    const place = findElement(root, "[data-follow-table]");
    place.hidden = rows.length === 0;
    if (rows.length > 0) place.replaceChildren(followTable(rows));
  };
}

/** @param {readonly (readonly (number | null)[])[]} rows */
function followTable(rows) {
  const [{ length: columns }] = rows;
  const values = rows.flat().map((value) => value ?? Number.NaN);
  const table = valueTable(values, {
    ...{ rows: rows.length, columns, decimals: 2, corner: "number" },
    rowNames: Object.values(KNOBS).map(([, name]) => capitalized(name)),
    columnNames: Array.from({ length: columns }, (_, i) => String(i + 1)),
  });
  table.querySelectorAll("td").forEach((cell, i) => {
    if (Number.isNaN(values[i])) return;
    cell.style.background = cssColor(SHARE, values[i]);
    cell.style.color = readableOn(color(SHARE, values[i]));
  });
  return table;
}
