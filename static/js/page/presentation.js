/**
 * Presenting: one panel at a time, with large type and nothing beside it. The address
 * keeps it, so that a link opens a page that presents.
 * @import { AppState, Store } from "../types.js"
 */
import { readWhole, withParameter } from "../lib/links.js";
import { listenToTurning } from "../ui/controls.js";
import { find, findElement, setText } from "../ui/dom.js";

/** Keys that turn slides wherever the focus is; remote controls send them. */
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
 * @param {Store<AppState>} store @param {(state: AppState) => Deck} deckOf
 */
export function mountPresentation({ bar, start, stage }, store, deckOf) {
  const buttons = mountBar(bar, { go, leave });
  /** @type {Slide | null} */
  let shown = null;
  let nth = 0; // of its view's slides

  const deck = () => deckOf(store.get());
  const slides = () => slidesOf(deck());
  const isOn = () => readPresented(location.search) !== null;
  // Panels come while one presents, such as those whose pictures take long.
  const coming = new MutationObserver(stayOrGoOn);

  /** @param {number} panel of the view that is open, 0 first */
  function showPanel(panel) {
    const all = slides();
    const own = all.filter(({ view }) => view === deck().open);
    const slide = own[Math.min(panel, own.length - 1)] ?? all[0];
    putOnShow(slide);
    shown = slide;
    nth = own.indexOf(slide);
    write(nth);
    tellPlace();
    coming.observe(stage, {
      ...{ subtree: true, attributes: true },
      attributeFilter: ["hidden"],
    });
    document.documentElement.classList.add("is-presenting");
    store.set({ isPresenting: true });
    bar.hidden = false;
    scrollTo(0, 0);
  }

  /** Say which slide of how many is on show. */
  function tellPlace() {
    const all = slides();
    const at = all.findIndex(({ element }) => element === shown?.element);
    if (shown === null || at < 0) return;
    buttons.show(shown.title, at, all.length);
  }

  /** A slot gives way to its panel, and a panel without a use in this network is hidden. */
  function stayOrGoOn() {
    if (shown === null) return;
    if (shown.element.hidden || !shown.element.isConnected) showPanel(nth);
    else tellPlace();
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
    store.set({ isPresenting: false });
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
    buttons.focus();
  });
  stage.addEventListener("panels", stayOrGoOn);
  store.watch(["network", "view", "mode", "lab"], follow);
  window.addEventListener("popstate", () => {
    if (shown !== null && !isOn()) leave();
    else follow();
  });
  listenToTurning({ isOn, go, leave }, ANYWHERE);
}

/**
 * @param {HTMLElement} bar
 * @param {{ go: (by: number) => void, leave: () => void }} does
 */
function mountBar(bar, { go, leave }) {
  const back = find(bar, "[data-back]", HTMLButtonElement);
  const next = find(bar, "[data-next]", HTMLButtonElement);
  const place = findElement(bar, "[data-place-words]");
  back.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  findElement(bar, "[data-leave]").addEventListener("click", leave);
  return {
    focus: () => next.focus(),

    /** @param {string} title of the view @param {number} at @param {number} count slides */
    show(title, at, count) {
      setText(place, `${title}: ${at + 1} of ${count}`);
      back.disabled = at === 0;
      next.disabled = at === count - 1;
    },
  };
}

/** @param {number | null} panel */
function write(panel) {
  const { pathname, search, hash } = location;
  history.replaceState(null, "", `${pathname}${writePresented(search, panel)}${hash}`);
}

/**
 * Bars are no slides: they stay beside each of their view's panels. A slot is one from the
 * beginning, which its panel fills once the view's script has come.
 */
const PANELS = '.panel:not([data-bar]), [data-slide], slot:not([name="tables"])';

/**
 * @typedef {object} Slide
 * @property {string} view whose it is
 * @property {string} title of that view
 * @property {HTMLElement} element
 */

/**
 * What is presented one after the other: the bench, and each panel of every view; in
 * the Lab, each experiment as a whole. Panels that belong together are marked with
 * `data-slide` as one.
 * @param {Pick<Deck, "bench" | "views">} deck its bench is a part of the
 *   first view
 * @returns {Slide[]}
 */
function slidesOf({ bench, views }) {
  return views.flatMap(({ id, title, panel, isWhole = false }, i) => {
    const first = i === 0 && bench !== null ? [bench] : [];
    const own = isWhole ? [panel] : panelsIn(panel);
    return [...first, ...own].map((element) => ({ view: id, title, element }));
  });
}

/** @param {HTMLElement} view */
function panelsIn(view) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = view.querySelectorAll(PANELS);
  return [...found].filter(
    (each) => !each.hidden && !each.parentElement?.closest(PANELS),
  );
}

/**
 * Put one slide on show; style sheets hide what is beside it.
 * @param {Slide | null} slide null for none
 */
function putOnShow(slide) {
  for (const name of ["is-on-show", "holds-slide"])
    for (const each of document.querySelectorAll(`.${name}`))
      each.classList.remove(name);
  if (slide === null) return;
  slide.element.classList.add("is-on-show");
  let above = slide.element.parentElement;
  while (above !== null && above !== document.body) {
    above.classList.add("holds-slide");
    above = above.parentElement;
  }
}

const NAME = "present";

/**
 * Whether a link presents, and which panel of its view: `?present` stands before the #,
 * and a number counts the view's panels from 1.
 * @param {string} search of the address, with or without the ?
 * @returns {number | null} the panel, 0 first; null where the link does not present
 */
export function readPresented(search) {
  const value = new URLSearchParams(search).get(NAME);
  if (value === null) return null;
  return (readWhole(value, 1, Number.MAX_SAFE_INTEGER) ?? 1) - 1;
}

/**
 * @param {string} search of the address, with or without the ?
 * @param {number | null} panel 0 first; null not to present
 * @returns {string} with the ?, or empty; what else it says is kept
 */
export function writePresented(search, panel) {
  return withParameter(search, NAME, panel === null ? null : String(panel + 1));
}
