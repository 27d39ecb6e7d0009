/**
 * Attention routing's sums (Mazzia, Salvetti & Chiaberge 2021, section 3.2), for one image.
 * Capsules below have the index i, classes n, numbers of a vote d.
 *
 * Where a class capsule's length comes from: with s = Σ c·û, the length before squash is
 * ‖s‖ = Σ c·(û·s) / ‖s‖, a sum over the capsules below. What each of them gives, or takes
 * away, adds up to the whole.
 * @import { Tensor } from "../../../types.js"
 * @import { Given } from "../agreement/chains.js"
 * @import { Surgery } from "../types.js"
 * @import { AttentionState, AttentionTensors, Learned } from "./types.js"
 */
import { holds } from "../../../core/rooms.js";
import { focusedClass } from "../../../core/state.js";
import { dot, largestOf, sum } from "../../../lib/arithmetic.js";
import { memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { giftsIn } from "../../../lib/statistics.js";
import { ranIn } from "../surgery/run.js";

/** What the pictures need, whatever run they show. */
export const PICTURED = /** @type {const} */ ([
  "lengths",
  "poses",
  "votes",
  "agreement",
  "shares",
  "couplings",
  "capsules",
]);

/**
 * What all pictures are drawn from. While a run under surgery is on its way, the scene
 * before stays.
 * @param {AttentionState} state
 */
export function sceneOf(state) {
  const { model, capsule, entry, weights: learned, trace } = state;
  const ran = ranIn(trace);
  const tensors = tensorsOf(trace);
  const figures = figuresOf(tensors);
  const classIndex = focusedClass(state);
  const name = model.class_names[classIndex];
  return {
    model,
    tensors,
    learned,
    ran,
    figures,
    classIndex,
    name,
    capsule,
    entry,
    pixels: trace.pixels,
  };
}

/** @param {{ tensors: unknown }} trace */
const tensorsOf = ({ tensors }) => /** @type {AttentionTensors} */ (tensors);

/**
 * The capsule that gives the most to the class in focus in the run on stage; the first
 * of several.
 * @param {Pick<AttentionState, "trace" | "classIndex" | "model">} state
 * @returns {number | null} null while it is not known how the image was routed
 */
export function strongestCapsule({ trace, classIndex, model }) {
  if (!holds(trace, model, ["votes", "couplings"])) return null;
  const focus = focusedClass({ classIndex, trace });
  return largestOf(figuresOf(tensorsOf(trace)).evidence(focus));
}

/** @param {Pick<Tensor, "shape">} votes (capsules, classes, dim) */
export function sizesOf({ shape: [capsules, classes, dim] }) {
  return { capsules, classes, dim };
}

/**
 * @param {Tensor} votes @param {number} capsule @param {number} classIndex
 * @returns {Float32Array} û (dim)
 */
export function voteOf(votes, capsule, classIndex) {
  const { classes, dim } = sizesOf(votes);
  const from = (capsule * classes + classIndex) * dim;
  return votes.data.subarray(from, from + dim);
}

/**
 * @param {Tensor} tensor (capsules, classes) @param {number} classIndex
 * @returns {Float32Array} (capsules)
 */
export function ofClass({ shape: [capsules, classes], data }, classIndex) {
  return Float32Array.from(
    { length: capsules },
    (_, i) => data[i * classes + classIndex],
  );
}

/**
 * @param {Tensor} tensor (capsules, classes) @param {number} capsule
 * @returns {Float32Array} (classes)
 */
export function ofCapsule({ shape: [, classes], data }, capsule) {
  return data.subarray(capsule * classes, (capsule + 1) * classes);
}

/**
 * @param {Tensor} votes @param {number} classIndex
 * @param {ArrayLike<number>} [weights] (capsules); all 1 when absent
 * @returns {Float64Array} (dim) Σ_i w_i û_in
 */
function sumOfVotes(votes, classIndex, weights) {
  const { capsules, dim } = sizesOf(votes);
  const total = new Float64Array(dim);
  for (let i = 0; i < capsules; i++) {
    const vote = voteOf(votes, i, classIndex);
    for (let d = 0; d < dim; d++) total[d] += (weights?.[i] ?? 1) * vote[d];
  }
  return total;
}

/** @param {ArrayLike<number>} vector */
export const lengthOf = (vector) => Math.sqrt(dot(vector, vector));

/**
 * How far each vote for a class points the way of their weighted sum, û·s / ‖s‖.
 * @param {Pick<AttentionTensors, "votes" | "couplings">} tensors
 * @param {number} classIndex
 * @returns {Float64Array} (capsules); zeros where the sum has no length
 */
export function alongSum({ votes, couplings }, classIndex) {
  const total = sumOfVotes(votes, classIndex, ofClass(couplings, classIndex));
  const length = lengthOf(total);
  return Float64Array.from({ length: sizesOf(votes).capsules }, (_, i) =>
    length === 0 ? 0 : dot(voteOf(votes, i, classIndex), total) / length,
  );
}

/**
 * What each capsule gives to the length of a class, before squash.
 * @param {Pick<AttentionTensors, "votes" | "couplings">} tensors
 * @param {number} classIndex
 * @returns {Float64Array} (capsules) sums to ‖s‖
 */
export function evidenceOf(tensors, classIndex) {
  const couplings = ofClass(tensors.couplings, classIndex);
  return alongSum(tensors, classIndex).map((along, i) => couplings[i] * along);
}

/**
 * The same as shares of all that is added.
 * @param {ArrayLike<number>} evidence
 * @returns {Float64Array} negative where a capsule takes away; all 0 where nothing is added
 */
export function sharesOf(evidence) {
  const { added } = giftsIn(evidence);
  return Float64Array.from(evidence, (gift) => (added === 0 ? 0 : gift / added));
}

/**
 * What each capsule gives to a class: its vote, times its coupling.
 * @param {Pick<AttentionTensors, "votes" | "couplings">} tensors
 * @param {number} classIndex
 * @returns {Given} in the one step that there is
 */
export function giftsOf({ votes, couplings }, classIndex) {
  const shares = ofClass(couplings, classIndex);
  return [
    Array.from(shares, (coupling, i) =>
      Float64Array.from(voteOf(votes, i, classIndex), (value) => coupling * value),
    ),
  ];
}

/** What one run comes to, class by class, worked out when it is first asked for. */
export const figuresOf = memoizeByObject(
  (/** @type {AttentionTensors} */ { couplings }) => couplings,
  (tensors) => ({
    evidence: memoizeByIndex((classIndex) => evidenceOf(tensors, classIndex)),
    gifts: memoizeByIndex((classIndex) => giftsOf(tensors, classIndex)),
    sums: memoizeByIndex((classIndex) => sumOfVotes(tensors.votes, classIndex)),
  }),
);

/** @typedef {ReturnType<typeof figuresOf>} Figures */

/**
 * One vote from the capsule to what it adds to its class.
 * @typedef {object} Steps
 * @property {Float32Array} input u, zeros where the capsule is silent
 * @property {Float32Array} transform W (dim, inputs), row by row
 * @property {Float64Array} vote û = W u
 * @property {Float64Array} total Σ_j û_j of all votes for the class
 * @property {number} product û·Σ û_j
 * @property {number} scale √ of the number of a capsule's numbers
 * @property {number} agreement product / scale
 * @property {Float64Array} logits (classes) what goes into the softmax: the agreements; zeros
 *   where attention is ignored; not a number for the class whose coupling is held
 * @property {number} exponentials their sum
 * @property {number} rest what held couplings leave for the others, 1 where none is
 * @property {Float64Array} shares (classes)
 * @property {number | null} held the value at which the coupling is held
 * @property {number} prior b
 * @property {Float32Array} priors (classes) of the capsule
 * @property {number} coupling
 * @property {number} along û·s / ‖s‖
 * @property {number} gives coupling × along
 * @property {number} before ‖s‖
 * @property {number} after 1 − e^−‖s‖
 */

/**
 * @param {AttentionTensors} tensors @param {Learned} learned
 * @param {Surgery} ran
 * @param {number} capsule @param {number} classIndex
 * @returns {Steps} worked out from the capsules below and what was learned
 */
export function stepsOf(tensors, { transforms, prior }, ran, capsule, classIndex) {
  const { votes } = tensors;
  const { classes, dim } = sizesOf(votes);
  const inputs = transforms.shape[3];
  const silent = ran.silenced.includes(capsule);
  const pose = tensors.poses.data.subarray(capsule * inputs, (capsule + 1) * inputs);
  const input = silent ? new Float32Array(inputs) : pose;
  const size = dim * inputs;
  const transform = transforms.data.subarray(
    (capsule * classes + classIndex) * size,
    (capsule * classes + classIndex + 1) * size,
  );
  const vote = Float64Array.from({ length: dim }, (_, d) =>
    dot(transform.subarray(d * inputs, (d + 1) * inputs), input),
  );
  const total = sumOfVotes(votes, classIndex);
  const scale = Math.sqrt(inputs);
  const product = dot(vote, total);
  const pin = ran.pins.find((other) => other.capsule === capsule);
  const logits = Float64Array.from({ length: classes }, (_, n) =>
    pin?.classIndex === n
      ? Number.NaN
      : ran.routing === "uniform"
        ? 0
        : dot(voteOf(votes, capsule, n), sumOfVotes(votes, n)) / scale,
  );
  const free = logits.filter((logit) => !Number.isNaN(logit));
  const exponentials = sum(free.map(Math.exp));
  const rest = 1 - (pin?.coupling ?? 0);
  const shares = logits.map((logit) =>
    Number.isNaN(logit)
      ? (pin?.coupling ?? 0)
      : (rest * Math.exp(logit)) / exponentials,
  );
  const held = pin?.classIndex === classIndex ? pin.coupling : null;
  const learned = prior.data[capsule * classes + classIndex];
  const coupling = held ?? shares[classIndex] + learned;
  const along = alongSum(tensors, classIndex)[capsule];
  const before = lengthOf(
    sumOfVotes(votes, classIndex, ofClass(tensors.couplings, classIndex)),
  );
  return {
    input,
    transform,
    vote,
    total,
    product,
    scale,
    agreement: product / scale,
    logits,
    exponentials,
    rest,
    shares,
    held,
    prior: learned,
    coupling,
    priors: ofCapsule(prior, capsule),
    along,
    gives: coupling * along,
    before,
    after: -Math.expm1(-before),
  };
}
