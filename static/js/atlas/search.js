/**
 * What somebody looks for in the Atlas, in words: numbers of test images, labels, readings.
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 */
import { grouped } from "../lib/format.js";
import { ALL, MOST_NUMBERS, numbersOf } from "../lib/selections.js";

/** What is searched. @typedef {Pick<Atlas, "count" | "names" | "each">} Searched */

/** @typedef {{ point: number } | { selection: Selection } | { problem: string }} Sought */

/**
 * @param {Searched} atlas
 * @param {string} text such as `247`, `10-19, 45`, `label 4 or 9`, `4 read as 9`
 * @returns {Sought}
 */
export function soughtIn(atlas, text) {
  const wish = text.trim().toLowerCase().replaceAll("–", "-");
  if (wish === "") return { selection: ALL };
  return byNumber(atlas, wish) ?? byReading(atlas, wish) ?? byLabel(atlas, wish);
}

/**
 * How to search, with a class of the network.
 * @param {Pick<Searched, "names" | "each">} atlas
 */
export function searchWords({ names, each }) {
  const [one, other] = [names[0], names[names.length - 1]];
  const both = each > 1 ? `, or labels ${one} and ${other}` : "";
  return `Numbers (247, or 10–19 and 45), labels (label ${other}${both}) or readings (${one} read as ${other}).`;
}

/** @param {Pick<Atlas, "count">} atlas @param {string} wish @returns {Sought | null} */
function byNumber({ count }, wish) {
  const texts = wish.split(/(?:\s|,|;|\band\b)+/).filter(Boolean);
  if (!texts.every((each) => /^\d+(-\d+)?$/.test(each))) return null;
  const found = numbersOf(texts);
  if (found === null)
    return { problem: `At most ${MOST_NUMBERS} test images can be found by number.` };
  const beyond = found.images.find((each) => each >= count);
  if (beyond !== undefined)
    return {
      problem: `No test image has the number ${grouped(beyond)}: they go from 0 to ${grouped(count - 1)}.`,
    };
  return found.images.length === 1 ? { point: found.images[0] } : { selection: found };
}

/** @param {Pick<Atlas, "names">} atlas @param {string} wish @returns {Sought | null} */
function byReading({ names }, wish) {
  const [, before, after] = /^(.*?)\s*(?:\bread as\b|→|->)\s*(.+)$/.exec(wish) ?? [];
  if (after === undefined) return null;
  const read = classOf(names, after);
  if (read === null) return { problem: noClass(after) };
  if (before === "") return { selection: { kind: "read", class: read } };
  const name = before.replace(/^label\s+/, "");
  const label = classOf(names, name);
  return label === null
    ? { problem: noClass(name) }
    : { selection: { kind: "cell", label, read } };
}

/**
 * Of two labels of an image, both are sought.
 * @param {Searched} atlas @param {string} wish @returns {Sought}
 */
function byLabel({ names, each }, wish) {
  const between = each > 1 ? /\s*(?:,|;|\band\b)\s*/ : /\s*(?:,|;|\bor\b|\band\b)\s*/;
  const found = wish
    .replace(/^labels?\s+/, "")
    .split(between)
    .filter(Boolean)
    .map((name) => ({ name, label: classOf(names, name) }));
  const classes = found.flatMap(({ label }) => (label === null ? [] : [label]));
  const unknown = found.find(({ label }) => label === null);
  if (unknown !== undefined || classes.length === 0)
    return { problem: noClass(unknown?.name ?? wish) };
  const sorted = [...new Set(classes)].sort((a, b) => a - b);
  return { selection: { kind: "label", classes: sorted } };
}

/**
 * The class of that name, or the only one whose name begins so.
 * @param {readonly string[]} names @param {string} text in small letters
 */
function classOf(names, text) {
  const small = names.map((name) => name.toLowerCase());
  const whole = small.indexOf(text);
  if (whole >= 0) return whole;
  const begun = small.flatMap((name, i) => (name.startsWith(text) ? [i] : []));
  return begun.length === 1 ? begun[0] : null;
}

/** @param {string} text */
const noClass = (text) => `“${text}” is neither a number nor a label of this network.`;
