/**
 * Tensors that come with every image only while something is looked at.
 * @import { NetworkState } from "../../types.js"
 * @import { Matrix } from "./types.js"
 */
import { BELOW } from "./places.js";

const OF_ROUTING = ["assignments", "means", "deviations", "activations", "costs"];

/**
 * What routing to a convolutional layer is drawn from, while it is on show: that to the
 * classes is what the view needs in any case.
 * @param {Pick<NetworkState<Matrix>, "view" | "routed">} state
 * @returns {string[]}
 */
export function routingWanted({ view, routed }) {
  if (view !== "routing" || routed === "classes") return [];
  return [
    `${BELOW[routed]}.activations`,
    `${routed}.votes`,
    ...OF_ROUTING.map((name) => `${routed}.routing.${name}`),
  ];
}
