/**
 * The classes by score; below, what the scores come from: the numbers of the capsules'
 * poses, or the sums of which softmax makes probabilities, if that is known.
 * @import { ClassesState } from "./types.js"
 * @import { LayerMount } from "../types.js"
 */
import { findElement, setText } from "../../ui/dom.js";
import { attempt } from "../../ui/guard.js";
import { mountLogits } from "./logits.js";
import { mountPoses } from "./poses.js";
import { mountScores } from "./scores.js";
import { mountTables } from "./tables.js";
import { mountValues } from "./values.js";

/** What each form shows below the scores. */
const FORMS = {
  vectors: { mount: [mountValues, mountTables], words: vectorShape },
  matrices: { mount: [mountPoses, mountTables], words: matrixShape },
  probabilities: { mount: [mountLogits], words: softmaxShape },
  scores: { mount: [], words: scoresShape },
};

/** @type {LayerMount<ClassesState>} */
export function mount(root, store, actions, _services, layer) {
  const form = FORMS[/** @type {keyof typeof FORMS} */ (layer.form)];
  const shape = findElement(root, "[data-shape]");
  store.watch(["model", "layer", "weights"], (state) =>
    setText(shape, form.words(state)),
  );
  attempt(root, () => mountScores(findElement(root, ".score-panel"), store, actions));
  for (const mountPart of form.mount)
    attempt(root, () => mountPart(root, store, actions));
}

/** @typedef {Pick<import("./types.js").ClassesState, "model" | "layer" | "weights">} Shaped */

/** @param {Shaped} state */
function vectorShape({ model, layer }) {
  const shape = layer.shapeOf(model, "poses").join("×");
  return `${shape} values, each capsule shorter than 1`;
}

/** @param {Shaped} state */
function matrixShape({ model, layer }) {
  const [count, ...shape] = layer.shapeOf(model, "poses");
  return `${count} poses of ${shape.join("×")} numbers`;
}

/** @param {Shaped} state */
function softmaxShape({ model: { classes }, weights }) {
  return `${weights.weights.shape[1]} units → ${classes} logits → ${classes} probabilities`;
}

/** @param {Shaped} state */
function scoresShape({ model }) {
  return `${model.classes} scores`;
}
