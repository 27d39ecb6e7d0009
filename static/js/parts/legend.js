/**
 * A colour scale with its ends and unit, as every picture of values has beside it.
 * @import { Scale } from "../lib/color.js"
 */
import { color } from "../lib/color.js";
import { fixed } from "../lib/number.js";

/**
 * @param {HTMLElement} root filled anew
 * @param {Scale} scale
 * @param {{ unit: string, decimals?: number }} options unit: what the values are
 */
export function showLegend(root, scale, { unit, decimals = 2 }) {
  const ramp = document.createElement("span");
  ramp.className = "legend-ramp";
  ramp.style.backgroundImage = `linear-gradient(to right, ${stops(scale).join(", ")})`;
  const middle = scale.name === "diverging" ? [text("0")] : [];
  const ends = document.createElement("span");
  ends.className = "legend-ends";
  ends.append(
    text(fixed(scale.low, decimals)),
    ...middle,
    text(fixed(scale.high, decimals)),
  );
  const name = document.createElement("span");
  name.className = "legend-unit";
  name.textContent = unit;
  root.classList.add("legend");
  root.replaceChildren(name, ramp, ends);
}

/** @param {Scale} scale */
function stops(scale) {
  return Array.from({ length: 11 }, (_, i) => {
    const value = scale.low + (i / 10) * (scale.high - scale.low);
    return `rgb(${color(scale, value).join(" ")})`;
  });
}

/** @param {string} content */
function text(content) {
  const span = document.createElement("span");
  span.textContent = content;
  return span;
}
