/**
 * The controls that every routing has: which iteration is on show, how many run, playing
 * them, and which class is in focus.
 * @import { LayerStore } from "../types.js"
 * @import { RoutingFields, RoutingModel } from "./types.js"
 */

import { brief } from "../../lib/format.js";
import { pressChoice } from "../../ui/controls.js";
import { find, findElement, make, setText, tellSetting } from "../../ui/dom.js";
import { named } from "../../ui/inputs.js";
import { mountPlay } from "../../ui/motion.js";

/** @typedef {RoutingFields & { model: RoutingModel }} Controlled */

/** @param {HTMLElement} root @param {LayerStore<any>} store of `Controlled` */
export function mountIterations(root, store) {
  const step = find(root, "[data-step]", HTMLInputElement);
  const stepValue = findElement(root, "[data-step-value]");
  const iterations = find(root, "[data-iterations]", HTMLInputElement);
  const iterationsValue = findElement(root, "[data-iterations-value]");

  const showStep = (/** @type {number} */ now) => store.set({ step: now });
  step.addEventListener("input", () => showStep(Number(step.value)));
  iterations.addEventListener("input", () => {
    const count = Number(iterations.value);
    store.set({ iterations: count, step: count });
  });
  store.watch(["step", "iterations", "model"], (/** @type {Controlled} */ state) => {
    iterations.max = String(state.model.max_routing_iterations);
    iterations.value = String(state.iterations);
    const isTrained = state.iterations === state.model.routing_iterations;
    const runs = `${state.iterations}${isTrained ? " (as trained)" : ""}`;
    tellSetting(iterations, iterationsValue, runs);
    step.max = String(state.iterations);
    step.value = String(state.step);
    step.disabled = state.iterations === 1;
    tellSetting(step, stepValue, `${state.step} of ${state.iterations}`);
  });
  mountPlay(root, store, { showStep });
}

/**
 * A button for each class, or type, of which one is in focus.
 * @param {HTMLElement} group begins with its name
 * @param {(index: number) => void} choose
 */
export function focusChoices(group, choose) {
  const [name] = group.children;
  return {
    /** @param {readonly string[]} names @param {string} [title] of the group */
    offer(names, title) {
      if (title !== undefined) setText(name, title);
      group.replaceChildren(
        name,
        ...names.map((text, index) => {
          const look = { "data-value": String(index), ...named(text) };
          const button = make("button", look, brief(text));
          button.addEventListener("click", () => choose(index));
          return button;
        }),
      );
    },
    /** @param {number | null} index */
    press: (index) => pressChoice(group, index === null ? null : String(index)),
  };
}
