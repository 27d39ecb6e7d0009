/**
 * What stands around and on the sweep sheet: dimensions, values at the ends, and where
 * each number stands now.
 * @import { Capsule } from "./capsule.js"
 */
import { fixed } from "../../../lib/format.js";
import { findElement } from "../../../ui/dom.js";
import { meaningOf, nameOf } from "../meanings/words.js";
import { shareOf } from "./range.js";

/**
 * @param {HTMLElement} root
 * @param {{ capsule: Capsule, steps: number[][] }} sheet
 * @param {Capsule} now the same capsule with its present edits
 */
export function showSweepMarks(root, { capsule, steps }, now) {
  root.style.setProperty("--rows", String(steps.length));
  root.style.setProperty("--steps", String(steps[0].length));
  const ends = steps.map((differences, i) => {
    const values = differences.map((difference) => capsule.original[i] + difference);
    return { low: values[0], high: values[values.length - 1] };
  });
  findElement(root, "[data-lows]").replaceChildren(
    ...ends.map(({ low }, i) => row(String(i + 1), fixed(low, 2), meaningAt(now, i))),
  );
  findElement(root, "[data-highs]").replaceChildren(
    ...ends.map(({ high }) => row("", fixed(high, 2))),
  );
  findElement(root, "[data-places]").replaceChildren(
    ...steps.map((differences, i) => {
      const range = { low: differences[0], high: differences[differences.length - 1] };
      const line = document.createElement("span");
      line.className = "sweep-line";
      line.append(mark("sweep-own", shareOf(range, 0)));
      if (now.edits[i] !== 0)
        line.append(mark("sweep-now", shareOf(range, now.edits[i])));
      return line;
    }),
  );
}

/**
 * @param {string} name
 * @param {string} end
 * @param {string} [meaning]
 */
function row(name, end, meaning = "") {
  const line = document.createElement("span");
  const strong = document.createElement("b");
  strong.textContent = name;
  const value = document.createElement("span");
  value.textContent = end;
  line.append(...(name === "" ? [value] : [strong, value]));
  if (meaning !== "") {
    const small = document.createElement("small");
    small.textContent = meaning;
    line.append(small);
  }
  return line;
}

/**
 * The one property that a number moves, if there is one.
 * @param {Capsule} capsule
 * @param {number} dimension
 */
function meaningAt({ model, digit }, dimension) {
  const meaning = meaningOf(model, digit, dimension);
  return meaning?.is_single ? nameOf(meaning.strongest) : "";
}

/**
 * @param {string} name
 * @param {number} share of the way from the first picture to the last
 */
function mark(name, share) {
  const made = document.createElement("i");
  made.className = name;
  made.style.setProperty("--at", String(share));
  return made;
}
