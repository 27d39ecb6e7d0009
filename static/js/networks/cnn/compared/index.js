/**
 * Two images in the convolutional network: its hidden units.
 * @import { ComparedState, ComparedStore } from "../../../types.js"
 * @import { Cnn } from "../types.js"
 */
import { reach } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { pairTable } from "../../../ui/tables.js";
import { UNITS_ACROSS } from "../hidden/units.js";
import { activeWords, countActive, mostDifferent } from "./figures.js";

/** @typedef {"hidden"} Need */

const LISTED = 16; // units

/**
 * @param {HTMLElement} root
 * @param {ComparedStore<Cnn, Need>} store
 */
export function mount(root, store) {
  const units = pictureTriple(
    findElement(root, "[data-units]"),
    "Values of all hidden units",
  );
  const rows = pairTable(findElement(root, "[data-unit-rows]"), {
    caption: "Hidden units that differ the most",
    of: "unit",
  });

  store.watch(["trace", "keptTrace", "digit", "model"], (state) => {
    const now = /** @type {ComparedState<Cnn, Need>} */ (state);
    const runs = [now.keptTrace, now.trace];
    showUnits(runs.map(({ tensors }) => tensors.hidden.data));
  });

  /** @param {readonly Float32Array[]} values kept, shown */
  function showUnits([kept, shown]) {
    const most = Math.max(reach(kept), reach(shown)) || 1;
    setText(
      findElement(root, "[data-units-words]"),
      activeWords(countActive(kept, shown)),
    );
    units.show({
      kept,
      shown,
      layout: {
        count: kept.length,
        across: UNITS_ACROSS.across,
        rows: 1,
        columns: 1,
        gap: 0,
      },
      scale: sequential(0, most),
      unit: "value after ReLU",
    });
    const listed = mostDifferent(kept, shown, LISTED);
    setText(findElement(root, "[data-most]"), String(listed.length));
    rows.show(
      listed.map((unit) => ({
        name: String(unit),
        kept: kept[unit],
        shown: shown[unit],
      })),
      { reach: most },
    );
  }
}
