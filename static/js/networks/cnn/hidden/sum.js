/**
 * The chosen unit as the sum that it is: what the maps below add, the bias, ReLU.
 * @import { Contributions } from "../../../convolution/beneath/contributions.js"
 */
import { writeSum } from "../../../convolution/worked-sum.js";
import { writer } from "../../../ui/dom.js";
import { reluWords } from "./words.js";

/** @param {HTMLElement} root */
export function mountSum(root) {
  const write = writer(root);

  return {
    /**
     * @param {Contributions} parts
     * @param {number} unit
     */
    show({ shares, bias, total, weights }, unit) {
      write("unit-title", `Unit ${unit}`);
      write("count", String(shares.length));
      write("weights", String(weights.length));
      writeSum(write, { bias, total });
      write("relu-words", reluWords(total, Math.max(0, total)));
    },
  };
}
