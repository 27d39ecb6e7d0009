/**
 * Pictures of an attack: the attacked image, what was added to it, and the steps.
 * @import { Attacked, Curve, Path } from "./ask.js"
 * @import { Choices } from "./choices.js"
 * @import { AppState, Model } from "../../types.js"
 * @import { Courses } from "../shared/courses.js"
 * @import { Candidate } from "../shared/verdicts.js"
 */

import { isReadAs, saidOf } from "../../core/scores.js";
import { knownLabel } from "../../core/state.js";
import { painted } from "../../draw/picture.js";
import { differenceOf } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { counted, fixed } from "../../lib/format.js";
import { greyOf, shapeOf } from "../../lib/pixels.js";
import { paintHeatmap, paintImage } from "../../paint/heatmap.js";
import { h } from "../../ui/h.js";
import { placeIn, withValue } from "../shared/insertion.js";
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
 * What was added to the image.
 * @param {Attacked} attack @param {number} eps
 */
export function addedPicture(attack, eps) {
  const { model, attacked, clean } = attack;
  const change = differenceOf(attacked.image, clean.image);
  const moved = change.filter((value) => value !== 0).length;
  const what = model.input_shape[0] > 1 ? "value" : "pixel"; // of colours, three a pixel
  const label = `What was added: ${moved} of ${counted(change.length, what)} ${moved === 1 ? "changes" : "change"}, by ${fixed(eps, 2)} at most`;
  return painted(attack, (canvas) => paintChange(canvas, change, model, eps), {
    role: "img",
    "aria-label": label,
  });
}

/**
 * What each step of an iterated attack has added, and what the network reads there.
 * @param {Attacked} attack @param {Path} path @param {number} eps
 */
export function stepsOf({ model, clean }, path, eps) {
  const { images, scores, strongest, start } = path;
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
      h("span", {}, `${what}: ${stepWords(model, scores[step])}`),
    );
  });
  const title = `What each step has added for ${model.title}${from}; the outlined one is the answer`;
  return [h("p", { class: "fine" }, title), h("ol", { class: "attack-steps" }, items)];
}

/**
 * The image as it was attacked for one network.
 * @param {Attacked} attack
 */
export const attackedPicture = (attack) =>
  painted(
    attack,
    (canvas, { model, attacked }) => paintImage(canvas, attacked.image, shapeOf(model)),
    { role: "img", "aria-label": `The image, attacked for ${attack.model.title}` },
  );

/**
 * The label's score over ε.
 * @param {readonly Candidate[]} all
 * @param {{ model: Model, source: AppState["source"], choices: Choices }} state
 * @param {(model: Model) => Curve | null} curveOf null while it is on its way
 * @param {(model: Model) => { one: Attacked, eps: number } | null} attackedOf the attack that
 *   is on show, and its ε; null while it is on its way
 * @returns {Omit<Courses, "isAsked">}
 */
export function coursesOver(all, { model, source, choices }, curveOf, attackedOf) {
  const label = knownLabel(source, model);
  return {
    axis: axisOf(KNOB),
    score: `score of ${label === null ? "its own best class" : model.class_names[label]}`,
    rightWords:
      label === null ? "read as before" : `read as ${model.class_names[label]}`,
    unmeasured: "The test set is not measured for this attack.",
    networks: all.flatMap(({ model, name, color, isOn }) => {
      const curve = curveOf(model);
      const course =
        curve === null
          ? { knobs: sweepOf(choices), scores: null, isRight: [] }
          : withAttacked(curve, attackedOf(model));
      const test = measurementOf(model, measuredAs(choices));
      return isOn ? [{ name, color, kind: model.scores, test, ...course }] : [];
    }),
  };
}

/**
 * A curve over ε with the attack on show among its values: its card says the same.
 * @param {Curve} curve @param {{ one: Attacked, eps: number } | null} shownAttack
 */
export function withAttacked({ model, knobs, shares, isRead }, shownAttack) {
  if (shownAttack === null) return { knobs, scores: shares, isRight: isRead };
  const { one: attack, eps } = shownAttack;
  const { scores } = attack.attacked;
  const index = placeIn(knobs, eps);
  return {
    knobs: withValue(knobs, index, eps),
    scores: withValue(shares, index, scores[attack.label]),
    isRight: withValue(isRead, index, isReadAs(saidOf(scores, model), attack.label)),
  };
}
