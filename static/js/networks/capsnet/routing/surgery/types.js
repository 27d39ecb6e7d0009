/**
 * The types of capsules as switches, each with what it gives to the digit in focus, and a
 * slider that silences the strongest of them.
 * @import { SurgeryScene } from "./index.js"
 * @import { Surgery } from "../../types.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { fixed } from "../../../../lib/format.js";
import { find, findElement } from "../../../../ui/dom.js";
import { capsulesOfType, silentByType, withSilence } from "./changes.js";
import { strongestTypes } from "./experiments.js";

/**
 * @param {HTMLElement} panel
 * @param {(surgery: Surgery) => void} operate
 */
export function mountTypes(panel, operate) {
  const group = findElement(panel, "[data-type-toggles]");
  const name = findElement(panel, "[data-focus-name]");
  const strongest = find(panel, "[data-strongest]", HTMLInputElement);
  const strongestValue = findElement(panel, "[data-strongest-value]");
  /** @type {SurgeryScene | null} */
  let shown = null;

  group.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button === null || shown === null) return;
    const { surgery, rows, columns } = shown;
    const capsules = capsulesOfType(Number(button.dataset.type), rows * columns);
    const isSilent = button.getAttribute("aria-pressed") === "true";
    operate(withSilence(surgery, capsules, !isSilent));
  });
  strongest.addEventListener("input", () => {
    if (shown === null) return;
    const { surgery, shares, rows, columns } = shown;
    const count = Number(strongest.value);
    operate({ ...surgery, silenced: strongestTypes(shares, count, rows * columns) });
  });

  return {
    /** @param {SurgeryScene} found */
    show(found) {
      shown = found;
      const { surgery, shares, types, rows, columns } = found;
      const cells = rows * columns;
      const silent = silentByType(surgery.silenced, types, cells);
      const silentTypes = silent.filter((count) => count === cells).length;
      name.textContent = found.name;
      strongest.max = String(types);
      strongest.value = String(silentTypes);
      strongestValue.textContent = `${silentTypes} of ${types}`;
      if (group.childElementCount !== types)
        group.replaceChildren(...Array.from({ length: types }, (_, i) => toggle(i)));
      const most = reach(shares) || 1;
      for (let type = 0; type < types; type++) {
        const button = /** @type {HTMLElement} */ (group.children[type]);
        const text = `${fixed(100 * shares[type], 1)}\u202f%`;
        const state = pressed(silent[type], cells);
        button.setAttribute("aria-pressed", state);
        button.title = `${text}${state === "mixed" ? `; ${silent[type]} of its ${cells} capsules are silent` : ""}`;
        const bar = findElement(button, "i");
        bar.style.width = `${(100 * Math.abs(shares[type])) / most}%`;
        bar.classList.toggle("is-against", shares[type] < 0);
        findElement(button, "[data-share]").textContent = text;
      }
    },
  };
}

/**
 * @param {number} silent capsules of the type
 * @param {number} cells all of them
 */
function pressed(silent, cells) {
  if (silent === 0) return "false";
  return silent === cells ? "true" : "mixed";
}

/** @param {number} type */
function toggle(type) {
  const word = document.createElement("span");
  word.className = "unseen";
  word.textContent = "type ";
  const number = document.createElement("b");
  number.append(word, String(type));
  const share = document.createElement("small");
  share.dataset.share = "";
  const bar = document.createElement("i");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.type = String(type);
  button.append(number, share, bar);
  return button;
}
