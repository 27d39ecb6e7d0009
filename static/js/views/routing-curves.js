/**
 * What changes from iteration to iteration: the ten lengths, and how undecided the
 * capsules below are.
 * @import { AppState } from "../types.js"
 * @import { Frame } from "../geometry/polyline.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { linePoints, stepX, valueY } from "../geometry/polyline.js";
import { fixed } from "../lib/number.js";
import { indecision, lengthsOverIterations } from "../lib/routing.js";
import { find, findElement } from "../parts/find.js";
import { svg } from "../parts/svg.js";
import { focusedDigit } from "../state.js";
import { readyTrace, shownStep } from "./routing-trace.js";

/** @type {Frame} */
const FRAME = { left: 34, right: 310, top: 10, bottom: 158, low: 0, high: 1 };
const LEVELS = [0, 0.5, 1];

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountCurves(root, store, actions) {
  const picture = find(root, "[data-curves]", SVGSVGElement);
  const words = findElement(root, "[data-curves-text]");

  store.watch(["trace", "step", "view", "digit", "model"], (state) => {
    const trace = readyTrace(state);
    const { model } = state;
    const focused = focusedDigit(state);
    if (trace === null || model === null || focused === null) return;
    const lengths = lengthsOverIterations(trace.tensors["routing.capsules"]);
    const undecided = indecision(trace.tensors["routing.couplings"]);
    const step = shownStep(trace, state.step);
    const others = lengths.flatMap((values, digit) =>
      digit === focused ? [] : [curve(values, "curve")],
    );
    picture.replaceChildren(
      ...grid(trace.iterations, step),
      ...others,
      curve(undecided, "curve is-indecision"),
      curve(lengths[focused], "curve is-focused"),
      point(lengths[focused], step, "is-focused"),
      point(undecided, step, "is-indecision"),
      svg(
        "text",
        {
          x: FRAME.right + 6,
          y: endY(lengths[focused]),
          class: "curve-name is-focused",
        },
        model.class_names[focused],
      ),
    );
    words.textContent = `After iteration ${step + 1}, the capsule of ${model.class_names[focused]} is ${fixed(lengths[focused][step], 3)} long (solid; the other digits faint). Dashed: how undecided the capsules below are, the mean entropy of c as a share of the most there can be: ${fixed(undecided[step], 3)}.`;
  });

  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * picture.viewBox.baseVal.width;
    const { iterations } = store.get();
    const share = (x - FRAME.left) / (FRAME.right - FRAME.left);
    const index = Math.round(share * (iterations - 1));
    actions.showStep(Math.min(Math.max(index, 0), iterations - 1) + 1);
  });
}

/** @param {readonly number[]} values */
function endY(values) {
  return valueY(values.at(-1) ?? 0, FRAME);
}

/**
 * @param {number[]} values
 * @param {string} name
 */
function curve(values, name) {
  return svg("polyline", { points: linePoints(values, FRAME), class: name });
}

/**
 * @param {number[]} values
 * @param {number} step
 * @param {string} name
 */
function point(values, step, name) {
  const cx = stepX(step, values.length, FRAME);
  return svg("circle", {
    cx,
    cy: valueY(values[step], FRAME),
    r: 4,
    class: `curve-point ${name}`,
  });
}

/**
 * @param {number} iterations
 * @param {number} step the one on show
 */
function grid(iterations, step) {
  const levels = LEVELS.flatMap((level) => {
    const y = valueY(level, FRAME);
    return [
      svg("line", {
        x1: FRAME.left,
        x2: FRAME.right,
        y1: y,
        y2: y,
        class: "grid-line",
      }),
      svg("text", { x: FRAME.left - 6, y, class: "tick is-left" }, String(level)),
    ];
  });
  const steps = Array.from({ length: iterations }, (_, i) => {
    const x = stepX(i, iterations, FRAME);
    return svg(
      "text",
      { x, y: FRAME.bottom + 16, class: `tick${i === step ? " is-shown" : ""}` },
      String(i + 1),
    );
  });
  const x = stepX(step, iterations, FRAME);
  const now = svg("line", {
    x1: x,
    x2: x,
    y1: FRAME.top,
    y2: FRAME.bottom,
    class: "now-line",
  });
  return [...levels, ...steps, now];
}
