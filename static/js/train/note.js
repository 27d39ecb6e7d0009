/**
 * Says of a network that it makes a mistake on purpose: what the page writes beside its
 * pictures is about networks without one.
 * @import { AppState, Model, Store } from "../types.js"
 */
import { TRAIN } from "../core/state.js";
import { setText } from "../ui/dom.js";
import { mistakeTitle } from "./exhibits.js";

/** @param {Pick<Model, "card">} model */
export function noteWords({ card: { config } }) {
  const { mistake = "none" } = config;
  if (mistake === "none") return "";
  return `This network makes a mistake on purpose: ${mistakeTitle(mistake)}. The pictures show what it computes; words and sums beside them are about networks without the mistake.`;
}

/** @param {HTMLElement} root @param {Store<AppState>} store */
export function mountNote(root, store) {
  store.watch(["model", "mode"], ({ model, mode }) => {
    const words = model === null || mode === TRAIN ? "" : noteWords(model);
    root.hidden = words === "";
    setText(root, words);
  });
}
