/**
 * Attention routing in a comparison: the couplings of two images, and what each capsule
 * gives to the class in focus.
 * @import { ComparedPanel } from "../../types.js"
 * @import { AttentionState } from "./types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { trio } from "../../../draw/compared.js";
import { oneTile } from "../../../geometry/tiles.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { placeWords } from "../../capsules/places.js";
import { readingsOf, typesFold } from "../compared.js";
import { figuresOf, ofClass } from "./numbers.js";

const WORDS = {
  share: "c",
  given: "gives to ‖s‖",
  all: "all: mean c, ‖s‖",
  isMeanTold: true,
  corner: "capsule",
};

/** @type {ComparedPanel<AttentionState>} */
const couplings = {
  id: "couplings",
  title: "The couplings c: a row for each capsule, a column for each class",
  line(scene) {
    const [kept, shown] = readingsOf(scene, readingOf);
    return placeWords(kept.shares, shown.shares, "The coupling", [kept.shares.length]);
  },
  picture(scene) {
    const { keptTrace, trace, model } = scene;
    const [rows, columns] = trace.tensors.couplings.shape;
    const [kept, shown] = [keptTrace, trace].map((run) => run.tensors.couplings.data);
    const most = Math.max(reach(kept), reach(shown)) || 1;
    const name = model.class_names[focusedClass(scene)];
    return [
      trio({
        label: "Couplings, a row for each capsule and a column for each class",
        ...{ values: [kept, shown], layout: oneTile({ rows, columns }), most },
        ...{ scale: diverging(most), unit: "coupling c" },
      }),
      typesFold(
        `Each capsule’s coupling to ${name} as a table`,
        readingsOf(scene, readingOf),
        rows,
        WORDS,
      ),
    ];
  },
};

export const panelsOf = () => [couplings];

/**
 * @param {Pick<AttentionState["trace"], "tensors">} trace @param {number} classIndex
 * @returns {import("../compared.js").Reading}
 */
export function readingOf({ tensors }, classIndex) {
  return {
    shares: ofClass(tensors.couplings, classIndex),
    given: Float32Array.from(figuresOf(tensors).evidence(classIndex)),
  };
}
