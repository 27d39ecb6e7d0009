/**
 * Bars: one to either side of zero, and the scores of all classes from 0 to 1 in columns.
 */

import { clamp } from "../lib/arithmetic.js";
import { fixed } from "../lib/format.js";
import { make } from "./dom.js";
import { h } from "./h.js";

/**
 * A bar to either side of zero, in the cell of a table.
 * @param {string} name of its class
 * @param {number} share -1..1 of the half axis
 */
export function signedBar(name, share) {
  const element = make("i", name);
  element.style.left = `${50 + 50 * Math.min(0, share)}%`;
  element.style.width = `${50 * Math.abs(share)}%`;
  return element;
}

/**
 * A column for each class, from 0 to 1.
 * @param {readonly string[]} names
 * @param {string} title what the scores are
 * @param {ArrayLike<number> | undefined} scores undefined while they are on their way
 * @param {readonly number[]} present @param {readonly number[]} followed
 */
export function scoreColumns(names, title, scores, present, followed) {
  const isOfWords = names.some((name) => name.length > 2);
  const look = { class: `score-columns ${isOfWords ? "has-words" : ""}`.trim() };
  const columns = names.map((name, i) => {
    const is = [
      present.includes(i) && "is-read",
      followed.includes(i) && "is-followed",
    ];
    const tooltip = scores && { title: `${name}: ${fixed(scores[i], 3)}` };
    return h(
      "li",
      { class: is.filter(Boolean).join(" "), ...tooltip },
      h(
        "span",
        { class: "score-column-track" },
        h("i", { "--height": `${100 * clamp(scores?.[i] ?? 0, 0, 1)}%` }),
      ),
      h("span", { class: "score-column-name" }, name),
      h("span", { class: "unseen" }, scores && `: ${fixed(scores[i], 2)}`),
    );
  });
  return h("ol", { ...look, "aria-label": title }, columns);
}
