/**
 * What the arrows of one digit show in one iteration, in sentences that follow from their
 * numbers.
 * @import { Count } from "../../../lib/arithmetic.js"
 * @import { Values } from "../../../ui/values.js"
 * @import { Arrows } from "./arrows.js"
 */
import { clamp, sum } from "../../../lib/arithmetic.js";
import { movesOf } from "../../../lib/change.js";
import { exactShare } from "../../../lib/decimals.js";
import { countInWords, fixed, grouped, percent, signed } from "../../../lib/format.js";
import { MOVE } from "./course.js";

/**
 * @typedef {object} Told
 * @property {Arrows} arrows
 * @property {string} name of the digit
 * @property {number} step 0 first
 * @property {number} ends how many share in a capsule's output
 */

/** @param {Told} told @returns {string[]} what counts first */
export function sentencesOf(told) {
  const { arrows, name } = told;
  if (arrows.capsules.length === 0)
    return [`Every vote for ${name} is 0, so there is nothing to compare.`];
  const sides = sidesOf(told);
  return [
    tellSides(told, sides),
    told.step === 0 ? tellStart(told) : tellMoves(told, sides),
    tellMean(told),
    `The plane holds ${percent(arrows.share, 0)} of these votes’ squared length.`,
  ];
}

/**
 * What two digits come to, side by side.
 * @param {Told} own @param {Told} rival
 * @returns {string}
 */
export function compareArrows(own, rival) {
  const [one, other] = [own, rival].map(({ arrows, name, step }, i) => {
    if (arrows.capsules.length === 0) return `every vote for ${name} is 0`;
    const mean = exactShare(meanOf(arrows.couplings[step]), 3);
    const isFirst = i === 0 || own.arrows.capsules.length === 0;
    return isFirst
      ? `the longest votes for ${name} have a mean coupling of ${mean}`
      : `those for ${name}, of ${mean}`;
  });
  return `After iteration ${own.step + 1}, ${one}; ${other}.`;
}

/**
 * One vote.
 * @param {Told} told
 * @param {number} i which of the arrows
 * @returns {string}
 */
export function readArrow({ arrows, step }, i) {
  const { lengths, tips, couplings, agreement, poseLengths } = arrows;
  const across = signed(tips[2 * i], 2);
  const up = signed(tips[2 * i + 1], 2);
  const before = step > 0 ? ` (before: ${exactShare(couplings[step - 1][i], 3)})` : "";
  const cosine = agreement[step][i] / (lengths[i] * poseLengths[step]);
  const angle = Number.isFinite(cosine)
    ? `, ${fixed((Math.acos(clamp(cosine, -1, 1)) * 180) / Math.PI, 0)}° from v`
    : "";
  return `û is ${fixed(lengths[i], 2)} long, ${across} across and ${up} up${angle}; c ${fixed(couplings[step][i], 3)}${before}, û·v ${signed(agreement[step][i], 3)}`;
}

/** @typedef {{ pro: number[], contra: number[] }} Sides arrows that point v's way, and against */

/** @param {Told} told @returns {Sides} */
function sidesOf({ arrows: { agreement, capsules }, step }) {
  const all = capsules.map((_, i) => i);
  return {
    pro: all.filter((i) => agreement[step][i] > 0),
    contra: all.filter((i) => agreement[step][i] < 0),
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

/** @param {Told} told */
function tellStart({ arrows: { couplings }, ends }) {
  const [low, high] = rangeOf(couplings[0]);
  const isEven = Math.max(high - 1 / ends, 1 / ends - low) < MOVE;
  return isEven
    ? `Every coupling is 1/${ends}: no votes have been compared yet.`
    : `Surgery holds couplings, so they lie between ${exactShare(low, 3)} and ${exactShare(high, 3)} before any votes have been compared.`;
}

/** @param {Told} told @param {Sides} sides */
function tellMoves({ arrows: { couplings }, step }, { pro, contra }) {
  const moved = (/** @type {number[]} */ some) => {
    const [before, now] = [0, step].map((at) => some.map((i) => couplings[at][i]));
    const { raised, lowered } = movesOf(before, now, MOVE);
    if (some.length === 1) {
      // What rounding may have changed is not said for sure.
      if (!raised.isSure) return "grew or stayed";
      if (!lowered.isSure) return "fell or stayed";
      return raised.count === 1 ? "grew" : lowered.count === 1 ? "fell" : "stayed";
    }
    const isSure = (/** @type {Count} */ { count, isSure }, /** @type {number} */ of) =>
      isSure && count === of;
    if (isSure(raised, some.length)) return "all grew";
    if (isSure(lowered, some.length)) return "all fell";
    if (isSure(raised, 0) && isSure(lowered, 0)) return "none grew or fell";
    return `${countInWords(raised)} grew and ${countInWords(lowered)} fell`;
  };
  const groups = [
    { some: pro, does: agree(pro) },
    { some: contra, does: disagree(contra) },
  ].flatMap(({ some, does }) =>
    some.length === 0
      ? []
      : some.length === 1
        ? [`the one that ${does} ${moved(some)}`]
        : [`of the ${some.length} that ${does}, ${moved(some)}`],
  );
  const [low, high] = rangeOf(couplings[step]).map((c) => exactShare(c, 3));
  const now =
    low === high ? `All are now ${low}.` : `They are now between ${low} and ${high}.`;
  if (groups.length === 0) return now;
  return `Couplings since iteration 1: ${groups.join("; ")} (by ${MOVE} or more). ${now}`;
}

/** @param {Told} told */
function tellMean({ arrows: { meanLengths }, step }) {
  const now = fixed(meanLengths[step], 2);
  const before = fixed(meanLengths[0], 2);
  if (step === 0) return `Their mean, weighted by c, is ${now} long.`;
  return now === before
    ? `Their mean, weighted by c, stays ${now} long.`
    : `Their mean, weighted by c, is ${now} long; in iteration 1 it was ${before}.`;
}

/**
 * @param {ArrayLike<number>} values at least one
 * @returns {[low: number, high: number]}
 */
function rangeOf(values) {
  const all = Array.from(values);
  return [Math.min(...all), Math.max(...all)];
}

/** @param {Float32Array} values at least one */
const meanOf = (values) => sum(values) / values.length;

/**
 * The arrows of two digits in numbers.
 * @param {readonly Told[]} both at least one
 * @returns {Values}
 */
export function valuesOf(both) {
  const each = (
    /** @type {(arrows: Arrows, step: number) => ArrayLike<number>} */ values,
  ) => both.flatMap(({ arrows, step }) => Array.from(values(arrows, step)));
  const ends = (/** @type {number} */ axis) =>
    each(({ tips }) => tips.filter((_, i) => i % 2 === axis));
  return {
    of: "vote",
    names: both.flatMap(({ arrows, name }) =>
      arrows.capsules.map((capsule) => `capsule ${capsule} for ${name}`),
    ),
    columns: [
      ["‖û‖", each(({ lengths }) => lengths)],
      ["across", ends(0)],
      ["up", ends(1)],
      ["û·v", each(({ agreement }, step) => agreement[step])],
      ...both[0].arrows.couplings.map(
        (_, i) =>
          /** @type {const} */ ([
            `c in iteration ${i + 1}`,
            each(({ couplings }) => couplings[i]),
          ]),
      ),
    ],
  };
}
