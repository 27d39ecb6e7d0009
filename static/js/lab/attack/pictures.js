/**
 * Pictures of an attack: the attacked digit, what was added to it, and the steps.
 * @import { Attacked, Curve, Path } from "./ask.js"
 * @import { Choices } from "./experiment.js"
 * @import { Content } from "../../ui/h.js"
 * @import { AppState, Model } from "../../types.js"
 */

import { scoreWords } from "../../core/scores.js";
import { knownLabel } from "../../core/state.js";
import { painted } from "../../draw/picture.js";
import { differenceOf } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { greyOf, shapeOf } from "../../lib/pixels.js";
import { paintHeatmap, paintImage } from "../../paint/heatmap.js";
import { h } from "../../ui/h.js";
import { axisOf } from "../shared/knobs.js";
import { measurementOf, nearestTo } from "../shared/words.js";
import { sourceFor } from "./ask.js";
import {
  hasTwoGradients,
  KNOB,
  measuredAs,
  sweepOf,
  withOtherGradient,
} from "./experiment.js";
import { bothWords, GRADIENTS, stepWords } from "./words.js";

/** The scale's reach where nothing may change. */
const LEAST = 0.01;

/** @param {number} eps */
export function changeScale(eps) {
  return diverging(Math.max(eps, LEAST));
}

/**
 * What was added to each pixel; of several channels, the mean.
 * @param {HTMLCanvasElement} canvas @param {Float32Array} change @param {Model} model
 * @param {number} eps
 */
function paintChange(canvas, change, model, eps) {
  const shape = shapeOf(model);
  const { rows, columns } = shape;
  const scale = changeScale(eps);
  paintHeatmap(canvas, greyOf(change, shape), { rows, columns, scale });
}

/**
 * The attacked digit and what was added, side by side.
 * @param {Attacked} found @param {number} eps
 */
export function pair(found, eps) {
  const { model, attacked, clean } = found;
  const change = differenceOf(attacked.image, clean.image);
  const moved = change.filter((value) => value !== 0).length;
  const pictures = /** @type {const} */ ([
    [
      "attacked",
      `The image, attacked for ${model.title}`,
      (/** @type {HTMLCanvasElement} */ canvas) =>
        paintImage(canvas, attacked.image, shapeOf(model)),
    ],
    [
      "added",
      `What was added: ${moved} of ${change.length} pixels change, by ${fixed(eps, 2)} at most`,
      (/** @type {HTMLCanvasElement} */ canvas) =>
        paintChange(canvas, change, model, eps),
    ],
  ]);
  return pictures.map(([words, label, paint]) =>
    h(
      "figure",
      {},
      painted(found, paint, { role: "img", "aria-label": label }),
      h("figcaption", { class: "fine" }, words),
    ),
  );
}

/**
 * What each step of an iterated attack has added, and what the network reads there.
 * @param {Attacked} found @param {Path} path @param {number} eps
 */
function stepsOf({ model, clean }, path, eps) {
  const { images, predictions, scores, strongest, start } = path;
  const from = start === 0 ? "" : `, from random start ${start}`;
  const items = images.map((image, step) => {
    const what = step === 0 ? "start" : `step ${step}`;
    const isStrongest = step === strongest;
    const look = { class: isStrongest && "is-strongest" };
    /** @param {HTMLCanvasElement} canvas */
    const paint = (canvas) =>
      paintChange(canvas, differenceOf(image, clean.image), model, eps);
    return h(
      "li",
      { ...look, "aria-current": isStrongest && "step" },
      painted(image, paint, { "aria-hidden": "true" }),
      h("span", {}, `${what}: ${stepWords(model, predictions[step], scores[step])}`),
    );
  });
  const title = `What each step has added${from}; the outlined one is the answer`;
  return [h("p", { class: "fine" }, title), h("ol", { class: "attack-steps" }, items)];
}

/**
 * What one row shows besides its reading and its curve.
 * @param {Attacked} found @param {number} eps
 * @param {readonly [line: string, gradient: string, alarm: string]} words
 * @param {Content} alarm
 */
export const foundIn = (found, eps, [line, ...words], alarm) => [
  h(
    "div",
    { class: "attack-top" },
    h("div", { class: "attack-pair" }, pair(found, eps)),
    h(
      "details",
      { class: "fine attack-told" },
      h("summary", {}, line),
      words.map((each) => h("p", {}, each)),
      alarm && h("div", { class: "attack-alarm" }, alarm),
    ),
  ),
  found.path && h("div", { class: "attack-path" }, stepsOf(found, found.path, eps)),
];

/** @typedef {{ source: AppState["source"], networks: readonly Model[], eps: number, choices: Choices, both: boolean }} CurvesState */

/**
 * Whether a network's row has the curves of both gradients.
 * @param {Model} model @param {CurvesState} state
 */
export function hasBoth(model, { networks, choices, both }) {
  const isAttack = choices.method !== "noise";
  return both && isAttack && hasTwoGradients(sourceFor(model, networks, choices));
}

/**
 * The curve over ε: of one gradient, or of both.
 * @param {Model} model @param {CurvesState} state @param {Curve | null} own
 * @param {Curve | null} other of the other gradient
 * @returns {import("../shared/curve.js").CurveData}
 */
export function curveData(model, state, own, other) {
  const { choices } = state;
  const score = scoreOf(model, state);
  const measured = measuredAs(choices, model);
  const test = measurementOf(model, measured);
  const data = {
    ...{ axis: axisOf(KNOB), score, test },
    unmeasured: "The test set is not measured for this attack.",
    knobs: own?.knobs ?? sweepOf(choices),
    shares: own?.shares ?? null,
  };
  if (!hasBoth(model, state)) return data;
  const others = withOtherGradient(choices);
  const [solid, dashed] = [choices, others].map(({ gradient }) => GRADIENTS[gradient]);
  const second = {
    title: `… ${dashed}`,
    shares: other?.shares ?? null,
    test: measurementOf(model, measuredAs(others, model)),
    tested: `test images read right, ${dashed}`,
  };
  return { ...data, score: `${score} attacked ${solid}`, second };
}

/** @param {Model} model @param {Pick<CurvesState, "source">} state */
function scoreOf(model, { source }) {
  const { one } = scoreWords(model);
  const label = knownLabel(source, model);
  return label === null
    ? `${one} of its own reading`
    : `${one} of ${model.class_names[label]}`;
}

/**
 * What both gradients do, where both are on show.
 * @param {Model} model @param {CurvesState} state @param {Curve | null} own
 * @param {Curve | null} other
 * @returns {string} empty where there is nothing to tell
 */
export function bothTold(model, state, own, other) {
  const { choices, networks, both } = state;
  if (!both || choices.method === "noise") return "";
  const from = sourceFor(model, networks, choices);
  if (!hasTwoGradients(from))
    return `${from.title} ${from.can.route ? "routes in one step" : "does not route"}: it has one gradient.`;
  if (own === null || other === null) return "";
  const place = nearestTo(own.knobs, state.eps);
  const found = [own, other].map(({ shares }) => shares[place]);
  const tests = [choices, withOtherGradient(choices)].map((each) =>
    measurementOf(model, measuredAs(each, model)),
  );
  const isFull = choices.gradient === "full";
  const order = isFull ? [0, 1] : [1, 0];
  return bothWords(
    scoreOf(model, state),
    own.knobs[place],
    order.map((i) => ({ score: found[i], test: tests[i] })),
  );
}
