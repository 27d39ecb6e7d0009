/**
 * The probabilities as bars on an axis from 0 to 1, and how sure the network is.
 * @import { ScoreRow } from "../../../ui/bars.js"
 * @import { Actions } from "../types.js"
 * @import { Answer } from "./index.js"
 */

import { exactShare } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { fillScoreAxis, scoreRows } from "../../../ui/bars.js";
import { findElement } from "../../../ui/dom.js";
import { labelWords, sumWords, sureWords } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountScores(root, actions) {
  const verdict = findElement(root, "[data-verdict]");
  const sum = findElement(root, "[data-sum]");
  const rows = scoreRows(findElement(root, "[data-rows]"), actions.focusDigit);
  fillScoreAxis(findElement(root, "[data-axis]"));

  const name = memoize(rows.name);
  const fill = memoize(
    (
      /** @type {Answer} */ answer,
      /** @type {readonly string[]} */ names,
      /** @type {number | null} */ label,
    ) => {
      const { logits, scores } = answer;
      verdict.textContent = [
        sureWords(logits, scores, names),
        labelWords(answer.order[0], label, names),
      ].join(" ");
      sum.textContent = sumWords(scores);
      rows.show(rowsOf(answer, label));
      logits.forEach((logit, digit) => {
        rows.more(digit).textContent = fixed(logit, 2);
      });
    },
  );

  return {
    /**
     * @param {Answer} answer
     * @param {readonly string[]} names
     * @param {number | null} label
     * @param {number} digit in focus
     */
    show(answer, names, label, digit) {
      name(names);
      fill(answer, names, label);
      rows.focus(digit);
    },
  };
}

/**
 * @param {Answer} answer
 * @param {number | null} label
 * @returns {ScoreRow[]}
 */
function rowsOf({ scores, order: [first, second] }, label) {
  return Array.from(scores, (score, digit) => ({
    score,
    number: exactShare(score),
    isFirst: digit === first,
    tags: [
      digit === first ? "most probable" : "",
      digit === second ? "runner-up" : "",
      digit === label ? "true label" : "",
    ].filter((tag) => tag !== ""),
  }));
}
