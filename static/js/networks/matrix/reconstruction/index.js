/**
 * The picture that the decoder draws from one class's pose, and what becomes of it when the
 * pose's sixteen numbers are moved: a slider for each, laid out as the matrix.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Matrix, MatrixModel } from "../types.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { differenceOf, meanSquare } from "../../../lib/arithmetic.js";
import { ink } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { inkOf } from "../../../lib/pixels.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { POSE } from "../places.js";
import { followsOf } from "./following.js";
import { mountFollowing } from "./follows.js";
import { benchOf, decodedNow, FALLBACK, spanOf } from "./pose.js";
import { entrySlider } from "./slider.js";

/** @typedef {ViewStore<Matrix, "scores" | "classes.poses" | "reconstruction">} DecodingStore */

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  mountClasses(root, store, actions);
  mountPictures(root, store);
  mountSliders(root, store, actions);
  mountFollowing(root, store);
}

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 */
function mountClasses(root, store, actions) {
  const choices = findElement(root, "[data-classes]");
  const words = findElement(root, "[data-words]");
  store.watch(["model"], ({ model }) => {
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
  store.watch(["model", "trace", "digit"], ({ model, trace, digit: chosen }) => {
    const digit = focusedDigit({ digit: chosen, trace });
    const names = model.class_names;
    const activation = fixed(trace.tensors.scores.data[digit], 3);
    setText(
      words,
      digit === trace.prediction
        ? `Decoding the pose of ${names[digit]}, the most active class (${activation}).`
        : `Decoding the pose of ${names[digit]}, ${activation} active. The network reads ${names[trace.prediction]}.`,
    );
    [...choices.querySelectorAll("button")].forEach((button, each) => {
      button.setAttribute("aria-pressed", String(each === digit));
    });
  });
}

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 */
function mountPictures(root, store) {
  const place = findElement(root, "[data-pictures]");
  const error = findElement(root, "[data-error]");
  const pictures = pictureTriple(place, "The digit", [
    "input",
    "reconstruction",
    "reconstruction − input",
  ]);
  store.watch(["trace", "digit", "edits", "decoded", "model"], (state) => {
    const { trace, model } = state;
    const { shape } = trace.tensors.reconstruction;
    const picture = decodedNow(state);
    place.classList.toggle("is-old", picture === null || !picture.isCurrent);
    if (picture === null) return;
    const [rows, columns] = shape;
    const kept = inkOf(trace.pixels);
    const layout = { count: 1, across: 1, rows, columns, gap: 0 };
    const scale = ink();
    pictures.show({
      kept,
      shown: picture.data,
      layout,
      scale,
      unit: "ink",
      decimals: 0,
      differenceReach: 1,
    });
    const usual = model.card.reconstruction_mse;
    const mean =
      usual === undefined ? "" : ` (mean over the test set: ${fixed(usual, 4)})`;
    setText(
      error,
      `mean squared difference ${fixed(meanSquare(differenceOf(picture.data, kept)), 4)}${mean}`,
    );
  });
}

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 */
function mountSliders(root, store, actions) {
  const matrix = findElement(root, "[data-matrix]");
  const title = findElement(root, "[data-pose-title]");
  const note = findElement(root, "[data-range-note]");
  const resetDigit = find(root, "[data-reset-digit]", HTMLButtonElement);
  const resetAll = find(root, "[data-reset-all]", HTMLButtonElement);
  let digit = 0;
  const sliders = Array.from({ length: POSE }, (_, entry) =>
    entrySlider(entry, (difference) => actions.edit(digit, entry, difference, POSE)),
  );
  matrix.replaceChildren(...sliders.map(({ element }) => element));
  resetDigit.addEventListener("click", () => actions.resetEdits(digit));
  resetAll.addEventListener("click", () => actions.resetEdits(null));

  store.watch(["trace", "model", "digit", "edits"], (state) => {
    const { trace, model, edits } = state;
    digit = focusedDigit(state);
    const bench = benchOf(trace.tensors["classes.poses"], digit, edits[digit]);
    sliders.forEach((slider, entry) => {
      slider.show({
        original: bench.original[entry],
        edit: bench.edits[entry],
        span: spanOf(model, digit, entry, bench),
        follows: followsOf(model, digit, entry),
      });
    });
    showWords(model);
    resetDigit.disabled = edits[digit] === undefined;
    resetAll.disabled = Object.keys(edits).length === 0;
  });

  /** @param {MatrixModel} model */
  function showWords({ class_names, card }) {
    const name = class_names[digit];
    setText(title, `The 16 numbers of ${name}’s pose`);
    resetDigit.textContent = `Reset ${name}`;
    setText(
      note,
      card.pose_ranges
        ? `Each slider spans what nearly all test images of ${name} use, and the value here.`
        : `This model’s card records no ranges: each slider spans ${FALLBACK} to either side.`,
    );
  }
}
