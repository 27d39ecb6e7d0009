/**
 * What the chosen unit gives to each logit: its value times a weight for each class.
 * @import { Actions, Output } from "../types.js"
 */

import { givenBy } from "../../../kinds/classes/softmax.js";
import { reach } from "../../../lib/arithmetic.js";
import { productInWords, ticksTo } from "../../../lib/decimals.js";
import { memoize } from "../../../lib/memoize.js";
import { signedAxis, sumRow, termButton } from "../../../ui/bars.js";
import { pressChoice } from "../../../ui/controls.js";
import { findElement } from "../../../ui/dom.js";
import { givenWords } from "./words.js";

const DECIMALS = 3;

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountGiven(root, actions) {
  const axis = findElement(root, "[data-given-axis]");
  const body = findElement(root, "[data-given-rows]");
  const words = findElement(root, "[data-given-words]");
  const product = findElement(root, "[data-given-product]");

  const fill = memoize(
    (/** @type {Float64Array} */ given, /** @type {readonly string[]} */ names) => {
      const ticks = ticksTo(reach(given), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...signedAxis(ticks));
      body.replaceChildren(
        ...Array.from(given, (added, digit) =>
          sumRow(termButton(names[digit], digit, actions.focusDigit), [added], end),
        ),
      );
      words.textContent = givenWords(given, names);
    },
  );
  const workOut = memoize(givenBy);

  return {
    /**
     * @param {Output} output
     * @param {number} value of the unit after ReLU
     * @param {{ unit: number, digit: number, names: readonly string[] }} chosen
     */
    show(output, value, { unit, digit, names }) {
      fill(workOut(output, unit, value), names);
      pressChoice(body, String(digit)); // rows stay, and so does the focus
      const weight = output.weights.data[digit * output.weights.shape[1] + unit];
      product.textContent = `To ${names[digit]}: value × weight = ${productInWords(value, weight, DECIMALS)}`;
    },
  };
}
