/**
 * The steps after the picture itself, each with what can be decided there: light and
 * dark, where strokes begin, how wide they are.
 * @import { AppState, Found, IntakeStep, Overrides, Store } from "../types.js"
 */

import { saidOf } from "../core/subject.js";
import { fixed, percent } from "../lib/format.js";
import { find, findElement, make, setText } from "../ui/dom.js";

/**
 * @param {HTMLElement} root the list, with the steps that have controls
 * @param {Store<AppState>} store @param {(more: Partial<Overrides>) => void} correct
 */
export function mountSteps(root, store, correct) {
  const invert = find(root, "[data-invert]", HTMLButtonElement);
  const threshold = find(root, "[data-threshold]", HTMLInputElement);
  const thickness = find(root, "[data-thickness]", HTMLInputElement);

  store.watch(["intake", "view", "model"], ({ intake, view, model }) => {
    if (intake === null || model === null || view !== "input") return;
    const [, ...told] = intake.steps; // the picture has a place of its own
    const steps = told.map((step) => ({
      ...step,
      ...{ title: saidOf(step.title, model), note: saidOf(step.note, model) },
    }));
    const shown = new Set(steps.map((step) => showStep(cardOf(root, step.name), step)));
    for (const card of root.children)
      if (card instanceof HTMLElement) card.hidden = !shown.has(card);
  });

  store.watch(["intake", "overrides"], ({ intake, overrides }) => {
    if (intake === null) return;
    invert.setAttribute("aria-pressed", String(overrides.invert));
    const { threshold: level, thickness: width } = intake.settings;
    if (level === null || width === null) return; // a colour picture has no strokes
    showValue(threshold, overrides.threshold, level, 2);
    showValue(thickness, overrides.thickness, width, 1);
  });

  invert.addEventListener("click", () =>
    correct({ invert: !store.get().overrides.invert }),
  );
  threshold.addEventListener("input", () =>
    correct({ threshold: threshold.valueAsNumber }),
  );
  thickness.addEventListener("input", () =>
    correct({ thickness: thickness.valueAsNumber }),
  );
}

/**
 * The place of a step; one without controls gets its own when it first comes.
 * @param {HTMLElement} root @param {string} name
 */
function cardOf(root, name) {
  const card = root.querySelector(`[data-intake-step="${name}"]`);
  if (card instanceof HTMLElement) return card;
  const made = make("li", { "data-intake-step": name }, make("img"), make("strong"));
  const note = make("p", "fine");
  made.append(note);
  root.append(made);
  return made;
}

/** @param {HTMLElement} card @param {IntakeStep} step @returns {Element} the card */
function showStep(card, { title, note, image }) {
  const picture = find(card, "img", HTMLImageElement);
  if (picture.src !== image) picture.src = image;
  picture.alt = "";
  setText(findElement(card, "strong"), title);
  setText(findElement(card, "p"), note);
  return card;
}

/**
 * Show what was decided, else what was found, from where the slider starts.
 * @param {HTMLInputElement} slider followed by the output that tells its value
 * @param {number | null} told @param {number} found @param {number} decimals
 */
function showValue(slider, told, found, decimals) {
  slider.value = String(told ?? found);
  const words = fixed(told ?? found, decimals);
  const output = find(slider.parentElement ?? document, "output", HTMLOutputElement);
  setText(output, words);
  output.classList.toggle("is-told", told !== null);
  slider.setAttribute("aria-valuetext", told === null ? `${words}, automatic` : words);
}

/**
 * The digits that a picture holds, where there are several: the one that is read, and
 * the others to choose.
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountDigitsFound(root, store, correct) {
  const group = findElement(root, "[data-found]");
  const list = findElement(group, "[data-found-list]");

  store.watch(["intake", "overrides"], ({ intake, overrides }) => {
    const found = intake?.found ?? [];
    group.hidden = found.length < 2;
    if (group.hidden) return list.replaceChildren();
    // Buttons stay while their number does: one of them may have the focus.
    if (list.children.length !== found.length)
      list.replaceChildren(
        ...found.map((_, part) => toButton(() => correct({ part }))),
      );
    const chosen = overrides.part === null ? intake?.parts : [overrides.part];
    [...list.children].forEach((button, part) => {
      show(button, found[part], { part, count: found.length });
      button.setAttribute("aria-pressed", String(chosen?.includes(part)));
    });
  });
}

/** @param {() => void} choose */
function toButton(choose) {
  const button = make("button");
  const picture = make("img");
  picture.alt = "";
  button.append(picture, make("span"));
  button.addEventListener("click", choose);
  return button;
}

/**
 * @param {Element} button @param {Found} found
 * @param {{ part: number, count: number }} place
 */
function show(button, { image, share }, { part, count }) {
  const [picture, number] = button.children;
  picture.setAttribute("src", image);
  number.textContent = String(part + 1);
  button.setAttribute(
    "aria-label",
    `Read digit ${part + 1} of ${count}, ${percent(share, 0)} of the ink`,
  );
}
