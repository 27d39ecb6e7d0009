/**
 * One output of a convolution as a sum: the maps that add most, the rest, the bias.
 * @import { BeneathActions, BeneathWords } from "./index.js"
 * @import { Beneath } from "./window.js"
 */
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { fillSumRows, termButton } from "../../ui/bars.js";
import { pressChoice } from "../../ui/controls.js";
import { findElement } from "../../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {BeneathActions} actions
 * @param {BeneathWords} words
 */
export function mountShares(root, actions, { check: how, precision, named: most }) {
  const axis = findElement(root, "[data-share-axis]");
  const body = findElement(root, "[data-share-rows]");
  const check = findElement(root, "[data-share-check]");

  const fill = memoize(
    (
      /** @type {Beneath} */ { parts },
      /** @type {string} */ name,
      /** @type {number} */ traced,
    ) => {
      fillSumRows(
        axis,
        body,
        [parts],
        {
          term: (map) => termButton(`map ${map}`, map, actions.chooseMap),
          rest: (count) => `the other ${count} maps`,
          total: name,
        },
        most,
      );
      check.textContent = `${how}: ${fixed(parts.total, 4)}. The network's trace says ${fixed(traced, 4)}; ${precision}.`;
    },
  );
  return {
    /**
     * @param {Beneath} beneath
     * @param {number} chosen the map in focus
     * @param {string} name of the output
     * @param {number} traced its value, as the trace says
     */
    show(beneath, chosen, name, traced) {
      fill(beneath, name, traced);
      pressChoice(body, String(chosen)); // rows stay, and so does the focus
    },
  };
}
