/**
 * Numbers and names as people read them.
 * @import { Count } from "./arithmetic.js"
 */

const MINUS = "\u2212";

/**
 * With so many decimals and a true minus sign: -0.5 -> "−0.500".
 * @param {number} value @param {number} [decimals]
 */
export function fixed(value, decimals = 3) {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/**
 * Always with a sign: 0.5 -> "+0.500".
 * @param {number} value @param {number} [decimals]
 */
export function signed(value, decimals = 3) {
  const text = fixed(value, decimals);
  return text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;
}

/**
 * Thousands apart by thin spaces: 8215568 -> "8 215 568".
 * @param {number} value a whole number
 */
export function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/**
 * @param {number} share in 0..1
 * @param {number} [decimals]
 */
export function percent(share, decimals = 2) {
  return `${(100 * share).toFixed(decimals)}\u202f%`;
}

/**
 * A count as precisely as it is known: "127", "about 127", "hardly any".
 * @param {Count} found
 */
export function countInWords({ count, isSure }) {
  if (isSure) return grouped(count);
  return count === 0 ? "hardly any" : `about ${grouped(count)}`;
}

/**
 * A number of things: 1 -> "1 window", 1152 -> "1 152 windows".
 * @param {number} count
 * @param {string} one what one of them is called
 * @param {string} [many] of several; with an s when absent
 */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/**
 * Words in one list: `a`, `a and b`, `a, b and c`.
 * @param {readonly string[]} words
 * @returns {string} empty of none
 */
export function listed(words) {
  const last = words[words.length - 1] ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** What is written from the right, and may turn what stands beside it around. */
const LEFTWARD =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Around a name that is read in its own direction: U+2068 and U+2069. */
const ISOLATES = /[\u2068\u2069]/gu;

/**
 * A name that keeps its place in a sentence and beside numbers, whatever its script: “0.40
 * against” does not move to its other side.
 * @param {string} name
 */
export const isolated = (name) =>
  LEFTWARD.test(name) ? `\u2068${unisolated(name)}\u2069` : name;

/** @param {string} text */
export const unisolated = (text) => text.replace(ISOLATES, "");

/** A name of up to so many characters fits wherever a digit does. */
const SHORT = 2;

/**
 * The length of the longest class name. A digit's name is one character, a garment's a
 * word or two.
 * @param {readonly string[]} names
 * @returns {number} in characters, at least one
 */
export function longestName(names) {
  return Math.max(1, ...names.map((name) => [...unisolated(name)].length));
}

/** Whether names need more room than digits do. @param {readonly string[]} names */
export function areLong(names) {
  return longestName(names) > SHORT;
}

/** @param {string} text */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * One sentence after the other, without those that are not said.
 * @param {readonly (string | false | null | undefined)[]} all
 */
export const sentences = (all) => all.filter(Boolean).join(" ");

/** What went wrong. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A message as people read it.
 * @param {string} text such as a server's message, which says what must be and what came
 * @returns {string} a whole sentence
 */
export function asSentence(text) {
  const start = capitalized(text);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}

/**
 * The name of a file to keep.
 * @param {readonly string[]} parts what the file holds, such as a model and a class
 * @param {string} ending without the dot
 * @returns {string} lower case; letters and digits of any script, joined by hyphens
 */
export function fileName(parts, ending) {
  const words = parts
    .map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"))
    .map((part) => part.replace(/^-|-$/g, ""))
    .filter((part) => part !== "");
  return `${words.join("-")}.${ending}`;
}
