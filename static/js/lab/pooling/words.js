/**
 * What a move of a stroke changes in a layer; every sentence follows from its numbers.
 * @import { Shift } from "../../lib/shift.js"
 * @import { LayerChange } from "./maps.js"
 * @import { LayerUnits } from "../../types.js"
 */

import { counted, grouped, percent } from "../../lib/format.js";
import { isMoved, shiftWords } from "../../lib/shift.js";
import { h } from "../../ui/h.js";
import { valuesTable } from "../../ui/values.js";

/**
 * One layer of one network.
 * @typedef {object} Told
 * @property {string} network
 * @property {Pick<LayerUnits, "title" | "many" | "size"> & { pooled?: object }} layer
 * @property {LayerChange} change
 */

/**
 * What moves, how far, and what that does to the image.
 * @param {string} what such as "The whole digit"
 * @param {Shift} by
 * @param {number} share by which the image changes; not a number without ink
 * @param {number} lost share of the ink outside the image or under other ink
 * @param {boolean} [isColoured] a picture in colour has no ink, but brightness
 */
export function movedWords(what, by, share, lost, isColoured = false) {
  const ink = isColoured ? "brightness" : "ink";
  if (!isMoved(by)) return `${what} is where it was.`;
  const moved = `${what} is moved ${shiftWords(by)}`;
  if (Number.isNaN(share)) return `${moved}; there is no ${ink}.`;
  const gone = lost < 0.0005 ? "" : `, and loses ${percent(lost, 1)} of it`;
  return `${moved}: the image changes by ${percent(share, 0)} of its ${ink}${gone}.`;
}

/**
 * What is said of all layers: the comparison first, then each layer that pools or has poses.
 * @param {readonly Told[]} all
 * @returns {string[]}
 */
export function changeWords(all) {
  if (all.length === 0) return ["No network takes part that says what to compare."];
  const own = all.filter(({ layer }) => layer.pooled !== undefined || layer.size > 1);
  return [comparedWords(all), ...own.map(layerWords)].filter((words) => words !== "");
}

/** What happens to one layer. @param {Told} told */
export function layerWords({ network, layer, change }) {
  const { title, many } = layer;
  const { active, stay, share, winners } = change;
  const [near, rough] = stay.map((count) => percent(count / active, 0));
  const where = `${title} of ${network}`;
  if (active === 0) return `${where}: all ${many} are 0 before and after.`;
  if (!Number.isFinite(share))
    return `${where}: all ${many} were 0 before; ${grouped(active)} of them are not after.`;
  if (share === 0) return `${where}: nothing changes.`;
  const changed = `${where} changes by ${percent(share, 1)}; ${near} of its ${many} stay within 1${THIN}%, ${rough} within 10${THIN}%.`;
  if (winners === null || winners.contested === 0) return changed;
  const { contested, rewon } = winners;
  return `${changed} In ${grouped(rewon)} of ${counted(contested, "window")} (${percent(rewon / contested, 0)}), the maximum now comes from another pixel.`;
}

const THIN = "\u202f";

/**
 * Pooled values against poses: which of them a move changes more.
 * @param {readonly Told[]} all
 * @returns {string} empty where there is not one of each, or nothing changes
 */
export function comparedWords(all) {
  const known = all.filter(
    ({ change }) => Number.isFinite(change.share) && change.share > 0,
  );
  const pooled = known.filter(({ layer }) => layer.pooled !== undefined).at(-1);
  const posed = known.filter(({ layer }) => layer.size > 1);
  if (pooled === undefined || posed.length === 0) return "";
  const value = pooled.change.share;
  const sides = posed.map(({ network, layer, change }) => {
    const name = `The poses in ${layer.title} of ${network} change`;
    const by = percent(change.share, 1);
    if (by === percent(value, 1)) return `${name} as much.`;
    return `${name} ${change.share > value ? "more" : "less"}, by ${by}.`;
  });
  return `The values in ${pooled.layer.title} of ${pooled.network} change by ${percent(value, 1)} of their sum. ${sides.join(" ")} A pose may change without telling where anything is.`;
}

/** Of the columns: what stands in them. */
const HEADS = [
  ["changes by", "sum of all changes, as a share of the sum before"],
  ["stay within 1\u202f%", "of the units that are not 0 both times"],
  ["within 10\u202f%", "of the units that are not 0 both times"],
  ["another pixel wins", "of the windows with a winner both times"],
];

/**
 * What a move changes in a network's layers, as a table.
 * @param {readonly Told[]} all
 */
export function layerTable(all) {
  const none = "This network does not say which of its layers to compare.";
  if (all.length === 0) return h("p", { class: "fine" }, none);
  const caption = `What the move changes in ${all[0].network}`;
  const hasWinners = all.some(({ change }) => change.winners !== null);
  const rows = all.map(({ change }) => cellsOf(change));
  const table = valuesTable({
    ...{ caption: h("span", { class: "unseen" }, caption), look: "pooling-table" },
    of: "layer",
    names: all.map(
      ({ layer: { title, many, size } }) =>
        `${title}, ${many}${size === 1 ? "" : ` of ${size} numbers`}`,
    ),
    columns: HEADS.slice(0, hasWinners ? 4 : 3).map(([name, meaning], i) => [
      h("span", { title: meaning }, name),
      rows.map((cells) => cells[i]),
    ]),
  });
  return h("div", { class: "scroll" }, table);
}

/** @param {Told["change"]} change @returns {string[]} */
export function cellsOf({ share, stay, active, winners }) {
  const part = (/** @type {number} */ count, /** @type {number} */ of) =>
    of === 0 ? "–" : percent(count / of, 1);
  return [
    Number.isFinite(share) ? percent(share, 1) : "–",
    ...stay.map((count) => part(count, active)),
    winners === null
      ? ""
      : `${part(winners.rewon, winners.contested)} of ${grouped(winners.contested)}`,
  ];
}
