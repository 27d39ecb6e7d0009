/**
 * What the gradient through all iterations of routing does beside that through the last
 * alone, in words that follow from the numbers.
 * @import { Measurement } from "../../types.js"
 * @import { Choices } from "./choices.js"
 */
import { fixed, grouped, percent } from "../../lib/format.js";
import { withOtherGradient } from "./choices.js";

const SAME = 1e-6; // values of ε that differ by less

export const GRADIENTS = /** @type {Record<string, string>} */ ({
  full: "through all iterations",
  last: "through the last iteration alone",
});

/**
 * What the curves show.
 * @param {string} score such as "length of 4"
 * @param {Choices} choices those of the solid line
 * @param {Measurement | null} test of the same gradient
 * @param {Measurement | null} other of the other one
 */
export function bothCurvesWords(score, choices, test, other) {
  const [solid, dashed] = [choices, withOtherGradient(choices)].map(
    ({ gradient }) => GRADIENTS[gradient],
  );
  const lines = `Lines: ${score}, this digit, attacked ${solid} (solid) and ${dashed} (dashed).`;
  const behind = [
    ...(test === null ? [] : [`of ${grouped(test.images)} after the first (band)`]),
    ...(other === null ? [] : [`of ${grouped(other.images)} after the second (dots)`]),
  ];
  return behind.length === 0
    ? `${lines} The test set is not measured for this attack.`
    : `${lines} Behind them: share of test images read right, ${behind.join(" and ")}.`;
}

/**
 * What both do at one ε.
 * @param {string} score such as "length of 4"
 * @param {number} eps
 * @param {readonly { score: number, test: Measurement | null }[]} found through all
 *   iterations first, then through the last alone
 */
export function bothWords(score, eps, [full, last]) {
  const [all, alone] = [full, last].map((each) => fixed(each.score, 2));
  const start = `With ε = ${fixed(eps, 2)}, its ${score} is ${all} when attacked ${GRADIENTS.full}`;
  const digit =
    all === alone
      ? `${start}, and when attacked ${GRADIENTS.last}.`
      : `${start}, and ${alone} ${GRADIENTS.last}: the gradient ${full.score < last.score ? GRADIENTS.full : GRADIENTS.last} lowers it further.`;
  const shares = [full, last].map(({ test }) => shareAt(test, eps));
  if (shares[0] === null || shares[1] === null) return digit;
  return `${digit} Test images are still read right: ${shares[0]} after the first attack, ${shares[1]} after the second.`;
}

/**
 * @param {Measurement | null} test
 * @param {number} eps
 */
function shareAt(test, eps) {
  const place = test?.values.findIndex((value) => Math.abs(value - eps) < SAME) ?? -1;
  if (test === null || place < 0) return null;
  return `${percent(test.accuracy[place], 1)} of ${grouped(test.images)}`;
}
