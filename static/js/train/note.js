/**
 * Says of a network that it computes something otherwise than the page's words have it: it
 * makes a mistake on purpose, or the check of its description found one.
 * @import { AppState, Model, Store } from "../types.js"
 */
import { TRAIN } from "../core/state.js";
import { setText } from "../ui/dom.js";
import { mistakeTitle } from "./exhibits.js";

/** What the page's words and sums take to be as in the paper, as a report calls it. */
const TAKEN = ["axis", "squash", "before", "shared"];

/** @param {Pick<Model, "card">} model */
export function noteWords({ card: { config, described } }) {
  const { mistake = "none" } = config;
  const found = (described?.sentences ?? []).filter(({ setting }) =>
    TAKEN.includes(setting),
  );
  if (found.length > 0)
    return `${found.map(({ text }) => text).join(" ")} The pictures show what it computes; words and sums beside them are about networks as the paper has them.`;
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
