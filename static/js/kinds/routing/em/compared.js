/**
 * EM routing in a comparison: what the capsules below assign to the class in focus for two
 * images, after the last iteration.
 * @import { ComparedPanel, ComparedScene } from "../../types.js"
 * @import { EmState } from "./types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { trio } from "../../../draw/compared.js";
import { sum } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { percent } from "../../../lib/format.js";
import { tilesOf } from "../../capsules/compared.js";
import { placeWords } from "../../capsules/places.js";
import { iterationIn, readingsOf, typesFold } from "../compared.js";

const WORDS = { share: "mean R", given: "Σ R·a", all: "all", isMeanTold: true };

/** @type {ComparedPanel<EmState>} */
const assignments = {
  id: "assignments",
  title: (scene) => [
    `The assignments R of ${belowIn(scene)} to ${scene.model.class_names[focusedClass(scene)]} `,
    iterationIn(scene.trace.tensors.assignments),
  ],
  line(scene) {
    const [kept, shown] = readingsOf(scene, readingOf);
    const name = scene.model.class_names[focusedClass(scene)];
    return assignmentWords(
      ...[kept.shares, shown.shares, name, scene.trace.tensors.presence.shape],
    );
  },
  picture(scene) {
    const [kept, shown] = readingsOf(scene, readingOf);
    const grid = scene.trace.tensors.presence.shape;
    return [
      trio({
        label: `Assignments of all ${belowIn(scene)} capsules, a tile for each type`,
        ...{ values: [kept.shares, shown.shares], layout: tilesOf(grid), most: 1 },
        ...{ unit: "assignment R", scale: sequential(0, 1), decimals: 0 },
      }),
      typesFold("Assignments of each type as a table", [kept, shown], grid[0], WORDS),
    ];
  },
};

export const panelsOf = () => [assignments];

/** @param {ComparedScene<EmState>} scene @returns {string | undefined} */
const belowIn = ({ layer }) =>
  layer.network.find(({ id }) => id === layer.below)?.title;

/**
 * What one image has of a class after the last iteration.
 * @param {Pick<EmState["trace"], "tensors">} trace @param {number} classIndex
 * @returns {import("../compared.js").Reading} R of each capsule below to the class, and R·a,
 *   what its vote counts
 */
export function readingOf({ tensors }, classIndex) {
  const { data: presence } = tensors.presence;
  const { shape, data } = tensors.assignments;
  const [iterations] = shape;
  const classes = shape[shape.length - 1];
  const first = (iterations - 1) * presence.length * classes;
  const shares = presence.map((_, child) => data[first + child * classes + classIndex]);
  return { shares, given: presence.map((each, child) => each * shares[child]) };
}

/**
 * @param {ArrayLike<number>} kept assignments of every capsule to the class
 * @param {ArrayLike<number>} shown
 * @param {string} name of the class
 * @param {readonly number[]} grid types, rows, columns
 */
export function assignmentWords(kept, shown, name, grid) {
  const [was, is] = [kept, shown].map((shares) =>
    percent(sum(shares) / shares.length, 0),
  );
  const share =
    was === is
      ? `${name} gets ${is} of the votes for both images.`
      : `${name} gets ${was} of the votes for the kept image and ${is} for the shown one.`;
  return `${share} ${placeWords(kept, shown, "The assignment", grid)}`;
}
