/**
 * What routing by agreement brings to its stage: what each type gives to the class in focus,
 * and to the longest of the others in the end.
 * @import { Tensor } from "../../../types.js"
 * @import { Given } from "../agreement/chains.js"
 * @import { Summed } from "../agreement/panel.js"
 * @import { DynamicScene as Scene, RoutedTensors } from "./types.js"
 */
import { largestOf } from "../../../lib/arithmetic.js";
import { memoize } from "../../../lib/memoize.js";
import { placeIn } from "../../capsules/places.js";
import { belowOf, hasPlaces } from "../../capsules/source.js";
import { agreementPanel } from "../agreement/panel.js";
import { votesName } from "./answers.js";
import { stepsOf } from "./course.js";
import { madeBy } from "./ends.js";
import { lastingPairOf } from "./scene.js";
import { ofClass, poseAt } from "./sums.js";

/** Worked out once for a run and a class: those in focus, and those beside them. */
const GIVEN = [memoize(givenBy), memoize(givenBy)];

/**
 * What each type gives to a class: its votes, each times its coupling.
 * @param {Pick<RoutedTensors, "couplings">} tensors
 * @param {Tensor} votes (types, rows, columns, dim) for that class, or (capsules, dim)
 * @param {number} classIndex @param {number} types
 * @param {readonly number[]} silenced capsules, which vote for nothing
 * @returns {Given}
 */
export function givenBy({ couplings }, votes, classIndex, types, silenced) {
  const dim = votes.shape[votes.shape.length - 1];
  const places = votes.data.length / dim / types;
  const isSilent = new Set(silenced);
  return stepsOf(couplings).map((step) => {
    const shares = ofClass(couplings, step, classIndex);
    return Array.from({ length: types }, (_, type) => {
      const sum = new Float64Array(dim);
      for (let i = type * places; i < (type + 1) * places; i++)
        if (!isSilent.has(i))
          for (let d = 0; d < dim; d++) sum[d] += shares[i] * votes.data[i * dim + d];
      return sum;
    });
  });
}

/** @param {Scene} scene @returns {Summed | null} null while votes are on their way */
function summed(scene) {
  const { tensors, ran, layer, more, grid, step, position, nouns, figures } = scene;
  const { focus, rival, names, rank } = lastingPairOf(scene);
  const classes = [focus, rival];
  const gifts = classes.flatMap((classIndex, i) => {
    const votes = more[votesName(layer, classIndex)];
    return votes
      ? [GIVEN[i](tensors, votes, classIndex, grid.types, ran.silenced)]
      : [];
  });
  if (gifts.length < classes.length) return null;
  const below = belowOf(layer);
  const isPlaced = below !== undefined && hasPlaces(below);
  const cells = grid.rows * grid.columns;
  return {
    ...{ classes, names, given: gifts, step },
    model: scene.model,
    run: tensors.couplings,
    places: ["", rank],
    poses: classes.map((classIndex) =>
      stepsOf(tensors.couplings).map((at) => poseAt(tensors.capsules, at, classIndex)),
    ),
    group: grid.group,
    one: nouns.singular,
    chosen: position.type,
    pixels: scene.pixels,
    isDrawn: scene.model.can?.reconstruct === true && !madeBy(layer),
    seenBy(type) {
      if (!isPlaced || cells === 1) return null;
      const gives = figures.evidenceOf(step, focus);
      const first = type * cells;
      const strongest = first + largestOf(gives.slice(first, first + cells));
      const { row, column } = placeIn(grid, strongest);
      return layer.field(scene.model, row, column);
    },
  };
}

export const agreement = agreementPanel({
  summed,
  lines: [
    "b ← 0, for every capsule below and every end",
    "repeat for each iteration:",
    "c ← softmax(b), over the ends of each capsule",
    "s ← Σ c·û, over the capsules: the arrows laid end to end",
    "v ← squash(s): as long as the bar at the right",
    "b ← b + û·v: votes that point along v get more in the next iteration",
  ],
});
