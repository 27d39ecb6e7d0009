/**
 * Softmax with the numbers of this image: e to each logit, the sum, the quotients.
 * @import { Actions } from "../types.js"
 * @import { Answer } from "./index.js"
 */
import { sum } from "../../../lib/arithmetic.js";

import { exactShare, powerOfE } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { find, findElement, writer } from "../../../ui/dom.js";
import { fillRows } from "../../../ui/tables.js";
import { softmax } from "./softmax.js";

const DECIMALS = 3;

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountSoftmax(root, actions) {
  const body = find(root, "[data-softmax-rows]", HTMLTableSectionElement);
  const formula = findElement(root, "[data-formula]");
  const write = writer(root);
  // A row puts its class in focus, as everywhere; buttons for this stand above.
  body.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (row !== null) actions.focusDigit(row.sectionRowIndex);
  });

  return {
    /**
     * @param {Answer} answer
     * @param {readonly string[]} names
     * @param {number} digit in focus
     */
    show({ logits, scores }, names, digit) {
      const made = softmax(logits);
      const { largest, exponentials, logSum, probabilities } = made;
      const all = Array.from(logits);
      fillRows(
        body,
        all.map((logit, each) => ({
          head: { text: names[each] },
          cells: [
            { text: fixed(logit, DECIMALS) },
            { text: powerOfE(logit) },
            { text: fixed(logit - largest, DECIMALS) },
            { text: exactShare(exponentials[each]) },
            { text: exactShare(probabilities[each]) },
          ],
          isFocused: each === digit,
        })),
      );
      write("power-sum", powerOfE(logSum));
      write("exponential-sum", fixed(made.sum, 4));
      write("share-sum", fixed(sum(probabilities), 4));
      fillNumbers(formula, {
        logit: fixed(logits[digit], DECIMALS),
        power: powerOfE(logits[digit]),
        sum: powerOfE(logSum),
        share: exactShare(probabilities[digit]),
        log: fixed(logSum, DECIMALS),
        difference: fixed(logits[digit] - logSum, DECIMALS),
      });
      write("focus-name", names[digit]);
      write(
        "softmax-check",
        `Worked out on this page from the trace's logits: ${exactShare(probabilities[digit], 6)} for ${names[digit]}. The network's trace says ${exactShare(scores[digit], 6)}.`,
      );
    },
  };
}

/**
 * @param {HTMLElement} formula its `mn`s name the number that belongs there
 * @param {Record<string, string>} texts
 */
function fillNumbers(formula, texts) {
  for (const number of formula.querySelectorAll("[data-number]"))
    number.textContent = texts[number.getAttribute("data-number") ?? ""];
}
