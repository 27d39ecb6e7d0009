/**
 * Routing by agreement in a comparison: the couplings of two images to the class in focus
 * and the agreement of the votes for it, after the last iteration.
 * @import { ComparedPanel, ComparedScene } from "../../types.js"
 * @import { DynamicState } from "./types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { trio } from "../../../draw/compared.js";
import { diverging } from "../../../lib/color.js";
import { gridOf, placeWords } from "../../capsules/places.js";
import { iterationIn, readingsOf, typesFold } from "../compared.js";
import { endsOf } from "./ends.js";
import { evidenceOfCapsules, ofClass } from "./sums.js";

const ACROSS = 8; // types in a row

/** The share of all values that lies below the end of a scale that clips. */
const USUAL = 0.99;

const WORDS = { share: "mean c", given: "gives to ‖s‖", all: "all: ‖s‖" };

/** @typedef {ComparedScene<DynamicState>} Scene */

/** @type {ComparedPanel<DynamicState>} */
const couplings = {
  id: "couplings",
  title: (scene) => [
    `The couplings c to ${nameIn(scene)} `,
    iterationIn(scene.trace.tensors.couplings),
  ],
  line: (scene) => wordsOn(scene, "shares", "The coupling"),
  picture(scene) {
    const ends = endsOf(scene).length;
    const unit = `c − 1/${ends}`;
    return pictureOf(scene, "shares", "Couplings of all capsules", unit, 1 / ends);
  },
};

/** @type {ComparedPanel<DynamicState>} */
const votes = {
  id: "votes",
  look: "compare-wide",
  title: (scene) => [
    `The votes for ${nameIn(scene)}: their agreement û·v `,
    iterationIn(scene.trace.tensors.couplings),
  ],
  line: (scene) => wordsOn(scene, "agreement", "The agreement"),
  picture: (scene) => [
    pictureOf(scene, "agreement", "Agreement of all votes", "û·v"),
    typesFold(
      "Couplings and votes of each type as a table",
      ...[readingsOf(scene, readingOf), gridIn(scene)[0], WORDS],
    ),
  ],
};

export const panelsOf = () => [couplings, votes];

/** @param {Scene} scene */
const nameIn = (scene) => scene.model.class_names[focusedClass(scene)];

/** @param {Scene} scene */
const gridIn = ({ trace }) => trace.tensors.couplings.shape.slice(1, -1);

/** @param {Scene} scene @param {"shares" | "agreement"} role @param {string} what */
function wordsOn(scene, role, what) {
  const [kept, shown] = readingsOf(scene, readingOf);
  return placeWords(kept[role], shown[role], what, gridIn(scene));
}

/**
 * A few capsules differ far more than all others: colours end before them.
 * @param {Scene} scene @param {"shares" | "agreement"} role
 * @param {string} label @param {string} unit
 * @param {number} [from] what counts as nothing
 */
function pictureOf(scene, role, label, unit, from = 0) {
  const grid = gridIn(scene);
  const [count] = grid;
  const { rows, columns } = gridOf(grid);
  const [kept, shown] = readingsOf(scene, readingOf).map((reading) =>
    reading[role].map((value) => value - from),
  );
  const most = usualReach(Float32Array.of(...kept, ...shown));
  return trio({
    label: `${label}, a tile for each type`,
    ...{ values: [kept, shown], unit, scale: diverging(most), most, decimals: 3 },
    layout: { count, across: Math.min(ACROSS, count), rows, columns, gap: 1 },
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
