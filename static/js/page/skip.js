/** The link that leads a keyboard past everything to the layer on show. */

/**
 * Take the link without writing its target into the address, where the state is kept.
 * @param {HTMLElement} link
 * @param {HTMLElement} target can be focused
 */
export function listenToSkip(link, target) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    target.focus();
  });
}
