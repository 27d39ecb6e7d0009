/**
 * Numbers that stand in several places: pointing at one, or walking on to it, lights up
 * the others. An element names what it shows in `data-term`, several names apart by
 * spaces; elements that share a name are one thing. What is a part of such a thing, as a
 * summand is of a sum, names it in `data-part-of`: it is lit with it, not the other way.
 * @import { Content, Part } from "../../../../ui/h.js"
 */
import { hasModifier } from "../../../../ui/controls.js";
import { findElement, make, setText } from "../../../../ui/dom.js";
import { fill, h } from "../../../../ui/h.js";

const LIT = "is-lit";

/**
 * @typedef {object} Linked
 * @property {Record<string, any>} look attributes
 * @property {(light: (term: string | null) => void) => Content} content with
 *   `data-term-readout`, which says what is lit; light: a term that is pointed at in a picture
 * @property {(term: string | null) => string} words null when nothing is lit
 */

/** @param {Linked} options */
export const linked = (options) => h(linkedPart, options);

/** @type {Part<Linked>} */
function linkedPart() {
  const root = make("div");
  /** @type {Linked | null} */
  let shown = null;
  /** @type {string[]} */
  let terms = [];

  /** @param {string[]} now */
  function show(now) {
    terms = now;
    for (const lit of root.querySelectorAll(`.${LIT}`)) lit.classList.remove(LIT);
    for (const term of terms) {
      const others = `[data-term~="${term}"], [data-part-of~="${term}"]`;
      for (const element of root.querySelectorAll(others)) element.classList.add(LIT);
    }
    const words = shown?.words(terms[0] ?? null);
    if (words !== undefined) setText(findElement(root, "[data-term-readout]"), words);
  }
  /** @param {string[]} now */
  function change(now) {
    if (now.join() !== terms.join()) show(now);
  }
  const light = (/** @type {string | null} */ term) =>
    change(term === null ? [] : [term]);

  root.addEventListener("pointerover", (event) => change(termsOf(event.target)));
  root.addEventListener("pointerleave", () => change(focused(root)));
  root.addEventListener("focusin", (event) => change(termsOf(event.target)));
  root.addEventListener("focusout", () => change([]));
  root.addEventListener("keydown", (event) => walk(root, event));

  return {
    element: root,
    show(next) {
      shown = next;
      const content = h("div", next.look, next.content(light));
      fill(root, content);
      show(terms); // the elements may be new
    },
  };
}

/**
 * From term to term of one group: an element with `data-terms`, of which the Tab key
 * reaches one term.
 * @param {HTMLElement} root @param {KeyboardEvent} event
 */
function walk(root, event) {
  const { target, key } = event;
  const group = target instanceof Element && target.closest("[data-terms]");
  if (!group || !root.contains(group) || target === group) return;
  if (hasModifier(event)) return;
  const terms = [...group.querySelectorAll("[data-term][tabindex]")].filter(isShown);
  const to = nextPlace(terms.indexOf(target), key, terms.length);
  if (to === null) return;
  event.preventDefault();
  const next = /** @type {HTMLElement} */ (terms[to]);
  target.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

/**
 * @param {number} from @param {string} key @param {number} count
 * @returns {number | null} null when the key does not walk
 */
function nextPlace(from, key, count) {
  if (from < 0) return null;
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(from + 1, count - 1);
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(from - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

/** @param {Element} element */
function isShown(element) {
  return element.getClientRects().length > 0;
}

/** @param {EventTarget | null} target */
function termsOf(target) {
  const element = target instanceof Element ? target.closest("[data-term]") : null;
  return element?.getAttribute("data-term")?.split(" ") ?? [];
}

/** @param {HTMLElement} root */
function focused(root) {
  const { activeElement } = document;
  return root.contains(activeElement) ? termsOf(activeElement) : [];
}
