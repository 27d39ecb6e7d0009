/**
 * Two networks' routing of one image, in sentences that follow from the numbers.
 * @import { RoutingCourse, RoutingForm } from "../types.js"
 */
import { fixed, signed } from "../lib/format.js";
import { lastOf, leadsSince, rankedAt } from "./course.js";

/** @typedef {{ form: Pick<RoutingForm<string>, "network" | "terms">, course: RoutingCourse }} Side */

/** Shares that differ by less are said to move alike. */
const ALIKE = 0.005;

/**
 * @param {Side} above
 * @param {Side} below
 * @param {readonly string[]} names of the classes
 */
export function besideWords(above, below, names) {
  const sides = [above, below];
  const [one, other] = sides.map(
    ({ course }) => rankedAt(course.scores, lastOf(course))[0],
  );
  const reads = sides.map(({ form, course }, i) => {
    const digit = [one, other][i];
    const score = fixed(course.scores[digit][lastOf(course)], 2);
    return `as ${names[digit]} by ${form.network} (${form.terms.score.name} ${score})`;
  });
  const since = sides.map(({ course }) => leadsSince(course) + 1);
  const leads =
    one !== other
      ? ""
      : since[0] === since[1]
        ? `In both, ${names[one]} leads from iteration ${since[0]} on.`
        : `${names[one]} leads from iteration ${since[0]} on in ${above.form.network}, and from iteration ${since[1]} on in ${below.form.network}.`;
  return [
    `The image is read ${reads.join(", and ")}.`,
    leads,
    ...sides.map((side, i) => shareWords(side, [one, other][i], names)),
    movedWords(sides, [one, other]),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/**
 * @param {Side} side
 * @param {number} digit
 * @param {readonly string[]} names
 */
function shareWords({ form, course }, digit, names) {
  const last = lastOf(course);
  const [from, to] = [course.shares[digit][0], course.shares[digit][last]];
  const { name, symbol } = form.terms.share;
  const mean = `In ${form.network} the mean ${name} ${symbol} to ${names[digit]}`;
  const most = `the largest of ${course.capsules} ends at ${fixed(course.largest[digit][last], 3)}`;
  if (last === 0) return `${mean} is ${fixed(to, 3)}.`;
  return fixed(from, 3) === fixed(to, 3)
    ? `${mean} stays ${fixed(to, 3)} over ${last + 1} iterations; ${most}.`
    : `${mean} goes from ${fixed(from, 3)} to ${fixed(to, 3)} over ${last + 1} iterations; ${most}.`;
}

/**
 * @param {readonly Side[]} sides
 * @param {readonly number[]} digits read by each
 */
function movedWords(sides, digits) {
  const moves = sides.map(({ course }, i) => {
    const shares = course.shares[digits[i]];
    return shares[lastOf(course)] - shares[0];
  });
  if (Math.abs(moves[0] - moves[1]) < ALIKE)
    return "Routing changes the mean share of its winner by about as much in both.";
  const further = moves[0] > moves[1] ? 0 : 1;
  return `Routing changes the mean share of its winner by ${signed(moves[further], 3)} in ${sides[further].form.network} and by ${signed(moves[1 - further], 3)} in ${sides[1 - further].form.network}.`;
}
