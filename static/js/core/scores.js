/**
 * What a network's scores are, in words: lengths are lengths, probabilities are
 * probabilities, and no page calls one the other.
 * @import { Model, Trace } from "../types.js"
 */

import { ranked } from "../lib/arithmetic.js";
import { fewestDecimals, presence, rounded } from "../lib/decimals.js";
import { fixed, listed } from "../lib/format.js";

/** @typedef {"length" | "probability" | "activation" | "score"} ScoreKind what a score is */

/**
 * @typedef {object} ScoreWords
 * @property {string} one a score is called
 * @property {string} title of all of them
 * @property {string} meaning for whoever sees the bars for the first time
 * @property {string} most what the class with the highest is
 * @property {number} unsure a class that scores less is no clear answer; −∞ where no score
 *   says so
 */

/** @type {Readonly<Record<ScoreKind, ScoreWords>>} */
const WORDS = {
  length: {
    one: "length",
    most: "longest",
    title: "Lengths of the class capsules",
    meaning:
      "Length of each class capsule, 0 to 1: how present the class is. Choose one to put it in focus.",
    unsure: 0.5, // half way: training wants 0.9 or more of the right one, 0.1 or less of others
  },
  probability: {
    one: "probability",
    most: "most probable",
    title: "Probabilities of the classes",
    meaning:
      "Probability of each class, 0 to 1; together they make 1. Choose one to put it in focus.",
    unsure: 0.5,
  },
  activation: {
    one: "activation",
    most: "most active",
    title: "Activations of the class capsules",
    meaning: "Activation of each class capsule, 0 to 1. Choose one to put it in focus.",
    unsure: 0.5,
  },
  score: {
    one: "score",
    most: "highest",
    title: "Scores, as the network gives them",
    meaning:
      "Score of each class, as the network gives it; bars go from the lowest to the highest. Choose one to put it in focus.",
    unsure: Number.NEGATIVE_INFINITY,
  },
};

/** Probabilities of which each is a class's own. @type {ScoreWords} */
const ALONE = {
  ...WORDS.probability,
  meaning:
    "Probability of each class by itself, 0 to 1; they need not make 1. Choose one to put it in focus.",
};

/**
 * Lengths of a network that somebody described: nobody knows what training asked of them, and
 * so how short one must be to say that its class is not there.
 */
const DESCRIBED = { ...WORDS.length, unsure: Number.NEGATIVE_INFINITY };

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
  return threshold === null ? words : { ...words, unsure: threshold };
}

/**
 * A score as it is written everywhere: one score has one text.
 * @param {number} score @param {ScoreKind} kind
 * @param {number} [decimals] more where these would lift it to a threshold
 */
export const scoreText = (score, kind, decimals = 3) =>
  kind === "score" ? fixed(score, decimals) : presence(score, decimals);

/**
 * The classes that scores name by a model's rule, best first; of equal scores the first.
 * @param {ArrayLike<number>} scores @param {Pick<Model, "present">} model
 */
export function presentIn(scores, { present: { at_most, threshold } }) {
  const best = ranked(scores).slice(0, at_most);
  return threshold === null ? best : best.filter((each) => scores[each] >= threshold);
}

/**
 * What a network says of an image, as every view, label and export has it.
 * @typedef {object} Said
 * @property {"one" | "several" | "undecided" | "none"} state undecided: it must name one, and
 *   none stands out; none: it sees none of its classes
 * @property {readonly number[]} named best first
 * @property {readonly number[]} order all classes, best first
 */

/** @typedef {{ class_names: readonly string[] }} Named a network, as far as its classes have names */

/** @typedef {Pick<Model, "scores" | "present"> & Configured} Saying a network, as far as it decides what it says */

/**
 * @param {ArrayLike<number>} scores @param {Saying} model
 * @returns {Said}
 */
