/**
 * What happened in the iteration on show, in a few sentences, whose digits and figures
 * lead to what they tell of.
 * @import { Count } from "../../../lib/arithmetic.js"
 * @import { DynamicPanel, DynamicScene as Scene } from "./types.js"
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
import { lead } from "../../../ui/controls.js";
import { findElement } from "../../../ui/dom.js";
import { plainText, sayLinked } from "../../../ui/linked-text.js";
import { choosing } from "../../capsules/places.js";
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

const COUPLINGS = "Couplings over the iterations";

/**
 * Where a word of the story leads: what it chooses, and the panel that then shows it.
 * @typedef {object} Target
 * @property {string} title
 * @property {number} [classIndex]
 * @property {number} [step] 0 first
 * @property {() => number} [capsule] found when it is asked for
 * @property {"microscope" | "courses" | "surgery"} [place]
 */

/** @typedef {{ text: string, to: Target }} Leading */
/** @typedef {string | Leading} StoryPart */
/** @typedef {(scene: Scene) => StoryPart[]} Teller no parts: there is nothing to tell */

/**
 * Parts from a template: `words` and what leads somewhere.
 * @param {TemplateStringsArray} words @param {(StoryPart | StoryPart[])[]} between
 * @returns {StoryPart[]}
 */
function parts(words, ...between) {
  return words
    .flatMap((text, i) => [text, ...[between[i] ?? []].flat()])
    .filter((part) => part !== "");
}

/** @type {DynamicPanel} */
export function mountStory(root, room) {
  const { store, scenes } = room;
  const words = findElement(root, "[data-story]");
  /** @param {Target} target */
  function go({ classIndex, step, capsule, place }) {
    store.set({
      ...(classIndex !== undefined && { classIndex }),
      ...(step !== undefined && { step: step + 1 }),
      ...(capsule && choosing(capsule())),
    });
    const panel = place && root.querySelector(`[data-${place}]`);
    if (panel instanceof HTMLElement) lead(panel);
  }
  scenes.watch((scene) => {
    const parts = storyOf(scene).map((part) => {
      if (typeof part === "string") return part;
      const { text, to } = part;
      return { text, title: to.title, go: () => go(to) };
    });
    sayLinked(words, parts);
  });
}

/** @param {Scene} scene */
export function tell(scene) {
  return plainText(storyOf(scene));
}

/** @type {Teller} */
function storyOf(scene) {
  const sentences = [
    scene.step === 0 ? tellFirst(scene) : tellLater(scene),
    tellNone(scene),
    tellSharers(scene),
    tellLead(scene),
    tellLongRun(scene),
  ];
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, i) => (i === 0 ? sentence : [" ", ...sentence]));
}

/** @type {Teller} */
function tellFirst(scene) {
  const { figures, classIndex, ends, model } = scene;
  const count = figures.uneven(0);
  const even = figure(`c = 1/${ends.length}`, "courses", COUPLINGS);
  const held = figure(String(count), "surgery", "What is held");
  const none = ends.length > model.classes ? ` and to “${NONE}”` : "";
  const except = count > 0 ? parts`, except ${held} with a coupling that is held` : [];
  const length = lengthFigure(figures.lengths()[classIndex][0]);
  return parts`Iteration 1: no votes have been compared yet, so every capsule splits evenly, ${even} to every ${scene.nouns.one}${none}${except}. Weighted by these couplings, summed and squashed, the votes make ${classWord(scene, classIndex)} ${length} long.`;
}

/** @type {Teller} */
function tellLater(scene) {
  const { figures, step, classIndex } = scene;
  const { raised, lowered, capsules } = figures.moves(step, classIndex);
  const name = classWord(scene, classIndex);
  const more = `${countInWords(raised)} of ${grouped(capsules)} capsules`;
  const moved = figure(more, "courses", COUPLINGS);
  const send = (/** @type {Count} */ { count }) => (count === 1 ? "sends" : "send");
  const isStill = [raised, lowered].every(({ count, isSure }) => isSure && count === 0);
  const couplings = isStill
    ? parts`no coupling to ${name} moves by ${String(MOVE)} or more`
    : parts`${moved} ${send(raised)} more to ${name}, ${countInWords(lowered)} ${send(lowered)} less (by ${String(MOVE)} or more)`;
  return parts`Iteration ${String(step + 1)}: ${couplings}; ${tellLargest(scene)}. ${tellLength(scene)}`;
}

/** @type {Teller} */
function tellLargest({ figures, step, classIndex, name }) {
  const largest = figures.spread(classIndex)[3];
  const [before, now] = [step - 1, step].map((at) => exactShare(largest[at], DECIMALS));
  /** @param {number} at @param {string} text @returns {Leading} */
  const coupling = (at, text) => ({
    text,
    to: {
      title: `The capsule with the largest coupling to ${name} in iteration ${at + 1}`,
      step: at,
      capsule: () => figures.mostCoupled(at, classIndex),
      place: "microscope",
    },
  });
  const then =
    before === now ? " as before" : parts` (before: ${coupling(step - 1, before)})`;
  return parts`the largest coupling is ${coupling(step, `c = ${now}`)}${then}`;
}

