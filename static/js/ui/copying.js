/** Text into the clipboard. */

/**
 * @param {string} text
 * @returns {Promise<boolean>} false: the browser has no clipboard here, or refuses it
 */
export function isCopied(text) {
  if (!navigator.clipboard) return Promise.resolve(false);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
