/**
 * What changes from iteration to iteration, in small charts and as tables.
 * @import { Scenes } from "../../core/scenes.js"
 * @import { LayerStore } from "../types.js"
 * @import { RoutingModel, SceneBase } from "./types.js"
 */
import { plot } from "../../draw/plot.js";
import { grouped } from "../../lib/format.js";
import { find, findElement, make, setText } from "../../ui/dom.js";
import { fill } from "../../ui/h.js";
import { showSeenFirst } from "../../ui/seen.js";
import { fillRows } from "../../ui/tables.js";

/** The ticks of an axis from 0 to 1. */
export const SHARES = [0, 0.5, 1];

/** One value for each iteration. @typedef {{ values: readonly number[], look: string }} Line */

/** @typedef {{ lines: readonly Line[], ticks: readonly number[] }} Chart those set off last, to lie on top */

/**
 * Values over the iterations; a click leads to one.
 * @param {Chart} chart @param {string} label
 * @param {number} at the iteration on show, 0 first
 * @param {(step: number) => void} showStep 1 first
 */
export function overSteps({ lines, ticks }, label, at, showStep) {
  const steps = [...lines[0].values.keys()];
  return plot(
    lines.map(({ values, look }) => ({ y: values, look })),
    {
      ...{ label, at, step: 1, isSilent: true },
      choose: (step) => showStep(step + 1),
      x: {
        ...{ low: 0, high: steps.length - 1, ticks: steps },
        write: (step) => String(step + 1),
      },
      y: { low: ticks[0], high: ticks[ticks.length - 1], ticks },
    },
  );
}

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
    const place = make("div");
    find(figure, "svg", SVGSVGElement).replaceWith(place);
    return { name, place, value: findElement(figure, "output") };
  });
  const focusNames = panel.querySelectorAll("[data-focus-name]");
  /** @param {Scene} scene */
  function draw(scene) {
    const now = chartsOf(scene);
    const values = valuesOf(scene);
    charts.forEach(({ name, place, value }, i) => {
      fill(
        place,
        overSteps(now[i], `${name} over the iterations`, scene.step, showStep),
      );
      setText(value, values[i]);
    });
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
 * How many test images the network misreads with more and fewer iterations, as its card
 * says; nothing where the card does not.
 * @param {HTMLElement} root @param {LayerStore<{ model: RoutingModel }>} store
 */
export function mountErrors(root, store) {
  const place = findElement(root, "[data-errors]");
  const rows = find(place, "tbody", HTMLTableSectionElement);
  const words = findElement(place, "[data-errors-words]");
  store.watch(["model"], ({ model }) => {
    const errors = errorsOf(model);
    place.hidden = errors.length === 0;
    const trained = model.routing_iterations;
    fillRows(
      rows,
      errors.map(({ iterations, misread }) => ({
        head: { text: String(iterations) },
        cells: [{ text: grouped(misread) }],
        isFocused: iterations === trained,
      })),
    );
    setText(words, errorsInWords(model));
  });
}

/**
 * @param {Pick<RoutingModel, "card">} model
 * @returns {{ iterations: number, misread: number }[]} fewest iterations first
 */
function errorsOf({ card: { errors_by_iterations = {}, test_images = 0 } }) {
  return Object.entries(errors_by_iterations)
    .map(([iterations, share]) => ({
      iterations: Number(iterations),
      misread: Math.round(share * test_images),
    }))
    .sort((a, b) => a.iterations - b.iterations);
}

/**
 * What routing did for the test set.
 * @param {Pick<RoutingModel, "card" | "routing_iterations">} model
 */
export function errorsInWords({ card, routing_iterations: trained }) {
  const {
    test_images = 0,
    saved_by_routing: saved,
    spoiled_by_routing: spoiled,
  } = card;
  const of = `Of ${grouped(test_images)} test images`;
  if (saved === undefined || spoiled === undefined) return `${of}.`;
  const are = saved === 1 ? "is" : "are";
  return `${of}, ${grouped(saved)} ${are} read right only with ${trained} iterations, and ${grouped(spoiled)} only with 1.`;
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
