/**
 * The page's address, and its place in the browser's history. A page whose text stands in
 * another, as in a notebook, has a hash of its own and no query: that is kept here.
 */

const hasQuery = () => location.protocol !== "about:";
let kept = "";

export const search = () => (hasQuery() ? location.search : kept);

/**
 * @param {string} address relative to the page's: a hash, or a query and a hash
 * @param {boolean} [isNewEntry] of the history
 */
export function put(address, isNewEntry = false) {
  const change = isNewEntry ? "pushState" : "replaceState";
  if (hasQuery()) return history[change](null, "", address);
  const asked = new URL(address, "http://page");
  if (!address.startsWith("#")) kept = asked.search;
  history[change](null, "", new URL(asked.hash || "#", location.href));
}
