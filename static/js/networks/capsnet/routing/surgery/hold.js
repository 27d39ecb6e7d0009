/**
 * Holding a coupling: that of the capsule under the microscope to the digit in focus.
 * @import { SurgeryScene } from "./index.js"
 * @import { Pin, Surgery } from "../../types.js"
 */
import { fixed } from "../../../../lib/format.js";
import { find, findElement } from "../../../../ui/dom.js";
import { MOST_PINS, NO_SURGERY, withoutPin, withPin } from "./changes.js";

/**
 * @param {HTMLElement} panel
 * @param {(surgery: Surgery) => void} operate
 */
export function mountHold(panel, operate) {
  const name = findElement(panel, "[data-pin-name]");
  const slider = find(panel, "[data-pin]", HTMLInputElement);
  const value = findElement(panel, "[data-pin-value]");
  const hold = find(panel, "[data-hold]", HTMLButtonElement);
  const list = findElement(panel, "[data-pins]");
  let surgery = NO_SURGERY;
  let at = { capsule: 0, digit: 0 };

  /** @param {Surgery} now */
  const isHeld = ({ pins }) =>
    pins.some(({ capsule, digit }) => capsule === at.capsule && digit === at.digit);
  const place = () =>
    operate(withPin(surgery, { ...at, coupling: Number(slider.value) }));
  slider.addEventListener("input", () => {
    value.textContent = fixed(Number(slider.value), 2);
    if (isHeld(surgery)) place();
  });
  hold.addEventListener("click", place);
  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button !== null) operate(withoutPin(surgery, Number(button.dataset.capsule)));
  });

  return {
    /** @param {SurgeryScene} found */
    show(found) {
      const isElsewhere = found.capsule !== at.capsule || found.digit !== at.digit;
      surgery = found.surgery;
      at = { capsule: found.capsule, digit: found.digit };
      const pin = surgery.pins.find(({ capsule }) => capsule === at.capsule);
      if (pin?.digit === at.digit) slider.value = String(pin.coupling);
      else if (isElsewhere) slider.value = slider.defaultValue;
      value.textContent = fixed(Number(slider.value), 2);
      name.textContent = `${placeInWords(at.capsule, found)} to ${found.name}`;
      hold.disabled = isHeld(surgery) || (!pin && surgery.pins.length >= MOST_PINS);
      list.replaceChildren(...surgery.pins.map((each) => pinItem(each, found)));
    },
  };
}

/**
 * @param {number} capsule
 * @param {{ rows: number, columns: number }} grid
 */
function placeInWords(capsule, { rows, columns }) {
  const cell = capsule % (rows * columns);
  const type = Math.floor(capsule / (rows * columns));
  return `type ${type}, row ${Math.floor(cell / columns)}, column ${cell % columns}`;
}

/**
 * @param {Pin} pin
 * @param {SurgeryScene} found
 */
function pinItem({ capsule, digit, coupling }, found) {
  const words = document.createElement("span");
  words.textContent = `${placeInWords(capsule, found)} → ${found.model.class_names[digit]}: c = ${fixed(coupling, 2)}`;
  const release = document.createElement("button");
  release.type = "button";
  release.dataset.capsule = String(capsule);
  release.textContent = "Release";
  release.setAttribute("aria-label", `Release ${words.textContent}`);
  const item = document.createElement("li");
  item.append(words, release);
  return item;
}
