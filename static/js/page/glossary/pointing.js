/**
 * When a term's note comes and goes: hover, focus, tap, Enter and Escape.
 * @import { createNote } from "./note.js"
 */
import { MARK } from "./marking.js";

const COMES_MS = 200; // a pointer that only passes a word asks nothing
const GOES_MS = 250; // time to get from the word to its note

/**
 * @param {HTMLElement} root holds the words
 * @param {ReturnType<typeof createNote>} note
 * @param {(word: HTMLElement) => void} show
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
    const shown = note.word();
    if (word !== null && (event.key === "Enter" || event.key === " ")) {
      show(word);
      note.link.focus();
    } else if (event.key === "Escape" && shown !== null) {
      if (note.element.contains(document.activeElement)) shown.focus();
      stay();
      note.hide();
    } else if (event.key === "Tab" && document.activeElement === note.link && shown) {
      shown.focus(); // from where the browser goes on
      if (event.shiftKey) event.preventDefault();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * @param {Event} event
 * @returns {HTMLElement | null}
 */
function wordOf({ target }) {
  return target instanceof Element ? target.closest(`.${MARK}`) : null;
}
