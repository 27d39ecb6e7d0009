/**
 * The button that copies a link to exactly what is on show. Where the browser refuses the
 * clipboard, as it does on addresses without TLS, a dialog shows the link, selected.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { toHash } from "../core/link.js";
import { find, findElement, setText } from "../ui/dom.js";

const SAID_MS = 2500;

/**
 * @param {HTMLElement} root holds the button and the dialog
 * @param {Store<AppState>} store
 * @param {HTMLElement} announcer
 */
export function mountCopyLink(root, store, announcer) {
  const button = findElement(root, "[data-copy-link]");
  const words = findElement(button, "[data-word]");
  const dialog = find(root, '[data-dialog="link"]', HTMLDialogElement);
  const field = find(dialog, "[data-link]", HTMLInputElement);
  let timer = 0;

  button.addEventListener("click", async () => {
    // Not the address: it is written a moment later than the state changes.
    const link = new URL(`#${toHash(store.get())}`, location.href).href;
    if (await isCopied(link)) {
      clearTimeout(timer);
      setText(words, "Copied");
      announcer.textContent = "The link is copied.";
      timer = setTimeout(() => setText(words, "Copy link"), SAID_MS);
    } else {
      field.value = link;
      dialog.showModal();
      field.select();
    }
  });
}

/**
 * @param {string} link
 * @returns {Promise<boolean>} false: the browser has no clipboard here, or refuses it
 */
function isCopied(link) {
  if (!navigator.clipboard) return Promise.resolve(false);
  return navigator.clipboard.writeText(link).then(
    () => true,
    () => false,
  );
}
