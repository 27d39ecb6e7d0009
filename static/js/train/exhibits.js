/**
 * The museum of mistakes: what public implementations of capsule networks have got wrong,
 * and what two runs from one seed say about it, one without the mistake and one with it.
 * @import { Run } from "../types.js"
 * @import { History } from "./history.js"
 */
import { grouped, sentences } from "../lib/format.js";
import { wilsonInterval } from "../lib/statistics.js";
import { rightOf } from "./history.js";

/**
 * @typedef {object} Exhibit
 * @property {string} name as the recipe's `mistake` has it
 * @property {string} title in the middle of a sentence
 * @property {string} what is done, and what should be
 * @property {string} who made it
 * @property {string} why it does what it does, and where to look; true of every pair of runs
 * @property {Readonly<Record<string, unknown>>} [both] settings of both runs
 */

/** @type {readonly Exhibit[]} */
export const EXHIBITS = [
  {
    name: "axis",
    title: "softmax over the wrong axis",
    what: "The softmax of routing runs over the primary capsules, where it should run over the classes. So each class divides itself among the capsules, and no capsule has to choose a class.",
    who: "A public implementation that put this right went from 99.51 to 99.67 % of the test digits.",
    why: "Transforms can be learned for any couplings, so such a network can learn, too. What is lost is what routing is for: a capsule’s couplings no longer add up to 1, and it can support all classes at once.",
  },
  {
    name: "view",
    title: "reshaping without reordering the axes",
    what: "A convolution’s result is cut into vectors as it lies in memory. Eight numbers of one capsule are then one channel at eight positions, where they should be eight channels at one position.",
    who: "Public implementations have done this.",
    why: "Every capsule has transforms of its own, and those can be learned for any eight numbers. But such a capsule stands at no place: compare the two pictures of PrimaryCaps.",
  },
  {
    name: "unsquared",
    title: "a margin loss that is not squared",
    what: "The margin loss adds up how far lengths are from their margins. The paper adds up the squares of these distances.",
    who: "Public implementations have done this.",
    why: "Squared, a length that is nearly right costs next to nothing. Without the square, it pulls as hard as one that is far off. The two losses cannot be compared; the test digits can.",
  },
  {
    name: "root",
    title: "an ε outside the square root",
    what: "Squash divides by a length, the root of a sum of squares. A small ε keeps that from being zero, but it has been added after the root, where it should stand under it.",
    who: "Public implementations have met it as a loss that is no number.",
    why: "The slope of a root is infinite at zero, and infinity times zero is no number. In both runs, kernels of 7 × 7 leave some capsules nothing but ground to look at. The run with the mistake also starts with biases of zero, as many libraries do, so that these capsules are zero; with ε under the root, that does no harm.",
    both: { kernel_size: 7 },
  },
  {
    name: "gradients",
    title: "gradients through all iterations",
    what: "Gradients flow back through every iteration of routing. It is enough that they flow through the last, where couplings count as constants.",
    who: "Public implementations that did this were slower and no better for it.",
    why: "The network computes the same; only its gradients differ. Each step has more to compute: draw the curves over seconds.",
  },
  {
    name: "iteration",
    title: "one iteration too many",
    what: "The loop of routing goes round once more than it is asked to: four times where the recipe says three.",
    who: "Public implementations went round once too often, or once too little.",
    why: "Such a network is consistent with itself, and its curves need not give it away. But whoever sets its figures beside the paper’s compares two different networks.",
  },
  {
    name: "bytes",
    title: "pixels from 0 to 255",
    what: "The network is trained on pixels from 0 to 1, and then fed with pixels from 0 to 255.",
    who: "The best-known visualizer of capsule networks does this: 99.8 % of its primary capsules have a length of exactly 0 or 1.",
    why: "Both runs learn the same weights, step by step, so their losses agree. Only what is read with them differs: compare the two pictures of PrimaryCaps.",
  },
  {
    name: "mask",
    title: "a mask that is missing",
    what: "While the network is trained, its decoder is given the capsules of all classes, where it should be given that of the right class alone. Afterwards it is given the capsule of one class, and zeros for all others.",
    who: "A public implementation let through, for each image, the longest capsules of all images in its batch. Others have moved a number in all ten capsules, and not in the chosen one.",
    why: "While it is trained, the decoder can also use what the capsules of the other classes hold; afterwards it has one capsule. Compare the losses of reconstruction, and what both networks draw of the digit. If a number is moved in all capsules and none is masked, the picture changes through all of them, so it does not show what the number means in one.",
  },
];

