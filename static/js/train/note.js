/**
 * Says of a network that it computes something otherwise than the page's words have it, as
 * the check of its description, or the import of its weights, has found.
 * @import { AppState, Model, Store } from "../types.js"
 */
import { TRAIN } from "../core/state.js";
import { setText } from "../ui/dom.js";

/** What the page's words and sums take to be as in the paper, as a report calls it. */
const TAKEN = ["axis", "squash", "before", "shared"];

/** What an imported network does, as its sizes name it. @type {Readonly<Record<string, string>>} */
const FOUND = {
  axis: "Its softmax of routing runs over the primary capsules, not over the classes.",
  view: "Its primary capsules are cut by view: the numbers of each are neighbours in one map.",
};

/** @param {Pick<Model, "card">} model */
export function noteWords({ card: { config, described } }) {
  const sentences = described?.sentences ?? [];
  const notes = sentences
    .filter(({ setting }) => TAKEN.includes(setting))
    .map(({ text }) => text);
  const note = FOUND[config.mistake ?? ""];
  if (note !== undefined) notes.push(note);
  if (notes.length === 0) return "";
  return `${notes.join(" ")} The pictures show what it computes; words and sums beside them are about networks as the paper has them.`;
}

/** @param {HTMLElement} root @param {Store<AppState>} store */
export function mountNote(root, store) {
  store.watch(["model", "mode"], ({ model, mode }) => {
    const words = model === null || mode === TRAIN ? "" : noteWords(model);
    root.hidden = words === "";
    setText(root, words);
  });
}
