/**
 * The steps of a vote as they are written: each follows from the figures of the one before.
 * @import { Steps } from "./numbers.js"
 */
import { sum } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { addedUp, written } from "../../../lib/written.js";

/** Of what each calculation comes to. */
const DECIMALS = 3;

/**
 * From the dot product to what the vote gives to its class's length.
 * @param {Steps} n @param {number} classIndex
 */
export function writtenVote(
  { product, scale, prior, along, logits, ...n },
  classIndex,
) {
  if (n.held !== null) {
    const [scaled, weighed] = [
      written([product, scale], [[([a, b]) => a / b]], DECIMALS),
      written([n.held, along], [[([c, way]) => c * way]], DECIMALS),
    ];
    const [gives] = weighed.steps;
    return {
      product: scaled.inputs[0],
      scale: scaled.inputs[1],
      agreement: scaled.steps[0],
      exponent: null,
      share: weighed.inputs[0],
      coupling: weighed.inputs[0],
      exponentials: addedUp([n.exponentials], DECIMALS).sum,
      prior: null,
      along: weighed.inputs[1],
      gives,
    };
  }
  // Surgery may ignore attention: then e to the power of nothing stands in its place.
  const isIgnored = logits[classIndex] === 0;
  const { inputs, steps } = written(
    [product, scale, n.exponentials, prior, along, n.rest],
    [
      [([a, b]) => a / b],
      [(_, [agreement]) => (isIgnored ? 1 : Math.exp(agreement))],
      [([, , all, , , rest], [, power]) => (rest * power) / all],
      [([, , , b], [, , share]) => share + b],
      [([, , , , way], [, , , coupling]) => coupling * way],
    ],
    DECIMALS,
  );
  const [agreement, exponent, share, coupling, gives] = steps;
  return {
    product: inputs[0],
    scale: inputs[1],
    exponentials: inputs[2],
    prior: inputs[3],
    along: inputs[4],
    agreement,
    exponent,
    share,
    coupling,
    gives,
  };
}

/**
 * The softmax of a capsule's agreements, and the prior; of a class whose coupling is held,
 * dashes.
 * @param {Steps} n
 */
export function writtenSoftmax({ logits, rest, priors, shares }) {
  const free = [...logits.keys()].filter((k) => !Number.isNaN(logits[k]));
  const count = free.length;
  const indices = free.map((_, at) => at);
  /** @typedef {readonly number[]} All */
  const { inputs, steps } = written(
    [...free.map((k) => logits[k]), ...free.map((k) => priors[k])],
    [
      indices.map((at) => (/** @type {All} */ all) => Math.exp(all[at])),
      [(_, powers) => sum(powers.slice(0, count))],
      indices.map(
        (at) => (/** @type {All} */ _, /** @type {All} */ before) =>
          (rest * before[at]) / before[count],
      ),
      indices.map(
        (at) => (/** @type {All} */ all, /** @type {All} */ before) =>
          all[count + at] + before[count + 1 + at],
      ),
    ],
    DECIMALS,
  );
  const columnOf = (/** @type {readonly string[]} */ texts, from = 0) =>
    Array.from(logits, (_, k) =>
      free.includes(k) ? texts[from + free.indexOf(k)] : "–",
    );
  const kept = (/** @type {string[]} */ column) =>
    column.map((text, k) => (free.includes(k) ? text : fixed(shares[k], DECIMALS)));
  return {
    agreements: columnOf(inputs),
    priors: columnOf(inputs, count),
    exponentials: columnOf(steps),
    sum: steps[count],
    shares: kept(columnOf(steps, count + 1)),
    couplings: kept(columnOf(steps, 2 * count + 1)),
  };
}
