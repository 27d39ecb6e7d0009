/**
 * The one note that explains terms: at the word under the pointer or in focus, until
 * Escape, or until pointer and focus have left both word and note.
 */

import { clamp } from "../../lib/arithmetic.js";
import { make, setText } from "../../ui/dom.js";
import { MARK } from "./marking.js";

const GAP = 6; // CSS pixels between word and note
const EDGE = 8; // between note and the window's edge

/**
 * @typedef {object} Note
 * @property {string} term
 * @property {string} symbol empty where there is none
 * @property {string} values its unit or range; empty where there is none
 * @property {string} text
 * @property {string} link what the button says
 * @property {() => void} follow what it does
 */

/** @param {HTMLElement} parent the note becomes a part of it */
export function createNote(parent) {
  const note = make("div", "term-note");
  note.id = "term-note";
  note.popover = "manual";
  note.setAttribute("role", "group");
  const [head, text, values] = ["p", "p", "p"].map((name) =>
    document.createElement(name),
  );
  const [name, symbol] = ["strong", "span"].map((tag) => document.createElement(tag));
  head.append(name, " ", symbol);
  symbol.className = "term-symbol";
  values.className = "fine";
  const link = make("button");
  // Enter on the word leads here. As a stop of Tab it would stand after the whole page, and
  // lead back to a word that Tab has passed.
  link.tabIndex = -1;
  note.append(head, text, values, link);
  parent.append(note);
  let follow = () => {};
  link.addEventListener("click", () => follow());
  /** @type {HTMLElement | null} */
  let word = null;

  function position() {
    if (word === null) return;
    const box = word.getClientRects()[0];
    if (!box || box.bottom < 0 || box.top > innerHeight) return hide();
    const { width, height } = note.getBoundingClientRect();
    const left = clamp(box.left, EDGE, innerWidth - width - EDGE);
    const below = box.bottom + GAP;
    const isBelow =
      below + height + EDGE <= innerHeight || box.top < height + GAP + EDGE;
    note.style.left = `${left}px`;
    note.style.top = `${isBelow ? below : box.top - height - GAP}px`;
  }
  function hide() {
    if (word === null) return;
    word.setAttribute("aria-expanded", "false");
    word.removeAttribute("aria-describedby");
    word = null;
    note.hidePopover();
  }
  addEventListener("scroll", position, { capture: true, passive: true });
  addEventListener("resize", position);

  return {
    element: note,
    link,
    hide,
    /** The word that is explained; null while the note is hidden. */
    word: () => word,

    /**
     * @param {HTMLElement} at the word
     * @param {Note} content
     */
    show(at, content) {
      if (at === word) return;
      hide();
      word = at;
      setText(name, content.term);
      setText(symbol, content.symbol === content.term ? "" : content.symbol);
      setText(text, content.text);
      setText(values, content.values);
      values.hidden = content.values === "";
      setText(link, content.link);
      follow = content.follow;
      note.setAttribute("aria-label", `What ${content.term} means`);
      at.setAttribute("aria-expanded", "true");
      at.setAttribute("aria-describedby", note.id);
      note.showPopover();
      position();
    },
  };
}

const COMES_MS = 200; // a pointer that only passes a word asks nothing
const GOES_MS = 250; // time to get from the word to its note

/**
 * Show and hide a term's note: at hover, focus, tap, Enter and Escape.
 * @param {HTMLElement} root holds the words
 * @param {ReturnType<typeof createNote>} note @param {(word: HTMLElement) => void} show
 */
export function listenToWords(root, note, show) {
  let timer = 0;
  const later = (/** @type {() => void} */ job, /** @type {number} */ delay) => {
    clearTimeout(timer);
    timer = setTimeout(job, delay);
  };
  const stay = () => clearTimeout(timer);
  const holdsFocus = () =>
    document.activeElement !== null &&
    (document.activeElement === note.word() ||
      note.element.contains(document.activeElement));
  const leave = () => later(() => holdsFocus() || note.hide(), GOES_MS);

  root.addEventListener("pointerover", (event) => {
    const word = wordOf(event);
    if (event.pointerType !== "mouse" || word === null) return;
    if (word === note.word()) stay();
    else later(() => show(word), COMES_MS);
  });
  root.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && wordOf(event) !== null) leave();
  });
  note.element.addEventListener("pointerenter", stay);
  note.element.addEventListener("pointerleave", leave);

  root.addEventListener("focusin", (event) => {
    const word = wordOf(event);
    if (word === null || !word.matches(":focus-visible")) return;
    stay();
    show(word);
  });
  root.addEventListener("click", (event) => {
    const word = wordOf(event);
    if (word === null) return;
    stay();
    show(word);
  });
  document.addEventListener("focusout", ({ relatedTarget }) => {
    const isInside =
      relatedTarget instanceof Node && note.element.contains(relatedTarget);
    if (!isInside && relatedTarget !== note.word() && relatedTarget !== null)
      note.hide();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    const isOwn = target instanceof Node && note.element.contains(target);
    if (!isOwn && !note.word()?.contains(/** @type {Node} */ (target))) note.hide();
  });
  // Before the page's own keys: Escape closes the note and nothing else.
  document.addEventListener("keydown", onKey, { capture: true });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const word = wordOf(event);
    const marked = note.word();
    if (word !== null && (event.key === "Enter" || event.key === " ")) {
      show(word);
      note.link.focus();
    } else if (event.key === "Escape" && marked !== null) {
      if (note.element.contains(document.activeElement)) marked.focus();
      stay();
      note.hide();
    } else if (event.key === "Tab" && document.activeElement === note.link && marked) {
      marked.focus(); // from where the browser goes on
      if (event.shiftKey) event.preventDefault();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Event} event @returns {HTMLElement | null} */
function wordOf({ target }) {
  return target instanceof Element ? target.closest(`.${MARK}`) : null;
}
