/**
 * What changes from iteration to iteration, in small charts, and how many test images are
 * misread with more and fewer of them.
 * @import { RoutingModel, SceneBase } from "./types.js"
 */
import { plot } from "../../draw/plot.js";
import { grouped } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { valuesTable } from "../../ui/values.js";

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
function overSteps({ lines, ticks }, label, at, showStep) {
  const steps = [...lines[0].values.keys()];
  return plot(
    lines.map(({ values, look }) => ({ y: values, look })),
    {
      label,
      at,
      step: 1,
      isSilent: true,
      choose: (step) => showStep(step + 1),
      x: {
        low: 0,
        high: steps.length - 1,
        ticks: steps,
        write: (step) => String(step + 1),
      },
      y: { low: ticks[0], high: ticks[ticks.length - 1], ticks },
    },
  );
}

/** What the panels of all routings are called. */
export const COURSES = { id: "courses", look: "courses", title: "Over the iterations" };

/**
 * @typedef {Chart & { name: string, title: string, value: string }} Course with the value of
 *   the iteration on show
 */

/**
 * @param {Pick<SceneBase, "model" | "step">} scene @param {readonly Course[]} courses
 * @param {(step: number) => void} showStep 1 first
 */
export function coursesIn({ model, step }, courses, showStep) {
  const charts = courses.map(({ name, title, value, ...chart }) =>
    h(
      "div",
      { "data-course": name },
      h("h4", {}, `${title}: `, h("output", { "aria-label": title }, value)),
      overSteps(chart, `${name} over the iterations`, step, showStep),
    ),
  );
  return h("div", { class: "courses-grid" }, charts, errorsTable(model));
}

/**
 * @param {readonly number[][]} all [class][iteration]
 * @param {number} focus
 * @returns {Line[]} that of the class in focus on top
 */
export function focusLast(all, focus) {
  const others = all.filter((_, classIndex) => classIndex !== focus);
  return [
    ...others.map((values) => ({ values, look: "" })),
    { values: all[focus], look: "is-focused" },
  ];
}

/**
 * How many test images the network misreads with more and fewer iterations, as its card
 * says; nothing where the card does not.
 * @param {RoutingModel} model
 */
function errorsTable(model) {
  const errors = errorsOf(model);
  if (errors.length === 0) return null;
  const counts = errors.map(({ iterations }) => iterations);
  return h(
    "div",
    { "data-errors": "" },
    h("h4", {}, "Test images that the unchanged network misreads"),
    valuesTable({
      look: "",
      of: "iterations",
      names: counts.map(String),
      columns: [["misread", errors.map(({ misread }) => misread), grouped]],
      focused: counts.indexOf(model.routing_iterations),
    }),
    h("p", { class: "fine", "data-errors-words": "" }, errorsInWords(model)),
  );
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
function errorsInWords({ card, routing_iterations: trained }) {
  const {
    test_images = 0,
    saved_by_routing: saved,
    spoiled_by_routing: spoiled,
  } = card;
  const of = `Of ${grouped(test_images)} test images`;
  if (saved === undefined || spoiled === undefined) return `${of}.`;
  const are = saved === 1 ? "is" : "are";
  return `${of}, ${grouped(saved)} ${are} read right with ${trained} iterations and not with 1, and ${grouped(spoiled)} with 1 and not with ${trained}.`;
}
