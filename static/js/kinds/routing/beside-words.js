/**
 * Several networks' routing of one image in numbers that networks share, and in sentences that
 * follow from the numbers.
 * @import { RoutingCourse, RoutingForm, Tensor } from "../../types.js"
 */
import { ranked, sum } from "../../lib/arithmetic.js";
import { fixed, listed, signed } from "../../lib/format.js";

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

/**
 * Present: the classes that the network names, best first, where it can name several.
 * @typedef {{ form: Pick<RoutingForm<string>, "network" | "terms" | "isOnce">, course: RoutingCourse, present?: readonly number[] }} Side
 */

/** The class that a side reads. @param {Side} side */
const winnerOf = ({ course }) => rankedAt(course.scores, lastOf(course))[0];

/**
 * @param {readonly Side[]} sides at least two
 * @param {readonly string[]} names of the classes
 */
export function besideWords(sides, names) {
  return [
    readWords(sides, names),
    leadWords(sides, names),
    ...sides.map((side) => shareWords(side, names)),
    movedWords(sides),
    onceWords(sides),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** @param {readonly Side[]} sides @param {readonly string[]} names */
function readWords(sides, names) {
  const reads = sides.map((side) => {
    const { form, course, present = [winnerOf(side)] } = side;
    const told = present.length > 0 ? present : [winnerOf(side)];
    const score = listed(
      told.map((each) => fixed(course.scores[each][lastOf(course)], 2)),
    );
    const read = listed(present.map((each) => names[each])) || "none";
    return `as ${read} by ${form.network} (${form.terms.score.name} ${score})`;
  });
  return `The image is read ${reads.slice(0, -1).join(", ")}, and ${reads.at(-1)}.`;
}

/**
 * Since when the winner leads in those that repeat their routing, where all read the same.
 * @param {readonly Side[]} sides @param {readonly string[]} names
 */
function leadWords(sides, names) {
  const repeating = sides.filter(({ form }) => !form.isOnce);
  const winners = new Set(sides.map(winnerOf));
  if (winners.size > 1 || repeating.length === 0) return "";
  const name = names[winnerOf(sides[0])];
  const since = repeating.map(({ course }) => leadsSince(course) + 1);
  if (repeating.length > 1 && new Set(since).size === 1) {
    const isAll = repeating.length === sides.length && sides.length === 2;
    const where = isAll ? "both" : listed(repeating.map(({ form }) => form.network));
    return `In ${where}, ${name} leads from iteration ${since[0]} on.`;
  }
  const each = repeating.map(
    ({ form }, i) => `from iteration ${since[i]} on in ${form.network}`,
  );
  return `${name} leads ${joined(each)}.`;
}

/** @param {readonly string[]} parts "a, and b": each is long */
const joined = (parts) =>
  parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1)}`;

/** @param {Side} side @param {readonly string[]} names */
function shareWords(side, names) {
  const { form, course } = side;
  const classIndex = winnerOf(side);
  const last = lastOf(course);
  const [from, to] = [course.shares[classIndex][0], course.shares[classIndex][last]];
  const { name, symbol } = form.terms.share;
  const mean = `In ${form.network} the mean ${name} ${symbol} to ${names[classIndex]}`;
  const largest = fixed(course.largest[classIndex][last], 3);
  const most = `the largest of ${course.capsules} ends at ${largest}`;
  if (form.isOnce)
    return `${mean} is ${fixed(to, 3)}; the largest of ${course.capsules} is ${largest}.`;
  if (last === 0) return `${mean} is ${fixed(to, 3)}.`;
  return fixed(from, 3) === fixed(to, 3)
    ? `${mean} stays ${fixed(to, 3)} over ${last + 1} iterations; ${most}.`
    : `${mean} goes from ${fixed(from, 3)} to ${fixed(to, 3)} over ${last + 1} iterations; ${most}.`;
}

/**
 * How far routing moves the mean share of each winner. After one iteration nothing has been
 * routed: shares are those that it begins with. Where votes are compared once, shares would
 * be even if they were not.
 * @param {readonly Side[]} sides
 */
function movedWords(sides) {
  const isStill = (/** @type {Side} */ { form, course }) =>
    !form.isOnce && lastOf(course) === 0;
  const routed = sides.flatMap((side) => {
    if (isStill(side)) return [];
    const { form, course } = side;
    const own = course.shares[winnerOf(side)];
    const from = form.isOnce ? 1 / course.shares.length : own[0];
    return [{ network: form.network, by: own[lastOf(course)] - from }];
  });
  const unmoved = sides
    .filter(isStill)
    .map(({ form }) => `Only one iteration ran in ${form.network}: nothing was routed.`)
    .join(" ");
  if (routed.length === 0) return unmoved;
  const moves = routed
    .toSorted((a, b) => b.by - a.by)
    .map(({ network, by }) => `by ${signed(by, 3)} in ${network}`);
  return [unmoved, `Routing changes the mean share of its winner ${listed(moves)}.`]
    .filter((words) => words !== "")
    .join(" ");
}

/** @param {readonly Side[]} sides */
function onceWords(sides) {
  const once = sides.filter(({ form }) => form.isOnce).map(({ form }) => form.network);
  if (once.length === 0) return "";
  return `${listed(once)} compares all votes once and repeats nothing: its change is that from an even share.`;
}
