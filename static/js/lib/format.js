/**
 * Numbers and names as people read them.
 * @import { Count } from "./arithmetic.js"
 */

export const MINUS = "\u2212";

/**
 * With so many decimals and a true minus sign: -0.5 -> "−0.500".
 * @param {number} value @param {number} [decimals]
 */
export function fixed(value, decimals = 3) {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/**
 * With as many decimals as it has, up to six: what somebody set is written as it was set,
 * 2.75 -> "2.75", −30 -> "−30".
 * @param {number} value
 */
export const plain = (value) => fixed(value, 6).replace(/\.?0+$/, "");

/**
 * Always with a sign: 0.5 -> "+0.500".
 * @param {number} value @param {number} [decimals]
 */
export const signed = (value, decimals = 3) => withSign(fixed(value, decimals));

/** The same of a number that is written. @param {string} text */
export const withSign = (text) =>
  text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;

/**
 * Thousands apart by thin spaces: 8215568 -> "8 215 568".
 * @param {number} value a whole number
 */
export function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** What is nearer to all than this differs from it by what sums in single precision miss. */
const ROUNDING = 2 ** -22;

/** No share is written with more decimals than these. */
const FINEST = 6;

/**
 * A share in percent. It is 0 or 100 only where it is none or all: 0.99996 -> "99.996 %",
 * 0.00002 -> "0.002 %".
 * @param {number} share of 1
 * @param {number} [decimals] more where these would make it none or all
 */
export function percent(share, decimals = 2) {
  const value = Math.abs(share - 1) < ROUNDING ? 100 : 100 * share;
  const isEnd = (/** @type {string} */ text) =>
    [0, 100].some((end) => Number(text) === end && value !== end);
  for (let digits = decimals; digits <= FINEST; digits++) {
    const text = fixed(value, digits);
    if (!isEnd(text)) return `${text}\u202f%`;
  }
  const least = 10 ** -FINEST;
  return value > 50
    ? `over ${100 - least}\u202f%`
    : `under ${fixed(least, FINEST)}\u202f%`;
}

/**
 * What is rounded in percent already. @param {number} value @param {number} decimals
 */
export const inPercent = (value, decimals) => `${fixed(value, decimals)}\u202f%`;

/**
 * Shares and their sum in percent, rounded together: as they are written, they add up.
 * @param {readonly number[]} shares of 1, none below zero
 * @param {number} [decimals] more where these would make one of them none or all
 * @returns {string[]} each, and their sum
 */
export function percentParts(shares, decimals = 0) {
  const parts = shares.map((share) => 100 * share);
  const total = parts.reduce((so, part) => so + part, 0);
  const exact = [...parts, total].map((part) =>
    Math.abs(part - 100) < 100 * ROUNDING ? 100 : part,
  );
  const rounded = (/** @type {number} */ digits) => {
    const all = roundedTogether(parts, total, digits);
    return [...all, Number(all.reduce((so, part) => so + part, 0).toFixed(digits))];
  };
  const isFalse = (/** @type {number} */ written, /** @type {number} */ at) =>
    [0, 100].some((end) => written === end && exact[at] !== end);
  let [digits, all] = [decimals, rounded(decimals)];
  while (digits < FINEST && all.some(isFalse)) all = rounded(++digits);
  return all.map((share) => `${fixed(share, digits)}\u202f%`);
}

/**
 * Numbers rounded so that they add up to their rounded sum: those that rounding down takes
 * most from are rounded up (largest remainder).
 * @param {readonly number[]} parts @param {number} total their sum
 * @param {number} decimals
 * @returns {number[]} each less than one of the last digit from what it was
 */
export function roundedTogether(parts, total, decimals) {
  const unit = 10 ** decimals;
  const scaled = parts.map((part) => Number((part * unit).toPrecision(12)));
  const whole = scaled.map(Math.floor);
  const wanted = Math.round(Number((total * unit).toPrecision(12)));
  const missing = wanted - whole.reduce((so, part) => so + part, 0);
  const order = [...parts.keys()].sort(
    (a, b) => scaled[b] - whole[b] - (scaled[a] - whole[a]),
  );
  for (const at of order.slice(0, Math.max(0, missing))) whole[at] += 1;
  return whole.map((part) => part / unit + 0);
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
 * @param {string} singular what one of them is called
 * @param {string} [plural] of several; with an s when absent
 */
export function counted(count, singular, plural = `${singular}s`) {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

/**
 * Words in one list: `a`, `a and b`, `a, b and c`.
 * @param {readonly string[]} words @param {"and" | "or"} [join]
 * @returns {string} empty of none
 */
export function listed(words, join = "and") {
  const last = words[words.length - 1] ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${join} ${last}`;
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

/**
 * A name cut in its middle, so that names which differ at either end still do.
 * @param {string} name @param {(name: string) => boolean} fits
 */
export function cutInMiddle(name, fits) {
  const letters = [...unisolated(name)];
  for (let kept = letters.length - 1; kept > 0 && !fits(name); kept--) {
    const head = letters.slice(0, Math.ceil(kept / 2)).join("");
    const tail = letters.slice(letters.length - Math.floor(kept / 2)).join("");
    name = isolated(`${head.trimEnd()}…${tail.trimStart()}`);
  }
  return name;
}

const BRIEF = 20; // letters

/** A name as it stands on a button, or over a picture. @param {string} name */
export const brief = (name) =>
  cutInMiddle(name, (cut) => [...unisolated(cut)].length <= BRIEF);

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

/** What things are called that have numbers for names. @param {number} count @param {number} [from] */
export const numbered = (count, from = 0) =>
  Array.from({ length: count }, (_, i) => String(from + i));

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

/** @param {readonly number[]} numbers @returns {string[]} such as "4" and "7-9" */
export function ranges(numbers) {
  /** @type {[number, number][]} */
  const spans = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([first, last]) =>
    first === last ? `${first}` : `${first}-${last}`,
  );
}
