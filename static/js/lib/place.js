/**
 * The page's address, and its place in the browser's history. A page whose text stands in
 * another, as in a notebook, has a hash of its own and no query: that is kept here.
 */

const hasQuery = () => location.protocol !== "about:";
let kept = "";

/** Where the explorer is, while another page lies over it. @type {string | null} */
let covered = null;

export const search = () => (hasQuery() ? location.search : kept);

/**
 * @param {string} address relative to the page's: a hash, or a query and a hash
 * @param {boolean} [isNewEntry] of the history
 */
export function put(address, isNewEntry = false) {
  if (covered === null) write(address, isNewEntry);
  else covered = address;
}

/** Let a page that lies over the explorer have the address. @param {string} hash */
export function cover(hash) {
  const current = location.hash === hash ? "#" : location.hash || "#";
  write(hash, covered === null && current !== "#");
  covered ??= current;
}

/** Give the address back. @param {boolean} [isBack] the browser has done so already */
export function uncover(isBack = false) {
  const address = covered;
  covered = null;
  if (address !== null && !isBack) write(address, false);
}

/** @param {string} address @param {boolean} isNewEntry */
function write(address, isNewEntry) {
  const change = isNewEntry ? "pushState" : "replaceState";
  if (hasQuery()) return history[change](null, "", address);
  const url = new URL(address, "http://page");
  if (!address.startsWith("#")) kept = url.search;
  history[change](null, "", new URL(url.hash || "#", location.href));
}
