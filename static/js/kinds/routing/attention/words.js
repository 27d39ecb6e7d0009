/**
 * How the image was routed, in a few sentences that follow from its numbers, and what the
 * panels say.
 * @import { Steps } from "./numbers.js"
 * @import { AttentionScene } from "./types.js"
 */
import { saidOf, scoreWords } from "../../../core/scores.js";
import { clamp, dot, ranked, sum } from "../../../lib/arithmetic.js";
import { exactShare, presence } from "../../../lib/decimals.js";
import { counted, fixed, sentences, signed, withSign } from "../../../lib/format.js";
import { differenceWords, HALF, SAME } from "../../../lib/precision.js";
import { giftsIn } from "../../../lib/statistics.js";
import { sumOfProducts, written } from "../../../lib/written.js";
import { giftsWords, LENGTHS, leadWords } from "../words.js";
import { lengthOf, ofClass, sizesOf, voteOf } from "./numbers.js";

const DECIMALS = 3;

/** What counts for less is said to count for almost nothing. */
const LITTLE = 0.02;

/** @typedef {Pick<AttentionScene, "tensors" | "learned" | "figures" | "ran" | "model" | "classIndex" | "name">} Told */
/** @typedef {(scene: Told) => string} Teller empty: there is nothing to tell */

/** @type {Teller} */
export function tell(scene) {
  return sentences(
    [tellLead, tellSharers, tellShares, tellHeld].map((teller) => teller(scene)),
  );
}

/** @param {Pick<Told, "tensors">} scene @returns {number[]} ‖v‖ of each class */
export function lengthsIn({ tensors: { capsules } }) {
  const [classes, dim] = capsules.shape;
  return Array.from({ length: classes }, (_, n) =>
    lengthOf(capsules.data.subarray(n * dim, (n + 1) * dim)),
  );
}

/** @type {Teller} */
function tellLead(scene) {
  const { model } = scene;
  const values = lengthsIn(scene);
  return leadWords({
    names: model.class_names,
    values,
    before: null,
    text: presence,
    kind: LENGTHS,
    answer: saidOf(values, model),
    canNameMore: model.present.at_most > 1,
    unsure: `${scoreWords(model).unsure} long`,
  });
}

/** How few capsules most of what lengthens the class comes from. @type {Teller} */
function tellSharers({ figures, classIndex, tensors, name }) {
  const { capsules } = sizesOf(tensors.votes);
  const evidence = figures.evidence(classIndex);
  const gifts = giftsIn(evidence);
  if (gifts.few.length === 0) return `No vote lengthens ${name}.`;
  const takes = evidence.filter((gift) => gift < 0).length;
  const sharers = giftsWords(gifts, name, {
    of: ` of ${capsules}`,
    strongest: `, capsule ${gifts.few[0]},`,
  });
  return sentences([
    sharers,
    takes > 0 &&
      `${counted(takes, "capsule")} ${takes === 1 ? "shortens" : "shorten"} it.`,
  ]);
}

/** @type {Teller} */
function tellShares({ tensors, ran, classIndex, name }) {
  const shares = ofClass(tensors.shares, classIndex);
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((x) =>
    exactShare(x, 3),
  );
  const [, classes] = tensors.shares.shape;
  if (low === high)
    return `Every capsule has the same share for ${name}, ${low}${ran.routing === "uniform" ? ": attention is ignored" : ""}.`;
  const between = `between ${low} and ${high} of a capsule`;
  return ran.routing === "uniform"
    ? `Attention is ignored; ${name} gets ${between}.`
    : `Attention gives ${name} ${between}; an even share is 1/${classes}.`;
}

/** What the prior does to an even share. @type {Teller} */
export function tellPrior({ learned: { prior }, classIndex, name }) {
  const [capsules, classes] = prior.shape;
  const mean = sum(ofClass(prior, classIndex)) / capsules;
  const coupling = 1 / classes + mean;
  const adds = `The learned prior adds ${signed(mean)} to a share for ${name} on average`;
  const even = `an even share is left with a coupling of ${signed(coupling)}`;
  if (Math.abs(coupling) < LITTLE)
    return `${adds}; ${even}, so a capsule that prefers no class has almost no say.`;
  return coupling > 0
    ? `${adds}; ${even}.`
    : `${adds}; ${even}, so its vote counts with the opposite sign.`;
}

