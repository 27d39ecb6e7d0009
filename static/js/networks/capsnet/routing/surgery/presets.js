/**
 * Experiments at one click, each for the image on show.
 * @import { SurgeryScene } from "./index.js"
 * @import { Surgery } from "../../types.js"
 */

import { ranked } from "../../../../lib/arithmetic.js";
import { findElement } from "../../../../ui/dom.js";
import { isSameSurgery, NO_SURGERY } from "./changes.js";
import { experiments } from "./experiments.js";

/**
 * @param {HTMLElement} panel
 * @param {(surgery: Surgery) => void} operate
 */
export function mountPresets(panel, operate) {
  const list = findElement(panel, "[data-presets]");
  /** @type {Surgery[]} */
  let surgeries = [];

  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button === null) return;
    const surgery = surgeries[Number(button.dataset.place)];
    operate(button.getAttribute("aria-pressed") === "true" ? NO_SURGERY : surgery);
  });

  return {
    /** @param {SurgeryScene} found */
    show(found) {
      const offered = experiments({
        ...found,
        lengths: found.intact.tensors["primary.lengths"].data,
        rival: rivalOf(found),
      });
      surgeries = offered.map(({ surgery }) => surgery);
      while (list.childElementCount < offered.length)
        list.append(presetItem(list.childElementCount));
      offered.forEach(({ name, question, surgery }, i) => {
        const button = findElement(list.children[i], "button");
        const isOn = isSameSurgery(surgery, found.surgery);
        button.setAttribute("aria-pressed", String(isOn));
        findElement(button, "[data-name]").textContent = name;
        findElement(button, "[data-question]").textContent = question;
      });
    },
  };
}

/**
 * The longest of the digits that are not in focus.
 * @param {SurgeryScene} found
 */
function rivalOf({ intact, digit, model }) {
  const [first, second] = ranked(intact.tensors["digits.lengths"].data);
  const rival = first === digit ? second : first;
  return { digit: rival, name: model.class_names[rival] };
}

/** @param {number} place */
function presetItem(place) {
  const name = document.createElement("span");
  name.dataset.name = "";
  const question = document.createElement("small");
  question.dataset.question = "";
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.place = String(place);
  button.append(name, question);
  const item = document.createElement("li");
  item.append(button);
  return item;
}
