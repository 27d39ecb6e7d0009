/**
 * What the network answers and how sure it is, in words that follow from its numbers.
 * @import { LogitSum } from "../dense/units.js"
 * @import { ClassesModel, ClassesTrace } from "./types.js"
 */
import { decidesOnEach } from "../../core/scores.js";
import { ranked, sum } from "../../lib/arithmetic.js";
import { exactShare, powerOfE } from "../../lib/decimals.js";
import { counted, fixed, signed } from "../../lib/format.js";

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
 * @param {Pick<ClassesModel, "class_names" | "scores"> & Partial<Pick<ClassesModel, "card">>} model
 * @param {number | null} label
 * @param {number} absent the length below which no class is there
 */
export function verdictWords({ tensors }, model, label, absent) {
  const { class_names: names, scores } = model;
  const { data } = tensors.scores;
  if (decidesOnEach(model)) return eachWords(tensors.logits.data, data, names);
  if (scores === "probability") {
    const first = ranked(tensors.logits.data)[0];
    const sure = sureWords(tensors.logits.data, data, names);
    return [sure, labelWords(first, label, names)].join(" ");
  }
  const [first, second] = ranked(data);
  const isLength = scores === "length";
  const most = isLength ? "longest" : "most active";
  const none = isLength
    ? { below: absent, told: "shorter than m⁻" }
    : { below: 0.5, told: "below 0.5" };
  return [
    `The network reads ${names[first]}: its capsule is the ${most}, ${fixed(data[first], 3)}.`,
    second === undefined
      ? ""
      : `The runner-up is ${names[second]}, ${fixed(data[second], 3)}.`,
    labelWords(first, label, names),
    data[first] < none.below
      ? `Even the ${most} capsule is ${none.told}: to the network, no class is there.`
      : "",
  ]
    .filter((words) => words !== "")
    .join(" ");
}

/**
 * @param {ArrayLike<number>} logits
 * @param {ArrayLike<number>} probabilities of the same classes
 * @param {readonly string[]} names
 */
export function sureWords(logits, probabilities, names) {
  const [first, second] = ranked(logits);
  const { words } =
    LEVELS.find(({ least }) => probabilities[first] >= least) ?? LEVELS[3];
  const share = (/** @type {number} */ each) => exactShare(probabilities[each]);
  const answer = `The network ${words} ${names[first]}: probability ${share(first)}.`;
  const apart = logits[first] - logits[second];
  if (apart === 0)
    return `${answer} ${names[second]} has exactly the same logit, and so the same probability.`;
  return `${answer} The runner-up, ${names[second]}, has ${share(second)}: its logit is ${fixed(apart, 2)} smaller. As e to the power of ${fixed(apart, 2)} is ${powerOfE(apart)}, its probability is ${powerOfE(apart)} times smaller.`;
}

/**
 * Where every class has a probability of its own.
 * @param {ArrayLike<number>} logits @param {ArrayLike<number>} probabilities
 * @param {readonly string[]} names
 */
export function eachWords(logits, probabilities, names) {
  const [first, second, third] = ranked(logits).map(
    (each) => `${names[each]}, ${exactShare(probabilities[each])}`,
  );
  const rest = third === undefined ? "" : ` The third is that of ${third}.`;
  return `The two highest probabilities are those of ${first}, and of ${second}.${rest}`;
}

/**
 * @param {ArrayLike<number>} scores
 * @param {Pick<ClassesModel, "scores"> & Partial<Pick<ClassesModel, "card">>} model
 */
export function sumWords(scores, model) {
  const total = sum(scores);
  if (decidesOnEach(model))
    return `The ${scores.length} probabilities sum to ${fixed(total, 4)}. They need not sum to 1, because each class has a sigmoid of its own: two can be likely at once, or none.`;
  return model.scores === "length"
    ? `The ${scores.length} lengths sum to ${fixed(total, 3)}. They need not sum to 1, because they are not shares of a whole: each tells by itself how present its class is. Several can be long, or none.`
    : `The ${scores.length} probabilities sum to ${fixed(total, 4)}, as they do for every image, because softmax divides by the sum. Softmax shares out 1 among the classes even for a scribble or an empty image. A probability therefore tells how the network chooses between the classes; it cannot tell that none of them is there.`;
}

/**
 * @param {number} first the class of highest score
 * @param {number | null} label @param {readonly string[]} names
 */
export function labelWords(first, label, names) {
  if (label === null) return "";
  return label === first
    ? `The true label is ${names[label]} too.`
    : `The true label is ${names[label]}: the network is wrong.`;
}

/**
 * Why one logit is larger than another: the units that speak for the one more than for the
 * other, and those that do the opposite.
 * @param {LogitSum} own @param {LogitSum} other @param {string} name
 * @param {string} rival
 */
export function rivalWords(own, other, name, rival) {
  const differences = Array.from(
    own.shares,
    (share, unit) => share - other.shares[unit],
  );
  const more = differences.filter((each) => each > 0);
  const less = differences.filter((each) => each < 0);
  const apart = own.total - other.total;
  return `Against ${rival}: ${counted(more.length, "unit")} ${more.length === 1 ? "adds" : "add"} more to ${name}, together ${signed(sum(more), 2)}; ${counted(less.length, "unit")} ${less.length === 1 ? "adds" : "add"} more to ${rival}, together ${signed(sum(less), 2)}; the biases differ by ${signed(own.bias - other.bias, 2)}. So the logit of ${name} is ${fixed(Math.abs(apart), 2)} ${apart < 0 ? "smaller" : "larger"} than that of ${rival}.`;
}
