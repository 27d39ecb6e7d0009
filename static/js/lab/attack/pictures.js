/**
 * Pictures of an attack: the attacked digit, what was added to it, and the steps.
 * @import { Attacked, Curve, Path } from "./ask.js"
 * @import { Choices } from "./choices.js"
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
import { measurementOf } from "../shared/words.js";
import { KNOB, measuredAs, sweepOf } from "./choices.js";
import { stepWords } from "./words.js";

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
 * @param {string} line of the gradient; empty where none was needed
 */
export const foundIn = (found, eps, line) => [
  h(
    "div",
    { class: "attack-top" },
    h("div", { class: "attack-pair" }, pair(found, eps)),
    line && h("p", { class: "fine" }, line),
  ),
  found.path && h("div", { class: "attack-path" }, stepsOf(found, found.path, eps)),
];

/**
 * The curve over ε.
 * @param {Model} model @param {{ source: AppState["source"], choices: Choices }} state
 * @param {Curve | null} own
 * @returns {import("../shared/curve.js").CurveData}
 */
export function curveData(model, { source, choices }, own) {
  return {
    ...{ axis: axisOf(KNOB), score: scoreOf(model, source) },
    test: measurementOf(model, measuredAs(choices, model)),
    unmeasured: "The test set is not measured for this attack.",
    knobs: own?.knobs ?? sweepOf(choices),
    shares: own?.shares ?? null,
  };
}

/** @param {Model} model @param {AppState["source"]} source */
function scoreOf(model, source) {
  const { one } = scoreWords(model);
  const label = knownLabel(source, model);
  return label === null
    ? `${one} of its own reading`
    : `${one} of ${model.class_names[label]}`;
}
