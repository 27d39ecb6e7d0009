/**
 * What the arrows of one digit show in one iteration, in words that follow from their
 * numbers.
 * @import { Arrows } from "./arrows.js"
 */
import { clamp } from "../../../lib/arithmetic.js";
import { exactShare } from "../../../lib/decimals.js";
import { fixed, grouped, signed } from "../../../lib/format.js";

/**
 * @typedef {object} Told
 * @property {Arrows} arrows
 * @property {string} name of the digit
 * @property {number} step 0 first
 */

/**
 * How many of the arrows point the way of what they make.
 * @param {Told} told
 */
export function tellArrows(told) {
  const { arrows, name } = told;
  if (arrows.capsules.length === 0)
    return `Every vote for ${name} is 0, so there is nothing to compare.`;
  return tellSides(told, sidesOf(told));
}

/**
 * One vote.
 * @param {Told} told
 * @param {number} i which of the arrows
 * @returns {string}
 */
export function readArrow({ arrows, step }, i) {
  const { lengths, tips, couplings, agreement, cosines } = arrows;
  const across = signed(tips[2 * i], 2);
  const up = signed(tips[2 * i + 1], 2);
  const before = step > 0 ? ` (before: ${exactShare(couplings[step - 1][i], 3)})` : "";
  const cosine = cosines[step][i];
  const angle = Number.isFinite(cosine)
    ? `, ${fixed((Math.acos(clamp(cosine, -1, 1)) * 180) / Math.PI, 0)}° from v`
    : "";
  return `û is ${fixed(lengths[i], 2)} long, ${across} across and ${up} up${angle}; c ${fixed(couplings[step][i], 3)}${before}, û·v ${signed(agreement[step][i], 3)}`;
}

/** @typedef {{ pro: number[], contra: number[] }} Sides arrows that point v's way, and against */

/** @param {Told} told @returns {Sides} */
function sidesOf({ arrows: { cosines, capsules }, step }) {
  const all = capsules.map((_, i) => i);
  return {
    pro: all.filter((i) => cosines[step][i] > 0),
    contra: all.filter((i) => cosines[step][i] < 0),
  };
}

/** @param {Told} told @param {Sides} sides */
function tellSides({ arrows: { capsules, voters }, name }, { pro, contra }) {
  const count = capsules.length;
  if (count === 1) {
    const vote =
      voters === 1
        ? `The only vote for ${name}`
        : `The longest of the ${grouped(voters)} votes for ${name}`;
    if (pro.length === 1) return `${vote} agrees with its capsule (û·v above 0).`;
    if (contra.length === 1) return `${vote} disagrees with its capsule (û·v below 0).`;
    return `${vote} neither agrees nor disagrees with its capsule (û·v = 0).`;
  }
  const votes = `the ${count} longest of ${grouped(voters)} votes for ${name}`;
  if (pro.length === count)
    return `All of ${votes} agree with its capsule (û·v above 0).`;
  if (contra.length === count)
    return `All of ${votes} disagree with its capsule (û·v below 0).`;
  if (pro.length + contra.length === 0)
    return `None of ${votes} agrees or disagrees with its capsule (û·v = 0).`;
  return `Of ${votes}, ${pro.length} ${agree(pro)} with its capsule (û·v above 0) and ${contra.length} ${disagree(contra)}.`;
}

/** @param {readonly unknown[]} some */
const agree = (some) => (some.length === 1 ? "agrees" : "agree");

/** @param {readonly unknown[]} some */
const disagree = (some) => `dis${agree(some)}`;
