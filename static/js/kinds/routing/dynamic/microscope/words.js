/**
 * What the numbers under the microscope mean, in words.
 * @import { CapsuleScene } from "./panel.js"
 */
import { inSentence, NONE } from "../ends.js";

/**
 * @param {string} term such as `b`, of the digit in focus and the iteration on show;
 *   `b.7`, of digit 7; `b@0`, of the first iteration
 * @param {CapsuleScene} capsuleScene
 * @returns {string}
 */
export function meaningOf(term, { scene }) {
  const { ends, name, step, nouns } = scene;
  const [, kind = "", mark, place] = /^(\w+)(?:([.@])(\d+))?/.exec(term) ?? [];
  const end = mark === "." ? (ends[Number(place)] ?? name) : name;
  const iteration = mark === "@" ? Number(place) + 1 : step + 1;
  const isFixed = end === NONE && (kind === "b" || kind === "n");
  if (isFixed) return `the logit of ${inSentence(NONE)}: 0 in every iteration`;
  const all = ends.includes(NONE)
    ? `all ${nouns.many} and ${inSentence(NONE)}`
    : `all ${nouns.many}`;
  const words = { classIndex: inSentence(end), name, all, iteration };
  return MEANINGS[kind]?.({ ...words, place: Number(place) + 1 }) ?? "";
}

/**
 * @typedef {object} Words
 * @property {string} classIndex that the number is about, or none of the above
 * @property {string} name of the digit in focus
 * @property {string} all that share in the capsule's output
 * @property {number} iteration 1 first
 * @property {number} place of a number in a vector, 1 first
 */

/** @type {Record<string, (words: Words) => string>} */
const MEANINGS = {
  b: ({ classIndex, iteration }) =>
    `logit b for ${classIndex} at the start of iteration ${iteration}: the sum of all agreement so far`,
  e: ({ classIndex, iteration }) =>
    `e to the power of the logit for ${classIndex}, in iteration ${iteration}`,
  sum: ({ all }) => `the sum of e to the power of b over ${all}`,
  left: () => "what the held coupling leaves for the others",
  c: ({ classIndex, iteration }) =>
    `coupling c to ${classIndex} in iteration ${iteration}: how much of its output goes there`,
  a: ({ classIndex, iteration }) =>
    `agreement û·v of its vote for ${classIndex} with ${classIndex}’s capsule v after iteration ${iteration}`,
  n: ({ classIndex }) =>
    `the logit for ${classIndex} with which the next iteration begins`,
  evidence: ({ name }) =>
    `what this capsule adds to ${name} in the direction of ${name}’s capsule v`,
  before: ({ name }) => `the length of s for ${name}: the sum of what all capsules add`,
  squared: ({ name }) => `the square of that length, for ${name}`,
  after: ({ name, iteration }) =>
    `the length of ${name}'s capsule v after iteration ${iteration}`,
  length: () => "the length ‖u‖ of this capsule, after squash",
  u: ({ name, place }) => `number ${place} of its vote û for ${name}`,
  w: ({ place }) => `what the vote adds to number ${place} of s`,
  s: ({ name, place }) => `number ${place} of s for ${name}, before squash`,
  v: ({ name, place }) => `number ${place} of ${name}'s capsule v`,
  p: ({ place }) => `number ${place} of the vote times number ${place} of v`,
};
