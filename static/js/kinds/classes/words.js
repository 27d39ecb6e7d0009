/**
 * What the network answers and how sure it is, in words that follow from its numbers.
 * @import { Said } from "../../core/scores.js"
 * @import { LogitSum } from "../dense/units.js"
 * @import { Layer } from "../types.js"
 * @import { ClassesModel, ClassesTrace } from "./types.js"
 */
import {
  decidesOnEach,
  groundsWords,
  readsWords,
  saidOf,
  scoreText,
  scoreWords,
} from "../../core/scores.js";
import { ranked, sum } from "../../lib/arithmetic.js";
import { fewestDecimals, powerOfE, rounded } from "../../lib/decimals.js";
import { counted, fixed, listed, sentences, withSign } from "../../lib/format.js";
import { addedUp } from "../../lib/written.js";

/** What the view says first. @param {Layer} layer @param {ClassesModel} model */
export function introWords({ form }, model) {
  const intro = {
    vectors:
      "Each class has one capsule. The length of its vector tells how present the class is; the direction tells how it looks.",
    matrices:
      "Each class has a capsule with an activation, how present the class is, and a pose, a 4×4 matrix of numbers. Both come from EM routing.",
    probabilities: `Each class adds up the hidden units with weights of its own. The sum is its logit, which can be any number. ${
      decidesOnEach(model)
        ? "A sigmoid turns each logit into a probability by itself, because an image can show two classes."
        : "Softmax turns the logits into shares of 1; training makes these shares the network’s probabilities."
    }`,
    scores:
      model.scores === "score"
        ? "A score for each class, as the network gives it. What it is made of is not drawn for this network."
        : "How present each class is to the network. What a score is made of is not drawn for this network.",
  }[form ?? "scores"];
  return `${intro} Choose a class to put it in focus.`;
}

/**
 * What the numbers of this view are: of vectors their lengths, whatever the network makes of
 * these; else its scores.
 * @param {Pick<Layer, "form">} layer @param {Pick<ClassesModel, "scores">} model
 */
export const kindOf = ({ form }, { scores }) =>
  form === "vectors" ? "length" : scores;

/** Whether capsules can be longer than 1. @param {Pick<Layer, "words">} layer */
export const isLong = ({ words }) => words?.long === true;

/** How large the layer is. @param {Layer} layer @param {ClassesModel} model */
export function shapeWords(layer, model) {
  const { classes } = model;
  if (layer.form === "probabilities") {
    const [units] = layer.shapeOf(model, "below");
    return `${units} units → ${classes} logits → ${classes} probabilities`;
  }
  if (layer.form === "scores") return `${classes} scores`;
  const [count, ...shape] = layer.shapeOf(model, "poses");
  const limit = isLong(layer) ? "" : ", each capsule shorter than 1";
  return layer.form === "vectors"
    ? `${[count, ...shape].join("×")} values${limit}`
    : `${count} poses of ${shape.join("×")} numbers`;
}

/**
 * What the dashed lines are.
 * @param {{ present: number, absent: number }} margins @param {boolean} hasCourse
 */
export function marginWords({ present, absent }, hasCourse) {
  const course = hasCourse
    ? " The lines on the right show each length after every iteration of routing, also from 0 to 1."
    : "";
  return `Dashed: the margins of the loss. In training, the capsule of the class that is there costs nothing once it is longer than m⁺\u00a0=\u00a0${present}, and every other capsule costs nothing while it is shorter than m⁻\u00a0=\u00a0${absent}.${course}`;
}

/**
 * From which probability the network is how sure. The words are this page's; softmax knows
 * no such steps.
 */
const LEVELS = [
  { least: 0.99, words: "is sure that this is" },
  { least: 0.9, words: "is fairly sure that this is" },
  { least: 0.5, words: "leans towards" },
  { least: 0, words: "is undecided; first comes" },
];

/**
 * @param {Pick<ClassesTrace, "tensors">} trace
 * @param {Pick<ClassesModel, "class_names" | "scores" | "present"> & Partial<Pick<ClassesModel, "card">>} model
 * @param {readonly number[]} labels none where nobody knows them
 * @param {number | null} absent the length below which no class is there; null where what
 *   training asked of lengths is not known
 */
export function verdictWords({ tensors }, model, labels, absent) {
  const { class_names: names, scores } = model;
  const { data } = tensors.scores;
  if (model.present.at_most > 1)
    return severalWords(data, tensors.logits?.data ?? data, model, labels);
  const answer = saidOf(data, model);
  const label = labelWords(answer, labels, names);
  if (scores === "probability") {
    const logits = tensors.logits?.data;
    const sure = logits ? sureWords(logits, data, names) : shareWords(data, names);
    return sentences([sure, label]);
  }
  const [first, second] = answer.order;
  const text = (/** @type {number} */ classIndex) =>
    scoreText(data[classIndex], scores);
  if (answer.state !== "one") {
    const isFaint =
      scores === "length" &&
      answer.state === "none" &&
      absent !== null &&
      data[first] < absent;
    return sentences([
      `The network ${readsWords(answer, model)}: ${groundsWords(answer, data, model)}.`,
      isFaint && `In training every length below m⁻ = ${absent} counts as absent.`,
      label,
    ]);
  }
  const { most } = scoreWords(model);
  const why = scores === "score" ? "its score is" : "its capsule is";
  return sentences([
    `The network reads ${names[first]}: ${why} the ${most}, ${text(first)}.`,
    second !== undefined && `The runner-up is ${names[second]}, ${text(second)}.`,
    label,
  ]);
}

