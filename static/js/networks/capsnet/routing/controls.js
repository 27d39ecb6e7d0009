/**
 * Which iteration is on show, how many run, and which digit is in focus.
 * @import { Actions, RoutingStore } from "../types.js"
 */

import { focusedDigit } from "../../../core/state.js";
import { grouped } from "../../../lib/format.js";
import { find, findElement } from "../../../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 */
export function mountControls(root, store, actions) {
  const step = find(root, "[data-step]", HTMLInputElement);
  const stepValue = findElement(root, "[data-step-value]");
  const iterations = find(root, "[data-iterations]", HTMLInputElement);
  const iterationsValue = findElement(root, "[data-iterations-value]");
  const digits = findElement(root, "[data-digits]");
  const size = findElement(root, "[data-size]");

  step.addEventListener("input", () => actions.showStep(Number(step.value)));
  iterations.addEventListener("input", () =>
    actions.runIterations(Number(iterations.value)),
  );
  store.watch(["step", "iterations", "model"], (state) => {
    iterations.max = String(state.model.max_routing_iterations);
    iterations.value = String(state.iterations);
    const isTrained = state.iterations === state.model.routing_iterations;
    iterationsValue.textContent = `${state.iterations}${isTrained ? " (as trained)" : ""}`;
    step.max = String(state.iterations);
    step.value = String(state.step);
    step.disabled = state.iterations === 1;
    stepValue.textContent = `${state.step} of ${state.iterations}`;
  });

  store.watch(["model"], ({ model }) => {
    const [name] = digits.children;
    digits.replaceChildren(
      name,
      ...model.class_names.map((text, digit) =>
        digitButton(text, () => actions.focusDigit(digit)),
      ),
    );
    const { primary_types } = model.card.config;
    size.textContent = `${primary_types} types of capsules → ${grouped(model.classes)} digits`;
  });
  store.watch(["digit", "trace", "model"], (state) => {
    const focused = focusedDigit(state);
    [...digits.querySelectorAll("button")].forEach((button, digit) => {
      button.setAttribute("aria-pressed", String(digit === focused));
    });
  });
}

/**
 * @param {string} text
 * @param {() => void} choose
 */
function digitButton(text, choose) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", choose);
  return button;
}
