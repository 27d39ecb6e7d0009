/**
 * The picture that the decoder draws from one digit's capsule, and what becomes of it
 * when the capsule's numbers are moved.
 * @import { Capsule } from "./capsule.js"
 * @import { Services } from "../../../types.js"
 * @import { Actions, DecodingStore } from "../types.js"
 */
import { fixed } from "../../../lib/format.js";
import { findElement } from "../../../ui/dom.js";
import { capsuleInFocus, isEdited } from "./capsule.js";
import { mountExport } from "./export.js";
import { mountPathSliders } from "./path-sliders.js";
import { mountPictures } from "./pictures.js";
import { lengthOf } from "./pose.js";
import { mountSliders } from "./sliders.js";
import { mountSweep } from "./sweep.js";

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 * @param {Services} services
 */
export function mount(root, store, actions, { server }) {
  mountChoice(root, store, actions);
  const shown = mountPictures(findElement(root, ".decoded"), store, actions);
  mountSliders(findElement(root, ".pose"), store, actions);
  mountPathSliders(findElement(root, ".pose"), store, actions);
  mountSweep(findElement(root, ".sweep"), store, actions, server);
  mountExport(findElement(root, ".export"), store, actions, server, shown);
}

/**
 * Whose capsule is decoded.
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 */
function mountChoice(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  const choices = findElement(root, "[data-digits]");
  const words = findElement(root, "[data-capsule]");

  store.watch(["model"], ({ model }) => {
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
  store.watch(["model", "trace", "digit", "edits"], (state) => {
    const capsule = capsuleInFocus(state);
    words.textContent = capsuleWords(capsule);
    const lengths = state.trace.tensors["digits.lengths"].data;
    [...choices.querySelectorAll("button")].forEach((button, digit) => {
      const length = lengths[digit];
      button.setAttribute("aria-pressed", String(digit === capsule.digit));
      button.style.setProperty("--length", String(length));
      const isTouched = state.edits[digit] !== undefined;
      button.classList.toggle("is-edited", isTouched);
      button.title = `length ${fixed(length, 3)}${isTouched ? ", edited" : ""}`;
    });
  });
}

/**
 * What is to be said of a capsule that was edited.
 * @param {number} length
 */
export function editedWords(length) {
  const told = length.toFixed(3);
  // Told as it is written: a length that reads as 1.000 is not called longer.
  if (Number(told) <= 1) return `Edited, it is ${told} long.`;
  return `Edited, it is ${told} long. Squash keeps every capsule shorter than 1, so the decoder was never trained on such a capsule.`;
}

/** @param {Capsule} capsule */
function capsuleWords(capsule) {
  const { model, trace, digit, original, pose } = capsule;
  const name = model.class_names[digit];
  const edited = isEdited(capsule) ? ` ${editedWords(lengthOf(pose))}` : "";
  const length = fixed(lengthOf(original), 3);
  return digit === trace.prediction
    ? `Decoding capsule ${name}, the longest (${length}).${edited}`
    : `Decoding capsule ${name}, ${length} long. The network reads ${model.class_names[trace.prediction]}.${edited}`;
}
