/**
 * What changes from iteration to iteration, in four small charts: the lengths, how far
 * votes agree, how decided the capsules below are, and how their couplings spread.
 * @import { Line } from "../../../ui/charts.js"
 * @import { Scene, Scenes } from "./scene.js"
 * @import { Actions } from "../types.js"
 */

import { ticksTo } from "../../../lib/decimals.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { smallChart } from "../../../ui/charts.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";

const SHARES = [0, 0.5, 1];

/** Bits; an axis that ends lower would show nothing but rounding. */
const LEAST_BITS = 0.001;

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountCurves(root, scenes, actions) {
  const panel = findElement(root, "[data-courses]");
  const choose = (/** @type {number} */ step) => actions.showStep(step + 1);
  const charts = ["lengths", "agreement", "decided", "spread"].map((name) => {
    const figure = findElement(panel, `[data-course="${name}"]`);
    return {
      chart: smallChart(find(figure, "svg", SVGSVGElement), choose),
      value: findElement(figure, "output"),
    };
  });
  const classCount = findElement(panel, "[data-class-count]");
  const mostBits = findElement(panel, "[data-most-bits]");
  const focusNames = panel.querySelectorAll("[data-focus-name]");

  const drawCurves = memoize(
    (/** @type {Scene["figures"]} */ figures, /** @type {number} */ digit) => {
      coursesOf(figures, digit).forEach(({ lines, ticks }, i) => {
        charts[i].chart.show(lines, ticks);
      });
    },
  );
  /** @param {Scene} scene */
  function draw(scene) {
    drawCurves(scene.figures, scene.digit);
    const values = valuesOf(scene);
    charts.forEach(({ chart, value }, i) => {
      chart.mark(scene.step);
      setText(value, values[i]);
    });
    for (const each of focusNames) setText(each, scene.name);
    setText(classCount, String(scene.model.classes));
    setText(mostBits, Math.log2(scene.model.classes).toFixed(2));
  }
  scenes.watch(showSeenFirst(panel, draw));
}

/**
 * @param {Scene["figures"]} figures
 * @param {number} digit
 * @returns {{ lines: Line[], ticks: number[] }[]}
 */
function coursesOf(figures, digit) {
  const decided = figures.decided();
  const agreement = figures.agreement();
  const [median, most90, most99, largest] = figures.spread(digit);
  return [
    { lines: focusLast(figures.lengths(), digit), ticks: SHARES },
    { lines: focusLast(agreement, digit), ticks: ticksAround(agreement.flat()) },
    {
      lines: [{ values: decided, look: "is-set-off" }],
      ticks: ticksTo(Math.max(...decided, LEAST_BITS), 2),
    },
    {
      lines: [
        { values: median, look: "" },
        { values: most90, look: "" },
        { values: most99, look: "" },
        { values: largest, look: "is-focused" },
      ],
      ticks: SHARES,
    },
  ];
}

/**
 * @param {readonly number[][]} all [class][iteration]
 * @param {number} digit
 * @returns {Line[]} that of the digit in focus on top
 */
function focusLast(all, digit) {
  const others = all.filter((_, each) => each !== digit);
  return [
    ...others.map((values) => ({ values, look: "" })),
    { values: all[digit], look: "is-focused" },
  ];
}

/** @param {readonly number[]} values */
function ticksAround(values) {
  const above = ticksTo(Math.max(...values), 2);
  const lowest = Math.min(...values);
  // Sums a hair below zero need no room of their own.
  if (lowest > -0.02 * above[above.length - 1]) return above;
  return [
    ...ticksTo(-lowest, 1)
      .slice(1)
      .reverse()
      .map((tick) => -tick),
    ...above,
  ];
}

/**
 * @param {Scene} scene
 * @returns {string[]} in the charts' order
 */
function valuesOf({ figures, step, digit }) {
  return [
    fixed(figures.lengths()[digit][step], 3),
    fixed(figures.agreement()[digit][step], 2),
    `${fixed(figures.decided()[step], 4)} bits`,
    percent(figures.spread(digit)[3][step], 0),
  ];
}
