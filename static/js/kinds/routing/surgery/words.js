/**
 * What the intact run and the changed one read, in sentences that follow from their lengths.
 * @import { Saying } from "../../../core/scores.js"
 * @import { Model } from "../../../types.js"
 * @import { ComparedTrace } from "../types.js"
 * @import { SurgeryScene } from "./panel.js"
 */
import { groundsWords, readsWords, saidOf, scoreWords } from "../../../core/scores.js";
import { presence } from "../../../lib/decimals.js";
import { listed } from "../../../lib/format.js";
import { isSameClasses } from "../../../lib/tested.js";
import { isIntact } from "./changes.js";

/**
 * What a run says.
 * @param {Pick<ComparedTrace, "tensors">} run @param {Saying} model
 */
export const readIn = ({ tensors }, model) => saidOf(tensors.scores.data, model);

/**
 * What both runs read, and what becomes of the lengths of the intact one's answer.
 * @param {Pick<SurgeryScene, "surgery" | "intact" | "changed"> & { model: Model }} found
 */
export function answerInWords({ model, surgery, intact, changed }) {
  const { one: score } = scoreWords(model);
  const [before, after] = [intact, changed].map(({ tensors }) => tensors.scores.data);
  const [saw, sees] = [intact, changed].map((run) => readIn(run, model));
  const grounds = groundsWords(isIntact(surgery) ? saw : sees, after, model);
  if (isIntact(surgery)) return `The network ${readsWords(saw, model)}: ${grounds}.`;
  const reads = readsWords(sees, model);
  const isSame = saw.state === sees.state && isSameClasses(saw.named, sees.named);
  const classes = saw.named.length > 0 ? saw.named : saw.order.slice(0, 1);
  const isNew =
    sees.named.some((classIndex) => !classes.includes(classIndex)) ||
    sees.state === "none";
  const courses = classes.map((classIndex) => {
    const [from, to] = [before, after].map((scores) => presence(scores[classIndex]));
    const course = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
    return `the ${score} of ${model.class_names[classIndex]} ${course}`;
  });
  const verdict = `The network ${isSame ? "still" : "now"} ${reads}`;
  return `${verdict}${isNew ? `: ${grounds}` : ""}; ${listed(courses)}.`;
}
