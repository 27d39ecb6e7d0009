/**
 * Finding the terms of a glossary in a text.
 * @import { Term } from "../../types.js"
 */

/** @typedef {{ start: number, end: number, term: Term }} Found */

/**
 * @param {readonly Term[]} terms of several with one form, the first counts
 * @returns {(text: string) => Found[]} every whole word that is a form of a term, in
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
  const any = longestFirst.map(escaped).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  return (text) =>
    Array.from(text.matchAll(pattern), ({ 0: form, index }) => ({
      start: index,
      end: index + form.length,
      term: /** @type {Term} */ (byForm.get(keyOf(form))),
    }));
}

/** @param {string} form */
function escaped(form) {
  return form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
}

/** @param {string} form as it stands in a text, perhaps broken into lines */
function keyOf(form) {
  return form.toLowerCase().replace(/\s+/g, " ");
}
