/**
 * Routing by agreement: controls, and the pictures that share their selection.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { grouped } from "../lib/number.js";
import { find, findElement } from "../parts/find.js";
import { focusedDigit } from "../state.js";
import { mountCapsule } from "./routing-capsule.js";
import { mountCurves } from "./routing-curves.js";
import { mountFlow } from "./routing-flow.js";
import { mountMatrix } from "./routing-matrix.js";

const FRAME_MS = 1100; // each iteration stays so long when played

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountRouting(root, store, actions) {
  mountControls(root, store, actions);
  mountPlay(root, store, actions);
  mountFlow(root, store, actions);
  mountMatrix(root, store, actions);
  mountCurves(root, store, actions);
  mountCapsule(root, store, actions);
}

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
function mountControls(root, store, actions) {
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
    iterations.max = String(state.model?.max_routing_iterations ?? 10);
    iterations.value = String(state.iterations);
    const isTrained = state.iterations === state.model?.routing_iterations;
    iterationsValue.textContent = `${state.iterations}${isTrained ? " (as trained)" : ""}`;
    step.max = String(state.iterations);
    step.value = String(state.step);
    step.disabled = state.iterations === 1;
    stepValue.textContent = `${state.step} of ${state.iterations}`;
  });

  store.watch(["model"], ({ model }) => {
    if (model === null) return;
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

/**
 * Play: from the first iteration on, again and again, until stopped.
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
function mountPlay(root, store, actions) {
  const button = find(root, "[data-play]", HTMLButtonElement);
  const sign = findElement(button, "[data-play-sign]");
  const word = findElement(button, "[data-play-word]");
  let timer = 0;

  /** @param {boolean} isPlaying */
  function play(isPlaying) {
    clearInterval(timer);
    timer = 0;
    button.setAttribute("aria-pressed", String(isPlaying));
    sign.textContent = isPlaying ? "⏸" : "▶";
    word.textContent = isPlaying ? "Pause" : "Play";
    if (!isPlaying) return;
    advance();
    timer = setInterval(advance, FRAME_MS);
  }
  function advance() {
    const { step, iterations } = store.get();
    actions.showStep(step >= iterations ? 1 : step + 1);
  }

  button.addEventListener("click", () => play(timer === 0));
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.defaultPrevented || store.get().view !== "routing")
      return;
    const { target } = event;
    const isControl =
      target instanceof Element &&
      target.closest("button, input, select, summary, a, dialog");
    if (isControl) return;
    event.preventDefault();
    play(timer === 0);
  });
  store.watch(["view"], ({ view }) => {
    if (view !== "routing" && timer !== 0) play(false);
  });
}
