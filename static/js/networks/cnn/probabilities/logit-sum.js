/**
 * The logit in focus as a sum over the hidden units, beside that of its closest rival.
 * @import { Actions, Output } from "../types.js"
 * @import { Answer } from "./index.js"
 * @import { LogitSum } from "./logit.js"
 */
import { fixed, signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { fillSumRows, termButton } from "../../../ui/bars.js";
import { pressChoice } from "../../../ui/controls.js";
import { find, findElement, writer } from "../../../ui/dom.js";
import { logitSum } from "./logit.js";
import { rivalWords } from "./words.js";

const SHOWN = 12;

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountLogit(root, actions) {
  const axis = findElement(root, "[data-logit-axis]");
  const body = findElement(root, "[data-logit-rows]");
  const open = find(root, "[data-open-unit]", HTMLButtonElement);
  open.addEventListener("click", () => actions.openView("hidden"));
  const write = writer(root);

  const workOut = memoize(
    (
      /** @type {Answer} */ { hidden, order },
      /** @type {Output} */ output,
      /** @type {number} */ digit,
    ) => {
      const rival = order.find((each) => each !== digit) ?? digit;
      return {
        rival,
        own: logitSum(output, hidden, digit),
        other: logitSum(output, hidden, rival),
      };
    },
  );

  const fill = memoize((/** @type {LogitSum} */ own, /** @type {LogitSum} */ other) =>
    fillSumRows(
      axis,
      body,
      [own, other],
      {
        term: (unit) => termButton(`unit ${unit}`, unit, actions.chooseUnit),
        rest: (count) => `the other ${count} units`,
        total: "logit",
      },
      SHOWN,
    ),
  );

  return {
    /**
     * @param {Answer} answer
     * @param {Output} output
     * @param {{ names: readonly string[], digit: number, unit: number }} chosen
     */
    show(answer, output, { names, digit, unit }) {
      const { rival, own, other } = workOut(answer, output, digit);
      const [name, rivalName] = [names[digit], names[rival]];
      fill(own, other);
      pressChoice(body, String(unit)); // rows stay, and so does the focus
      write("logit-title", `Where the logit of ${name} comes from`);
      write("own-name", `adds to ${name}`);
      write("rival-name", `to ${rivalName}`);
      write("rival-words", rivalWords(own, other, name, rivalName));
      write("open-unit-name", String(unit));
      write(
        "logit-check",
        `Worked out on this page: ${fixed(own.total, 4)}. The network's trace says ${fixed(answer.logits[digit], 4)}, a difference of ${signed(answer.logits[digit] - own.total, 4)}.`,
      );
    },
  };
}
