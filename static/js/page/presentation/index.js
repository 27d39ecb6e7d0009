/**
 * Presenting: one panel at a time, with large type and nothing beside it. The address keeps
 * it, so that a link opens a page that presents.
 * @import { AppState } from "../../types.js"
 * @import { Store } from "../../core/store.js"
 * @import { Slide } from "./slides.js"
 */

import { listenToTurning } from "../../ui/controls.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { readPresented, writePresented } from "./address.js";
import { putOnShow, slidesOf } from "./slides.js";

/** Keys that lead to another slide wherever one is; remote controls send them. */
const ANYWHERE = /** @type {Record<string, number>} */ ({ PageDown: 1, PageUp: -1 });

/**
 * What is presented of a mode of the page.
 * @typedef {object} Deck
 * @property {HTMLElement | null} bench presented first, if at all
 * @property {readonly { id: string, title: string, panel: HTMLElement, isWhole?: boolean }[]} views
 *   in order; of one that is whole, the panel is a slide itself
 * @property {string} open the one on show
 * @property {(id: string) => void} turnTo another
 */

/**
 * @param {object} parts
 * @param {HTMLElement} parts.bar with the presentation's buttons
 * @param {HTMLElement} parts.start the button that begins it
 * @param {HTMLElement} parts.stage where panels come and go
 * @param {Store<AppState>} store
 * @param {(state: AppState) => Deck} deckOf
 */
export function mountPresentation({ bar, start, stage }, store, deckOf) {
  const back = find(bar, "[data-back]", HTMLButtonElement);
  const next = find(bar, "[data-next]", HTMLButtonElement);
  const place = findElement(bar, "[data-place-words]");
  /** @type {Slide | null} */
  let shown = null;

  const deck = () => deckOf(store.get());
  const slides = () => slidesOf(deck());
  const isOn = () => readPresented(location.search) !== null;
  // Panels come while one presents, such as those whose pictures take long.
  const coming = new MutationObserver(tellPlace);

  /** @param {number} panel of the view that is open, 0 first */
  function showPanel(panel) {
    const all = slides();
    const own = all.filter(({ view }) => view === deck().open);
    const slide = own[Math.min(panel, own.length - 1)] ?? all[0];
    putOnShow(slide);
    shown = slide;
    write(own.indexOf(slide));
    tellPlace();
    coming.observe(stage, {
      ...{ subtree: true, attributes: true },
      attributeFilter: ["hidden"],
    });
    document.documentElement.classList.add("is-presenting");
    bar.hidden = false;
    scrollTo(0, 0);
  }

  /** Say which slide of how many is on show. */
  function tellPlace() {
    const all = slides();
    const at = all.findIndex(({ element }) => element === shown?.element);
    if (shown === null || at < 0) return;
    setText(place, `${shown.title}: ${at + 1} of ${all.length}`);
    back.disabled = at === 0;
    next.disabled = at === all.length - 1;
  }

  /** @param {number} by */
  function go(by) {
    const all = slides();
    const at = all.findIndex(({ element }) => element === shown?.element);
    const slide = all[at + by];
    if (slide === undefined) return;
    const own = all.filter(({ view }) => view === slide.view);
    shown = slide; // so that opening its view does not lead elsewhere
    deck().turnTo(slide.view);
    showPanel(own.indexOf(slide));
  }

  function leave() {
    write(null);
    coming.disconnect();
    putOnShow(null);
    shown = null;
    document.documentElement.classList.remove("is-presenting");
    bar.hidden = true;
    start.focus();
  }

  /** Follow the address, and views that are opened by other means. */
  function follow() {
    const panel = readPresented(location.search);
    if (panel === null || store.get().network === null) return;
    if (shown === null) showPanel(panel);
    else if (shown.view !== deck().open || !shown.element.isConnected) showPanel(0);
  }

  start.addEventListener("click", () => {
    showPanel(0);
    next.focus();
  });
  back.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  findElement(bar, "[data-leave]").addEventListener("click", leave);
  store.watch(["network", "view", "mode", "lab"], follow);
  window.addEventListener("popstate", () => {
    if (shown !== null && !isOn()) leave();
    else follow();
  });
  listenToTurning({ isOn, go, leave }, ANYWHERE);
}

/** @param {number | null} panel */
function write(panel) {
  const { pathname, search, hash } = location;
  history.replaceState(null, "", `${pathname}${writePresented(search, panel)}${hash}`);
}
