/**
 * What happened in the iteration on show, in a few sentences.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../store.js"
 * @import { Scene } from "./routing-trace.js"
 */
import { fixed } from "../lib/number.js";
import { ranked } from "../lib/rank.js";
import { findElement } from "../parts/find.js";
import { SCENE, sceneOf } from "./routing-trace.js";

/** Two lengths nearer than this are a close thing. */
const CLOSE = 0.1;

/** A digit longer than this is rather there than not. */
const LONG = 0.5;

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 */
export function mountStory(root, store) {
  const words = findElement(root, "[data-story]");
  store.watch(SCENE, (state) => {
    const scene = sceneOf(state);
    if (scene !== null) words.textContent = tell(scene);
  });
}

/**
 * @param {Scene} scene
 * @returns {string}
 */
export function tell(scene) {
  return [
    scene.step === 0 ? tellFirst(scene) : tellLater(scene),
    tellLead(scene),
    tellLongRun(scene),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** @param {Scene} scene */
function tellFirst({ figures, digit, name, model }) {
  return `Iteration 1: no capsule knows of the others yet, so each splits evenly, c = 1/${model.classes} to every digit. The plain sum of all votes makes ${name} ${fixed(figures.lengths()[digit][0], 3)} long.`;
}

/** @param {Scene} scene */
function tellLater({ figures, step, digit, name }) {
  const lengths = figures.lengths()[digit];
  const largest = figures.spread(digit)[3];
  return `Iteration ${step + 1}: capsules whose vote went along with ${name} send it more, up to c = ${fixed(largest[step], 3)} (before: ${fixed(largest[step - 1], 3)}). ${name} goes from ${fixed(lengths[step - 1], 3)} to ${fixed(lengths[step], 3)}.`;
}

/** @param {Scene} scene */
function tellLead({ figures, step, model: { class_names: names } }) {
  const at = (/** @type {number} */ i) => figures.lengths().map((values) => values[i]);
  const now = at(step);
  const [first, second] = ranked(now);
  const lead = now[first] - now[second];
  const before = step > 0 ? ranked(at(step - 1))[0] : first;
  if (before !== first) return `${names[first]} has overtaken ${names[before]}.`;
  return lead < CLOSE
    ? `A close thing: ${names[first]} leads ${names[second]} by ${fixed(lead, 3)}.`
    : `${names[first]} is the longest, then ${names[second]} with ${fixed(now[second], 3)}.`;
}

/** @param {Scene} scene */
function tellLongRun({ figures, step, trace, model }) {
  if (step + 1 <= model.routing_iterations || step + 1 < trace.iterations) return "";
  const long = figures.lengths().filter((values) => values[step] > LONG).length;
  return long > 1
    ? `The network was trained with ${model.routing_iterations} iterations; after ${step + 1}, ${long} digits are longer than ${LONG}: more routing lets whatever agrees a little grow long.`
    : "";
}
