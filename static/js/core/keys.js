/**
 * Keys that work anywhere on the page.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "./state.js"
 * @import { Store } from "./store.js"
 */
import { EXPLORE, LAB } from "./lab.js";
import { INPUT, viewIds } from "./state.js";

/**
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function listenToKeys(store, actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey)
      return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const { mode, network, experiments } = store.get();
    const place = Number(event.key) - 1;
    const view = mode === LAB ? experiments[place]?.id : viewIds(network)[place];
    if (view && mode === LAB) actions.openExperiment(view);
    else if (view) actions.openView(view);
    else if (event.key === "Escape") goUp(store, actions);
  });
}

/**
 * One level up: from a digit of one's own choice to the network's, then from the Lab to the
 * network, then to the input.
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
function goUp(store, actions) {
  if (store.get().digit !== null) actions.focusDigit(null);
  else if (store.get().mode === LAB) actions.openMode(EXPLORE);
  else actions.openView(INPUT);
}

/**
 * Ctrl+Z takes back what was done to the drawing; Ctrl+Shift+Z and Ctrl+Y do it again. In
 * a field, these keys are the field's own.
 * @param {{ undo: () => void, redo: () => void }} does
 */
export function listenToUndo({ undo, redo }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey))
      return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) undo();
    else if (key === "z" || (key === "y" && !event.shiftKey)) redo();
    else return;
    event.preventDefault();
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      target.type !== "checkbox" &&
      target.type !== "range")
  );
}
