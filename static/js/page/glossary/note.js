/**
 * The one note that explains terms: at the word under the pointer or in focus, until
 * Escape, or until pointer and focus have left both word and note.
 */
import { clamp } from "../../lib/arithmetic.js";
import { setText } from "../../ui/dom.js";

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
  const note = document.createElement("div");
  note.className = "term-note";
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
  const link = document.createElement("button");
  link.type = "button";
  note.append(head, text, values, link);
  parent.append(note);
  let follow = () => {};
  link.addEventListener("click", () => follow());
  /** @type {HTMLElement | null} */
  let word = null;

  function place() {
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
  addEventListener("scroll", place, { capture: true, passive: true });
  addEventListener("resize", place);

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
      place();
    },
  };
}
