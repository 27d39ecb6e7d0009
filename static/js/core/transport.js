/**
 * The way to the server. A site without one has another module in the place of this one,
 * which answers in the browser: `site/answers.js`.
 */

/** How long a request may take, unless it says otherwise. */
export const PATIENCE_MS = 30_000;

/** Who has not answered, in words. */
export const WHO = "The server";

/**
 * What to do when a script of the page does not come; on a site, also why it does not.
 * @param {string} _script its path below `js/`
 * @returns {Promise<string>}
 */
export const whyUnloaded = async (_script) =>
  "Check that the server is running, then reload the page: the address keeps what you see.";

/**
 * Open a file of weights as a network of this page; null where a server has the networks.
 * @type {((file: File, models: readonly import("../types.js").Model[]) => Promise<import("../types.js").Model>) | null}
 */
export const openWeights = null;

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
export function ask(path, request) {
  return fetch(path, request);
}

/**
 * Hear what happens, one event after the other; a connection that breaks off is taken up
 * again where it was, by the browser.
 * @param {string} path @param {readonly string[]} kinds of events
 * @param {(event: any, id: number) => void} listener told the data, and its number
 * @returns {() => void} hear no more
 */
export function listen(path, kinds, listener) {
  const source = new EventSource(path);
  for (const kind of kinds)
    source.addEventListener(kind, ({ data, lastEventId }) =>
      listener(JSON.parse(data), Number(lastEventId)),
    );
  return () => source.close();
}
