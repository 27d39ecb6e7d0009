/**
 * The picture that the decoder draws from the pose of one class, and what becomes of it
 * when the pose's numbers are moved. Matrices are laid out as such.
 * @import { Actions, Layer, LayerMount } from "../types.js"
 * @import { Bench } from "./pose.js"
 * @import { DecoderState, DecoderStore } from "./types.js"
 */
import { readsWords, saidOf } from "../../core/scores.js";
import { focusedClass } from "../../core/state.js";
import { presence } from "../../lib/decimals.js";
import { findElement, make, setText } from "../../ui/dom.js";
import { attempt } from "../../ui/guard.js";
import { mountExport } from "./export.js";
import { mountOwners } from "./owners.js";
import { mountPictures } from "./pictures.js";
import { benchOf, isEdited, lengthOf } from "./pose.js";
import { mountSliders } from "./sliders.js";

/** @type {LayerMount<DecoderState>} */
export function mount(root, store, actions, { server }, layer) {
  const { isMatrix } = layer.words;
  const sliders = findElement(root, "[data-pose]");
  const part = (/** @type {() => void} */ job) => attempt(root, job);
  part(() => mountChoice(root, store, actions, layer));
  part(() => mountSliders(sliders, store, isMatrix));
  part(() => mountOwners(root, store));
  part(() => mountPictures(findElement(root, ".decoded"), store, actions));
  if (isMatrix) return;
  part(() => mountExport(findElement(root, ".export"), store, actions, server));
}

/**
 * Whose pose is decoded.
 * @param {HTMLElement} root @param {DecoderStore} store @param {Actions} actions
 * @param {Layer} layer
 */
function mountChoice(root, store, actions, layer) {
  const { isMatrix } = layer.words;
  const choices = findElement(root, "[data-classes]");
  const words = findElement(root, "[data-words]");
  const size = findElement(root, "[data-shape]");
  store.watch(["model"], ({ model }) => {
    const [, ...numbers] = layer.shapeOf(model, "poses");
    const image = layer.shapeOf(model, "image").join("×");
    setText(size, `${numbers.join("×")} numbers to ${image} pixels`);
    choices.replaceChildren(
      ...model.class_names.map((name, classIndex) => {
        const button = make("button", "", name);
        button.addEventListener("click", () => actions.focusClass(classIndex));
        return button;
      }),
    );
  });
  store.watch(["model", "trace", "classIndex", "edits", "layer"], (state) => {
    const { trace, edits } = state;
    const scores = trace.tensors.scores.data;
    const focused = focusedClass(state);
    const bench = benchOf(state);
    setText(words, isMatrix ? matrixWords(bench, scores[focused]) : vectorWords(bench));
    [...choices.querySelectorAll("button")].forEach((button, classIndex) => {
      button.setAttribute("aria-pressed", String(classIndex === focused));
      const isTouched = edits[classIndex] !== undefined;
      button.style.setProperty("--length", String(scores[classIndex]));
      button.classList.toggle("is-edited", isTouched);
      button.title = `${isMatrix ? "activation" : "length"} ${presence(scores[classIndex])}${isTouched ? ", edited" : ""}`;
    });
  });
}

/** @param {Bench} bench @param {number} activation of its class */
function matrixWords({ model, trace, classIndex }, activation) {
  const name = model.class_names[classIndex];
  const active = presence(activation);
  const intro =
    classIndex === trace.prediction
      ? `Decoding the pose of ${name}, the most active class (${active}).`
      : `Decoding the pose of ${name}, ${active} active.`;
  return `${intro}${answerWords(model, trace, classIndex)}`;
}

/**
 * What the network says, unless it is just the class that is decoded.
 * @param {Bench["model"]} model @param {Bench["trace"]} trace @param {number} classIndex
 */
function answerWords(model, trace, classIndex) {
  const answer = saidOf(trace.tensors.scores.data, model);
  return answer.state === "one" && answer.named[0] === classIndex
    ? ""
    : ` The network ${readsWords(answer, model)}.`;
}

/** @param {Bench} bench */
function vectorWords(bench) {
  const { model, trace, classIndex, original, pose } = bench;
  const name = model.class_names[classIndex];
  const edited = isEdited(bench) ? ` ${editedWords(lengthOf(pose))}` : "";
  const length = presence(lengthOf(original));
  const intro =
    classIndex === trace.prediction
      ? `Decoding capsule ${name}, the longest (${length}).`
      : `Decoding capsule ${name}, ${length} long.`;
  return `${intro}${answerWords(model, trace, classIndex)}${edited}`;
}

/** What is to be said of a capsule that was edited. @param {number} length */
export function editedWords(length) {
  const text = length.toFixed(3);
  // Told as it is written: a length that reads as 1.000 is not called longer.
  if (Number(text) <= 1) return `Edited, it is ${text} long.`;
  return `Edited, it is ${text} long. Squash keeps every capsule shorter than 1, so the decoder was never trained on such a capsule.`;
}
