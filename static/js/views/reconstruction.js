/**
 * The picture that the decoder draws from one digit's capsule, and what becomes of it
 * when the capsule's numbers are moved.
 * @import { AppState, Model, Pixels, Tensor } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 * @import { Capsule } from "./reconstruction-capsule.js"
 */
import { fixed } from "../lib/number.js";
import { lengthOf } from "../lib/pose.js";
import { findElement } from "../parts/find.js";
import { capsuleInFocus, isEdited } from "./reconstruction-capsule.js";
import { mountExport } from "./reconstruction-export.js";
import { mountPictures } from "./reconstruction-pictures.js";
import { mountSliders } from "./reconstruction-sliders.js";
import { mountSweep } from "./reconstruction-sweep.js";

/**
 * @typedef {object} Server
 * @property {(model: Model, digit: number, poses: readonly (readonly number[])[]) => Promise<Tensor>} fetchReconstructions
 * @property {(model: Model, pixels: Pixels, iterations: number, format: "json" | "safetensors") => Promise<Blob>} fetchTraceFile
 */

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {Server} server
 */
export function mountReconstruction(root, store, actions, server) {
  store.watch(["pixels"], ({ pixels }) => {
    root.classList.toggle("is-blank", pixels === null);
  });
  mountChoice(root, store, actions);
  const shown = mountPictures(findElement(root, ".decoded"), store, actions);
  mountSliders(findElement(root, ".pose"), store, actions);
  mountSweep(findElement(root, ".sweep"), store, actions, server);
  mountExport(findElement(root, ".export"), store, actions, server, shown);
}

/**
 * Whose capsule is decoded.
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
function mountChoice(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  const choices = findElement(root, "[data-digits]");
  const words = findElement(root, "[data-capsule]");

  store.watch(["model"], ({ model }) => {
    if (model === null) return;
    shape.textContent = `${model.pose_dim} numbers to ${model.input_shape.join("×")} pixels`;
    choices.replaceChildren(
      ...model.class_names.map((name, digit) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.addEventListener("click", () => actions.focusDigit(digit));
        return button;
      }),
    );
  });
  store.watch(["model", "trace", "digit", "edits", "view"], (state) => {
    if (state.view !== "reconstruction") return;
    const capsule = capsuleInFocus(state);
    words.textContent = capsule === null ? "" : capsuleWords(capsule);
    const lengths = state.trace?.tensors["digits.lengths"].data;
    [...choices.querySelectorAll("button")].forEach((button, digit) => {
      const length = lengths?.[digit] ?? 0;
      button.setAttribute("aria-pressed", String(digit === capsule?.digit));
      button.style.setProperty("--length", String(length));
      const isTouched = state.edits[digit] !== undefined;
      button.classList.toggle("is-edited", isTouched);
      button.title = `length ${fixed(length, 3)}${isTouched ? ", edited" : ""}`;
    });
  });
}

/** @param {Capsule} capsule */
function capsuleWords(capsule) {
  const { model, trace, digit, original, pose } = capsule;
  const name = model.class_names[digit];
  const edited = isEdited(capsule)
    ? ` Edited, it is ${fixed(lengthOf(pose), 3)} long.`
    : "";
  const length = fixed(lengthOf(original), 3);
  return digit === trace.prediction
    ? `Decoded is the capsule of ${name}, the longest: ${length}.${edited}`
    : `Decoded is the capsule of ${name}, ${length} long; the network reads ${model.class_names[trace.prediction]}.${edited}`;
}
