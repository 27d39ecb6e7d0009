/**
 * The value under the pointer, at the pointer: a few words beside what is pointed at, or
 * beside what the arrow keys have come to. The readout below the picture tells it too,
 * for those who do not see the tip.
 */

import { clamp } from "../lib/arithmetic.js";
import { make } from "./dom.js";

const GAP = 12; // CSS px between the tip and what it is about
const EDGE = 6; // CSS px to the window's edges

/** A place in the window, in CSS px. @typedef {Pick<DOMRect, "left" | "right" | "top" | "bottom">} Place */

/** The one tip, as there is one pointer. */
const tip = (() => {
  /** @type {HTMLElement | null} */
  let element = null;
  /** @type {{ owner: HTMLElement, place: () => Place } | null} */
  let current = null;
  let isDue = false;

  function create() {
    const element = make("div", { class: "value-tip", "data-tip": "" });
    element.setAttribute("aria-hidden", "true"); // its words stand in a readout too
    document.body.append(element);
    addEventListener("scroll", put, { capture: true, passive: true });
    addEventListener("resize", put);
    return element;
  }

  function put() {
    if (current === null || element === null) return;
    if (current.owner.getClientRects().length === 0) return hide(current.owner);
    const { left, right, top, bottom } = current.place();
    const { offsetWidth: width, offsetHeight: height } = element;
    const across = (left + right - width) / 2;
    const above = top - GAP - height;
    const x = clamp(across, EDGE, innerWidth - width - EDGE);
    element.style.left = `${x}px`;
    element.style.top = `${above < EDGE ? bottom + GAP : above}px`;
  }

  /**
   * Put it in its place once in a frame, after what else the frame changes: sizes are read,
   * and so the page is laid out once, not for every move.
   */
  function putSoon() {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() =>
      requestAnimationFrame(() => {
        isDue = false;
        put();
      }),
    );
  }

  /**
   * @param {HTMLElement} owner @param {string} text
   * @param {() => Place} place asked again when the page moves
   */
  function show(owner, text, place) {
    if (text === "") return hide(owner);
    element ??= create();
    if (element.textContent !== text) element.textContent = text;
    element.hidden = false;
    current = { owner, place };
    putSoon();
  }

  /** @param {HTMLElement} owner of what may be shown */
  function hide(owner) {
    if (current?.owner !== owner || element === null) return;
    element.hidden = true;
    current = null;
  }
  return { show, hide };
})();

/**
 * @param {HTMLElement} picture described by its readout, an element of the class `readout`;
 *   without one, there is a tip only where words are given
 * @param {object} keys
 * @param {() => Place} keys.place where the arrow keys are
 * @param {() => string | null} [keys.words] what is there; null: what the readout tells
 */
export function valueTip(picture, { place: placeOfKeys, words: wordsOfKeys }) {
  /** @type {(() => Place) | null} */
  let position = null;
  /** @type {string | null} */
  let words = null;
  /** @type {HTMLElement | null} */
  let readout = null;
  const changes = new MutationObserver(show);

  function show() {
    if (position !== null)
      tip.show(picture, words ?? readout?.textContent ?? "", position);
  }

  /** @param {() => Place} placeNow @param {string | null} wordsNow */
  function begin(placeNow, wordsNow) {
    readout ??= readoutOf(picture);
    // Some readouts change only with the next frame.
    if (position === null && readout !== null)
      changes.observe(readout, { childList: true, characterData: true, subtree: true });
    position = placeNow;
    words = wordsNow;
    show();
  }
  const walk = () => begin(placeOfKeys, wordsOfKeys?.() ?? null);

  function end() {
    changes.disconnect();
    position = null;
    tip.hide(picture);
  }

  picture.addEventListener("focus", () => {
    if (picture.matches(":focus-visible")) walk();
  });
  picture.addEventListener("blur", end);
  picture.addEventListener("pointerleave", end);

  return {
    /**
     * Show what the pointer is on.
     * @param {MouseEvent} event
     * @param {string | null} [wordsNow] what it is; null: what the readout tells
     */
    point({ clientX: x, clientY: y }, wordsNow = null) {
      begin(() => ({ left: x, right: x, top: y, bottom: y }), wordsNow);
    },

    /** Show what the arrow keys have come to. */
    walk,

    /** Hide the tip: there is nothing under the pointer. */
    end,
  };
}

/** @param {HTMLElement} picture */
function readoutOf(picture) {
  const ids = picture.getAttribute("aria-describedby")?.split(" ") ?? [];
  for (const id of ids) {
    const element = document.getElementById(id);
    if (element?.classList.contains("readout")) return element;
  }
  return null;
}

/**
 * The place of a box within a picture.
 * @param {Element} picture
 * @param {{ x: number, y: number, width: number, height: number }} box in parts of the
 *   picture's sides
 * @returns {Place}
 */
export function placeIn(picture, { x, y, width, height }) {
  const outer = picture.getBoundingClientRect();
  const left = outer.left + x * outer.width;
  const top = outer.top + y * outer.height;
  return {
    left,
    top,
    right: left + width * outer.width,
    bottom: top + height * outer.height,
  };
}
