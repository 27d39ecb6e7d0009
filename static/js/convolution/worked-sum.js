/** A sum, its bias and ReLU, written so that they come out. */
import { restOf } from "../lib/decimals.js";
import { fixed } from "../lib/format.js";

const DECIMALS = 3;

/**
 * @param {(name: string, text: string) => void} write into the places of a `.worked-sum`
 * @param {{ bias: number, total: number }} parts total: all products and the bias
 */
export function writeSum(write, { bias, total }) {
  write("sum", fixed(restOf(total, [bias], DECIMALS), DECIMALS));
  write("plus", bias < 0 ? "−" : "+");
  write("bias-size", fixed(Math.abs(bias), DECIMALS));
  write("sum-before", fixed(total, DECIMALS));
  write("sum-after", fixed(Math.max(0, total), DECIMALS));
}
