/**
 * Presenting: one panel at a time, with large type and nothing beside it. The address keeps
 * it, so that a link opens a page that presents.
 * @import { AppState } from "../../types.js"
 * @import { Actions } from "../../core/state.js"
 * @import { Store } from "../../core/store.js"
 * @import { Slide } from "./slides.js"
 */
import { find, findElement } from "../../ui/find.js";
import { listenToTurning } from "../../ui/turning.js";
import { readPresented, writePresented } from "./address.js";
import { putOnShow, slidesOf } from "./slides.js";

/** Keys that lead to another slide wherever one is; remote controls send them. */
const ANYWHERE = /** @type {Record<string, number>} */ ({ PageDown: 1, PageUp: -1 });

/**
 * @param {object} parts
 * @param {HTMLElement} parts.bar with the presentation's buttons
 * @param {HTMLElement} parts.bench
 * @param {HTMLElement} parts.start the button that begins it
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {(state: AppState) => { id: string, title: string, panel: HTMLElement }[]} viewsOf
 *   those to present, Input first
 */
export function mountPresentation({ bar, bench, start }, store, actions, viewsOf) {
  const back = find(bar, "[data-back]", HTMLButtonElement);
  const next = find(bar, "[data-next]", HTMLButtonElement);
  const place = findElement(bar, "[data-place-words]");
  /** @type {Slide | null} */
  let shown = null;

  const slides = () => slidesOf(bench, viewsOf(store.get()));
  const isOn = () => readPresented(location.search) !== null;

  /** @param {number} panel of the view that is open, 0 first */
  function showPanel(panel) {
    const all = slides();
    const own = all.filter(({ view }) => view === store.get().view);
    const slide = own[Math.min(panel, own.length - 1)] ?? all[0];
    putOnShow(slide);
    shown = slide;
    write(own.indexOf(slide));
    const at = all.indexOf(slide);
    place.textContent = `${slide.title}: ${at + 1} of ${all.length}`;
    back.disabled = at === 0;
    next.disabled = at === all.length - 1;
    document.documentElement.classList.add("is-presenting");
    bar.hidden = false;
    scrollTo(0, 0);
  }

  /** @param {number} by */
  function go(by) {
    const all = slides();
    const at = all.findIndex(({ element }) => element === shown?.element);
    const slide = all[at + by];
    if (slide === undefined) return;
    const own = all.filter(({ view }) => view === slide.view);
    shown = slide; // so that opening its view does not lead elsewhere
    actions.openView(slide.view);
    showPanel(own.indexOf(slide));
  }

  function leave() {
    write(null);
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
    else if (shown.view !== store.get().view || !shown.element.isConnected)
      showPanel(0);
  }

  start.addEventListener("click", () => {
    showPanel(0);
    next.focus();
  });
  back.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  findElement(bar, "[data-leave]").addEventListener("click", leave);
  store.watch(["network", "view"], follow);
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
