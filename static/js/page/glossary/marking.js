/**
 * Marks the terms of the glossary where they stand: the first of each in every panel.
 * Nothing moves: a mark is the same text, underlined.
 * @import { Term } from "../../types.js"
 */
import { make } from "../../ui/dom.js";

/** Words that do something else when pressed, or are no running text. */
const SKIPPED =
  "button, a, summary, label, select, textarea, output, canvas, svg, math, kbd, code, " +
  "script, style, .unseen, .try-first, [role=button], [role=status], [aria-hidden=true], [data-term]";

/** A reader takes in one panel at once: each has its own first occurrences. */
const PANEL = ".panel, header";

export const MARK = "term";

/**
 * Mark what is visible and not yet marked.
 * @param {HTMLElement} view @param {(text: string) => Match[]} findTerms
 */
export function markTerms(view, findTerms) {
  /** @type {Map<Element, Set<string>>} */
  const marked = new Map();
  const markedIn = (/** @type {Element} */ element) => {
    const panel = element.closest(PANEL) ?? view;
    const known = marked.get(panel) ?? new Set();
    marked.set(panel, known);
    return known;
  };
  /** @type {NodeListOf<HTMLElement>} */
  const before = view.querySelectorAll(`.${MARK}`);
  for (const mark of before) markedIn(mark).add(mark.dataset.glossary ?? "");
  for (const text of textsOf(view)) {
    const known = markedIn(/** @type {Element} */ (text.parentElement));
    const matches = findTerms(text.data).filter(({ term }) => {
      const isFirst = !known.has(term.id);
      known.add(term.id);
      return isFirst;
    });
    // From the back, so that places before stay where they are.
    for (const match of matches.toReversed()) wrap(text, match);
  }
}

/** @param {ParentNode} root */
export function unmarkTerms(root) {
  for (const mark of root.querySelectorAll(`.${MARK}`)) {
    const { parentNode } = mark;
    mark.replaceWith(...mark.childNodes);
    parentNode?.normalize();
  }
}

/** @param {HTMLElement} view @returns {Text[]} what is visible and may hold terms */
function textsOf(view) {
  const walker = document.createTreeWalker(
    view,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (node instanceof Text)
        return /\p{L}/u.test(node.data)
          ? NodeFilter.FILTER_ACCEPT
          : NodeFilter.FILTER_SKIP;
      const element = /** @type {Element} */ (node);
      return element.matches(SKIPPED) || !element.checkVisibility()
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP;
    },
  );
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  return texts;
}

/** @param {Text} text @param {Match} match */
function wrap(text, { start, end, term }) {
  const word = text.splitText(start);
  word.splitText(end - start);
  const mark = make("span", { class: MARK, "data-glossary": term.id });
  mark.tabIndex = 0;
  mark.setAttribute("role", "button");
  mark.setAttribute("aria-expanded", "false");
  word.replaceWith(mark);
  mark.append(word);
}

/** @typedef {{ start: number, end: number, term: Term }} Match */

/**
 * Find the terms of a glossary in a text.
 * @param {readonly Term[]} terms of several with one form, the first counts
 * @returns {(text: string) => Match[]} every whole word that is a form of a term, in
 *   order; where several begin, the longest
 */
export function termFinder(terms) {
  /** @type {Map<string, Term>} */
  const byForm = new Map();
  for (const term of terms)
    for (const form of term.forms) {
      const key = keyOf(form);
      if (!byForm.has(key)) byForm.set(key, term);
    }
  if (byForm.size === 0) return () => [];
  const longestFirst = [...byForm.keys()].sort((a, b) => b.length - a.length);
  const any = longestFirst.map(escapeText).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  return (text) =>
    Array.from(text.matchAll(pattern), ({ 0: form, index }) => ({
      start: index,
      end: index + form.length,
      term: /** @type {Term} */ (byForm.get(keyOf(form))),
    }));
}

/** @param {string} form */
function escapeText(form) {
  return form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
}

/** @param {string} form as it stands in a text, perhaps broken into lines */
function keyOf(form) {
  return form.toLowerCase().replace(/\s+/g, " ");
}
