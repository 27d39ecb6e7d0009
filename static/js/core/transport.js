/**
 * The way to the server. A site without one has another module in the place of this one,
 * which answers in the browser: `site/answers.js`.
 */

/** How long a request may take, unless it says otherwise. */
export const PATIENCE_MS = 30_000;

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
export function ask(path, request) {
  return fetch(path, request);
}
