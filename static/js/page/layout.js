/**
 * Layout that style sheets cannot do alone: how much of the window bars cover, how long
 * the classes' names are, and sliders that a scrolling finger must not move.
 * @import { AppState, Store } from "../types.js"
 */
import { OVERVIEW, shownView } from "../core/state.js";
import { areLong, longestName } from "../lib/format.js";
import { isColour, shapeOf } from "../lib/pixels.js";
import { findElement } from "../ui/dom.js";

/**
 * @typedef {object} Bar
 * @property {string} position as CSS has it; a bar that is not sticky covers nothing
 * @property {number} height in CSS pixels; 0 while it is hidden
 * @property {number} top distance from the window's top where it sticks; NaN where it does not
 * @property {number} bottom the same for the window's bottom
 */

/**
 * Keep `--strip`, `--bars-top` and `--bars-bottom` what they are: how far the strip and
 * all bars reach into the window, in CSS pixels.
 * @param {HTMLElement} page @param {Store<AppState>} store
 */
export function mountBars(page, store) {
  const strip = findElement(page, '[data-part="strip"]');
  const observer = new ResizeObserver(measure);

  function measure() {
    const bars = barsIn(page);
    const { style } = page;
    style.setProperty("--strip", `${coverage([barOf(strip)]).top}px`);
    const { top, bottom } = coverage(bars.map(barOf));
    style.setProperty("--bars-top", `${top}px`);
    style.setProperty("--bars-bottom", `${bottom}px`);
  }

  // Bars come with panels; one that is shown or hidden changes its size.
  store.watch(["network", "view"], () => {
    for (const bar of barsIn(page)) observer.observe(bar);
  });
  addEventListener("resize", measure); // style sheets may let them stick elsewhere
}

/** How far bars reach into the window. @param {readonly Bar[]} bars */
export function coverage(bars) {
  const sticky = bars.filter(
    ({ position, height }) => position === "sticky" && height > 0,
  );
  const reach = (/** @type {"top" | "bottom"} */ side) =>
    sticky.map((bar) => bar[side] + bar.height).filter((edge) => !Number.isNaN(edge));
  return { top: Math.max(0, ...reach("top")), bottom: Math.max(0, ...reach("bottom")) };
}

/** @param {HTMLElement} page */
function barsIn(page) {
  /** @type {NodeListOf<HTMLElement>} */
  const bars = page.querySelectorAll("[data-bar]");
  return [...bars];
}

/** @param {HTMLElement} element @returns {Bar} */
function barOf(element) {
  const { position, top, bottom } = getComputedStyle(element);
  return {
    position,
    height: element.checkVisibility() ? element.offsetHeight : 0,
    top: Number.parseFloat(top),
    bottom: Number.parseFloat(bottom),
  };
}

/**
 * Tell the style sheets how long the classes' names are, so that rows, labels and
 * headings make room for them, and whether the network reads colour pictures.
 * @param {HTMLElement} page @param {Store<AppState>} store
 */
export function mountNames(page, store) {
  store.watch(["model"], ({ model }) => {
    const names = model?.class_names ?? [];
    page.style.setProperty("--longest-name", String(longestName(names)));
    page.classList.toggle("has-long-names", areLong(names));
    page.classList.toggle("has-colours", model !== null && isColour(shapeOf(model)));
  });
  store.watch(["view", "mode"], (state) => {
    page.classList.toggle("shows-overview", shownView(state) === OVERVIEW);
  });
}

/**
 * Let no scrolling finger move a slider. Browsers move the thumb to the finger before
 * they know that it scrolls; this moves it back.
 * @param {HTMLElement} page
 */
export function forgiveSwipes(page) {
  /** @type {{ slider: HTMLInputElement, value: string } | null} */
  let touched = null;

  page.addEventListener(
    "pointerdown",
    ({ target, pointerType }) => {
      const isSlider = target instanceof HTMLInputElement && target.type === "range";
      touched =
        isSlider && pointerType === "touch"
          ? { slider: target, value: target.value }
          : null;
    },
    true, // before anything else has a say
  );
  // The browser takes the finger over only to scroll.
  page.addEventListener("pointercancel", () => {
    if (touched === null) return;
    const { slider, value } = touched;
    touched = null;
    if (slider.value === value) return;
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
