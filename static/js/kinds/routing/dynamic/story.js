/**
 * What happened in the iteration on show, in a few sentences that follow from its numbers.
 * @import { Count } from "../../../lib/arithmetic.js"
 * @import { DynamicScene as Scene } from "./types.js"
 */
import { saidOf, scoreWords } from "../../../core/scores.js";
import { largestOf, ranked } from "../../../lib/arithmetic.js";
import { exactShare } from "../../../lib/decimals.js";
import {
  capitalized,
  countInWords,
  fixed,
  grouped,
  percent,
} from "../../../lib/format.js";
import { runsAsAsked } from "../surgery/run.js";
import { MOVE } from "./course.js";
import { NONE } from "./ends.js";

/** Two lengths nearer than this share of the longer one are a close thing. */
const CLOSE = 0.1;

/** Of couplings, so many decimals are certain in half precision. */
const DECIMALS = 2;

/** Of fewer capsules than this that share in a digit, tenths are told. */
const FEW = 10;

/** A digit longer than this is rather there than not. */
const LONG = 0.5;

/** @typedef {(scene: Scene) => string} Teller empty: there is nothing to tell */

/** @type {Teller} */
export function tell(scene) {
  const sentences = [
    scene.step === 0 ? tellFirst(scene) : tellLater(scene),
    tellNone(scene),
    tellSharers(scene),
    tellLead(scene),
    tellLongRun(scene),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** @type {Teller} */
function tellFirst(scene) {
  const { figures, classIndex, ends, model } = scene;
  const count = figures.uneven(0);
  const none = ends.length > model.classes ? ` and to “${NONE}”` : "";
  const except = count > 0 ? `, except ${count} with a coupling that is held` : "";
  const length = lengthOf(figures.lengths()[classIndex][0]);
  return `Iteration 1: no votes have been compared yet, so every capsule splits evenly, c = 1/${ends.length} to every ${scene.nouns.one}${none}${except}. Weighted by these couplings, summed and squashed, the votes make ${model.class_names[classIndex]} ${length} long.`;
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
  const [before, now] = [step - 1, step].map((at) => exactShare(largest[at], DECIMALS));
  const then = before === now ? " as before" : ` (before: ${before})`;
  return `the largest coupling is c = ${now}${then}`;
}

/** @type {Teller} */
function tellLength(scene) {
  const { figures, step, classIndex } = scene;
  const lengths = figures.lengths()[classIndex];
  const name = capitalized(scene.model.class_names[classIndex]);
  const [before, now] = [lengths[step - 1], lengths[step]].map(lengthOf);
  if (before === now) return `${name} stays ${now} long.`;
  const goes = lengths[step] > lengths[step - 1] ? "grows" : "shrinks";
  return `${name} ${goes} from ${before} to ${now}.`;
}

/**
 * How much goes to none of the above, and so to no digit.
 * @type {Teller}
 */
function tellNone({ figures, step, ends, model }) {
  const share = ends.length > model.classes ? figures.none(step) : Number.NaN;
  if (Number.isNaN(share)) return "";
  return `“${capitalized(NONE)}” takes ${percent(share, 1)} of all capsule length; an even share is ${percent(1 / ends.length, 1)}.`;
}

/**
 * How many capsules the digit's length comes from. What is told is their effective
 * number: a hundred of which one gives nearly everything count as one. Shares are of what
 * capsules add, before others take from it; those of the parse tree are of what is left.
 * @type {Teller}
 */
function tellSharers(scene) {
  const { figures, step, classIndex, model } = scene;
  const { voters, largest } = figures.sharers(step, classIndex);
  const isNothing = fixed(figures.lengths()[classIndex][step], 3) === fixed(0, 3);
  if (voters === 0 || isNothing) return "";
  const name = model.class_names[classIndex];
  const count = fixed(voters, voters < FEW ? 1 : 0);
  return count === fixed(1, 1)
    ? `About one capsule makes ${name} this long.`
    : `About ${count} capsules carry ${name}; the strongest supplies ${percent(largest, 0)} of all that is added to it.`;
}

/** @type {Teller} */
function tellLead(scene) {
  const { figures, step } = scene;
  const at = (/** @type {number} */ i) => figures.lengths().map((values) => values[i]);
  const now = at(step);
  const [first, second, third] = ranked(now);
  if (second === undefined) return "";
  const ahead = now[first] - now[second];
  const before = step > 0 ? largestOf(at(step - 1)) : first;
  const { class_names: names } = scene.model;
  const [one, other] = [capitalized(names[first]), names[second]];
  if (now[first] === 0) return `No ${scene.nouns.one} has any length.`;
  if (scene.model.present.at_most > 1 && third !== undefined)
    return tellNamed(scene, now);
  if (ahead === 0) return `${one} and ${other} are equally long.`;
  if (isOfClasses(scene) && saidOf(now, scene.model).state === "none")
    return `None is ${scoreWords(scene.model).unsure} long, so the network would see none of its classes; ${names[first]} is the longest with ${lengthOf(now[first])}, then ${other} with ${lengthOf(now[second])}.`;
  if (before !== first) return `${one} has overtaken ${names[before]}.`;
  return ahead < CLOSE * now[first]
    ? `A close thing: ${names[first]} leads ${other} by ${lengthOf(ahead)}.`
    : `${one} is the longest, then ${other} with ${lengthOf(now[second])}.`;
}

/** Whether what is routed to are the classes. @param {Scene} scene */
const isOfClasses = ({ nouns }) => nouns.one === "class";

/**
 * Which classes would be named by these lengths, of a network that can name two.
 * @param {Scene} scene @param {readonly number[]} lengths of at least three classes
 */
function tellNamed({ model }, lengths) {
  const [first, second, third] = ranked(lengths).map(
    (each) => `${model.class_names[each]} with ${lengthOf(lengths[each])}`,
  );
  const count = saidOf(lengths, model).named.length;
  if (count > 1)
    return `${capitalized(first)} and ${second} are long enough to be named, then ${third}.`;
  return count === 1
    ? `Only ${first} is long enough to be named; next is ${second}.`
    : `None is long enough to be named; ${first} is the longest, then ${second}.`;
}

/** @type {Teller} */
function tellLongRun({ figures, step, iterations, model, nouns }) {
  if (!runsAsAsked(model)) return "";
  if (step + 1 <= model.routing_iterations || step + 1 < iterations) return "";
  const long = figures.lengths().filter((values) => values[step] > LONG).length;
  return long > 1
    ? `The network was trained with ${model.routing_iterations} iterations; after ${step + 1}, ${long} ${nouns.many} are longer than ${LONG}.`
    : "";
}

/** @param {number} length */
const lengthOf = (length) => exactShare(length, 3);
