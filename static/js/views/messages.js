/**
 * What is wrong, what is missing and what has changed, in words.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { fixed } from "../lib/number.js";
import { findElement } from "../parts/find.js";

/** Readings are announced once they have stood still for so long. */
const SETTLED_MS = 700;

/**
 * @typedef {object} Parts
 * @property {HTMLElement} problem
 * @property {HTMLElement} held what to say while a busy server is asked again
 * @property {HTMLElement} empty
 * @property {HTMLElement} announcer speaks to who does not see
 */

/**
 * @param {Parts} parts
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountMessages({ problem, held, empty, announcer }, store, actions) {
  const words = findElement(problem, "[data-words]");
  store.watch(["problem"], ({ problem: text }) => {
    problem.hidden = text === null;
    words.textContent = text ?? "";
  });
  findElement(problem, "[data-dismiss]").addEventListener("click", () =>
    actions.report(null),
  );

  store.watch(["isHeld"], ({ isHeld }) => {
    held.hidden = !isHeld;
    if (isHeld) announcer.textContent = held.textContent;
  });

  store.watch(["pixels", "models"], ({ pixels, models }) => {
    const isEmpty = pixels === null && models.length > 0;
    empty.hidden = !isEmpty;
    document.body.classList.toggle("is-empty", isEmpty);
  });

  store.watch(["waiting", "trace", "pixels", "problem"], (state) => {
    const { waiting, trace, pixels, problem: trouble } = state;
    const isLoading = trace === null && pixels !== null && trouble === null;
    document.body.classList.toggle("is-loading", isLoading);
    document.body.setAttribute("aria-busy", String(waiting > 0));
  });

  let timer = 0;
  store.watch(["trace", "model"], ({ trace, model }) => {
    clearTimeout(timer);
    if (trace === null || model === null) return;
    const length = trace.tensors["digits.lengths"].data[trace.prediction];
    const name = model.class_names[trace.prediction];
    timer = setTimeout(() => {
      announcer.textContent = `The network says ${name}, length ${fixed(length, 2)}.`;
    }, SETTLED_MS);
  });
}
