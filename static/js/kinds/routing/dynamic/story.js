/**
 * What happened in the iteration on show, in a few sentences that follow from its numbers.
 * @import { Count } from "../../../lib/arithmetic.js"
 * @import { DynamicScene as Scene } from "./types.js"
 */
import { saidOf, scoreWords } from "../../../core/scores.js";
import { presence } from "../../../lib/decimals.js";
import {
  capitalized,
  countInWords,
  grouped,
  percent,
  sentences,
} from "../../../lib/format.js";
import { runsAsAsked } from "../surgery/run.js";
import { giftsWords, LENGTHS, leadWords } from "../words.js";
import { couplingText, MOVE } from "./course.js";
import { NONE } from "./ends.js";

/** A digit longer than this is rather there than not. */
const LONG = 0.5;

/** @typedef {(scene: Scene) => string} Teller empty: there is nothing to tell */

/** @type {Teller} */
export function tell(scene) {
  return sentences([
    scene.step === 0 ? tellFirst(scene) : tellLater(scene),
    tellNone(scene),
    tellSharers(scene),
    tellLead(scene),
    tellLongRun(scene),
  ]);
}

/** @type {Teller} */
function tellFirst(scene) {
  const { figures, classIndex, ends, model } = scene;
  const count = figures.uneven(0);
  const none = ends.length > model.classes ? ` and to “${NONE}”` : "";
  const except = count > 0 ? `, except ${count} with a coupling that is held` : "";
  const length = presence(figures.lengths()[classIndex][0]);
  return `Iteration 1: no votes have been compared yet, so every capsule splits evenly, c = 1/${ends.length} to every ${scene.nouns.singular}${none}${except}. Weighted by these couplings, summed and squashed, the votes make ${model.class_names[classIndex]} ${length} long.`;
}

/** @type {Teller} */
function tellLater(scene) {
  const { figures, step, classIndex, model } = scene;
  const { raised, lowered, capsules } = figures.moves(step, classIndex);
  const name = model.class_names[classIndex];
  const moved = `${countInWords(raised)} of ${grouped(capsules)} capsules`;
  const send = (/** @type {Count} */ { count }) => (count === 1 ? "sends" : "send");
  const isStill = [raised, lowered].every(({ count, isSure }) => isSure && count === 0);
  const couplings = isStill
    ? `no coupling to ${name} moves by ${MOVE} or more`
    : `${moved} ${send(raised)} more to ${name}, ${countInWords(lowered)} ${send(lowered)} less (by ${MOVE} or more)`;
  return `Iteration ${step + 1}: ${couplings}; ${tellLargest(scene)}. ${tellLength(scene)}`;
}

/** @type {Teller} */
function tellLargest({ figures, step, classIndex }) {
  const largest = figures.spread(classIndex)[3];
  const [before, now] = [step - 1, step].map((at) => couplingText(largest[at]));
  const then = before === now ? " as before" : ` (before: ${before})`;
  return `the largest coupling is c = ${now}${then}`;
}

/** @type {Teller} */
function tellLength(scene) {
  const { figures, step, classIndex } = scene;
  const lengths = figures.lengths()[classIndex];
  const name = capitalized(scene.model.class_names[classIndex]);
  const [before, now] = [lengths[step - 1], lengths[step]].map((length) =>
    presence(length),
  );
  if (before === now) return `${name} stays ${now} long.`;
  const goes = lengths[step] > lengths[step - 1] ? "grows" : "shrinks";
  return `${name} ${goes} from ${before} to ${now}.`;
}

/** How much goes to none of the above, and so to no digit. @type {Teller} */
function tellNone({ figures, step, ends, model }) {
  const share = ends.length > model.classes ? figures.none(step) : Number.NaN;
  if (Number.isNaN(share)) return "";
  return `“${capitalized(NONE)}” takes ${percent(share, 1)} of all capsule length; an even share is ${percent(1 / ends.length, 1)}.`;
}

/** How few capsules most of what lengthens the class comes from. @type {Teller} */
function tellSharers({ figures, step, classIndex, name }) {
  return giftsWords(figures.gifts(step, classIndex), name);
}

/** @type {Teller} */
function tellLead(scene) {
  const { figures, step, iterations, model, nouns } = scene;
  const at = (/** @type {number} */ i) => figures.lengths().map((values) => values[i]);
  const now = at(step);
  const answers = step + 1 === iterations && nouns.singular === "class";
  return leadWords({
    names: model.class_names,
    values: now,
    before: step > 0 ? at(step - 1) : null,
    text: presence,
    kind: { ...LENGTHS, ...nouns },
    answer: answers ? saidOf(now, model) : null,
    canNameMore: model.present.at_most > 1,
    unsure: `${scoreWords(model).unsure} long`,
  });
}

/** @type {Teller} */
function tellLongRun({ figures, step, iterations, model, nouns }) {
  if (!runsAsAsked(model)) return "";
  if (step + 1 <= model.routing_iterations || step + 1 < iterations) return "";
  const long = figures.lengths().filter((values) => values[step] > LONG).length;
  return long > 1
    ? `The network was trained with ${model.routing_iterations} iterations; after ${step + 1}, ${long} ${nouns.plural} are longer than ${LONG}.`
    : "";
}