/** What a mistake can come to, in the order in which one can guess it. */
export const OUTCOMES = /** @type {const} */ ({
  fails: "it breaks off",
  worse: "it reads clearly worse",
  alike: "no difference can be told",
  better: "it reads clearly better",
});

/** @typedef {keyof typeof OUTCOMES} Outcome */

/** @typedef {{ run: Pick<Run, "settings">, history: History }} Watched */

/** The mistake that a run makes, by name; null: none. @param {Pick<Run, "settings">} run */
export function mistakeOf({ settings: { mistake } }) {
  return typeof mistake === "string" && mistake !== "none" ? mistake : null;
}

/**
 * What a mistake is called in the middle of a sentence.
 * @param {string} name @returns {string}
 */
export function mistakeTitle(name) {
  return EXHIBITS.find((each) => each.name === name)?.title ?? name;
}

/**
 * The exhibit that two runs show: one of them makes a mistake, and the other makes none.
 * @template {Pick<Run, "settings">} Some
 * @param {Some} one @param {Some} other
 * @returns {{ exhibit: Exhibit, isFirst: boolean } | null} isFirst: the first makes it
 */
export function exhibitOf(one, other) {
  const [first, second] = [mistakeOf(one), mistakeOf(other)];
  const exhibit = EXHIBITS.find(({ name }) => name === (first ?? second));
  if (exhibit === undefined || (first !== null && second !== null)) return null;
  const isPair = Object.keys(one.settings).every(
    (name) =>
      name === "mistake" || String(one.settings[name]) === String(other.settings[name]),
  );
  return isPair ? { exhibit, isFirst: first !== null } : null;
}

/** What was counted after a run's last step; null before that. @param {History} history */
function lastCount({ counts, total }) {
  const last = counts.at(-1);
  return last !== undefined && total > 0 && last.step === total ? last : null;
}

/** @param {import("./history.js").Count} count */
const wrongIn = (count) => count.tested - rightOf(count);

/**
 * What the mistake has come to.
 * @param {History} right of the run without it @param {History} wrong of the run with it
 * @returns {Outcome | null} null: that cannot be told yet, or never will
 */
export function outcomeOf(right, wrong) {
  if (wrong.state === "failed") return "fails";
  const [without, having] = [lastCount(right), lastCount(wrong)];
  if (without === null || having === null) return null;
  const [low, high] = [without, having].map((count) =>
    wilsonInterval(wrongIn(count), count.tested),
  );
  if (low[1] < high[0]) return "worse";
  return high[1] < low[0] ? "better" : "alike";
}

/**
 * What the mistake has come to, with its figures.
 * @param {History} right of the run without it @param {History} wrong of the run with it
 * @param {Outcome | null} guess
 */
export function outcomeWords(right, wrong, guess) {
  const outcome = outcomeOf(right, wrong);
  const isOver = [right, wrong].some(
    ({ state }) => state === "stopped" || state === "failed",
  );
  const early = isOver
    ? "A run has ended early, so nothing can be said."
    : "Both runs have to finish before anything can be said.";
  return sentences([
    guess && `Your guess: ${OUTCOMES[guess]}.`,
    guess && outcome && (guess === outcome ? "So it is." : "It is otherwise."),
    outcome ? foundWords(outcome, right, wrong) : early,
  ]);
}

/** @param {Outcome} outcome @param {History} right @param {History} wrong */
function foundWords(outcome, right, wrong) {
  if (outcome === "fails")
    return `The run with the mistake broke off after step ${grouped(wrong.now.step)}.`;
  const [without, having] = [lastCount(right), lastCount(wrong)];
  if (without === null || having === null) return "";
  const figures = `after the last step it misreads ${grouped(wrongIn(having))} of ${grouped(having.tested)} test digits, the run without it ${grouped(wrongIn(without))}`;
  if (outcome === "alike")
    return `No difference can be told between the two runs: ${figures.replace("it misreads", "the run with the mistake misreads")}, and the 95 % intervals overlap.`;
  return `The run with the mistake reads clearly ${outcome}: ${figures}, and the 95 % intervals do not overlap.`;
}

/**
 * What to ask for: a run without the mistake, and one with it.
 * @param {Exhibit} exhibit
 * @returns {readonly [object, object]}
 */
export function recipesOf({ name, both = {} }) {
  const shared = { epochs: 1, ...both };
  return [shared, { ...shared, mistake: name }];
}
