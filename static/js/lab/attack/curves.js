/**
 * The curves over ε: of one gradient, or of both.
 * @import { AppState, Model } from "../../types.js"
 * @import { Curve } from "./ask.js"
 * @import { Choices } from "./choices.js"
 */
import { scoreWords } from "../../core/scores.js";
import { knownLabel } from "../../core/state.js";
import { axisOf } from "../shared/knobs.js";
import { measurementOf, measuringCommand } from "../shared/measured.js";
import { nearestTo } from "../shared/words.js";
import { sourceFor } from "./ask.js";
import { bothCurvesWords, bothWords, GRADIENTS } from "./both-words.js";
import { KNOB, measuredAs, sweepOf, withOtherGradient } from "./choices.js";

/** @typedef {{ source: AppState["source"], networks: readonly Model[], eps: number, choices: Choices, both: boolean }} CurvesState */

/**
 * Whether a network's row has the curves of both gradients.
 * @param {Model} model
 * @param {CurvesState} state
 */
export function hasBoth(model, { networks, choices, both }) {
  const isAttack = choices.method !== "noise";
  return both && isAttack && sourceFor(model, networks, choices).can.route;
}

/**
 * @param {Model} model
 * @param {CurvesState} state
 * @param {Curve | null} own
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
    knobs: own?.knobs ?? sweepOf(choices),
    shares: own?.shares ?? null,
    command: measured === null ? "" : measuringCommand(model, measured),
  };
  if (!hasBoth(model, state)) return data;
  const others = withOtherGradient(choices);
  const second = {
    title: `${score}, ${GRADIENTS[others.gradient]}`,
    shares: other?.shares ?? null,
    test: measurementOf(model, measuredAs(others, model)),
    tested: `test images read right, ${GRADIENTS[others.gradient]}`,
  };
  const words = bothCurvesWords(score, choices, test, second.test);
  return { ...data, second, words };
}

/**
 * @param {Model} model
 * @param {Pick<CurvesState, "source">} state
 */
function scoreOf(model, { source }) {
  const { one } = scoreWords(model);
  const label = knownLabel(source, model);
  return label === null
    ? `${one} of its own reading`
    : `${one} of ${model.class_names[label]}`;
}

/**
 * What both gradients do, where both are on show.
 * @param {Model} model
 * @param {CurvesState} state
 * @param {Curve | null} own
 * @param {Curve | null} other
 * @returns {string} empty where there is nothing to tell
 */
export function bothTold(model, state, own, other) {
  const { choices, networks, both } = state;
  if (!both || choices.method === "noise") return "";
  const from = sourceFor(model, networks, choices);
  if (!from.can.route) return `${from.title} does not route: it has one gradient.`;
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
