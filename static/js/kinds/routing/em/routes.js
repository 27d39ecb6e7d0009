/**
 * The routings of a network, each to the classes or to a layer of capsules, and the names of
 * what each is made of.
 * @import { Layer } from "../../types.js"
 * @import { Route } from "./types.js"
 */

/** The tensors of a route, behind its prefix. */
export const ROLES = /** @type {const} */ ([
  "presence",
  "votes",
  "assignments",
  "means",
  "deviations",
  "activations",
  "costs",
]);

/** What the layer above has learned, behind the prefix. */
export const LEARNED = /** @type {const} */ (["betaU", "betaA", "lambda"]);

/** @param {Layer} layer @param {string} id of the layer above @returns {Route} */
export function routeTo({ words }, id) {
  return (
    words.routes.find((/** @type {Route} */ { to }) => to === id) ?? words.routes[0]
  );
}
