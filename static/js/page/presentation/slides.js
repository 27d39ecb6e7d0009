/**
 * What is presented one after the other: the bench, and each panel of every view; in the
 * Lab, each experiment as a whole. Panels that belong together are marked with `data-slide`
 * as one.
 */

/** Bars are no panels of their own: they stay beside each of their view. */
const PANELS = ".panel:not([data-bar]), [data-slide]";

/**
 * @typedef {object} Slide
 * @property {string} view whose it is
 * @property {string} title of that view
 * @property {HTMLElement} element
 */

/**
 * @param {Pick<import("./index.js").Deck, "bench" | "views">} deck its bench is a part of the
 *   first view
 * @returns {Slide[]}
 */
export function slidesOf({ bench, views }) {
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
export function putOnShow(slide) {
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