/**
 * The same where no more is known than the probabilities.
 * @param {ArrayLike<number>} probabilities
 * @param {readonly string[]} names
 */
function shareWords(probabilities, names) {
  const [first, second] = ranked(probabilities);
  const share = (/** @type {number} */ classIndex) =>
    scoreText(probabilities[classIndex], "probability");
  return `The network ${levelOf(probabilities[first])} ${names[first]}: probability ${share(first)}. The runner-up, ${names[second]}, has ${share(second)}.`;
}

/** @param {number} probability of what comes first @returns {string} */
const levelOf = (probability) =>
  (LEVELS.find(({ least }) => probability >= least) ?? LEVELS[3]).words;

/**
 * @param {ArrayLike<number>} logits
 * @param {ArrayLike<number>} probabilities of the same classes
 * @param {readonly string[]} names
 */
export function sureWords(logits, probabilities, names) {
  const [first, second] = ranked(logits);
  const words = levelOf(probabilities[first]);
  const share = (/** @type {number} */ classIndex) =>
    scoreText(probabilities[classIndex], "probability");
  const answer = `The network ${words} ${names[first]}: probability ${share(first)}.`;
  const apart = logits[first] - logits[second];
  const times = powerOfE(apart);
  const decimals = fewestDecimals(
    2,
    (count) => powerOfE(rounded(apart, count)) === times,
  );
  const difference = fixed(apart, decimals);
  if (apart === 0)
    return `${answer} ${names[second]} has exactly the same logit, and so the same probability.`;
  return `${answer} The runner-up, ${names[second]}, has ${share(second)}: its logit is ${difference} smaller. As e to the power of ${difference} is ${times}, ${names[first]} is ${times} times as probable.`;
}

/**
 * Where a network names several classes: which, and which comes next.
 * @param {ArrayLike<number>} scores
 * @param {ArrayLike<number>} logits tell apart what scores round to the same
 * @param {Pick<ClassesModel, "class_names" | "scores" | "present"> & Partial<Pick<ClassesModel, "card">>} model
 * @param {readonly number[]} labels
 */
function severalWords(scores, logits, model, labels) {
  const { class_names: names } = model;
  const reading = saidOf(scores, model);
  const { threshold } = model.present;
  const say = (/** @type {number} */ classIndex) =>
    `${names[classIndex]} (${scoreText(scores[classIndex], model.scores)})`;
  const at = threshold === null ? "" : `; the threshold is ${threshold}`;
  const answer =
    reading.named.length === 0
      ? `The network ${readsWords(reading, model)}${at}.`
      : `The network reads ${listed(reading.named.map(say))}${at}.`;
  const next = ranked(logits).find((classIndex) => !reading.named.includes(classIndex));
  return sentences([
    answer,
    next !== undefined && `Next is ${say(next)}.`,
    labelWords(reading, labels, names),
  ]);
}

/**
 * @param {ArrayLike<number>} scores
 * @param {Pick<ClassesModel, "scores"> & Partial<Pick<ClassesModel, "card">>} model
 */
export function sumWords(scores, model) {
  const total = sum(scores);
  if (decidesOnEach(model))
    return `The ${scores.length} probabilities sum to ${fixed(total, 3)}. They need not sum to 1: each class has a sigmoid of its own, so two can be likely at once, or none.`;
  return model.scores === "length"
    ? `The ${scores.length} lengths sum to ${fixed(total, 3)}. They need not sum to 1: each tells by itself how present its class is, so several can be long, or none.`
    : `The ${scores.length} probabilities sum to ${fixed(total, 3)}, as they do for every image, because softmax divides by the sum. Softmax shares out 1 among the classes even for a scribble or an empty image. A probability therefore tells how the network chooses between the classes; it cannot tell that none of them is there.`;
}

/**
 * What is known to be there, and whether the answer is that; an answer that the network does
 * not give is neither right nor wrong.
 * @param {Said} said @param {readonly number[]} labels @param {readonly string[]} names
 */
export function labelWords({ state, named }, labels, names) {
  if (labels.length === 0) return "";
  const wanted = new Set(labels);
  const is = labels.length === 1 ? "label is" : "labels are";
  const truth = `The true ${is} ${listed(labels.map((label) => names[label]))}`;
  if (state === "none" || state === "undecided") return `${truth}.`;
  const isRight =
    wanted.size === named.length && named.every((label) => wanted.has(label));
  return isRight ? `${truth}: the answer is right.` : `${truth}: the answer is wrong.`;
}

/**
 * Why one logit is larger than another: the units that speak for the one more than for the
 * other, and those that do the opposite.
 * @param {LogitSum} logit @param {LogitSum} rivalSum @param {string} name
 * @param {string} rival
 */
export function rivalWords(logit, rivalSum, name, rival) {
  const differences = Array.from(
    logit.shares,
    (share, unit) => share - rivalSum.shares[unit],
  );
  const more = differences.filter((difference) => difference > 0);
  const less = differences.filter((difference) => difference < 0);
  const { parts, sum: apart } = addedUp(
    [sum(more), sum(less), logit.bias - rivalSum.bias],
    2,
  );
  const [gained, lost, biases] = parts.map(withSign);
  const size = apart.replace("−", "");
  return `Against ${rival}: ${counted(more.length, "unit")} ${more.length === 1 ? "adds" : "add"} more to ${name}, together ${gained}; ${counted(less.length, "unit")} ${less.length === 1 ? "adds" : "add"} more to ${rival}, together ${lost}; the biases differ by ${biases}. So the logit of ${name} is ${size} ${size === apart ? "larger" : "smaller"} than that of ${rival}.`;
}
