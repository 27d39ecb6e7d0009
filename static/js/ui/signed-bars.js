/** Bars to either side of zero, in the cell of a table, and the axis above them. */
import { fixed } from "../lib/number.js";
import { tickDecimals } from "../lib/ticks.js";

/**
 * @param {string} name of its class
 * @param {number} share -1..1 of the half axis
 */
export function signedBar(name, share) {
  const element = document.createElement("i");
  element.className = name;
  element.style.left = `${50 + 50 * Math.min(0, share)}%`;
  element.style.width = `${50 * Math.abs(share)}%`;
  return element;
}

/** @param {number[]} ticks of the positive side, 0 first */
export function signedAxis(ticks) {
  const end = ticks[ticks.length - 1];
  const decimals = tickDecimals(ticks);
  const all = [...ticks.slice(1).map((tick) => -tick), ...ticks];
  return all.map((tick) => {
    const label = document.createElement("span");
    label.textContent = fixed(tick, decimals);
    const isInner = tick !== 0 && Math.abs(tick) !== end;
    label.classList.toggle("is-inner", isInner); // narrow screens leave it out
    label.style.left = `${50 + (50 * tick) / end}%`;
    return label;
  });
}
