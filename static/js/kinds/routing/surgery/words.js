/**
 * What the intact run and the changed one read, in sentences that follow from their lengths.
 * @import { ComparedTrace, RoutingModel } from "../types.js"
 * @import { SurgeryScene } from "./panel.js"
 */
import { presentIn, scoreWords } from "../../../core/scores.js";
import { fixed, listed } from "../../../lib/format.js";
import { isIntact } from "./changes.js";

/**
 * The class that a run reads.
 * @param {Pick<ComparedTrace, "prediction" | "tensors">} run
 * @param {Pick<RoutingModel, "scores">} model
 * @returns {number | null} null where even the longest capsule is too short to be there
 */
export function readIn({ prediction, tensors }, model) {
  return tensors.scores.data[prediction] < scoreWords(model).unsure ? null : prediction;
}

/**
 * What both runs read, and what becomes of the length of the intact one's answer.
 * @param {Pick<SurgeryScene, "model" | "surgery" | "intact" | "changed">} found
 */
export function answerInWords(found) {
  const { model, surgery, intact, changed } = found;
  if (model.present.at_most > 1) return answersInWords(found);
  const names = model.class_names;
  const { one } = scoreWords(model);
  const before = intact.tensors.scores.data;
  const after = changed.tensors.scores.data;
  const [saw, sees] = [readIn(intact, model), readIn(changed, model)];
  const { prediction: was } = intact;
  const [from, to] = [fixed(before[was]), fixed(after[was])];
  if (isIntact(surgery))
    return saw === null
      ? `The network sees none of its classes: the longest, ${names[was]}, has ${one} ${from}.`
      : `The network reads ${names[was]}, with ${one} ${from}.`;
  const changes = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
  if (sees === null) {
    const none = `The network ${saw === null ? "still" : "now"} sees none of its classes`;
    const { prediction: longest } = changed;
    if (after[longest] === 0)
      return `${none}: every ${one} is 0; that of ${names[was]} was ${from}.`;
    return longest === was
      ? `${none}: the longest is still ${names[was]}, and its ${one} ${changes}.`
      : `${none}: the longest, ${names[longest]}, has ${one} ${fixed(after[longest])}; the ${one} of ${names[was]} ${changes}.`;
  }
  if (sees === was)
    return `The network ${saw === null ? "now" : "still"} reads ${names[sees]}; its ${one} ${changes}.`;
  return `The network now reads ${names[sees]}, with ${one} ${fixed(after[sees])}; the ${one} of ${names[was]} ${changes}.`;
}

/**
 * The same of a network that names several classes.
 * @param {Pick<SurgeryScene, "model" | "surgery" | "intact" | "changed">} found
 */
function answersInWords({ model, surgery, intact, changed }) {
  const [before, after] = [intact, changed].map(({ tensors }) => tensors.scores.data);
  const { one } = scoreWords(model);
  const [saw, sees] = [before, after].map((scores) => presentIn(scores, model));
  const named = (/** @type {number[]} */ some) =>
    listed(some.map((each) => model.class_names[each]));
  const reads = sees.length === 0 ? "sees none of its classes" : `reads ${named(sees)}`;
  const told = saw.length === 0 ? [intact.prediction] : saw;
  if (isIntact(surgery)) {
    const lengths = listed(told.map((each) => fixed(before[each])));
    const answer =
      saw.length === 0
        ? `${reads}: the longest, ${named(told)}, has ${one} ${lengths}`
        : `${reads}, with ${told.length > 1 ? `${one}s` : one} ${lengths}`;
    return `The network ${answer}.`;
  }
  const isSame = named(saw.toSorted()) === named(sees.toSorted());
  const courses = told.map((each) => {
    const [from, to] = [before, after].map((scores) => fixed(scores[each]));
    const course = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
    return `the ${one} of ${model.class_names[each]} ${course}`;
  });
  return `The network ${isSame ? "still" : "now"} ${reads}; ${listed(courses)}.`;
}
