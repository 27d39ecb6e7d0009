/**
 * What changes from iteration to iteration, in small charts and as tables.
 * @import { Line } from "../../ui/charts.js"
 * @import { Scenes } from "./scenes.js"
 * @import { SceneBase } from "./types.js"
 */
import { smallChart } from "../../ui/charts.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";

/** The ticks of an axis from 0 to 1. */
export const SHARES = [0, 0.5, 1];

/** @typedef {{ lines: Line[], ticks: readonly number[] }} Chart */

/**
 * @template {SceneBase} Scene
 * @param {HTMLElement} root
 * @param {Scenes<Scene>} scenes
 * @param {object} curves
 * @param {readonly string[]} curves.names of the charts, as the template has them
 * @param {(scene: Scene) => Chart[]} curves.chartsOf the same as long as the lines are
 * @param {(scene: Scene) => string[]} curves.valuesOf the iteration on show, in words
 * @param {(step: number) => void} curves.showStep 1 first
 */
export function mountCurves(root, scenes, { names, chartsOf, valuesOf, showStep }) {
  const panel = findElement(root, "[data-courses]");
  const charts = names.map((name) => {
    const figure = findElement(panel, `[data-course="${name}"]`);
    const picture = find(figure, "svg", SVGSVGElement);
    return {
      chart: smallChart(picture, (step) => showStep(step + 1)),
      value: findElement(figure, "output"),
    };
  });
  const focusNames = panel.querySelectorAll("[data-focus-name]");
  /** @type {Chart[] | null} */
  let shown = null;

  /** @param {Scene} scene */
  function draw(scene) {
    const now = chartsOf(scene);
    const values = valuesOf(scene);
    charts.forEach(({ chart, value }, i) => {
      if (now !== shown) chart.show(now[i].lines, now[i].ticks);
      chart.mark(scene.step);
      setText(value, values[i]);
    });
    shown = now;
    for (const each of focusNames) setText(each, scene.name);
  }
  scenes.watch(showSeenFirst(panel, draw));
}

/**
 * @param {readonly number[][]} all [class][iteration]
 * @param {number} focus
 * @returns {Line[]} that of the class in focus on top
 */
export function focusLast(all, focus) {
  const others = all.filter((_, each) => each !== focus);
  return [
    ...others.map((values) => ({ values, look: "" })),
    { values: all[focus], look: "is-focused" },
  ];
}

/**
 * Tables that are made while they are unfolded.
 * @template {object} Scene
 * @param {HTMLElement} root
 * @param {Scenes<Scene>} scenes
 * @param {Record<string, (scene: Scene) => HTMLTableElement[]>} tables by the name that the
 *   template has for each
 */
export function mountTables(root, scenes, tables) {
  for (const [name, tablesOf] of Object.entries(tables)) {
    const folder = find(root, `[data-numbers="${name}"]`, HTMLDetailsElement);
    const place = findElement(folder, "[data-table]");
    const draw = () => {
      const scene = scenes.shown();
      if (scene !== null && folder.open) place.replaceChildren(...tablesOf(scene));
    };
    scenes.watch(draw);
    folder.addEventListener("toggle", draw);
  }
}
