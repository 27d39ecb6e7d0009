/**
 * Two images in the capsule network: couplings to the class in focus and the agreement of
 * the votes for it, after the last iteration.
 * @import { ComparedState, ComparedStore } from "../../../types.js"
 * @import { CapsNet } from "../types.js"
 * @import { Layout } from "../../../geometry/tiles.js"
 * @import { Reading } from "./figures.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { sidesOf } from "../places.js";
import { sizesOf } from "../state.js";
import { readingOf, usualReach } from "./figures.js";
import { fillTypes } from "./types.js";
import { placeWords } from "./words.js";

/** @typedef {"scores" | "routing.couplings" | "routing.agreement" | "routing.capsules"} Need */
/** @typedef {ComparedState<CapsNet, Need>} State */

const ACROSS = 8; // types in a row

/**
 * @param {HTMLElement} root
 * @param {ComparedStore<CapsNet, Need>} store
 */
export function mount(root, store) {
  const couplings = pictureTriple(
    findElement(root, "[data-couplings]"),
    "Couplings of all primary capsules, a tile for each type",
  );
  const votes = pictureTriple(
    findElement(root, "[data-votes]"),
    "Agreement of all votes, a tile for each type",
  );

  store.watch(["trace", "keptTrace", "digit", "model"], (state) => {
    const now = /** @type {State} */ (state);
    const digit = focusedDigit(now);
    const readings = [now.keptTrace, now.trace].map((run) => readingOf(run, digit));
    nameAll(root, now, digit);
    showTiles(root, { couplings, votes }, now, readings);
    fillTypes(findElement(root, "[data-types]"), readings, sizesOf(now.model));
  });
}

/**
 * @param {HTMLElement} root
 * @param {State} state
 * @param {number} digit
 */
function nameAll(root, { model, trace }, digit) {
  const iterations = trace.tensors["routing.couplings"].shape[0];
  for (const place of root.querySelectorAll("[data-focus]"))
    setText(place, model.class_names[digit]);
  for (const place of root.querySelectorAll("[data-iteration]"))
    setText(place, `after iteration ${iterations}`);
}

/**
 * A few capsules differ far more than all others: colours end before them.
 * @param {ReturnType<typeof pictureTriple>} pictures
 * @param {readonly Float32Array[]} values kept, shown
 * @param {{ layout: Layout, unit: string }} options
 */
function showClipped(pictures, [kept, shown], { layout, unit }) {
  const all = Float32Array.of(...kept, ...shown);
  const end = usualReach(all);
  const most = reach(all);
  pictures.show({
    kept,
    shown,
    layout,
    scale: diverging(end),
    unit: most > end ? `${unit}, values up to ±${fixed(most)}` : unit,
    decimals: 3,
    differenceReach: end,
  });
}

/**
 * @param {HTMLElement} root
 * @param {Record<"couplings" | "votes", ReturnType<typeof pictureTriple>>} pictures
 * @param {State} state
 * @param {readonly Reading[]} readings
 */
function showTiles(root, { couplings, votes }, { model }, [kept, shown]) {
  const sizes = sizesOf(model);
  const { primary: side } = sidesOf(sizes);
  const layout = {
    count: sizes.primary_types,
    across: Math.min(ACROSS, sizes.primary_types),
    rows: side,
    columns: side,
    gap: 1,
  };
  const even = 1 / model.classes;
  showClipped(
    couplings,
    [kept, shown].map(({ couplings: c }) => c.map((x) => x - even)),
    {
      layout,
      unit: `c − 1/${model.classes}`,
    },
  );
  showClipped(votes, [kept.agreement, shown.agreement], { layout, unit: "û·v" });
  setText(
    findElement(root, "[data-couplings-words]"),
    placeWords(kept.couplings, shown.couplings, { what: "The coupling", sizes }),
  );
  setText(
    findElement(root, "[data-votes-words]"),
    placeWords(kept.agreement, shown.agreement, { what: "The agreement", sizes }),
  );
}
