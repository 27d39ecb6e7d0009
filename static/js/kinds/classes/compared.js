/**
 * The classes in a comparison: the pose of the class in focus for two images, or the logits
 * of all.
 * @import { ComparedLayerState, ComparisonMount } from "../types.js"
 * @import { ClassesState } from "./types.js"
 */
import { focusedClass } from "../../core/state.js";
import { angleBetween, mostDifferent, reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { findElement, setText } from "../../ui/dom.js";
import { pictureTriple } from "../../ui/pictures.js";
import { pairTable } from "../../ui/tables.js";
import { entryPlace, SIDE } from "../matrices.js";

/** @typedef {Pick<ComparedLayerState<ClassesState>, "trace" | "keptTrace" | "classIndex" | "model">} State */

/** What one image has of a class. @typedef {{ score: number, pose: Float32Array }} Reading */

/** What each form compares. */
const FORMS = {
  vectors: mountVector,
  matrices: mountMatrix,
  probabilities: mountLogits,
};

/** @type {ComparisonMount<ClassesState>} */
export function mount(root, store, { form }) {
  const show = FORMS[/** @type {keyof typeof FORMS} */ (form)](root);
  store.watch(["trace", "keptTrace", "classIndex", "model"], (state) => {
    const name = state.model.class_names[focusedClass(state)];
    for (const place of root.querySelectorAll("[data-focus]")) setText(place, name);
    show(state, name);
  });
}

/** @param {HTMLElement} root */
function mountVector(root) {
  const words = findElement(root, "[data-capsule-words]");
  const table = pairTable(findElement(root, "[data-capsule]"), {
    caption: "Numbers of the capsule",
    of: "number",
  });
  return (/** @type {State} */ state, /** @type {string} */ name) => {
    const [{ pose: kept }, { pose: shown }] = readingsOf(state);
    setText(findElement(root, "[data-count]"), String(kept.length));
    setText(words, vectorWords(kept, shown, name));
    table.show(
      Array.from(kept, (value, i) => ({
        name: String(i + 1),
        kept: value,
        shown: shown[i],
      })),
      { reach: Math.max(reach(kept), reach(shown)) || 1, isSigned: true },
    );
  };
}

/** @param {HTMLElement} root */
function mountMatrix(root) {
  const words = findElement(root, "[data-pose-words]");
  const pictures = pictureTriple(findElement(root, "[data-pose]"), "Pose matrix");
  const table = pairTable(findElement(root, "[data-pose-rows]"), {
    caption: "Numbers of the pose",
    of: "row, column",
  });
  return (/** @type {State} */ state, /** @type {string} */ name) => {
    const [before, after] = readingsOf(state);
    const [kept, shown] = [before.pose, after.pose];
    const most = Math.max(reach(kept), reach(shown)) || 1;
    setText(words, matrixWords(before, after, name));
    pictures.show({
      kept,
      shown,
      layout: { count: 1, across: 1, rows: SIDE, columns: SIDE, gap: 0 },
      scale: diverging(most),
      unit: "number in the pose",
      differenceReach: most,
    });
    table.show(
      Array.from(kept, (value, i) => {
        const { row, column } = entryPlace(i);
        return { name: `${row + 1}, ${column + 1}`, kept: value, shown: shown[i] };
      }),
      { reach: most, isSigned: true },
    );
  };
}

/** @param {HTMLElement} root */
function mountLogits(root) {
  const table = pairTable(findElement(root, "[data-logits]"), {
    caption: "Logits of the classes",
    of: "class",
  });
  return (/** @type {State} */ state) => {
    const { trace, keptTrace, model } = state;
    const [kept, shown] = [keptTrace, trace].map(({ tensors }) => tensors.logits.data);
    const focused = focusedClass(state);
    table.show(
      model.class_names.map((name, j) => ({
        ...{ name, kept: kept[j], shown: shown[j] },
        isFocused: j === focused,
      })),
      { reach: Math.max(reach(kept), reach(shown)) || 1, isSigned: true, decimals: 2 },
    );
  };
}

/** @param {State} state @returns {Reading[]} of the class in focus: kept, shown */
function readingsOf(state) {
  const classIndex = focusedClass(state);
  return [state.keptTrace, state.trace].map(({ tensors: { scores, poses } }) => {
    const size = poses.data.length / poses.shape[0];
    return {
      score: scores.data[classIndex],
      pose: poses.data.subarray(classIndex * size, (classIndex + 1) * size),
    };
  });
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
  const [was, is] = [kept, shown].map(({ score }) => fixed(score, 3));
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
  return `it goes from ${fixed(from)} to ${fixed(to)}, by ${signed(to - from)}`;
}
