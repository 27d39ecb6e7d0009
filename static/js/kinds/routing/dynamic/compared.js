/**
 * Routing by agreement in a comparison: the couplings of two images to the class in focus
 * and the agreement of the votes for it, after the last iteration.
 * @import { DynamicState } from "./types.js"
 * @import { ComparisonMount } from "../../types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { diverging } from "../../../lib/color.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { gridOf, placeWords } from "../../capsules/places.js";
import { fillTypes } from "../compared.js";
import { endsOf } from "./ends.js";
import { evidenceOfCapsules, ofClass } from "./sums.js";

const ACROSS = 8; // types in a row

/** Of all values lies below the end of a scale that clips. */
const USUAL = 0.99;

const WORDS = { share: "mean c", given: "gives to ‖s‖", all: "all: ‖s‖" };

/** @type {ComparisonMount<DynamicState>} */
export function mount(root, store, layer) {
  const couplings = mountPart(root, "couplings", "Couplings of all capsules");
  const votes = mountPart(root, "votes", "Agreement of all votes");
  store.watch(["trace", "keptTrace", "classIndex", "model"], (state) => {
    const { trace, keptTrace, model } = state;
    const classIndex = focusedClass(state);
    const ends = endsOf({ layer, model }).length;
    const readings = [keptTrace, trace].map((run) => readingOf(run, classIndex));
    const [iterations, ...grid] = trace.tensors.couplings.shape.slice(0, -1);
    for (const place of root.querySelectorAll("[data-focus]"))
      setText(place, model.class_names[classIndex]);
    for (const place of root.querySelectorAll("[data-iteration]"))
      setText(place, `after iteration ${iterations}`);
    couplings(
      readings.map(({ shares }) => shares),
      { what: "The coupling", grid, unit: `c − 1/${ends}` },
      1 / ends,
    );
    votes(
      readings.map(({ agreement }) => agreement),
      { what: "The agreement", grid, unit: "û·v" },
    );
    fillTypes(findElement(root, "[data-types]"), readings, grid[0], WORDS);
  });
}

/**
 * What the last iteration makes of one class.
 * @param {Pick<DynamicState["trace"], "tensors">} trace @param {number} classIndex
 */
export function readingOf({ tensors }, classIndex) {
  const { couplings, agreement } = tensors;
  const last = couplings.shape[0] - 1;
  return {
    shares: ofClass(couplings, last, classIndex),
    agreement: ofClass(agreement, last, classIndex),
    given: evidenceOfCapsules(tensors, last, classIndex),
  };
}

/**
 * A few capsules differ far more than all others: colours end before them.
 * @param {HTMLElement} root @param {"couplings" | "votes"} name @param {string} title
 */
function mountPart(root, name, title) {
  const pictures = pictureTriple(
    findElement(root, `[data-${name}]`),
    `${title}, a tile for each type`,
  );
  const words = findElement(root, `[data-${name}-words]`);

  /**
   * @param {readonly Float32Array[]} values kept, shown
   * @param {{ what: string, grid: readonly number[], unit: string }} about
   * @param {number} [from] what counts as nothing
   */
  return ([before, after], { what, grid, unit }, from = 0) => {
    const [count] = grid;
    const { rows, columns } = gridOf(grid);
    const [kept, shown] = [before, after].map((all) =>
      all.map((value) => value - from),
    );
    const all = Float32Array.of(...kept, ...shown);
    const end = usualReach(all);
    pictures.show({
      kept,
      shown,
      layout: { count, across: Math.min(ACROSS, count), rows, columns, gap: 1 },
      scale: diverging(end),
      unit,
      decimals: 3,
      differenceReach: end,
    });
    setText(words, placeWords(before, after, what, grid));
  };
}

/**
 * Where a scale may end so that few values lie beyond.
 * @param {ArrayLike<number>} values at least one
 * @returns {number} the magnitude below which 99 in 100 lie; the largest where that is 0,
 *   and 1 where all are 0
 */
export function usualReach(values) {
  const sorted = Float64Array.from(values, Math.abs).sort();
  const usual = sorted[Math.floor(USUAL * (sorted.length - 1))];
  return usual || sorted[sorted.length - 1] || 1;
}
