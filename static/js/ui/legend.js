/**
 * A colour scale with its ends and unit, as every picture of values has beside it.
 * @import { Scale } from "../lib/color.js"
 */
import { color } from "../lib/color.js";
import { fixed } from "../lib/number.js";
import { say } from "./say.js";

/**
 * @param {HTMLElement} root filled; only what differs from before is written
 * @param {Scale} scale
 * @param {{ unit: string, decimals?: number }} options unit: what the values are
 */
export function showLegend(root, scale, { unit, decimals = 2 }) {
  if (root.dataset.scale !== scale.name) build(root, scale);
  const [name, , ends] = root.children;
  say(name, unit);
  say(ends.children[0], fixed(scale.low, decimals));
  say(ends.children[ends.children.length - 1], fixed(scale.high, decimals));
}

/**
 * Everything but the words; the ramp is the same whatever the scale's ends.
 * @param {HTMLElement} root
 * @param {Scale} scale
 */
function build(root, scale) {
  root.dataset.scale = scale.name;
  root.classList.add("legend");
  const ramp = span("legend-ramp");
  ramp.style.backgroundImage = `linear-gradient(to right, ${stops(scale).join(", ")})`;
  const ends = span("legend-ends", span());
  if (scale.name === "diverging") ends.append(span("", "0"));
  ends.append(span());
  root.replaceChildren(span("legend-unit"), ramp, ends);
}

/** @param {Scale} scale */
function stops(scale) {
  return Array.from({ length: 11 }, (_, i) => {
    const value = scale.low + (i / 10) * (scale.high - scale.low);
    return `rgb(${color(scale, value).join(" ")})`;
  });
}

/**
 * @param {string} [name] of its class
 * @param {...(Node | string)} content
 */
function span(name = "", ...content) {
  const made = document.createElement("span");
  if (name !== "") made.className = name;
  made.append(...content);
  return made;
}
