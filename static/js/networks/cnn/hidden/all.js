/**
 * All hidden units in one picture, a cell each: their values, or what each adds to the
 * logit of the class in focus.
 * @import { Actions, UnitsLook } from "../types.js"
 * @import { Hidden } from "./index.js"
 */

import { ranked, reach } from "../../../lib/arithmetic.js";
import { diverging, sequential } from "../../../lib/color.js";
import { fixed, signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { findElement, setText } from "../../../ui/dom.js";
import { tileSheet } from "../../../ui/maps.js";
import { showLegend } from "../../../ui/pictures.js";
import { countActive, UNITS_ACROSS } from "./units.js";
import { activeWords } from "./words.js";

/**
 * What is chosen.
 * @typedef {object} Chosen
 * @property {number} number of the unit
 * @property {UnitsLook} look
 * @property {string} name of the class in focus
 */

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountUnits(root, actions) {
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const active = findElement(root, "[data-active]");
  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  /** @type {{ layer: Hidden, given: Float64Array, chosen: Chosen } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, ".overlaid"), {
    ...UNITS_ACROSS,
    gap: 0,
    choose: actions.chooseUnit,
    hover: (at) => tell(at?.tile ?? null),
    note: ({ tile }) => `unit ${tile}: ${valueText(tile)}`,
  });
  listenToChoices(modes, (value) =>
    actions.lookAtUnits({ shown: /** @type {UnitsLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    actions.lookAtUnits({ order: value === "given" ? value : "number" }),
  );

  const tilesOf = memoize(tilesFrom);
  const sort = memoize(
    (/** @type {Float64Array} */ given, /** @type {UnitsLook["order"]} */ by) =>
      by === "given" ? ranked(given) : Array.from(given, (_, unit) => unit),
  );
  const tellActive = memoize((/** @type {Hidden} */ { after }) => {
    active.textContent = activeWords(countActive(after), after.length);
  });

  /** @param {number} unit */
  function valueText(unit) {
    if (shown === null) return "";
    const { layer, given, chosen } = shown;
    const { shown: kind } = chosen.look;
    return kind === "given" ? signed(given[unit]) : fixed(layer[kind][unit]);
  }

  /** @param {number | null} pointed */
  function tell(pointed) {
    if (shown === null) return;
    const { layer, given, chosen } = shown;
    const unit = pointed ?? chosen.number;
    setText(
      readout,
      `unit ${unit}: before ReLU ${fixed(layer.before[unit])}, after ${fixed(layer.after[unit])}; adds ${signed(given[unit])} to the logit of ${chosen.name}`,
    );
  }

  return {
    /**
     * @param {Hidden} layer
     * @param {Float64Array} given to the logit of the class in focus
     * @param {Chosen} chosen
     */
    show(layer, given, chosen) {
      shown = { layer, given, chosen };
      const { look, name } = chosen;
      pressChoice(modes, look.shown);
      pressChoice(orders, look.order);
      for (const place of root.querySelectorAll("[data-focus-name]"))
        setText(place, name);
      const tiles = tilesOf(layer, given, look.shown);
      setText(title, `All ${tiles.count} units`);
      const units = {
        after: "value after ReLU",
        before: "value before ReLU",
        given: `adds to the logit of ${name}`,
      };
      showLegend(legend, tiles.scale, { unit: units[look.shown], decimals: 3 });
      sheet.show(tiles, sort(given, look.order), chosen.number);
      tellActive(layer);
      tell(null);
    },
  };
}

/**
 * @param {Hidden} layer
 * @param {Float64Array} given
 * @param {UnitsLook["shown"]} kind
 */
function tilesFrom(layer, given, kind) {
  const values = { after: layer.after, before: layer.before, given }[kind];
  const most = reach(values) || 1;
  const scale = kind === "after" ? sequential(0, most) : diverging(most);
  return { values, count: values.length, rows: 1, columns: 1, scale };
}
