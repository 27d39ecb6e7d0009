/**
 * What the stories of all routings say alike: which class leads, and how few capsules most of
 * it comes from. Two values that are written alike are equal, and a share is of one whole, all
 * that is added.
 * @import { Said } from "../../core/scores.js"
 * @import { Gifts } from "../../lib/statistics.js"
 */
import { ranked } from "../../lib/arithmetic.js";
import { capitalized, counted, grouped, listed, percent } from "../../lib/format.js";

/** A lead of less than this share of the first is a close thing. */
const CLOSE = 0.1;

/** More that are equal are counted, and not named. */
const NAMED = 3;

/**
 * Those with the highest value, and those with the next, as they are written.
 * @param {readonly number[]} values @param {(value: number) => string} text
 * @returns {{ first: number[], second: number[] }} the highest first; second: none where all
 *   are equal
 */
export function leadersOf(values, text) {
  const order = ranked(values);
  const alike = (/** @type {number | undefined} */ best) =>
    best === undefined
      ? []
      : order.filter((i) => text(values[i]) === text(values[best]));
  const first = alike(order[0]);
  return { first, second: alike(order[first.length]) };
}

/**
 * What the values of a routing are called.
 * @typedef {object} Kind
 * @property {string} singular of the capsules, such as "class"
 * @property {string} plural
 * @property {string} most such as "longest"
 * @property {string} equal such as "equally long"
 * @property {string} least said of all of them where none has any, such as "is long at all"
 */

/** Of lengths. */
export const LENGTHS = {
  singular: "class",
  plural: "classes",
  most: "longest",
  equal: "equally long",
  least: "has any length",
};

/**
 * @typedef {object} Lead
 * @property {readonly string[]} names
 * @property {readonly number[]} values after the iteration on show
 * @property {readonly number[] | null} before after the one before; null in the first
 * @property {(value: number) => string} text how one is written
 * @property {Kind} kind
 * @property {Said | null} answer what the network says of these; null before it answers
 * @property {boolean} canNameMore whether it can name more than one
 * @property {string} unsure what none of them is where none is named, such as "0.5 long"
 */

/** Who leads, by how much, and what the network says of that. @param {Lead} lead */
export function leadWords(lead) {
  const { values, text, kind, answer, canNameMore } = lead;
  const { first, second } = leadersOf(values, text);
  if (first.length === 0 || !(values[first[0]] > 0))
    return `No ${kind.singular} ${kind.least}.`;
  if (answer !== null && canNameMore && answer.order.length > 2)
    return namedWords(lead, answer);
  const none =
    answer?.state === "none"
      ? `None is ${lead.unsure}, so the network sees none of its classes; `
      : "";
  const sentence = orderWords(lead, first, second, none === "");
  return none === "" ? capitalized(sentence) : `${none}${sentence}`;
}

/**
 * @param {Lead} lead @param {readonly number[]} first @param {readonly number[]} second
 * @param {boolean} isTold whether it is to be remarked on who leads, and how closely
 */
function orderWords(lead, first, second, isTold) {
  const { values, text, kind, before } = lead;
  const [leader, runnerUp] = [first, second].map((some) => groupWords(lead, some));
  const now = text(values[first[0]]);
  if (first.length > 1) return `${leader} are ${kind.equal}, ${now}.`;
  if (second.length === 0) return `${leader} has ${now}.`;
  const next = text(values[second[0]]);
  const led = before === null ? first : leadersOf(before, text).first;
  if (isTold && !led.includes(first[0]))
    return `${leader} has overtaken ${groupWords(lead, led)}.`;
  const isClose = values[first[0]] - values[second[0]] < CLOSE * values[first[0]];
  return isTold && isClose
    ? `a close thing: ${leader} with ${now} leads ${runnerUp} with ${next}.`
    : `${leader} is the ${kind.most} with ${now}, then ${runnerUp} with ${next}.`;
}

/** @param {Lead} lead @param {readonly number[]} some */
const groupWords = ({ names, kind }, some) =>
  some.length > NAMED
    ? counted(some.length, kind.singular, kind.plural)
    : listed(some.map((i) => names[i]));

/**
 * Which classes are named, of a network that can name several.
 * @param {Lead} lead @param {Said} said
 */
function namedWords({ names, values, text, kind }, { named, order }) {
  const withValue = (/** @type {number} */ i) => `${names[i]} with ${text(values[i])}`;
  const rest = order.filter((i) => !named.includes(i));
  const next = withValue(rest[0]);
  if (named.length > 1)
    return `${capitalized(listed(named.map(withValue)))} are long enough to be named, then ${next}.`;
  return named.length === 1
    ? `Only ${withValue(named[0])} is long enough to be named; next is ${next}.`
    : `None is long enough to be named; ${next} is the ${kind.most}, then ${withValue(rest[1])}.`;
}

/**
 * How few capsules give most of all that lengthens a class.
 * @param {Gifts} gifts @param {string} name of the class
 * @param {object} [more]
 * @param {string} [more.of] of how many, such as " of 16"
 * @param {string} [more.strongest] its name between commas, such as ", capsule 3,"
 */
export function giftsWords(gifts, name, { of = "", strongest = "" } = {}) {
  const { few, total, added, largest, isSure } = gifts;
  if (few.length === 0) return "";
  const whole = `of all that lengthens ${name}`;
  if (few.length === 1)
    return `One capsule${of}${strongest} gives ${percent(total / added, 0)} ${whole}.`;
  const about = isSure ? "" : "About ";
  return `${about}${grouped(few.length)}${of} capsules give ${percent(total / added, 0)} ${whole}; the strongest${strongest} gives ${percent(largest / added, 1)}.`;
}
