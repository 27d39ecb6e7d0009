/**
 * A small picture that puts its image before the network.
 * @import { Pixels, Source } from "../types.js"
 * @import { Actions } from "../core/state.js"
 */
import { ink } from "../lib/color.js";
import { inkOf, sideOf } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";

/**
 * @param {Pixels} pixels
 * @param {string} title
 * @param {Source} source
 * @param {Actions} actions
 */
export function thumb(pixels, title, source, actions) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = title;
  button.setAttribute("aria-label", title);
  button.dataset.source = keyOf(source);
  const canvas = document.createElement("canvas");
  const side = sideOf(pixels);
  paintHeatmap(canvas, inkOf(pixels), { rows: side, columns: side, scale: ink() });
  button.append(canvas);
  button.addEventListener("click", () => actions.showImage(pixels, source));
  return button;
}

/**
 * Press the one whose image is on show.
 * @param {HTMLElement} root
 * @param {Source} source
 */
export function markShown(root, source) {
  for (const button of root.querySelectorAll("[data-source]")) {
    const isShown = button.getAttribute("data-source") === keyOf(source);
    button.setAttribute("aria-pressed", String(isShown));
  }
}

/** @param {Source} source */
function keyOf(source) {
  if (source.kind === "sample") return source.id;
  return source.kind === "dataset" ? `${source.id}/${source.index}` : source.kind;
}
