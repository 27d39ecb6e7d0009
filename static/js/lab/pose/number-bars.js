/**
 * The correlation of each number of a pose with the knob, as bars up and down from 0.
 */
import { signed } from "../../lib/format.js";

export function numberBars() {
  const element = document.createElement("ol");
  element.className = "pose-numbers";
  element.setAttribute("aria-label", "Correlation of each number with the knob");

  return {
    element,
    /** @param {readonly (number | null)[] | null} correlations null: too few values */
    show(correlations) {
      element.hidden = correlations === null;
      element.replaceChildren(...(correlations ?? []).map(makeBar));
    },
  };
}

/**
 * @param {number | null} value
 * @param {number} i
 */
function makeBar(value, i) {
  const item = document.createElement("li");
  const track = document.createElement("span");
  const bar = document.createElement("i");
  const words = value === null ? "stays" : signed(value, 2);
  item.title = `number ${i + 1}: ${words}`;
  bar.style.height = `${50 * Math.abs(value ?? 0)}%`;
  bar.style.bottom = `${50 + 50 * Math.min(0, value ?? 0)}%`;
  track.append(bar);
  const name = document.createElement("span");
  name.textContent = String(i + 1);
  const said = document.createElement("span");
  said.className = "unseen";
  said.textContent = `: ${words}`;
  item.append(track, name, said);
  return item;
}
