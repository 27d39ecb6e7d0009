/**
 * The classes in a comparison: the pose of the class in focus for two images.
 * @import { ComparedPanel, ComparedScene, Layer } from "../types.js"
 * @import { ClassesState } from "./types.js"
 */
import { focusedClass } from "../../core/state.js";
import { pairs, trio } from "../../draw/compared.js";
import { oneTile } from "../../geometry/tiles.js";
import { angleBetween, mostDifferent, reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { exactShare, restOf } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { entryPlace, SIDE } from "../matrices.js";

/** @typedef {ComparedScene<ClassesState>} Scene */

/** @type {ComparedPanel<ClassesState, ReturnType<typeof readingsOf>>} */
const vector = {
  id: "capsule",
  look: "compare-tall",
  title(scene) {
    const { name, values } = readingsOf(scene);
    return `The ${values[0].length} numbers of the capsule of ${name}`;
  },
  numbers: readingsOf,
  line: ({ values, name }) => vectorWords(...values, name),
  picture: ({ values }) =>
    pairs({
      ...{ caption: "Numbers of the capsule", of: "number", isSigned: true },
      names: Array.from(values[0], (_, i) => String(i + 1)),
      ...{ values, most: largestIn(values) },
    }),
};

/** @type {ComparedPanel<ClassesState, ReturnType<typeof readingsOf>>} */
const matrix = {
  id: "pose",
  look: "compare-tall is-three",
  title: (scene) => `The pose of ${readingsOf(scene).name}`,
  numbers: readingsOf,
  line: ({ kept, shown, name }) => matrixWords(kept, shown, name),
  picture({ values }) {
    const most = largestIn(values);
    return [
      trio({
        ...{ label: "Pose matrix", values, unit: "number in the pose", most },
        layout: oneTile({ rows: SIDE, columns: SIDE }),
        scale: diverging(most),
      }),
      pairs({
        ...{ caption: "Numbers of the pose", of: "row, column", isSigned: true },
        names: Array.from(values[0], (_, i) => {
          const { row, column } = entryPlace(i);
          return `${row + 1}, ${column + 1}`;
        }),
        ...{ values, most },
      }),
    ];
  },
};

const FORMS = { vectors: [vector], matrices: [matrix] };

/** @param {Layer} layer */
export const panelsOf = ({ form }) =>
  FORMS[/** @type {keyof typeof FORMS} */ (form)] ?? [];

/** @param {readonly Float32Array[]} values */
const largestIn = (values) => Math.max(...values.map(reach)) || 1;

/** What both images have of the class in focus. @param {Scene} scene */
function readingsOf(scene) {
  const classIndex = focusedClass(scene);
  const [kept, shown] = [scene.keptTrace, scene.trace].map(({ tensors }) => {
    const { scores, poses } = tensors;
    const size = poses.data.length / poses.shape[0];
    const pose = poses.data.subarray(classIndex * size, (classIndex + 1) * size);
    return { score: scores.data[classIndex], pose };
  });
  /** @type {[Float32Array, Float32Array]} */
  const values = [kept.pose, shown.pose];
  return { name: scene.model.class_names[classIndex], kept, shown, values };
}

/**
 * @param {ArrayLike<number>} kept numbers of a capsule
 * @param {ArrayLike<number>} shown
 * @param {string} name of its class
 */
export function vectorWords(kept, shown, name) {
  const [was, is] = [kept, shown].map((numbers) =>
    fixed(Math.hypot(...Array.from(numbers)), 2),
  );
  const most = mostDifferent(kept, shown);
  const angle = angleBetween(kept, shown);
  const turned =
    angle === null ? "" : ` The angle between the two vectors is ${fixed(angle, 0)}°.`;
  const differs =
    most === null
      ? " No number differs."
      : ` Number ${most + 1} differs most: ${change(kept[most], shown[most])}.`;
  const long =
    was === is
      ? `${was} long for both images`
      : `${was} long for the kept image and ${is} for the shown one`;
  return `The capsule of ${name} is ${long}.${turned}${differs}`;
}

/**
 * @param {{ score: number, pose: ArrayLike<number> }} kept
 * @param {{ score: number, pose: ArrayLike<number> }} shown
 * @param {string} name of the class
 */
export function matrixWords(kept, shown, name) {
  const [was, is] = [kept, shown].map(({ score }) => exactShare(score, 3));
  const active =
    was === is
      ? `The capsule of ${name} has an activation of ${is} for both images.`
      : `The capsule of ${name} has an activation of ${was} for the kept image and ${is} for the shown one.`;
  const most = mostDifferent(kept.pose, shown.pose);
  if (most === null) return `${active} No number of its pose differs.`;
  const apart = Math.hypot(...Array.from(shown.pose, (m, i) => m - kept.pose[i]));
  const { row, column } = entryPlace(most);
  return `${active} Its two poses lie ${fixed(apart, 2)} apart. The number in row ${row + 1}, column ${column + 1} differs most: ${change(kept.pose[most], shown.pose[most])}.`;
}

/** @param {number} from @param {number} to */
function change(from, to) {
  return `it goes from ${fixed(from)} to ${fixed(to)}, by ${signed(restOf(to, [from], 3))}`;
}
