/**
 * What changes from iteration to iteration, in four small charts: activations, shares of
 * the votes, distances to the mean, and how undecided the capsules below are.
 * @import { Actions } from "../types.js"
 * @import { Scene, Scenes } from "./scene.js"
 * @import { Line } from "../../../ui/charts.js"
 */

import { ticksTo } from "../../../lib/decimals.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { smallChart } from "../../../ui/charts.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";

const SHARES = [0, 0.5, 1];
const NAMES = ["activation", "share", "distance", "undecided"];

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountCurves(root, scenes, actions) {
  const panel = findElement(root, "[data-courses]");
  const choose = (/** @type {number} */ step) => actions.showStep(step + 1);
  const charts = NAMES.map((name) => {
    const figure = findElement(panel, `[data-course="${name}"]`);
    return {
      chart: smallChart(find(figure, "svg", SVGSVGElement), choose),
      value: findElement(figure, "output"),
    };
  });
  const names = panel.querySelectorAll("[data-focus-name]");
  const drawLines = memoize(
    (/** @type {Scene["course"]} */ course, /** @type {number} */ parent) => {
      linesOf(course, parent).forEach(({ lines, ticks }, i) => {
        charts[i].chart.show(lines, ticks);
      });
    },
  );
  scenes.watch(
    showSeenFirst(panel, (/** @type {Scene} */ { course, parent, step, name }) => {
      drawLines(course, parent);
      const distance = course.distances()[parent][step];
      const values = [
        fixed(course.activations()[parent][step], 3),
        percent(course.shares()[parent][step], 1),
        Number.isNaN(distance) ? "–" : fixed(distance, 2),
        percent(course.undecided()[step], 0),
      ];
      charts.forEach(({ chart, value }, i) => {
        chart.mark(step);
        setText(value, values[i]);
      });
      for (const each of names) setText(each, name);
    }),
  );
}

/**
 * @param {Scene["course"]} course
 * @param {number} parent in focus
 * @returns {{ lines: Line[], ticks: number[] }[]}
 */
function linesOf(course, parent) {
  const distances = course.distances().map((each) => each.map((value) => value || 0));
  const shares = course.shares();
  return [
    { lines: focusLast(course.activations(), parent), ticks: SHARES },
    { lines: focusLast(shares, parent), ticks: ticksTo(Math.max(...shares.flat()), 2) },
    {
      lines: focusLast(distances, parent),
      ticks: ticksTo(Math.max(...distances.flat()) || 1, 2),
    },
    { lines: [{ values: course.undecided(), look: "is-set-off" }], ticks: SHARES },
  ];
}

/**
 * @param {readonly number[][]} all [parent][iteration]
 * @param {number} parent
 * @returns {Line[]} that of the capsule in focus on top
 */
function focusLast(all, parent) {
  const others = all.filter((_, each) => each !== parent);
  return [
    ...others.map((values) => ({ values, look: "" })),
    { values: all[parent], look: "is-focused" },
  ];
}
