/**
 * What the arrows that make a sum show in one iteration, in sentences that follow from their
 * numbers.
 * @import { Chain } from "./chains.js"
 */
import { capitalized, counted, fixed, listed, sentences } from "../../../lib/format.js";

const SAME = 0.05; // longer or shorter by less is as long as before
const LEAST = 0.005; // what reaches less far backward is not told of

/**
 * @typedef {object} Told
 * @property {readonly Chain[]} chains of the class in focus, and of another
 * @property {readonly string[]} names of these
 * @property {number} step 0 first
 * @property {string} group what has an arrow, such as "type"
 * @property {boolean} [isOnce] nothing is repeated
 */

/** @param {Told} scene */
export function tellChains(scene) {
  const { chains, names, step, isOnce } = scene;
  const [first, other] = chains;
  if (first.types.length === 0) return `Nothing speaks for ${names[0]}.`;
  if (step === 0)
    return sentences([
      !isOnce && "No votes have been compared yet.",
      `Laid end to end, the arrows for ${names[0]} reach ${fixed(first.sums[0], 2)}${other ? `, those for ${names[1]} ${fixed(other.sums[0], 2)}` : ""}.`,
      tellBackward(scene),
    ]);
  return sentences([`${capitalized(listedWords(scene))}.`, tellBackward(scene)]);
}

/** @param {Told} told */
const listedWords = ({ chains, names, step }) =>
  chains.map((chain, i) => lengthWords(chain, step, names[i])).join("; ");

/**
 * How long a sum is, against the first iteration.
 * @param {Chain} chain @param {number} step @param {string} name
 */
function lengthWords({ sums }, step, name) {
  const [first, now] = [sums[0], sums[step]];
  const sentence = `the sum for ${name} is ${fixed(now, 2)} long`;
  const times = now / first;
  if (!Number.isFinite(times)) return sentence;
  return Math.abs(times - 1) < SAME
    ? `${sentence}, as at first`
    : `${sentence}, ${fixed(times, 1)} times as long as at first`;
}

/** Which arrows point against the class's capsule, or did so at first. @param {Told} told */
function tellBackward({ chains: [chain], step, group }) {
  const backward = (/** @type {number} */ at) =>
    chain.types.filter((_, i) => chain.arrows[at][2 * i] <= -LEAST);
  const now = backward(step);
  const turned = backward(0).filter((type) => !now.includes(type));
  const named = (/** @type {readonly number[]} */ types) =>
    `${capitalized(types.length === 1 ? group : `${group}s`)} ${listed(types.map(String))}`;
  return sentences([
    now.length > 0 &&
      `${named(now)} ${now.length === 1 ? "points" : "point"} backward.`,
    step > 0 &&
      turned.length > 0 &&
      `${named(turned)} pointed backward at first, and ${turned.length === 1 ? "has" : "have"} turned.`,
  ]);
}

/** What stands for the types without an arrow of their own. @param {number} count @param {string} group */
export const otherWords = (count, group) =>
  count === 0 ? "" : counted(count, `other ${group}`);