/** @type {Teller} */
function tellHeld({ ran: { pins } }) {
  if (pins.length === 0) return "";
  const are = pins.length === 1 ? "is" : "are";
  return `${counted(pins.length, "coupling")} ${are} held by surgery, without the prior.`;
}

/** The longest of the other classes, if there are any. @param {Pick<Told, "tensors" | "classIndex">} scene */
export const rivalOf = (scene) =>
  ranked(lengthsIn(scene)).find((n) => n !== scene.classIndex);

/** What a class is beside its rival. @param {Pick<Told, "tensors">} scene @param {number} classIndex @param {number} rival */
export function placeOf(scene, classIndex, rival) {
  const [mine, other] = [classIndex, rival].map((n) => lengthsIn(scene)[n]);
  if (presence(mine) === presence(other)) return "equally long";
  return mine > other ? "the runner-up" : "the longest";
}

/** One vote. @param {Told} scene @param {number} capsule @param {number} classIndex */
export function readVote(scene, capsule, classIndex) {
  const { tensors, learned, figures, ran, model } = scene;
  const [, classes] = tensors.couplings.shape;
  const at = capsule * classes + classIndex;
  const vote = voteOf(tensors.votes, capsule, classIndex);
  const total = figures.sums(classIndex);
  const length = lengthOf(vote);
  const cosine = dot(vote, total) / (length * lengthOf(total));
  const angle = (Math.acos(clamp(cosine, -1, 1)) * 180) / Math.PI;
  const way =
    length === 0 || !Number.isFinite(angle) ? "" : `, ${fixed(angle, 0)}° from the sum`;
  const isHeld = ran.pins.some(
    (pin) => pin.capsule === capsule && pin.classIndex === classIndex,
  );
  const { inputs, steps } = written(
    [tensors.shares.data[at], learned.prior.data[at]],
    [[([share, prior]) => share + prior]],
    DECIMALS,
  );
  const sums = isHeld
    ? `held at ${fixed(tensors.couplings.data[at])}`
    : `${inputs[0]} ${withSign(inputs[1])} = ${steps[0]}`;
  return `capsule ${capsule} → ${model.class_names[classIndex]}: vote ${fixed(length, 2)} long${way}; agreement ${signed(tensors.agreement.data[at], 2)}; coupling ${sums}`;
}

/**
 * One number of the vote with all its products.
 * @param {Pick<Steps, "input" | "transform">} steps @param {number} entry
 */
export function entryInWords({ input, transform }, entry) {
  const row = transform.subarray(entry * input.length, (entry + 1) * input.length);
  const { factors, sum } = sumOfProducts(row, input, DECIMALS);
  const products = factors.map((pair) => pair.join(" × "));
  return `û${subscript(entry + 1)} = ${products.join(" + ")} = ${sum}`;
}

/** @param {number | string} number */
export const subscript = (number) =>
  String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

const HALVES = "what they are made of was rounded to half precision";

/** What is worked out here, what the trace says, its symbol, and the size of all that was added up, without signs. @typedef {readonly [here: number, traced: number, symbol: string, size: number]} Check */

/**
 * That the page works out what the network did, or by how much it does not.
 * @param {readonly Check[]} checks
 */
export function checksInWords(checks) {
  const far = checks.filter(
    ([here, traced, , size]) => Math.abs(traced - here) > 2 * HALF * size,
  );
  if (far.length === 0) return SAME;
  return far
    .map(
      ([here, traced, symbol, size]) =>
        `The network’s trace says ${symbol} = ${fixed(traced, DECIMALS)}: ${differenceWords(traced - here, 2 * HALF * size, HALVES)}.`,
    )
    .join(" ");
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const sizeOf = (a, b) =>
  Array.from(a).reduce((size, value, i) => size + Math.abs(value * b[i]), 0);

/**
 * What surgery changes about the softmax.
 * @param {Pick<AttentionScene, "ran"> & Pick<Steps, "held" | "rest">} scene
 */
export function softmaxWords({ ran, held, rest }) {
  if (held !== null)
    return "Held there by surgery: neither attention nor the prior decides it.";
  return sentences([
    ran.routing === "uniform" && "Surgery ignores attention: every class has e⁰ = 1.",
    rest < 1 &&
      `Another coupling of this capsule is held, so its shares are multiplied by ${fixed(rest, 2)}.`,
  ]);
}

export const SILENCED =
  "Silenced by surgery: its numbers count as 0, and so does its vote.";
