/**
 * The probabilities: how the ten logits become shares of 1, and what each logit is the
 * sum of.
 * @import { TraceOf, ViewStore } from "../../../types.js"
 * @import { Actions, Cnn } from "../types.js"
 */
import { focusedDigit, knownLabel } from "../../../core/state.js";
import { largestOf, ranked } from "../../../lib/arithmetic.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { givenTo } from "./logit.js";
import { mountLogit } from "./logit-sum.js";
import { mountScores } from "./scores.js";
import { mountSoftmax } from "./softmax-table.js";
import { mountTerms } from "./terms.js";

/** @typedef {"hidden" | "logits" | "scores"} Need */

/**
 * The output layer as it read one image.
 * @typedef {object} Answer
 * @property {Float32Array} hidden (units) values after ReLU
 * @property {Float32Array} logits (classes)
 * @property {Float32Array} scores (classes) the trace's probabilities
 * @property {number[]} order classes, the largest logit first
 */

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Cnn, Need, "output">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  const scores = mountScores(findElement(root, ".score-panel"), actions);
  const softmax = mountSoftmax(findElement(root, "[data-softmax]"), actions);
  const beneath = findElement(root, "[data-logit]");
  const showLogit = showSeenFirst(beneath, mountLogit(beneath, actions).show);
  const all = findElement(root, "[data-all-terms]");
  const showTerms = showSeenFirst(all, mountTerms(all, actions).show);
  const read = memoize(answerOf);

  store.watch(["model", "output"], ({ model, output }) => {
    shape.textContent = `${output.weights.shape[1]} units → ${model.classes} logits → ${model.classes} probabilities`;
  });
  store.watch(
    ["trace", "model", "source", "digit", "output", "unit"],
    ({ trace, model, source, digit: chosen, output, unit: asked }) => {
      const answer = read(trace);
      const digit = focusedDigit({ digit: chosen, trace });
      const unit = asked ?? largestOf(givenTo(output, answer.hidden, digit));
      const names = model.class_names;
      scores.show(answer, names, knownLabel(source, model), digit);
      softmax.show(answer, names, digit);
      showLogit(answer, output, { names, digit, unit });
      showTerms(answer, output, { names, digit, unit });
    },
  );
}

/**
 * @param {TraceOf<Need>} trace
 * @returns {Answer}
 */
function answerOf({ tensors }) {
  const logits = tensors.logits.data;
  return {
    hidden: tensors.hidden.data,
    logits,
    scores: tensors.scores.data,
    order: ranked(logits),
  };
}
