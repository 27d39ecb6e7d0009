/**
 * All units in one picture, a cell each: their values, or what each adds to the logit of
 * the class in focus.
 * @import { UnitsLook } from "./types.js"
 * @import { Read } from "./view.js"
 */
import { ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { countActive, unitsAcross } from "./units.js";
import { activeWords } from "./words.js";

/**
 * What is shown.
 * @typedef {object} Shown
 * @property {Read} read the layer
 * @property {Float64Array} given to the logit of the class in focus
 * @property {number} number of the chosen unit
 * @property {UnitsLook} look
 * @property {string} name of the class in focus
 */

/**
 * @param {HTMLElement} root
 * @param {{ choose: (unit: number) => void, look: (look: Partial<UnitsLook>) => void }} actions
 */
export function mountUnits(root, { choose, look: lookAnew }) {
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const active = findElement(root, "[data-active]");
  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  /** @type {Shown | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, ".overlaid"), {
    across: unitsAcross,
    choose,
    hover: (at) => tell(at?.tile ?? null),
    note: ({ tile }) => `unit ${tile}: ${valueText(tile)}`,
  });
  listenToChoices(modes, (value) =>
    lookAnew({ shown: /** @type {UnitsLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    lookAnew({ order: value === "given" ? value : "number" }),
  );

  const tilesOf = memoize(tilesFrom);
  const sort = memoize(
    (/** @type {Float64Array} */ given, /** @type {UnitsLook["order"]} */ by) =>
      by === "given" ? ranked(given) : Array.from(given, (_, unit) => unit),
  );
  const tellActive = memoize((/** @type {Read} */ { after }) => {
    active.textContent = activeWords(countActive(after), after.length);
  });

  /** @param {number} unit */
  function valueText(unit) {
    if (shown === null) return "";
    const { read, given, look } = shown;
    return look.shown === "given" ? signed(given[unit]) : fixed(read[look.shown][unit]);
  }

  /** @param {number | null} pointed */
  function tell(pointed) {
    if (shown === null) return;
    const { read, given, number, name } = shown;
    const unit = pointed ?? number;
    setText(
      readout,
      `unit ${unit}: before ReLU ${fixed(read.before[unit])}, after ${fixed(read.after[unit])}; adds ${signed(given[unit])} to the logit of ${name}`,
    );
  }

  return {
    /** @param {Shown} now */
    show(now) {
      shown = now;
      const { read, given, number, look, name } = now;
      pressChoice(modes, look.shown);
      pressChoice(orders, look.order);
      for (const place of root.querySelectorAll("[data-focus-name]"))
        setText(place, name);
      const tiles = tilesOf(read, given, look.shown);
      setText(title, `All ${tiles.count} units`);
      const units = {
        after: "value after ReLU",
        before: "value before ReLU",
        given: `adds to the logit of ${name}`,
      };
      showLegend(legend, tiles.scaleOf(), { unit: units[look.shown], decimals: 3 });
      sheet.show(tiles, sort(given, look.order), number);
      tellActive(read);
      tell(null);
    },
  };
}

/** @param {Read} read @param {Float64Array} given @param {UnitsLook["shown"]} kind */
function tilesFrom(read, given, kind) {
  const values = { after: read.after, before: read.before, given }[kind];
  const most = reach(values) || 1;
  const scale = kind === "after" ? sequential(0, most) : diverging(most);
  const cells = { count: values.length, rows: 1, columns: 1, gap: 0 };
  return { values, ...cells, scaleOf: () => scale };
}
