/**
 * The chosen capsule's numbers before and after squash, as pairs of bars from zero, and
 * squash's formula with its numbers.
 * @import { Primary } from "./primary.js"
 */
import { fixed } from "../lib/number.js";
import { reach } from "../lib/rank.js";
import { squashedLength } from "../lib/squash.js";
import { tickDecimals, ticksTo } from "../lib/ticks.js";
import { findElement } from "../parts/find.js";

/** @param {HTMLElement} root */
export function mountValues(root) {
  const axis = findElement(root, "[data-bar-axis]");
  const body = findElement(root, "[data-bars]");
  const formula = findElement(root, "[data-formula]");
  const check = findElement(root, "[data-check]");

  return {
    /** @param {Primary} layer @param {number} capsule */
    show({ pre, capsules, lengths, lengthsBefore }, capsule) {
      const dim = pre.shape[3];
      const before = pre.data.subarray(capsule * dim, (capsule + 1) * dim);
      const after = capsules.data.subarray(capsule * dim, (capsule + 1) * dim);
      const ticks = ticksTo(Math.max(reach(before), reach(after)), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...axisLabels(ticks));
      body.replaceChildren(
        ...Array.from(before, (value, i) => pairOfBars(i, value, after[i], end)),
      );
      fillFormula(formula, lengthsBefore[capsule]);
      check.textContent = `Worked out on this page from the ${dim} numbers before squash. The network's own length is ${fixed(lengths.data[capsule], 5)}; its numbers come in half precision, which keeps about three digits.`;
    },
  };
}

/**
 * @param {number} index
 * @param {number} before
 * @param {number} after
 * @param {number} end of the axis, on either side of zero
 */
function pairOfBars(index, before, after, end) {
  const row = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  name.textContent = String(index + 1);
  row.append(name);
  const bars = row.insertCell();
  bars.className = "signed-bars";
  bars.append(bar("is-before", before / end), bar("is-after", after / end));
  row.insertCell().textContent = fixed(before);
  row.insertCell().textContent = fixed(after);
  return row;
}

/**
 * @param {string} name
 * @param {number} share -1..1 of the half axis
 */
function bar(name, share) {
  const element = document.createElement("i");
  element.className = name;
  element.style.left = `${50 + 50 * Math.min(0, share)}%`;
  element.style.width = `${50 * Math.abs(share)}%`;
  return element;
}

/** @param {number[]} ticks of the positive side, 0 first */
function axisLabels(ticks) {
  const end = ticks[ticks.length - 1];
  const decimals = tickDecimals(ticks);
  const all = [...ticks.slice(1).map((tick) => -tick), ...ticks];
  return all.map((tick) => {
    const label = document.createElement("span");
    label.textContent = fixed(tick, decimals);
    label.style.left = `${50 + (50 * tick) / end}%`;
    return label;
  });
}

/**
 * @param {HTMLElement} formula its `mn`s name the number that belongs there
 * @param {number} length before squash, ‖s‖
 */
function fillFormula(formula, length) {
  /** @type {Record<string, string>} */
  const texts = {
    length: fixed(length),
    squared: fixed(length ** 2),
    below: fixed(1 + length ** 2),
    squashed: fixed(squashedLength(length)),
  };
  for (const number of formula.querySelectorAll("[data-number]")) {
    number.textContent = texts[number.getAttribute("data-number") ?? ""];
  }
}
