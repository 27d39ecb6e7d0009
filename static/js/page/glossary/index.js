/**
 * Marks the terms of the glossary in the open view and explains them: with symbol and
 * unit, and a button to the view that shows them.
 * @import { Actions, AppState, Store, Term } from "../../types.js"
 */

import { memoize } from "../../lib/memoize.js";
import { debounce } from "../../lib/timing.js";
import { lead } from "../../ui/controls.js";
import { markTerms, termFinder, unmarkTerms } from "./marking.js";
import { createNote, listenToWords } from "./note.js";

/** Texts that change with every stroke are marked once they stand still. */
const QUIET_MS = 300;

/**
 * @param {HTMLElement} stage holds the views
 * @param {Store<AppState>} store @param {Actions} actions
 * @param {readonly Term[]} terms
 * @returns {(root: HTMLElement, before: string) => void} mark the terms of a text elsewhere
 *   on the page but for those that stood in what was read before it
 */
export function mountGlossary(stage, store, actions, terms) {
  const note = createNote(/** @type {HTMLElement} */ (stage.parentElement));
  const finderFor = memoize((/** @type {string} */ architecture) => {
    unmarkTerms(stage); // Input's, which is there for every network
    return termFinder(terms.filter(({ seen }) => architecture in seen));
  });

  function mark() {
    const { model, view } = store.get();
    const panel = stage.querySelector(`[data-view="${view}"]`);
    if (model === null || !(panel instanceof HTMLElement)) return;
    markTerms(panel, finderFor(model.architecture));
    observer.takeRecords(); // of its own marks
    if (note.word()?.isConnected === false) note.hide();
  }
  const markAtRest = debounce(mark, QUIET_MS);
  const observer = new MutationObserver(markAtRest);
  observer.observe(stage, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["hidden", "open"],
  });
  markAtRest();

  listenToWords(document.body, note, (word) => {
    const { model, network } = store.get();
    const term = terms.find(({ id }) => id === word.dataset.glossary);
    const appearance = model === null ? undefined : term?.seen[model.architecture];
    if (!term || !appearance) return;
    const { view, place } = appearance;
    const title = network?.views.find(({ id }) => id === view)?.title ?? view;
    note.show(word, {
      term: term.term,
      symbol: term.symbol ?? "",
      values: term.values ?? "",
      text: term.text,
      link: `See it in ${title}`,
      follow() {
        note.hide();
        actions.openView(view);
        requestAnimationFrame(() => {
          const panel = stage.querySelector(`[data-view="${view}"]`);
          lead(panel?.querySelector(`[data-${place}]`) ?? panel);
        });
      },
    });
  });

  return (root, before) => {
    const { model } = store.get();
    if (model === null) return;
    const find = finderFor(model.architecture);
    const known = new Set(find(before).map(({ term }) => term.id));
    markTerms(root, (text) => find(text).filter(({ term }) => !known.has(term.id)));
  };
}
