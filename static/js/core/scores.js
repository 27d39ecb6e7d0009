/**
 * What a network's scores are, in words: lengths are lengths, probabilities are
 * probabilities, and no page calls one the other.
 * @import { Model, Trace } from "../types.js"
 */

import { ranked } from "../lib/arithmetic.js";
import { fixed, listed } from "../lib/format.js";

/** @typedef {"length" | "probability" | "activation" | "score"} ScoreKind what a score is */

/**
 * @typedef {object} ScoreWords
 * @property {string} one a score is called
 * @property {string} title of all of them
 * @property {string} meaning for whoever sees the bars for the first time
 * @property {number} unsure a class that scores less is no clear answer; −∞ where no score
 *   says so
 * @property {string} none to be said then
 */

/** @type {Readonly<Record<ScoreKind, ScoreWords>>} */
const WORDS = {
  length: {
    one: "length",
    title: "Lengths of the class capsules",
    meaning:
      "length of each class capsule, 0 to 1: how present the class is. Choose one to put it in focus.",
    unsure: 0.5, // half way: training wants 0.9 or more of the right one, 0.1 or less of others
    none: "None is longer than 0.5: the network sees none of its classes.",
  },
  probability: {
    one: "probability",
    title: "Probabilities of the classes",
    meaning:
      "probability of each class, 0 to 1; together they make 1. Choose one to put it in focus.",
    unsure: 0.5,
    none: "None is above 0.5: the network is undecided.",
  },
  activation: {
    one: "activation",
    title: "Activations of the class capsules",
    meaning: "activation of each class capsule, 0 to 1. Choose one to put it in focus.",
    unsure: 0.5,
    none: "None is above 0.5: the network sees none of its classes.",
  },
  score: {
    one: "score",
    title: "Scores, as the network gives them",
    meaning:
      "score of each class, as the network gives it; bars go from the lowest to the highest. Choose one to put it in focus.",
    unsure: Number.NEGATIVE_INFINITY,
    none: "",
  },
};

/** Probabilities of which each is a class's own. @type {ScoreWords} */
const ALONE = {
  ...WORDS.probability,
  meaning:
    "probability of each class by itself, 0 to 1; they need not make 1. Choose one to put it in focus.",
  none: "None is above 0.5: the network sees none of its classes.",
};

/**
 * Lengths of a network that somebody described: nobody knows what training asked of them, and
 * so how short one must be to say that its class is not there.
 */
const DESCRIBED = { ...WORDS.length, unsure: Number.NEGATIVE_INFINITY, none: "" };

/** @typedef {{ card?: { config?: { probabilities?: string }, described?: object }, present?: Model["present"] }} Configured */

/**
 * Whether a network decides on each class by itself, by a sigmoid; else its probabilities
 * are shares of 1.
 * @param {Configured} model
 */
export function decidesOnEach({ card }) {
  return card?.config?.probabilities === "sigmoid";
}

/**
 * Where a network has a threshold of its own, that is the score of a clear answer.
 * @param {Pick<Model, "scores"> & Configured} model
 * @returns {ScoreWords}
 */
export function scoreWords(model) {
  const isTheirs = model.scores === "length" && model.card?.described !== undefined;
  const known = isTheirs ? DESCRIBED : WORDS[model.scores];
  const words = decidesOnEach(model) ? ALONE : known;
  const threshold = model.present?.threshold ?? null;
  if (threshold === null) return words;
  // What a network does not name, no sentence may call seen; nor the other way round.
  const none = `None reaches ${threshold}: the network names none of its classes.`;
  return { ...words, unsure: threshold, none };
}

/**
 * The classes that scores name by a model's rule, best first; of equal scores the first.
 * @param {ArrayLike<number>} scores @param {Pick<Model, "present">} model
 */
export function presentIn(scores, { present: { at_most, threshold } }) {
  const best = ranked(scores).slice(0, at_most);
  return threshold === null ? best : best.filter((each) => scores[each] >= threshold);
}

/**
 * The classes present in words: `4`, or `4 and 7`.
 * @param {Pick<Trace, "present">} trace @param {Pick<Model, "class_names">} model
 */
export function presentWords({ present }, { class_names }) {
  return listed(present.map((each) => class_names[each])) || "none";
}

/**
 * Their scores: `0.97`, or `0.97 and 0.88`; where none is present, the highest.
 * @param {ArrayLike<number>} scores
 * @param {Pick<Trace, "present" | "prediction">} trace
 */
export function presentScores(scores, { present, prediction }) {
  const told = present.length > 0 ? present : [prediction];
  return listed(told.map((each) => fixed(scores[each], 2)));
}

/**
 * What the best class is called that an answer does not name: where it names several, the
 * second is no runner-up but right, too.
 * @param {readonly number[]} present
 */
export const nextWord = (present) => (present.length > 1 ? "next" : "runner-up");

/**
 * The best class that an answer does not name.
 * @param {ArrayLike<number>} scores
 * @param {{ present: readonly number[], prediction: number }} answer
 * @returns {number | undefined} undefined where there is none
 */
export const nextIn = (scores, { present, prediction }) =>
  ranked(scores).find((each) => each !== prediction && !present.includes(each));

/**
 * The rule by which a network names classes.
 * @param {Pick<Model, "present" | "scores">} model
 */
export function ruleWords({ present: { at_most, threshold }, scores }) {
  const { one } = WORDS[scores];
  const classes =
    at_most === 1
      ? `the class with the highest ${one}`
      : `up to ${at_most} classes, those with the highest ${one}`;
  return threshold === null ? classes : `${classes}, where it is at least ${threshold}`;
}

/** The axis of scores that are of any size: a little room below the lowest. */
const ROOM = 0.1;

/**
 * From where to where the axis of scores goes.
 * @param {ArrayLike<number>} scores @param {ScoreKind} kind
 */
export function axisOf(scores, kind) {
  if (kind !== "score") return { low: 0, high: 1 };
  const [least, most] = [
    Math.min(...Array.from(scores)),
    Math.max(...Array.from(scores)),
  ];
  const span = most - least || Math.abs(most) || 1;
  return { low: least - ROOM * span, high: most };
}

/**
 * How long the bar of each score is, in 0..1.
 * @param {ArrayLike<number>} scores @param {ScoreKind} kind
 */
export function barsOf(scores, kind) {
  const { low, high } = axisOf(scores, kind);
  return Float32Array.from(scores, (score) => (score - low) / (high - low));
}

/** The tensor that holds one score for each class, whatever the network. */
export const SCORES = "scores";

/**
 * One score for each class.
 * @param {Pick<Trace, "tensors">} trace
 * @returns {Float32Array | null} null while they are on their way
 */
export function scoresOf({ tensors }) {
  return tensors[SCORES]?.data ?? null;
}
