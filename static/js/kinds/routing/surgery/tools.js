/**
 * With what routing is operated on: experiments at one click, types of capsules as switches,
 * no routing at all, and a coupling that is held.
 * @import { Experiment, Intact, Pin, Surgery } from "../types.js"
 * @import { Show, SurgeryScene } from "./panel.js"
 */
import { ranked, reach } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { pressChoice } from "../../../ui/controls.js";
import { find, findElement, make, setText } from "../../../ui/dom.js";
import { onButton } from "../../../ui/pointing.js";
import { capsuleInWords } from "../../capsules/places.js";
import {
  capsulesOfType,
  isSameSurgery,
  MOST_PINS,
  NO_SURGERY,
  silentByType,
  strongestTypes,
  withoutPin,
  withPin,
  withSilence,
} from "./changes.js";

/** @typedef {(panel: HTMLElement, operate: (surgery: Surgery) => void) => Show} Tool */

/**
 * Experiments at one click, each for the image on show.
 * @param {(intact: Intact) => Experiment[]} experiments
 * @returns {Tool}
 */
export const mountPresets = (experiments) => (panel, operate) => {
  const list = findElement(panel, "[data-presets]");
  /** @type {Surgery[]} */
  let surgeries = [];
  onButton(list, (button) => {
    const isOn = button.getAttribute("aria-pressed") === "true";
    operate(isOn ? NO_SURGERY : surgeries[Number(button.dataset.place)]);
  });

  return (found) => {
    const { intact, classIndex, model } = found;
    const [first, second] = ranked(intact.tensors.scores.data);
    const rival = first === classIndex ? second : first;
    const offered = experiments({
      ...found,
      lengths: intact.tensors.lengths.data,
      rival: { classIndex: rival, name: model.class_names[rival] },
    });
    surgeries = offered.map(({ surgery }) => surgery);
    while (list.childElementCount < offered.length)
      list.append(presetItem(list.childElementCount));
    offered.forEach(({ name, question, surgery }, i) => {
      const button = findElement(list.children[i], "button");
      const isOn = isSameSurgery(surgery, found.surgery);
      button.setAttribute("aria-pressed", String(isOn));
      setText(findElement(button, "[data-name]"), name);
      setText(findElement(button, "[data-question]"), question);
    });
  };
};

/** @param {number} place */
function presetItem(place) {
  const texts = [
    make("span", { "data-name": "" }),
    make("small", { "data-question": "" }),
  ];
  return make("li", "", make("button", { "data-place": String(place) }, ...texts));
}

/**
 * The types of capsules as switches, each with what it gives to the class in focus, and a
 * slider that silences the strongest of them.
 * @type {Tool}
 */
export function mountTypes(panel, operate) {
  const group = findElement(panel, "[data-type-toggles]");
  const name = findElement(panel, "[data-focus-name]");
  const strongest = find(panel, "[data-strongest]", HTMLInputElement);
  const strongestValue = findElement(panel, "[data-strongest-value]");
  /** @type {SurgeryScene | null} */
  let shown = null;

  onButton(group, (button) => {
    if (shown === null) return;
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

  return (found) => {
    shown = found;
    const { surgery, shares, types, rows, columns } = found;
    const cells = rows * columns;
    const silent = silentByType(surgery.silenced, types, cells);
    const silentTypes = silent.filter((count) => count === cells).length;
    setText(name, found.name);
    strongest.max = String(types);
    strongest.value = String(silentTypes);
    setText(strongestValue, `${silentTypes} of ${types}`);
    if (group.childElementCount !== types)
      group.replaceChildren(...silent.map((_, type) => toggle(type)));
    const most = reach(shares) || 1;
    silent.forEach((count, type) => {
      const button = /** @type {HTMLElement} */ (group.children[type]);
      const text = `${fixed(100 * shares[type], 1)}\u202f%`;
      const isMixed = count > 0 && count < cells;
      button.setAttribute("aria-pressed", isMixed ? "mixed" : String(count > 0));
      button.title = `${text}${isMixed ? `; ${count} of its ${cells} capsules are silent` : ""}`;
      const bar = findElement(button, "i");
      bar.style.width = `${(100 * Math.abs(shares[type])) / most}%`;
      bar.classList.toggle("is-against", shares[type] < 0);
      setText(findElement(button, "[data-share]"), text);
    });
  };
}

/** @param {number} type */
function toggle(type) {
  const number = make("b", "", make("span", "unseen", "type "), String(type));
  const share = make("small", { "data-share": "" });
  return make("button", { "data-type": String(type) }, number, share, make("i"));
}

/** Whether anything is routed at all. @type {Tool} */
export function mountRoutingChoice(panel, operate) {
  const group = findElement(panel, "[data-routing]");
  let surgery = NO_SURGERY;
  onButton(group, ({ dataset }) => {
    const routing = dataset.value === "uniform" ? "uniform" : "agreement";
    operate({ ...surgery, routing });
  });
  return (found) => {
    surgery = found.surgery;
    pressChoice(group, surgery.routing);
  };
}

/**
 * Holding a coupling: that of the capsule under the microscope to the class in focus.
 * @type {Tool}
 */
export function mountHold(panel, operate) {
  const name = findElement(panel, "[data-pin-name]");
  const slider = find(panel, "[data-pin]", HTMLInputElement);
  const value = findElement(panel, "[data-pin-value]");
  const hold = find(panel, "[data-hold]", HTMLButtonElement);
  const list = findElement(panel, "[data-pins]");
  let surgery = NO_SURGERY;
  let at = { capsule: 0, classIndex: 0 };

  const isHeld = () =>
    surgery.pins.some(
      ({ capsule, classIndex }) =>
        capsule === at.capsule && classIndex === at.classIndex,
    );
  const place = () =>
    operate(withPin(surgery, { ...at, coupling: Number(slider.value) }));
  slider.addEventListener("input", () => {
    setText(value, fixed(Number(slider.value), 2));
    if (isHeld()) place();
  });
  hold.addEventListener("click", place);
  onButton(list, ({ dataset }) =>
    operate(withoutPin(surgery, Number(dataset.capsule))),
  );

  return (found) => {
    const isElsewhere =
      found.capsule !== at.capsule || found.classIndex !== at.classIndex;
    surgery = found.surgery;
    at = { capsule: found.capsule, classIndex: found.classIndex };
    const pin = surgery.pins.find(({ capsule }) => capsule === at.capsule);
    if (pin?.classIndex === at.classIndex) slider.value = String(pin.coupling);
    else if (isElsewhere) slider.value = slider.defaultValue;
    setText(value, fixed(Number(slider.value), 2));
    setText(name, `${capsuleInWords(found, at.capsule)} to ${found.name}`);
    hold.disabled = isHeld() || (!pin && surgery.pins.length >= MOST_PINS);
    list.replaceChildren(...surgery.pins.map((each) => pinItem(each, found)));
  };
}

/** @param {Pin} pin @param {SurgeryScene} found */
function pinItem({ capsule, classIndex, coupling }, found) {
  const where = capsuleInWords(found, capsule);
  const words = `${where} → ${found.model.class_names[classIndex]}: c = ${fixed(coupling, 2)}`;
  const look = { "data-capsule": String(capsule), "aria-label": `Release ${words}` };
  return make("li", "", make("span", "", words), make("button", look, "Release"));
}