/** @type {Teller} */
function tellLength(scene) {
  const { figures, step, classIndex } = scene;
  const lengths = figures.lengths()[classIndex];
  const name = classStart(scene, classIndex);
  const [before, now] = [lengthFigure(lengths[step - 1]), lengthFigure(lengths[step])];
  if (before.text === now.text) return parts`${name} stays ${now} long.`;
  const goes = lengths[step] > lengths[step - 1] ? "grows" : "shrinks";
  return parts`${name} ${goes} from ${before} to ${now}.`;
}

/**
 * How much goes to none of the above, and so to no digit.
 * @type {Teller}
 */
function tellNone({ figures, step, ends, model }) {
  const share = ends.length > model.classes ? figures.none(step) : Number.NaN;
  if (Number.isNaN(share)) return [];
  return parts`“${capitalized(NONE)}” takes ${percent(share, 1)} of all capsule length; an even share is ${percent(1 / ends.length, 1)}.`;
}

/**
 * How many capsules the digit's length comes from. What is told is their effective
 * number: a hundred of which one gives nearly everything count as one. Shares are of what
 * capsules add, before others take from it; those of the parse tree are of what is left.
 * @type {Teller}
 */
function tellSharers(scene) {
  const { figures, step, classIndex } = scene;
  const { voters, largest } = figures.sharers(step, classIndex);
  const isNothing = fixed(figures.lengths()[classIndex][step], 3) === fixed(0, 3);
  if (voters === 0 || isNothing) return [];
  const name = classWord(scene, classIndex);
  const count = fixed(voters, voters < FEW ? 1 : 0);
  /** @type {Target} */
  const to = {
    title: `The capsule that gives the most to ${name.text}`,
    capsule: () => largestOf(figures.evidenceOf(step, classIndex)),
    place: "microscope",
  };
  return count === fixed(1, 1)
    ? parts`About ${{ text: "one capsule", to }} makes ${name} this long.`
    : parts`About ${count} capsules carry ${name}; the strongest supplies ${{ text: percent(largest, 0), to }} of all that is added to it.`;
}

/** @type {Teller} */
function tellLead(scene) {
  const { figures, step } = scene;
  const at = (/** @type {number} */ i) => figures.lengths().map((values) => values[i]);
  const now = at(step);
  const [first, second, third] = ranked(now);
  if (second === undefined) return [];
  const ahead = now[first] - now[second];
  const before = step > 0 ? largestOf(at(step - 1)) : first;
  const [one, other] = [classStart(scene, first), classWord(scene, second)];
  if (now[first] === 0) return parts`No ${scene.nouns.one} has any length.`;
  if (scene.model.present.at_most > 1 && third !== undefined)
    return tellNamed(scene, now);
  if (ahead === 0) return parts`${one} and ${other} are equally long.`;
  if (isOfClasses(scene) && saidOf(now, scene.model).state === "none")
    return parts`None is ${String(scoreWords(scene.model).unsure)} long, so the network would see none of its classes; ${classWord(scene, first)} is the longest with ${lengthFigure(now[first])}, then ${other} with ${lengthFigure(now[second])}.`;
  if (before !== first) return parts`${one} has overtaken ${classWord(scene, before)}.`;
  return ahead < CLOSE * now[first]
    ? parts`A close thing: ${classWord(scene, first)} leads ${other} by ${lengthFigure(ahead)}.`
    : parts`${one} is the longest, then ${other} with ${lengthFigure(now[second])}.`;
}

/** Whether what is routed to are the classes. @param {Scene} scene */
const isOfClasses = ({ nouns }) => nouns.one === "class";

/**
 * Which classes would be named by these lengths, of a network that can name two.
 * @param {Scene} scene @param {readonly number[]} lengths of at least three classes
 */
function tellNamed(scene, lengths) {
  const [first, second, third] = ranked(lengths).map(
    (each) => parts`${classWord(scene, each)} with ${lengthFigure(lengths[each])}`,
  );
  const count = saidOf(lengths, scene.model).named.length;
  if (count > 1)
    return parts`${classStart(scene, ranked(lengths)[0])} with ${lengthFigure(Math.max(...lengths))} and ${second} are long enough to be named, then ${third}.`;
  return count === 1
    ? parts`Only ${first} is long enough to be named; next is ${second}.`
    : parts`None is long enough to be named; ${first} is the longest, then ${second}.`;
}

/** @type {Teller} */
function tellLongRun({ figures, step, iterations, model, nouns }) {
  if (!runsAsAsked(model)) return [];
  if (step + 1 <= model.routing_iterations || step + 1 < iterations) return [];
  const long = figures.lengths().filter((values) => values[step] > LONG).length;
  return long > 1
    ? [
        `The network was trained with ${model.routing_iterations} iterations; after ${step + 1}, ${long} ${nouns.many} are longer than ${LONG}.`,
      ]
    : [];
}

/** @param {Scene} scene @param {number} classIndex @returns {Leading} */
function classWord({ model }, classIndex) {
  const name = model.class_names[classIndex];
  return { text: name, to: { title: `Put ${name} in focus`, classIndex } };
}

/**
 * The same at the start of a sentence.
 * @param {Scene} scene @param {number} classIndex
 * @returns {Leading}
 */
function classStart(scene, classIndex) {
  const { text, to } = classWord(scene, classIndex);
  return { text: capitalized(text), to };
}

/** @param {number} length */
const lengthFigure = (length) =>
  figure(exactShare(length, 3), "courses", "Lengths over the iterations");

/**
 * @param {string} text @param {Target["place"]} place @param {string} title
 * @returns {Leading}
 */
function figure(text, place, title) {
  return { text, to: { title, place } };
}
