/**
 * One network's routing over its iterations: the scores of all classes, and the mean
 * shares that the first two get.
 * @import { Line } from "../ui/charts.js"
 * @import { Side } from "./words.js"
 */
import { fixed } from "../lib/format.js";
import { smallChart } from "../ui/charts.js";
import { setText, svg } from "../ui/dom.js";
import { lastOf, rankedAt } from "./course.js";

const SCORES = [0, 0.5, 1];

/**
 * @param {HTMLElement} root filled
 * @param {(step: number) => void} showStep 1 first
 */
export function makeRow(root, showStep) {
  const title = document.createElement("h4");
  const charts = [0, 1].map(() => {
    const figure = document.createElement("figure");
    const picture = svg("svg", { "aria-hidden": "true" });
    const caption = document.createElement("figcaption");
    figure.append(picture, caption);
    return {
      figure,
      caption,
      chart: smallChart(picture, (step) => showStep(step + 1)),
    };
  });
  root.replaceChildren(title, ...charts.map(({ figure }) => figure));
  let last = -1;
  let now = 0;
  const markAll = () => {
    if (last < 0) return;
    for (const { chart } of charts) chart.mark(Math.min(now, last));
  };
  return {
    title,
    charts,
    /** @param {number} iterations */
    drawn(iterations) {
      last = iterations;
      markAll();
    },
    /** @param {number} step 0 first; the last one stands for those that did not run */
    mark(step) {
      now = step;
      markAll();
    },
  };
}

/**
 * @param {ReturnType<typeof makeRow>} row
 * @param {Side} side
 * @param {object} options
 * @param {string} options.title
 * @param {readonly string[]} options.names of the classes
 * @param {readonly number[]} options.ticks of the shares' axis
 */
export function fillRow(row, { form, course }, { title, names, ticks }) {
  const last = lastOf(course);
  const [first, second] = rankedAt(course.scores, last);
  setText(row.title, title);
  row.charts[0].chart.show(linesOf(course.scores, first, second), SCORES);
  row.charts[1].chart.show(linesOf(course.shares, first, second).slice(-2), ticks);
  const { score, share } = form.terms;
  setText(
    row.charts[0].caption,
    `${score.name} ${score.symbol} of all classes: ${told(course.scores, names, [first, second], last)}`,
  );
  setText(
    row.charts[1].caption,
    `mean ${share.name} ${share.symbol} of ${course.capsules} capsules: ${told(course.shares, names, [first, second], last)}`,
  );
  row.drawn(last);
}

/**
 * @param {readonly number[][]} values [class][iteration]
 * @param {number} first set off
 * @param {number | undefined} second set off less
 * @returns {Line[]} those set off last
 */
function linesOf(values, first, second) {
  const order = [...values.keys()].filter(
    (digit) => digit !== first && digit !== second,
  );
  return [...order, ...(second === undefined ? [] : [second]), first].map((digit) => ({
    values: values[digit],
    look: digit === first ? "is-focused" : digit === second ? "is-set-off" : "",
  }));
}

/**
 * Such as "4 ends at 0.95, 9 at 0.31".
 * @param {readonly number[][]} values
 * @param {readonly string[]} names
 * @param {readonly (number | undefined)[]} digits
 * @param {number} last
 */
function told(values, names, digits, last) {
  const [first, second] = digits;
  const one = `${names[first ?? 0]} ends at ${fixed(values[first ?? 0][last], 3)}`;
  if (second === undefined) return one;
  return `${one}, ${names[second]} at ${fixed(values[second][last], 3)}`;
}
