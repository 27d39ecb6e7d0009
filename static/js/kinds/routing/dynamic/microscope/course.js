/**
 * One capsule's way through routing, written so that it can be checked: its agreements
 * are rounded first, and its logits and couplings follow from what is written (Sabour,
 * Frosst & Hinton 2017, Procedure 1). So every sum on the page comes out as it stands.
 * @import { Tensor } from "../../../../types.js"
 * @import { Pin, Surgery } from "../../types.js"
 * @import { RoutedTensors } from "../types.js"
 */
import { fewestDecimals, rounded } from "../../../../lib/decimals.js";
import { roundingOf } from "../../../../lib/encoding.js";
import { fixed } from "../../../../lib/format.js";
import { differenceWords, SAME } from "../../../../lib/precision.js";
import { ofCapsule } from "../sums.js";

/** Of logits, couplings and agreements. Half precision keeps about as many. */
export const DECIMALS = 4;

/** What rounding to so many changes at most. */
const ROUNDED = 10 ** -DECIMALS / 2;

/**
 * How the couplings of one capsule come about.
 * @typedef {object} Rule
 * @property {boolean} isRouted false where no agreement counts: logits stay 0
 * @property {Pin | null} pin a coupling that is held
 */

/**
 * @typedef {object} Iteration one number for each end, as they are written
 * @property {number[]} logits b; that of none of the above stays 0
 * @property {number[]} couplings c
 * @property {number[]} agreement û·v, for each class: none of the above has no capsule
 * @property {number[]} next b of the iteration after
 */

/** @param {Surgery} surgery @param {number} capsule @returns {Rule} */
export function ruleOf({ routing, pins }, capsule) {
  return {
    isRouted: routing === "agreement",
    pin: pins.find((pin) => pin.capsule === capsule) ?? null,
  };
}

/**
 * @param {Tensor} agreement (iterations, types, rows, columns, classes), û·v
 * @param {number} capsule @param {Rule} rule
 * @param {number} [ends] how many share in its output; as many as there are classes, where
 *   absent
 * @returns {Iteration[]} the first has logits of 0
 */
export function courseOf(
  agreement,
  capsule,
  rule,
  ends = agreement.shape.slice(-1)[0],
) {
  const [iterations] = agreement.shape;
  let logits = Array.from({ length: ends }, () => 0);
  return Array.from({ length: iterations }, (_, step) => {
    const traced = ofCapsule(agreement, step, capsule);
    const agreements = Array.from(traced, (value) => rounded(value, DECIMALS));
    const before = logits;
    if (rule.isRouted)
      logits = before.map((logit, j) =>
        rounded(logit + (agreements[j] ?? 0), DECIMALS),
      );
    return {
      logits: before,
      couplings: couplingsOf(before, rule),
      agreement: agreements,
      next: logits,
    };
  });
}

/** @param {number[]} logits @param {Rule} rule @returns {number[]} rounded */
function couplingsOf(logits, { pin }) {
  const terms = logits.map((logit, j) => (j === pin?.classIndex ? 0 : Math.exp(logit)));
  const sum = sumOf(terms);
  const rest = 1 - (pin?.coupling ?? 0);
  return terms.map((term, j) =>
    rounded(pin?.classIndex === j ? pin.coupling : (rest * term) / sum, DECIMALS),
  );
}

/**
 * @typedef {object} Softmax
 * @property {(number | null)[]} terms e^b, rounded; null for a class whose coupling is held
 * @property {number} sum of the terms as they are written
 * @property {number} decimals of both
 */

/**
 * The softmax behind an iteration's couplings, with as many decimals as it takes for each
 * of them to be its term over the sum, times what a held coupling leaves.
 * @param {Iteration} iteration @param {Rule} rule
 * @returns {Softmax}
 */
export function softmaxOf({ logits, couplings }, { pin }) {
  const rest = 1 - (pin?.coupling ?? 0);
  /** @param {number} decimals */
  const written = (decimals) => {
    const terms = logits.map((logit, j) =>
      j === pin?.classIndex ? null : rounded(Math.exp(logit), decimals),
    );
    return { terms, sum: rounded(sumOf(terms), decimals), decimals };
  };
  const decimals = fewestDecimals(DECIMALS, (count) => {
    const { terms, sum } = written(count);
    return terms.every(
      (term, j) =>
        term === null || rounded((rest * term) / sum, DECIMALS) === couplings[j],
    );
  });
  return written(decimals);
}

/**
 * How far what is written is from what the trace holds.
 * @typedef {object} Distance
 * @property {number} apart the largest difference of a logit or a coupling
 * @property {number} beyond that of them which rounding explains least
 * @property {number} most what rounding explains of that
 */

/**
 * @param {Iteration[]} course
 * @param {Pick<RoutedTensors, "logits" | "couplings">} tensors @param {number} capsule
 * @returns {Distance}
 */
export function distanceFrom(course, tensors, capsule) {
  const distance = { apart: 0, beyond: 0, most: 0 };
  /** @param {number} written @param {number} traced @param {number} most */
  const compare = (written, traced, most) => {
    const apart = Math.abs(written - traced);
    distance.apart = Math.max(distance.apart, apart);
    const explained = most + roundingOf(traced) + ROUNDED;
    if (apart - explained > distance.beyond - distance.most || distance.most === 0)
      Object.assign(distance, { beyond: apart, most: explained });
  };
  // What the agreements so far, as they came and as they are written, can have moved a logit.
  const moved = course[0].logits.map(() => 0);
  course.forEach(({ logits, couplings, agreement }, step) => {
    const tracedLogits = ofCapsule(tensors.logits, step, capsule);
    const tracedCouplings = ofCapsule(tensors.couplings, step, capsule);
    const most = Math.max(...moved);
    logits.forEach((logit, j) => {
      compare(logit, tracedLogits[j] ?? 0, moved[j]);
      // A softmax moves by no more than half of what its logits do.
      compare(couplings[j], tracedCouplings[j], most / 2);
      moved[j] += roundingOf(agreement[j] ?? 0) + 2 * ROUNDED;
    });
  });
  return distance;
}

/** What is said of it. @param {Distance} distance */
export function distanceWords({ apart, beyond, most }) {
  const says = `Worked out here from the agreements, rounded to ${DECIMALS} decimals.`;
  return beyond <= most
    ? `${says} ${SAME}`
    : `${says} The network's own logits and couplings differ by up to ${fixed(apart, 5)}: ${differenceWords(beyond, most, "")}.`;
}

/** @param {readonly (number | null)[]} values */
function sumOf(values) {
  return values.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);
}
