/**
 * A logit as the sum that it is: what each hidden unit adds, and the bias.
 * @import { Output } from "../types.js"
 */

/**
 * @typedef {object} LogitSum
 * @property {Float64Array} shares (units) weight times value
 * @property {number} bias
 * @property {number} total all shares and the bias
 */

/**
 * What each unit adds to one logit.
 * @param {Output} output
 * @param {ArrayLike<number>} hidden (units) values after ReLU
 * @param {number} digit
 * @returns {Float64Array} (units)
 */
export function givenTo({ weights }, hidden, digit) {
  const units = weights.shape[1];
  return Float64Array.from(
    { length: units },
    (_, unit) => weights.data[digit * units + unit] * hidden[unit],
  );
}

/**
 * @param {Output} output
 * @param {ArrayLike<number>} hidden (units) values after ReLU
 * @param {number} digit
 * @returns {LogitSum}
 */
export function logitSum(output, hidden, digit) {
  const shares = givenTo(output, hidden, digit);
  const bias = output.bias.data[digit];
  return { shares, bias, total: shares.reduce((sum, share) => sum + share, bias) };
}

/**
 * What one unit adds to each logit.
 * @param {Output} output
 * @param {number} unit
 * @param {number} value of that unit after ReLU
 * @returns {Float64Array} (classes)
 */
export function givenBy({ weights }, unit, value) {
  const [classes, units] = weights.shape;
  return Float64Array.from(
    { length: classes },
    (_, digit) => weights.data[digit * units + unit] * value,
  );
}
