/**
 * Tells the style sheets how much of the window is covered by bars that stay in sight
 * while the page is scrolled, so that nothing is scrolled to a place beneath them: neither
 * what a keyboard comes to nor what is opened. Bars are marked with `data-bar`; style
 * sheets say where each sticks.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
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
 * @param {HTMLElement} page
 * @param {Store<AppState>} store
 */
export function mountBars(page, store) {
  const strip = findElement(page, '[data-part="strip"]');
  const observer = new ResizeObserver(measure);

  function measure() {
    const bars = barsIn(page);
    const { style } = page;
    style.setProperty("--strip", `${covered([barOf(strip)]).top}px`);
    const { top, bottom } = covered(bars.map(barOf));
    style.setProperty("--bars-top", `${top}px`);
    style.setProperty("--bars-bottom", `${bottom}px`);
  }

  // Bars come with panels; one that is shown or hidden changes its size.
  store.watch(["network", "view"], () => {
    for (const bar of barsIn(page)) observer.observe(bar);
  });
  addEventListener("resize", measure); // style sheets may let them stick elsewhere
}

/**
 * How far bars reach into the window.
 * @param {readonly Bar[]} bars
 */
export function covered(bars) {
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

/**
 * @param {HTMLElement} element
 * @returns {Bar}
 */
function barOf(element) {
  const { position, top, bottom } = getComputedStyle(element);
  return {
    position,
    height: element.offsetHeight,
    top: Number.parseFloat(top),
    bottom: Number.parseFloat(bottom),
  };
}
