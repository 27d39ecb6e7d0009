/**
 * What is presented one after the other: the bench, and each panel of every view. Panels
 * that belong together are marked with `data-slide` as one.
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
 * @param {HTMLElement} bench presented first, as a part of the first view
 * @param {readonly { id: string, title: string, panel: HTMLElement }[]} views in order
 * @returns {Slide[]}
 */
export function slidesOf(bench, views) {
  return views.flatMap(({ id, title, panel }, i) => {
    /** @type {NodeListOf<HTMLElement>} */
    const found = panel.querySelectorAll(PANELS);
    const own = [...found].filter(
      (each) => !each.hidden && !each.parentElement?.closest(PANELS),
    );
    return [...(i === 0 ? [bench] : []), ...own].map((element) => ({
      view: id,
      title,
      element,
    }));
  });
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
