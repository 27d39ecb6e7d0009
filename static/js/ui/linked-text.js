/** Sentences in which some words are links. */
import { make, setText } from "./dom.js";

/**
 * @typedef {object} LinkedWord
 * @property {string} text
 * @property {string} title where it leads
 * @property {() => void} go
 */

/** @typedef {string | LinkedWord} Part */

/** The linked words of each element. @type {WeakMap<Element, LinkedWord[]>} */
const shown = new WeakMap();

/** @param {readonly (string | { text: string })[]} parts */
export function plainText(parts) {
  return parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

/**
 * Write a text with linked words. If their number is unchanged, the buttons stay, and
 * so does the focus.
 * @param {Element} element @param {readonly Part[]} parts
 */
export function sayLinked(element, parts) {
  const links = parts.filter((part) => typeof part !== "string");
  const before = shown.get(element) ?? [];
  shown.set(element, links);
  if (element.textContent === plainText(parts) && before.length === links.length)
    return;
  const old = [...element.querySelectorAll("button.linked")];
  const reused = old.length === links.length ? old : [];
  const focused = reused.find((button) => button === document.activeElement);
  let i = 0;
  element.replaceChildren(
    ...parts.map((part) => {
      if (typeof part === "string") return part;
      return linkedButton(element, i, reused[i++]);
    }),
  );
  links.forEach(({ text, title }, place) => {
    const button = element.querySelectorAll("button.linked")[place];
    setText(button, text);
    button.setAttribute("title", title);
  });
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
}

/**
 * @param {Element} element
 * @param {number} place among its links
 * @param {Element | undefined} reused
 */
function linkedButton(element, place, reused) {
  if (reused) return reused;
  const button = make("button", "linked");
  button.addEventListener("click", () => shown.get(element)?.[place]?.go());
  return button;
}
