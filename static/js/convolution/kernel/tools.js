/**
 * What changes one's own kernel as a whole: presets, size, turning and scaling, its bias.
 * @import { OwnKernel } from "../types.js"
 */

import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { find, findElement } from "../../ui/dom.js";
import {
  flipped,
  mirrored,
  negated,
  normalized,
  resized,
  turned,
  WEIGHT_LIMIT,
} from "./changes.js";
import { PRESETS, preset, presetOf } from "./presets.js";

/** @type {Readonly<Record<string, (kernel: OwnKernel) => OwnKernel>>} */
const TRANSFORMS = {
  turn: turned,
  mirror: mirrored,
  flip: flipped,
  negate: negated,
  normalize: normalized,
  clear: ({ size }) => resized({ size: 1, weights: [0], bias: 0 }, size),
};

/**
 * @param {HTMLElement} root
 * @param {(kernel: OwnKernel, kind?: string) => void} change kind: see `Undo`
 */
export function mountTools(root, change) {
  const presets = findElement(root, "[data-presets]");
  const sizes = findElement(root, "[data-sizes]");
  const bias = find(root, "[data-bias-slider]", HTMLInputElement);
  const biasNumber = find(root, "[data-bias-number]", HTMLInputElement);
  /** @type {OwnKernel} */
  let kernel = preset("identity", 3);

  presets.append(...PRESETS.map(presetButton));
  listenToChoices(presets, (id) => change(preset(id, kernel.size)));
  listenToChoices(sizes, (value) => {
    const size = Number(value);
    const id = presetOf({ ...kernel, bias: 0 });
    // A preset is made for each size; anything else keeps its weights.
    change(
      id === null ? resized(kernel, size) : { ...preset(id, size), bias: kernel.bias },
    );
  });
  for (const button of root.querySelectorAll("[data-transform]")) {
    const transform = TRANSFORMS[button.getAttribute("data-transform") ?? ""];
    button.addEventListener("click", () => change(transform(kernel)));
  }
  for (const input of [bias, biasNumber]) {
    input.addEventListener("input", () => {
      const value = input.valueAsNumber;
      if (Math.abs(value) <= WEIGHT_LIMIT) change({ ...kernel, bias: value }, "bias");
    });
  }
  biasNumber.addEventListener("change", () => {
    biasNumber.value = biasText(kernel.bias);
  });

  return {
    /** @param {OwnKernel} shown */
    show(shown) {
      kernel = shown;
      pressChoice(sizes, String(kernel.size));
      pressChoice(presets, presetOf({ ...kernel, bias: 0 }));
      bias.value = String(kernel.bias);
      if (document.activeElement !== biasNumber)
        biasNumber.value = biasText(kernel.bias);
    },
  };
}

/** @param {number} bias */
function biasText(bias) {
  return String(Number(bias.toFixed(3)));
}

/** @param {{ id: string, title: string }} preset */
function presetButton({ id, title }) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.value = id;
  button.textContent = title;
  return button;
}
