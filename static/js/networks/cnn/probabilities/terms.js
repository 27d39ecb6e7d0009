/**
 * What every hidden unit adds to the logit in focus, in one picture: the largest first.
 * @import { Actions, Output } from "../types.js"
 * @import { Answer } from "./index.js"
 */

import { ranked, reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { tileSheet } from "../../../ui/maps.js";
import { showLegend } from "../../../ui/pictures.js";
import { UNITS_ACROSS } from "../hidden/units.js";
import { givenTo } from "./logit.js";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountTerms(root, actions) {
  const title = findElement(root, "[data-terms-title]");
  const readout = findElement(root, "[data-terms-readout]");
  const legend = findElement(root, "[data-terms-legend]");
  /** @type {{ shares: Float64Array, unit: number, name: string } | null} */
  let shown = null;

  /** @param {number} unit */
  function words(unit) {
    return shown === null ? "" : `unit ${unit}: ${signed(shown.shares[unit])}`;
  }
  /** @param {number} unit */
  function tell(unit) {
    readout.textContent = `${words(unit)} to the logit of ${shown?.name}`;
  }
  const sheet = tileSheet(findElement(root, "[data-terms]"), {
    ...UNITS_ACROSS,
    gap: 0,
    choose: actions.chooseUnit,
    hover: (at) => tell(at?.tile ?? shown?.unit ?? 0),
    note: ({ tile }) => words(tile),
  });
  const workOut = memoize(givenTo);
  const tilesOf = memoize((/** @type {Float64Array} */ shares) => {
    const tiles = {
      values: shares,
      count: shares.length,
      rows: 1,
      columns: 1,
      scale: diverging(reach(shares) || 1),
    };
    return { tiles, order: ranked(shares) };
  });

  return {
    /**
     * @param {Answer} answer
     * @param {Output} output
     * @param {{ names: readonly string[], digit: number, unit: number }} chosen
     */
    show({ hidden }, output, { names, digit, unit }) {
      const name = names[digit];
      const shares = workOut(output, hidden, digit);
      shown = { shares, unit, name };
      const { tiles, order } = tilesOf(shares);
      title.textContent = `All ${shares.length} units, what adds most to ${name} first`;
      showLegend(legend, tiles.scale, {
        unit: `adds to the logit of ${name}`,
        decimals: 3,
      });
      sheet.show(tiles, order, unit);
      tell(unit);
    },
  };
}
