/**
 * Capsules in a comparison: the activations of a layer for two images, a tile for each type;
 * of capsules alone all their numbers.
 * @import { ComparedPanel, ComparedScene, Layer } from "../types.js"
 * @import { CapsulesState } from "./types.js"
 */
import { trio } from "../../draw/compared.js";
import { oneTile } from "../../geometry/tiles.js";
import { angleBetween, largestOf, mostDifferent, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { isAlone, isVector } from "./index.js";
import { placeWords } from "./places.js";

const ACROSS = 4; // types in a row

/** Degrees: two equal vectors are so far apart by rounding. */
const SAME_ANGLE = 0.01;

/** A capsule that is more active than this is said to be active. */
const ACTIVE = 0.5;

/** @type {ComparedPanel<CapsulesState>} */
const activations = {
  id: "activations",
  title: ({ layer }) => `${layer.title}: the activations`,
  line: (scene) =>
    activationWords(...bothOf(scene, "activation"), shapeOf(scene, "activation")),
  picture: (scene) =>
    trio({
      label: `Activations of ${scene.layer.id}, a tile for each type`,
      values: bothOf(scene, "activation"),
      layout: tilesOf(shapeOf(scene, "activation")),
      ...{ unit: "activation", scale: sequential(0, 1), most: 1, decimals: 0 },
    }),
};

/** All numbers of capsules alone, a row for each capsule. @type {ComparedPanel<CapsulesState>} */
const numbers = {
  id: "activations",
  title: ({ layer }) => `${layer.title}: the capsules`,
  line: (scene) => turnedWords(bothOf(scene, "compared"), bothOf(scene, "activation")),
  picture(scene) {
    const values = bothOf(scene, "compared");
    const [rows, columns] = shapeOf(scene, "compared");
    const most = Math.max(...values.map(reach)) || 1;
    return trio({
      ...{ label: "Numbers of all capsules, a row for each", values, most },
      layout: oneTile({ rows, columns }),
      ...{ unit: "number in a capsule", scale: diverging(most) },
    });
  },
};

/** @param {Layer} layer */
export function panelsOf(layer) {
  if (isAlone(layer)) return [numbers];
  return isVector(layer) ? [] : [activations];
}

/**
 * @param {ComparedScene<CapsulesState>} scene @param {"activation" | "compared"} role
 * @returns {[Float32Array, Float32Array]} kept, shown
 */
const bothOf = ({ keptTrace, trace }, role) => [
  keptTrace.tensors[role].data,
  trace.tensors[role].data,
];

/** @param {ComparedScene<CapsulesState>} scene @param {"activation" | "compared"} role */
const shapeOf = ({ trace }, role) => trace.tensors[role].shape;

/**
 * How far capsules turned between two images, and which changed its length the most.
 * @param {readonly Float32Array[]} poses of the kept image and of the shown one, capsule by
 *   capsule
 * @param {readonly Float32Array[]} lengths of both
 */
export function turnedWords([kept, shown], [was, is]) {
  const size = kept.length / was.length;
  const angles = Array.from(was, (_, i) => {
    const own = [kept, shown].map((all) => all.subarray(i * size, (i + 1) * size));
    return angleBetween(own[0], own[1]) ?? 0;
  });
  const [most, least] = [largestOf(angles), largestOf(angles.map((angle) => -angle))];
  const longer = mostDifferent(was, is);
  if (longer === null && angles[most] < SAME_ANGLE)
    return `All ${was.length} capsules are the same for both images.`;
  const turned =
    angles[most] < 0.5
      ? "No capsule turns by half a degree or more."
      : `Capsule ${most} turns the most, by ${fixed(angles[most], 0)}°, and capsule ${least} the least, by ${fixed(angles[least], 0)}°.`;
  return longer === null
    ? `${turned} No length differs.`
    : `${turned} The length of capsule ${longer} differs the most: it is ${fixed(was[longer])} for the kept image and ${fixed(is[longer])} for the shown one.`;
}

/** @param {readonly number[]} shape types, rows, columns */
export function tilesOf([count, rows, columns]) {
  const gap = Math.max(1, Math.round(rows / 4));
  return { count, across: Math.min(ACROSS, count), rows, columns, gap };
}

/**
 * @param {ArrayLike<number>} kept activations
 * @param {ArrayLike<number>} shown
 * @param {readonly number[]} grid types, rows, columns
 */
export function activationWords(kept, shown, grid) {
  const counts = { both: 0, kept: 0, shown: 0, none: 0 };
  for (let i = 0; i < kept.length; i++) {
    const [was, is] = [kept[i] > ACTIVE, shown[i] > ACTIVE];
    counts[was && is ? "both" : was ? "kept" : is ? "shown" : "none"]++;
  }
  return `Above ${ACTIVE}, of ${kept.length} capsules: ${counts.both} for both images, ${counts.kept} for the kept image only, ${counts.shown} for the shown one only, ${counts.none} for neither. ${placeWords(kept, shown, "The activation", grid)}`;
}
