/**
 * What is true of all units of a dense layer, and of the logits as sums over them.
 * @import { Tensor } from "../../types.js"
 * @import { Maps, Kernels } from "../convolution/types.js"
 */

/** Units in a row of their picture, twice as wide as high; fewer where fingers choose. */
export const unitsAcross = (
  /** @type {{ count: number }} */ { count },
  /** @type {boolean} */ isNarrow,
) => Math.min(count, isNarrow ? 16 : Math.ceil(Math.sqrt(2 * count)));

/**
 * Every unit before ReLU.
 * @param {Maps} maps (maps, rows, columns), those below
 * @param {Kernels} layer its kernels are as large as the maps
 * @returns {Float64Array} (units)
 */
export function unitsBefore(maps, { kernels, bias }) {
  const inputs = maps.data.length;
  return Float64Array.from(bias.data, (sum, unit) => {
    let total = sum;
    const from = unit * inputs;
    for (let i = 0; i < inputs; i++) total += maps.data[i] * kernels.data[from + i];
    return total;
  });
}

/**
 * The same as the network has it: what it lets through is its own value, as precisely as that
 * came; of the others, what is worked out here, which it stopped.
 * @param {ArrayLike<number>} worked (units) @param {ArrayLike<number>} after (units)
 * @returns {Float64Array} (units), such that ReLU makes `after` of it
 */
export const beforeRelu = (worked, after) =>
  Float64Array.from(worked, (value, unit) => after[unit] || Math.min(0, value));

/** How many units let anything through. @param {ArrayLike<number>} values after ReLU */
export function countActive(values) {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > 0) count++;
  return count;
}

/** @typedef {Readonly<Record<"weights" | "bias", Tensor>>} Output (classes, units), (classes) */

/**
 * @typedef {object} LogitSum
 * @property {Float64Array} shares (units) weight times value
 * @property {number} bias
 * @property {number} total all shares and the bias
 */

/**
 * What each unit adds to one logit.
 * @param {Output} output
 * @param {ArrayLike<number>} values (units) after ReLU
 * @param {number} logit
 * @returns {Float64Array} (units)
 */
export function givenTo({ weights }, values, logit) {
  const units = weights.shape[1];
  return Float64Array.from(
    { length: units },
    (_, unit) => weights.data[logit * units + unit] * values[unit],
  );
}

/**
 * @param {Output} output
 * @param {ArrayLike<number>} values (units) after ReLU
 * @param {number} logit
 * @returns {LogitSum}
 */
export function logitSum(output, values, logit) {
  const shares = givenTo(output, values, logit);
  const bias = output.bias.data[logit];
  return { shares, bias, total: shares.reduce((total, share) => total + share, bias) };
}

/**
 * What one unit adds to each logit.
 * @param {Pick<Output, "weights">} output @param {number} unit
 * @param {number} value of that unit after ReLU
 * @returns {Float64Array} (classes)
 */
export function givenBy({ weights }, unit, value) {
  const [classes, units] = weights.shape;
  return Float64Array.from(
    { length: classes },
    (_, logit) => weights.data[logit * units + unit] * value,
  );
}
