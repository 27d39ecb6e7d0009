/**
 * What this page has not, where no server stands behind it: `server` (training on data sets,
 * networks of one's own), `training` of any kind, `atlas`, and an `address` that others can open, which a file has
 * not. The pages of a site say it.
 */

/** @param {"server" | "training" | "atlas" | "address"} what */
export function lacks(what) {
  const said = globalThis.document?.documentElement?.dataset?.lacks ?? "";
  return said.split(" ").includes(what);
}

/**
 * The address of another page of the explorer: of a file, where no server gives it one.
 * @param {string} page such as `claims`
 */
export function addressOf(page) {
  const { pages = "*" } = globalThis.document?.documentElement?.dataset ?? {};
  return pages.replace("*", page);
}
