/**
 * Every class as a row: its name, its score as a bar from 0 to 1, the number, one thing
 * more, and tags. A row puts its class in focus.
 */
import { find, findElement } from "./find.js";

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/**
 * What one row shows.
 * @typedef {object} ScoreRow
 * @property {number} score in 0..1
 * @property {string} number the score as it is written
 * @property {string[]} tags what is particular about it, in words
 * @property {boolean} isFirst whether no other score is larger
 */

/**
 * @param {HTMLElement} list filled
 * @param {(digit: number) => void} choose
 */
export function scoreRows(list, choose) {
  /** @param {string} name @param {number} digit */
  function makeRow(name, digit) {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.append(
      element("span", "score-name", name),
      element("span", "score-track", element("i")),
      element("span", "score-number"),
      element("span", "score-more"),
      element("span", "score-tags"),
    );
    button.addEventListener("click", () => choose(digit));
    row.append(button);
    return row;
  }

  return {
    /** @param {readonly string[]} names */
    name(names) {
      list.replaceChildren(...names.map(makeRow));
    },

    /** @param {readonly ScoreRow[]} scores one for each class */
    show(scores) {
      [...list.children].forEach((row, digit) => {
        const { score, number, tags, isFirst } = scores[digit];
        row.classList.toggle("is-first", isFirst);
        find(row, ".score-track i", HTMLElement).style.width = `${100 * score}%`;
        findElement(row, ".score-number").textContent = number;
        findElement(row, ".score-tags").replaceChildren(
          ...tags.map((tag) => element("span", "tag", tag)),
        );
      });
    },

    /** @param {number} digit @returns {HTMLElement} the place of the one thing more */
    more: (digit) => findElement(list.children[digit], ".score-more"),

    /** @param {number} focused */
    focus(focused) {
      [...list.querySelectorAll("button")].forEach((button, digit) => {
        button.setAttribute("aria-pressed", String(digit === focused));
      });
    },
  };
}

/**
 * @param {HTMLElement} axis above the rows; filled
 * @param {{ text: string, at: number }[]} [marks] that stand out from the ticks
 */
export function fillScoreAxis(axis, marks = []) {
  axis.replaceChildren(
    ...TICKS.map((tick) => placed(String(tick), tick, "tick")),
    ...marks.map(({ text, at }) => placed(text, at, "margin")),
  );
}

/**
 * @param {string} text
 * @param {number} at in 0..1
 * @param {string} name
 */
function placed(text, at, name) {
  const mark = element("span", name, text);
  mark.style.left = `${100 * at}%`;
  return mark;
}

/**
 * @param {string} tag
 * @param {string} [name] of its class
 * @param {...(Node | string)} content
 */
function element(tag, name = "", ...content) {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  made.append(...content);
  return made;
}
