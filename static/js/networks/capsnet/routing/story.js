/**
 * What happened in the iteration on show, in a few sentences.
 * @import { Scene, Scenes } from "./scene.js"
 */
import { fixed, grouped, percent } from "../../../lib/number.js";
import { ranked } from "../../../lib/rank.js";
import { findElement } from "../../../ui/find.js";
import { MOVE } from "./course.js";

/** Two lengths nearer than this are a close thing. */
const CLOSE = 0.1;

/** Of fewer capsules than this that share in a digit, tenths are told. */
const FEW = 10;

/** A digit longer than this is rather there than not. */
const LONG = 0.5;

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 */
export function mountStory(root, scenes) {
  const words = findElement(root, "[data-story]");
  scenes.watch((scene) => {
    words.textContent = tell(scene);
  });
}

/**
 * @param {Scene} scene
 * @returns {string}
 */
export function tell(scene) {
  return [
    scene.step === 0 ? tellFirst(scene) : tellLater(scene),
    tellSharers(scene),
    tellLead(scene),
    tellLongRun(scene),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** @param {Scene} scene */
function tellFirst({ figures, digit, name, model }) {
  const even = `c = 1/${model.classes} to every digit`;
  const held = figures.uneven(0);
  const splits =
    held === 0
      ? `no votes have been compared yet, so every capsule splits evenly, ${even}`
      : `no votes have been compared yet, so every capsule splits evenly, ${even}, except ${held} with a coupling that is held`;
  return `Iteration 1: ${splits}. Weighted by these couplings, summed and squashed, the votes make ${name} ${fixed(figures.lengths()[digit][0], 3)} long.`;
}

/** @param {Scene} scene */
function tellLater({ figures, step, digit, name }) {
  const { raised, lowered, capsules } = figures.moves(step, digit);
  const largest = figures.spread(digit)[3];
  const [before, now] = [fixed(largest[step - 1], 3), fixed(largest[step], 3)];
  const couplings =
    raised + lowered === 0
      ? `no coupling to ${name} moves by ${MOVE} or more`
      : `${raised} of ${grouped(capsules)} capsules send more to ${name}, ${lowered} send less (by ${MOVE} or more)`;
  const most =
    before === now
      ? `the largest coupling is c = ${now} as before`
      : `the largest coupling is c = ${now} (before: ${before})`;
  return `Iteration ${step + 1}: ${couplings}; ${most}. ${tellLength(figures.lengths()[digit], step, name)}`;
}

/**
 * @param {number[]} lengths over the iterations
 * @param {number} step
 * @param {string} name
 */
function tellLength(lengths, step, name) {
  const [before, now] = [fixed(lengths[step - 1], 3), fixed(lengths[step], 3)];
  if (before === now) return `${name} stays ${now} long.`;
  const goes = lengths[step] > lengths[step - 1] ? "grows" : "shrinks";
  return `${name} ${goes} from ${before} to ${now}.`;
}

/**
 * How many capsules the digit's length comes from. What is told is their effective
 * number: a hundred of which one gives nearly everything count as one.
 * @param {Scene} scene
 */
function tellSharers({ figures, step, digit, name }) {
  const { voters, largest } = figures.sharers(step, digit);
  if (voters === 0) return "";
  const count = fixed(voters, voters < FEW ? 1 : 0);
  if (count === fixed(1, 1)) return `Effectively one capsule makes ${name} this long.`;
  return `Effectively ${count} capsules share in ${name}; the largest gives ${percent(largest, 0)}.`;
}

/** @param {Scene} scene */
function tellLead({ figures, step, model: { class_names: names } }) {
  const at = (/** @type {number} */ i) => figures.lengths().map((values) => values[i]);
  const now = at(step);
  const [first, second] = ranked(now);
  const lead = now[first] - now[second];
  const before = step > 0 ? ranked(at(step - 1))[0] : first;
  if (second === undefined) return "";
  if (fixed(lead, 3) === fixed(0, 3))
    return `${names[first]} and ${names[second]} are equally long.`;
  if (before !== first) return `${names[first]} has overtaken ${names[before]}.`;
  return lead < CLOSE
    ? `A close thing: ${names[first]} leads ${names[second]} by ${fixed(lead, 3)}.`
    : `${names[first]} is the longest, then ${names[second]} with ${fixed(now[second], 3)}.`;
}

/** @param {Scene} scene */
function tellLongRun({ figures, step, iterations, model }) {
  if (step + 1 <= model.routing_iterations || step + 1 < iterations) return "";
  const long = figures.lengths().filter((values) => values[step] > LONG).length;
  return long > 1
    ? `The network was trained with ${model.routing_iterations} iterations; after ${step + 1}, ${long} digits are longer than ${LONG}.`
    : "";
}
