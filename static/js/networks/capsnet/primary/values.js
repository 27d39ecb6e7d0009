/**
 * The chosen capsule's numbers before and after squash, as pairs of bars from zero, and
 * squash's formula with its numbers.
 * @import { Primary } from "./index.js"
 * @import { Actions } from "../types.js"
 */

import { squashedLength } from "../../../kinds/capsules/squash.js";
import { reach } from "../../../lib/arithmetic.js";
import { ticksTo } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { signedAxis, signedBar } from "../../../ui/bars.js";
import { findElement } from "../../../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountValues(root, actions) {
  const axis = findElement(root, "[data-bar-axis]");
  const body = findElement(root, "[data-bars]");
  const formula = findElement(root, "[data-formula]");
  const check = findElement(root, "[data-check]");

  const showCapsule = memoize(
    (
      /** @type {Primary} */ { pre, capsules, lengths, lengthsBefore },
      /** @type {number} */ capsule,
    ) => {
      const dim = pre.shape[3];
      const before = pre.data.subarray(capsule * dim, (capsule + 1) * dim);
      const after = capsules.data.subarray(capsule * dim, (capsule + 1) * dim);
      const ticks = ticksTo(Math.max(reach(before), reach(after)), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...signedAxis(ticks));
      body.replaceChildren(
        ...Array.from(before, (value, i) =>
          pairOfBars(i, value, after[i], end, () => actions.chooseDimension(i)),
        ),
      );
      fillFormula(formula, lengthsBefore[capsule]);
      check.textContent = `Worked out on this page from the ${dim} numbers before squash. The network's own length is ${fixed(lengths.data[capsule], 5)}; its numbers come in half precision, which keeps about three digits.`;
    },
  );
  return {
    /** @param {Primary} layer @param {number} capsule @param {number} dimension */
    show(layer, capsule, dimension) {
      showCapsule(layer, capsule);
      [...body.querySelectorAll("button")].forEach((button, i) => {
        button.setAttribute("aria-pressed", String(i === dimension));
      });
    },
  };
}

/**
 * @param {number} index
 * @param {number} before
 * @param {number} after
 * @param {number} end of the axis, on either side of zero
 * @param {() => void} choose this number
 */
function pairOfBars(index, before, after, end, choose) {
  const row = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = String(index + 1);
  button.title = `See where number ${index + 1} comes from`;
  button.addEventListener("click", choose);
  name.append(button);
  row.append(name);
  const bars = row.insertCell();
  bars.className = "signed-bars";
  bars.append(signedBar("is-before", before / end), signedBar("is-after", after / end));
  row.insertCell().textContent = fixed(before);
  row.insertCell().textContent = fixed(after);
  return row;
}

/**
 * @param {HTMLElement} formula its `mn`s name the number that belongs there
 * @param {number} length before squash, ‖s‖
 */
function fillFormula(formula, length) {
  /** @type {Record<string, string>} */
  const texts = {
    length: fixed(length),
    squared: fixed(length ** 2),
    below: fixed(1 + length ** 2),
    squashed: fixed(squashedLength(length)),
  };
  for (const number of formula.querySelectorAll("[data-number]")) {
    number.textContent = texts[number.getAttribute("data-number") ?? ""];
  }
}