export function saidOf(scores, model) {
  const order = ranked(scores);
  const [first, second] = order;
  const named = presentIn(scores, model);
  if (named.length > 1) return { state: "several", named, order };
  const isBelow = scores[first] < scoreWords(model).unsure;
  const isShared = model.scores === "probability" && !decidesOnEach(model);
  if (named.length === 0 || (isBelow && !isShared))
    return { state: "none", named: [], order };
  const isTie = second !== undefined && scores[first] === scores[second];
  const isUndecided = isBelow || (isTie && model.present.at_most === 1);
  return { state: isUndecided ? "undecided" : "one", named, order };
}

/**
 * Whether a network reads a class: where it is undecided, it reads none.
 * @param {Said} said @param {number | null} label
 */
export const isReadAs = ({ state, named }, label) =>
  state !== "undecided" && label !== null && named.includes(label);

/** Classes in words: `4`, or `4 and 7`. @param {readonly number[]} named @param {Named} model */
const namedWords = (named, { class_names: names }) =>
  listed(named.map((each) => names[each])) || "none";

/**
 * The answer in short: `4`, `4 and 7`, `none`; and `4 or 9?` where it is undecided.
 * @param {Said} said @param {Named} model
 */
export function saidWords({ state, named, order }, model) {
  if (state !== "undecided") return namedWords(named, model);
  const [one, other] = order.map((each) => model.class_names[each]);
  return `${one} or ${other}?`;
}

/**
 * The same within a sentence: `4 or 9` where it is undecided.
 * @param {Said} said @param {Named} model
 */
export const saidWithin = (said, model) => saidWords(said, model).replace(/\?$/, "");

/**
 * What the network does, after its name: `reads 4`, `sees none of its classes`.
 * @param {Said} said @param {Named} model
 */
export function readsWords(said, model) {
  const { state, order } = said;
  const names = order.slice(0, 2).map((each) => model.class_names[each]);
  if (state === "none") return "sees none of its classes";
  return state === "undecided"
    ? `is undecided between ${listed(names)}`
    : `reads ${saidWords(said, model)}`;
}

/**
 * The scores that an answer rests on: `length 0.93`, `lengths 0.93 and 0.91`; and where it
 * names none, how far the best came: `no length reaches 0.5; the longest, 4, has 0.31`.
 * @param {Said} said @param {ArrayLike<number>} scores
 * @param {Saying & Named} model
 */
export function groundsWords({ state, named, order }, scores, model) {
  const { one, unsure, most } = scoreWords(model);
  const { class_names: names } = model;
  // What does not reach the threshold is not written as if it did.
  const digits = fewestDecimals(
    3,
    (count) => scores[order[0]] >= unsure || rounded(scores[order[0]], count) < unsure,
  );
  const text = (/** @type {number} */ each) =>
    scoreText(scores[each], model.scores, digits);
  if (state === "one" || state === "several")
    return `${plural(one, named.length)} ${listed(named.map(text))}`;
  const [first, second] = order;
  if (state === "undecided" && scores[first] === scores[second])
    return `both have the ${one} ${text(first)}`;
  if (state === "none" && !(scores[first] > 0)) return `every ${one} is 0`;
  const next = state === "undecided" ? `, ${names[second]} has ${text(second)}` : "";
  const best = next ? names[first] : `the ${most}, ${names[first]},`;
  return `no ${one} reaches ${unsure}; ${best} has ${text(first)}${next}`;
}

/**
 * What the best class is called that an answer does not name: where it names several, the
 * second is no runner-up but right, too.
 * @param {readonly number[]} named
 */
export const nextWord = (named) => (named.length > 1 ? "next" : "runner-up");

/** @param {string} one @param {number} count @returns {string} such as "probabilities" */
export const plural = (one, count) =>
  count === 1 ? one : `${one}s`.replace(/ys$/, "ies");

/**
 * The best class that an answer does not name, and its score: `runner-up 9 at 0.05`.
 * @param {Said} said @param {ArrayLike<number>} scores
 * @param {Saying & Named} model
 * @returns {string} empty where there is none, or where all has been said of it
 */
export function nextWords({ state, named, order }, scores, model) {
  const next = order.find((each) => !named.includes(each));
  if (next === undefined || (state !== "one" && state !== "several")) return "";
  return `${nextWord(named)} ${model.class_names[next]} at ${scoreText(scores[next], model.scores)}`;
}

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
