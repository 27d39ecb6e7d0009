/** The page's policy: what becomes a script, or another page, was made of its own bytes. */

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("file", {
  createScriptURL(/** @type {string} */ address) {
    if (address.startsWith("blob:")) return address;
    throw new TypeError(`${address} is no script of this file`);
  },
  createHTML: (/** @type {string} */ page) => page,
});

/** @param {string} address @returns {string} */
export const trusted = (address) => policy?.createScriptURL(address) ?? address;

/** @param {string} page one that the file holds @returns {Document} */
export const parsed = (page) =>
  new DOMParser().parseFromString(policy?.createHTML(page) ?? page, "text/html");
