/**
 * Two networks' routing of one image in numbers that networks share, and in sentences that
 * follow from the numbers.
 * @import { RoutingCourse, RoutingForm, Tensor } from "../../types.js"
 */
import { ranked, sum } from "../../lib/arithmetic.js";
import { fixed, signed } from "../../lib/format.js";

/**
 * @param {Tensor} tensor (iterations, capsules below, …, classes)
 * @returns {number[][]} [class][iteration], the mean over the capsules below
 */
export function meansByClass(tensor) {
  return byClass(tensor, (values) => sum(values) / values.length);
}

/**
 * @param {Tensor} tensor (iterations, capsules below, …, classes)
 * @returns {number[][]} [class][iteration], the largest of the capsules below
 */
export function largestByClass(tensor) {
  return byClass(tensor, (values) =>
    values.reduce((most, value) => Math.max(most, value)),
  );
}

/**
 * @param {Tensor} tensor (iterations, …, classes)
 * @param {(values: Float32Array) => number} figure of all values of a class in an iteration
 */
function byClass({ shape, data }, figure) {
  const [iterations] = shape;
  const classes = shape[shape.length - 1];
  const values = new Float32Array(data.length / iterations / classes);
  return Array.from({ length: classes }, (_, classIndex) =>
    Array.from({ length: iterations }, (_, step) => {
      const from = step * values.length * classes + classIndex;
      for (let i = 0; i < values.length; i++) values[i] = data[from + i * classes];
      return figure(values);
    }),
  );
}

/**
 * @param {readonly number[][]} values [class][iteration]
 * @param {number} step
 * @returns {number[]} classes, that with the largest value first
 */
export function rankedAt(values, step) {
  return ranked(values.map((each) => each[step]));
}

/** @param {Pick<RoutingCourse, "scores">} course */
export function lastOf({ scores }) {
  return scores[0].length - 1;
}

/**
 * The iteration from which on the class that is read in the end leads all others.
 * @param {Pick<RoutingCourse, "scores">} course
 * @returns {number} 0 first
 */
export function leadsSince({ scores }) {
  let since = scores[0].length - 1;
  const [winner] = rankedAt(scores, since);
  while (since > 0 && rankedAt(scores, since - 1)[0] === winner) since--;
  return since;
}

/** @typedef {{ form: Pick<RoutingForm<string>, "network" | "terms">, course: RoutingCourse }} Side */

/**
 * @param {Side} above @param {Side} below
 * @param {readonly string[]} names of the classes
 */
export function besideWords(above, below, names) {
  const sides = [above, below];
  const [one, other] = sides.map(
    ({ course }) => rankedAt(course.scores, lastOf(course))[0],
  );
  const reads = sides.map(({ form, course }, i) => {
    const classIndex = [one, other][i];
    const score = fixed(course.scores[classIndex][lastOf(course)], 2);
    return `as ${names[classIndex]} by ${form.network} (${form.terms.score.name} ${score})`;
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

/** @param {Side} side @param {number} classIndex @param {readonly string[]} names */
function shareWords({ form, course }, classIndex, names) {
  const last = lastOf(course);
  const [from, to] = [course.shares[classIndex][0], course.shares[classIndex][last]];
  const { name, symbol } = form.terms.share;
  const mean = `In ${form.network} the mean ${name} ${symbol} to ${names[classIndex]}`;
  const most = `the largest of ${course.capsules} ends at ${fixed(course.largest[classIndex][last], 3)}`;
  if (last === 0) return `${mean} is ${fixed(to, 3)}.`;
  return fixed(from, 3) === fixed(to, 3)
    ? `${mean} stays ${fixed(to, 3)} over ${last + 1} iterations; ${most}.`
    : `${mean} goes from ${fixed(from, 3)} to ${fixed(to, 3)} over ${last + 1} iterations; ${most}.`;
}

/**
 * How far routing moves the mean share of each winner. After one iteration nothing has been
 * routed: shares are those that it begins with.
 * @param {readonly Side[]} sides
 * @param {readonly number[]} digits read by each
 */
function movedWords(sides, digits) {
  const still = sides.filter(({ course }) => lastOf(course) === 0);
  const routed = sides.flatMap((side, i) => {
    const { shares } = side.course;
    const by = shares[digits[i]][lastOf(side.course)] - shares[digits[i]][0];
    return still.includes(side) ? [] : [{ network: side.form.network, by }];
  });
  const unmoved = still
    .map(({ form }) => `Only one iteration ran in ${form.network}: nothing was routed.`)
    .join(" ");
  if (routed.length === 0) return unmoved;
  const moves = routed
    .toSorted((a, b) => b.by - a.by)
    .map(({ network, by }) => `by ${signed(by, 3)} in ${network}`);
  return [
    unmoved,
    `Routing changes the mean share of its winner ${moves.join(" and ")}.`,
  ]
    .filter((words) => words !== "")
    .join(" ");
}
